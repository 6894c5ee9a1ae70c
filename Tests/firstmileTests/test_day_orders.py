"""Dates that end with the year: which number is the month, the column as a whole says, or the flow file."""

import datetime
import json

import pytest

from harness import facts_of, firstmile, report
from test_warehouse_exports import DAY, FLOW, canonical, lines, people, table

FORMS = {
    "US, by half days": "%m/%d/%Y %I:%M:%S %p",
    "US, without zeros": "%-m/%-d/%Y %-I:%M:%S %p",
    "US, as JavaScript writes it": "%-m/%-d/%Y, %-I:%M:%S %p",
    "European": "%d/%m/%Y %H:%M:%S",
    "European, with points": "%-d.%-m.%Y %H:%M:%S",
    "European, with dashes": "%d-%m-%Y %H:%M:%S",
}


def written(at, form):
    return datetime.datetime.fromtimestamp(at, datetime.timezone.utc).strftime(form)


def rows(form, move=0):
    return [{"event": event, "timestamp": written(at + move, form), "device_id": f"d{person}",
             "user_id": f"u{person}" if is_user else None, "page": page}
            for person, at, event, page, is_user in people()]


@pytest.fixture
def flow(folder):
    (folder / "flow.yaml").write_text(FLOW)
    return folder / "flow.yaml"


def counted(folder, dump, name, flow=None, **more):
    report([folder / dump], folder / name, "--as-of", "2026-02-03", flow=flow or folder / "flow.yaml", **more)
    return facts_of(folder / name)["metrics"]


@pytest.mark.parametrize("write", [table, lines])
@pytest.mark.parametrize("name", FORMS)
def test_a_day_above_12_decides_it_for_the_whole_file(folder, flow, name, write):
    form = FORMS[name]
    (folder / "own").write_text(lines([canonical(*one) for one in people()]))
    (folder / "dump").write_text(write(rows(form)))
    assert counted(folder, "dump", "out") == counted(folder, "own", "wanted")


def test_a_late_day_decides_it_for_what_came_before(folder, flow):
    """A megabyte of rows from before the 13th stands before the first one that shows the order."""
    early = [{"event": "page_shown", "timestamp": f"02/{1 + number % 12:02}/2026 10:00:00", "user_id": f"w{number}",
              "device_id": None, "page": "plan"} for number in range(20_000)]
    (folder / "dump").write_text(table(early + rows("%m/%d/%Y %H:%M:%S")))
    report([folder / "dump"], folder / "out", flow=flow)
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert found["rejects"] == {} and found["events"] == 20_326, found
    # They are of February alone; with the day first they would be of the whole year.
    horizon = json.loads((folder / "out/metrics.json").read_text())["horizon"]
    assert horizon.startswith("2026-02-12"), horizon


@pytest.mark.parametrize("name", ["nothing shows it", "they disagree"])
@pytest.mark.parametrize("write", [table, lines])
def test_otherwise_nothing_is_guessed(folder, flow, name, write):
    found = rows("%m/%d/%Y %H:%M:%S", move=-14 * DAY)
    if name == "they disagree":
        found[5]["timestamp"], found[9]["timestamp"] = "01/21/2026 10:00:00", "21/01/2026 10:00:00"
    else:
        found = [row for row in found if int(row["timestamp"][3:5]) <= 12]
    (folder / "dump").write_text(write(found))
    report([folder / "dump"], folder / "out", flow=flow, expect=4)
    assert json.loads((folder / "out/metrics.json").read_text())["provenance"]["rejects"] == {
        "bad_timestamp": len(found)}
    (reject, *_) = map(json.loads, (folder / "out-rejects.ndjson").read_text().splitlines())
    assert "date_order: month_first" in reject["detail"] and "day_first" in reject["detail"], reject


@pytest.mark.parametrize("order, form", [("month_first", "%m/%d/%Y %H:%M:%S"), ("day_first", "%d/%m/%Y %H:%M:%S")])
@pytest.mark.parametrize("path", ["", "path: timestamp, "])
def test_the_flow_file_decides_it(folder, flow, order, form, path):
    (folder / "own").write_text(lines([canonical(one[0], one[1] - 14 * DAY, *one[2:]) for one in people()]))
    (folder / "dump").write_text(table(rows(form, move=-14 * DAY)))
    said = FLOW.replace("fields: {", f"fields: {{timestamp: {{{path}date_order: {order}}}, ")
    (folder / "said.yaml").write_text(said)
    assert counted(folder, "dump", "out", folder / "said.yaml") == counted(folder, "own", "wanted")
    firstmile("ingest", folder / "dump", "--store", folder / "s.sqlite", "--flow", folder / "said.yaml")
    firstmile("report", "--store", folder / "s.sqlite", "--out", folder / "again", "--flow", folder / "said.yaml",
              "--as-of", "2026-02-03")
    assert facts_of(folder / "again")["metrics"] == facts_of(folder / "out")["metrics"]


def test_another_word_for_the_order_is_a_mistake(folder):
    (folder / "flow.yaml").write_text(FLOW.replace("fields: {", "fields: {timestamp: {date_order: mdy}, "))
    said = firstmile("flow", "check", folder / "flow.yaml", expect=2).stderr.decode()
    assert "'date_order' can't be 'mdy'" in said and "month_first" in said, said


def test_a_folder_with_such_tables_is_read(folder):
    """By the flow's own names alone it is known that they hold events."""
    (folder / "in").mkdir()
    own = [{"what": row["event"], "moment": row["timestamp"], "who": row["device_id"], "screen": row["page"]}
           for row in rows("%d/%m/%Y %H:%M:%S")]
    (folder / "in/export").write_text(table(own))
    (folder / "flow.yaml").write_text(FLOW.replace(
        "{page_name: properties.page}", "{event: what, timestamp: moment, user_id: who, page_name: screen}"))
    report([folder / "in"], folder / "out", flow=folder / "flow.yaml")
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert (found["events"], found["rejects"]) == (326, {}), found


def test_drafts_are_made_of_such_tables(folder):
    (folder / "dump.csv").write_text(table(rows("%m/%d/%Y %I:%M:%S %p")))
    said = firstmile("flow", "init", folder / "dump.csv").stdout.decode()
    assert "made from 326 events" in said, said
