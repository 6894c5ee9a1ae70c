"""Rows that a log of changes says are gone or changed: what it says of them before counts, and that is said."""

import json

import pytest

from harness import report
from test_pipelines import CHANGES, row
from test_warehouse_exports import FLOW, lines, people, table

MARKS = {
    "Airbyte": ({"_ab_cdc_deleted_at": None}, {"_ab_cdc_deleted_at": "2026-02-01T00:00:00Z"}),
    "AWS DMS": ({"Op": "I"}, {"Op": "D"}),
    "Delta's change data feed": ({"_change_type": "insert"}, {"_change_type": "delete"}),
    "Debezium's rows": ({"__deleted": "false"}, {"__deleted": "true"}),
}


@pytest.fixture
def flow(folder):
    (folder / "flow.yaml").write_text(FLOW)
    return folder / "flow.yaml"


def read(folder, flow, text):
    (folder / "dump").write_text(text)
    done = report([folder / "dump"], folder / "out", "--as-of", "2026-02-03", flow=flow)
    found = json.loads((folder / "out/metrics.json").read_text())
    page = (folder / "out/report.html").read_text()
    return " ".join(done.stderr.decode().split()), found["provenance"], page


CLAIM = "10 rows were deleted where the data come from, and may still count"
WORDS = "10 rows that were deleted after they came; what it says of them before counts as well"


@pytest.mark.parametrize("write", [table, lines])
@pytest.mark.parametrize("name", MARKS)
def test_rows_that_a_log_says_are_gone_are_counted_and_named(folder, flow, name, write):
    came, gone = MARKS[name]
    rows = [row(*one) for one in people()]
    said, found, page = read(folder, flow, write([one | came for one in rows] + [one | gone for one in rows[:10]]))
    assert found["rejects"] == {"deleted_by_log": 10} and found["events"] == 326, found
    assert WORDS in said, said
    assert CLAIM in page
    summary = (folder / "out/summary.md").read_text() if (folder / "out/summary.md").exists() else page
    assert "read the table and not its log" in summary


@pytest.mark.parametrize("name", CHANGES)
def test_so_are_those_of_a_logs_messages(folder, flow, name):
    rows = [row(*one) for one in people()]
    messages = [CHANGES[name](one, False) for one in rows] + [CHANGES[name](one, True) for one in rows[:10]]
    said, found, page = read(folder, flow, lines(messages))
    assert found["rejects"] == {"deleted_by_log": 10}, found
    assert WORDS in said and CLAIM in page, said


def updated(message):
    """The same message, of a row that changed."""
    text = json.dumps(message)
    for came, changed in [('"op": "c"', '"op": "u"'), ('"insert"', '"update"'), ('"INSERT"', '"UPDATE"')]:
        text = text.replace(came, changed)
    return json.loads(text)


@pytest.mark.parametrize("name", [name for name in CHANGES if "what was" not in name])
def test_rows_that_changed_are_counted_and_named(folder, flow, name):
    rows = [row(*one) | {"message_id": f"m{number}"} for number, one in enumerate(people())]
    changed = [one | {"page": "welcome"} for one in rows[:10]]
    messages = [CHANGES[name](one, False) for one in rows] + [updated(CHANGES[name](one, False)) for one in changed]
    said, found, page = read(folder, flow, lines(messages))
    assert found["rejects"] == {} and found["events"] == 336, found
    assert "10 rows that were changed after they came" in said, said
    assert CLAIM not in page


def test_rows_that_are_marked_in_their_own_place_are_no_log(folder, flow):
    rows = [row(*one) | {"_fivetran_deleted": number < 10} for number, one in enumerate(people())]
    said, found, page = read(folder, flow, lines(rows))
    assert found["rejects"] == {"deleted_row": 10}
    assert "log of changes" not in said and "log of changes" not in page
