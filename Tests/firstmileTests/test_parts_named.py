"""Parts that are no dump by themselves: tables of something else in archives, files of a lake's table."""

import json
import zipfile

import pytest

from harness import firstmile, report
from test_warehouse_exports import FLOW, START, people, table, utc


@pytest.fixture
def flow(folder):
    (folder / "flow.yaml").write_text(FLOW)
    return folder / "flow.yaml"


@pytest.mark.parametrize("is_first", [True, False])
def test_drafts_leave_out_tables_of_something_else_in_archives(folder, is_first):
    events = table([{"event": event, "timestamp": utc(at, "Z"), "user_id": f"u{person}", "page": page}
                    for person, at, event, page, _ in people()])
    customers = table([{"id": number, "name": f"Jane {number}", "created_at": utc(START + number, "Z"),
                        "user_id": f"u{number}"} for number in range(300)])
    parts = [("customers.csv", customers), ("events.csv", events)]
    with zipfile.ZipFile(folder / "dump.zip", "w") as archive:
        for name, text in parts if is_first else parts[::-1]:
            archive.writestr(name, text)
    said = firstmile("flow", "init", folder / "dump.zip").stdout.decode()
    assert "made from 326 events of 80 persons" in said and "Jane" not in said, said
    # Without any events the archive's rows show what they lack, as in a report.
    with zipfile.ZipFile(folder / "only.zip", "w") as archive:
        archive.writestr("customers.csv", customers)
    said = firstmile("flow", "init", folder / "only.zip", expect=(0, 2, 4))
    assert b"300" in said.stdout + said.stderr, said


@pytest.mark.parametrize("log, words", [
    ("_delta_log/0.json", "is a Delta Lake table"), (".hoodie/hoodie.properties", "is a Hudi table"),
    ("metadata/v1.metadata.json", "is an Iceberg table"),
])
def test_a_named_part_of_a_lakes_table_is_read_and_said(folder, flow, log, words):
    place = folder / "lake" / log
    place.parent.mkdir(parents=True)
    place.write_text('{"format-version":2,"table-uuid":"0"}\n')
    for part in ("a", "b"):
        (folder / f"lake/{part}.csv").write_text(table([
            {"event": event, "timestamp": utc(at, "Z"), "user_id": f"u{person}", "page": page}
            for person, at, event, page, _ in people()]))
    done = report([folder / "lake/a.csv", folder / "lake/b.csv"], folder / "out", flow=flow)
    said = done.stderr.decode()
    assert said.count(words) == 1 and "deleted or replaced" in said and "was named" in said, said
    assert json.loads((folder / "out/metrics.json").read_text())["provenance"]["events"] == 652
    # A pattern's matches are left out all the same.
    done = report([folder / "lake/a.csv", folder / "lake/*.csv"], folder / "both", flow=flow, expect=2)
    assert json.loads((folder / "both/metrics.json").read_text())["provenance"]["events"] == 326
