"""What is said where no line has what the flow file's `fields:` look for."""

import json

import pytest

from harness import firstmile, report
from test_warehouse_exports import FLOW, canonical, lines, people, table, utc


def flow_with(folder, fields):
    (folder / "flow.yaml").write_text(FLOW.replace("{page_name: properties.page}", "{" + fields + "}"))
    return folder / "flow.yaml"


def said_of(folder, rows, fields, write=lines, expect=(0, 4)):
    (folder / "dump").write_text(write(rows))
    done = report([folder / "dump"], folder / "out", "--as-of", "2026-02-03",
                  flow=flow_with(folder, fields), expect=expect)
    return " ".join(done.stderr.decode().split())


@pytest.mark.parametrize("fields, path, what, near", [
    ("page_name: properties.page, timestamp: created_at", "created_at", "timestamp", "326 have 'timestamp'"),
    ("page_name: properties.page, event: action", "action", "event", "326 have 'event'"),
    ("page_name: properties.page, user_id: customer", "customer", "user_id", "86 have 'user_id'"),
    ("page_name: properties.Page_Name", "properties.Page_Name", "a field", "'properties.page' is there"),
])
def test_a_mapped_field_in_no_line_is_named(folder, fields, path, what, near):
    said = said_of(folder, [canonical(*one) for one in people()], fields)
    assert f"no line has '{path}', where 'fields:' in the flow file looks for {what} (326 lines)" in said, said
    assert near in said, said


def test_so_is_one_of_a_table(folder):
    rows = [{"event": event, "timestamp": utc(at, "Z"), "user_id": f"u{person}", "page": page}
            for person, at, event, page, _ in people()]
    said = said_of(folder, rows, "page_name: screen", table)
    assert "no line has 'screen'" in said, said
    assert "no line has" not in said_of(folder, rows, "page_name: page", table)


def test_half_the_lines_have_it_under_the_usual_name(folder):
    rows = [canonical(*one) | {"user_id": f"u{one[0]}"} for one in people()]
    for row in rows[:200]:
        row["customer"] = row.pop("user_id")
    said = said_of(folder, rows, "page_name: properties.page, user_id: customer")
    assert ("'customer', where 'fields:' in the flow file looks for user_id, is in 200 of 326 lines; "
            "126 of the others have 'user_id' instead, which isn't looked at") in said, said


def test_what_another_field_looks_at_is_no_hint(folder):
    """Application Insights: `user_id` is the device's, and who has signed in stands elsewhere."""
    rows = [canonical(*one) for one in people()]
    rows = [row | {"user_id": f"d{one[0]}"} | ({"signed_in": f"u{one[0]}"} if one[4] else {})
            for row, one in zip(rows, people())]
    for row in rows:
        row.pop("device_id", None)
    said = said_of(folder, rows, "page_name: properties.page, device_id: user_id, user_id: signed_in")
    assert "which isn't looked at" not in said, said


def test_a_file_that_calls_its_times_otherwise_is_named(folder):
    rows = [canonical(*one) for one in people()]
    first = [row | {"at": row["timestamp"], "timestamp": None} for row in rows[:200]]
    second = [row | {"att": row["timestamp"], "timestamp": None} for row in rows[200:]]
    (folder / "a.ndjson").write_text(lines(first))
    (folder / "b.ndjson").write_text(lines(second))
    done = report([folder / "a.ndjson", folder / "b.ndjson"], folder / "out",
                  flow=flow_with(folder, "page_name: properties.page, timestamp: at"), expect=4)
    said = done.stderr.decode()
    assert f"{folder / 'b.ndjson'}: no line has 'at'" in said and "'att' is there" in said, said
    assert f"{folder / 'a.ndjson'}: no line" not in said, said


@pytest.mark.parametrize("fields", [
    "page_name: properties.page", "page_name: properties.page, user_id: user_id, event: event",
    "page_name: {path: properties.page}", "page_name: properties.page, flow: {constant: own}",
])
def test_nothing_is_said_of_what_is_there(folder, fields):
    assert "no line has" not in said_of(folder, [canonical(*one) for one in people()], fields)


def test_a_text_of_json_holds_it_too(folder):
    rows = [canonical(*one) for one in people()]
    rows = [row | {"properties": json.dumps(row["properties"])} for row in rows]
    assert "no line has" not in said_of(folder, rows, "page_name: properties.page")


def test_ingest_and_validate_say_it_too(folder):
    (folder / "dump.ndjson").write_text(lines([canonical(*one) for one in people()]))
    flow = flow_with(folder, "page_name: properties.page, timestamp: created_at")
    done = firstmile("validate", folder / "dump.ndjson", "--flow", flow, expect=4)
    assert b"no line has 'created_at'" in done.stderr, done.stderr
    done = firstmile("ingest", folder / "dump.ndjson", "--store", folder / "s.sqlite", "--flow", flow,
                     expect=4)
    assert b"no line has 'created_at'" in done.stderr, done.stderr
