"""Columns that only the names of folders hold, as Hive, Spark and Firehose lay files out."""

import json
import urllib.parse

import pytest

from harness import facts_of, firstmile, numbers
from test_warehouse_exports import FLOW, lines, people, plainly, table, utc

NOTHING = "__HIVE_DEFAULT_PARTITION__"


def row(person, at, event, page, is_user):
    return {"event": event, "timestamp": utc(at, "Z"), "device_id": f"d{person}",
            "user_id": f"u{person}" if is_user else None, "page": page}


def lay_out(folder, rows, column, write, ending):
    """A file for each value of a column, which is in the folder's name alone."""
    values = {}
    for one in rows:
        value = one.get(column)
        name = NOTHING if value is None else urllib.parse.quote(value, safe="")
        values.setdefault(name, []).append({key: found for key, found in one.items() if key != column})
    for name, some in values.items():
        place = folder / "lake/day=2026-01-05" / f"{column}={name}"
        place.mkdir(parents=True)
        (place / f"part-0.{ending}").write_text(write(some))


def counted(folder, inputs, name, flow):
    numbers(inputs, folder / name, "--as-of", "2026-02-03", flow=flow)
    found = json.loads((folder / name / "metrics.json").read_text())["provenance"]
    assert not found["rejects"], found["rejects"]
    return facts_of(folder / name)["rows"]


@pytest.mark.parametrize("write, ending", [(table, "csv"), (lines, "ndjson")])
@pytest.mark.parametrize("column", ["page", "event", "Page"])
@pytest.mark.parametrize("named", ["lake", "lake/day=2026-01-05/*/part-0.*"])
def test_columns_of_folders_are_read(folder, write, ending, column, named):
    flow = folder / "flow.yaml"
    flow.write_text(FLOW)
    rows = [row(*one) for one in people()]
    if column == "Page":
        rows = [{"Page" if key == "page" else key: value for key, value in one.items()} for one in rows]
    lay_out(folder, rows, column, write, ending)
    assert counted(folder, [folder / named], "out", flow) == plainly()
    # So they are in a store.
    store = folder / "store.sqlite"
    firstmile("ingest", folder / named, "--store", store, "--flow", flow, "--quiet")
    stored = firstmile("report", "--store", store, "--flow", flow, "--as-of", "2026-02-03", "--json").stdout
    (folder / "metrics.json").write_bytes(stored)
    assert facts_of(folder)["rows"] == plainly()


def test_what_a_row_says_counts_before_its_folders_name(folder):
    flow = folder / "flow.yaml"
    flow.write_text(FLOW)
    (folder / "page=plan").mkdir()
    rows = [row(*one) for one in people()]
    for one in rows:
        one["page"] = one["page"] or "other"
    (folder / "own").write_text(table(rows))
    (folder / "page=plan/part-0.csv").write_text(table(rows))
    assert counted(folder, [folder / "page=plan/part-0.csv"], "out", flow) == counted(
        folder, [folder / "own"], "wanted", flow)


def test_a_dimension_by_the_names_of_folders(folder):
    flow = folder / "flow.yaml"
    flow.write_text(FLOW + "dimensions: [{id: tier, path: tier}]\n")
    rows = [row(*one) | {"tier": ["a b", "true", "c/ü"][one[0] % 3]} for one in people()]
    (folder / "own").write_text(table(rows))
    lay_out(folder, rows, "tier", table, "csv")
    assert counted(folder, [folder / "lake"], "out", flow) == counted(folder, [folder / "own"], "wanted", flow)
    assert "c/ü" in (folder / "out/metrics.json").read_text()
