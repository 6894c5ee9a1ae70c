"""What a flow names is found under its other spellings, whatever else the run, the flow or the store asks for."""

import csv
import json

import pytest

from harness import firstmile

WORDS = {"true": True, "True": True, "T": True, "yes": True, "1": True, "1.0": True, "false": False, "N": False,
         "0": False, "0.00": False, "2": None, "1.5": None, "on": None}
PROPERTIES = ("page_name", "pro", "permission", "prompted", "ok")
ONE = "flow: one\nsteps: [a, b]\ngoals: [{id: g, event: buy, where: {pro: true}, within: 7d}]\n"
OTHERS = {
    "alone": None,
    "beside a flow that asks for the text": "flow: two\nsteps: [a]\ngoals: [{id: h, event: buy, where: {pro: ['1', '0.00', 'T']}}]\n",
    "beside a flow that asks for a number": "flow: two\nsteps: [a]\ngoals: [{id: h, event: other, where: {pro: 1}}]\n",
}


def events():
    for index, word in enumerate(WORDS):
        person = {"user_id": f"u{index}", "flow": "one"}
        yield {"event": "onboarding_started", "timestamp": "2026-01-05T10:00:00Z", **person}
        yield {"event": "onboarding_page_viewed", "timestamp": "2026-01-05T10:00:01Z", "page_name": "a", **person}
        yield {"event": "permission_result", "timestamp": "2026-01-05T10:00:03Z", "permission": "push", "prompted": "true",
               "ok": word, **person}
        yield {"event": "buy", "timestamp": "2026-01-05T10:00:05Z", "pro": word, **person}


def written(folder, kind):
    path = folder / f"in.{kind}"
    rows = list(events())
    if kind == "csv":
        with path.open("w", newline="") as file:
            table = csv.DictWriter(file, ["event", "timestamp", "user_id", "flow", *PROPERTIES])
            table.writeheader()
            table.writerows(rows)
        return path
    for row in rows:
        row["properties"] = {name: row.pop(name) for name in PROPERTIES if name in row}
        # Words of JSON are no texts there.
        for name in ("pro", "ok") if kind == "ndjson" else ():
            if row["properties"].get(name) in ("true", "false", "0", "1", "2", "1.5"):
                row["properties"][name] = json.loads(row["properties"][name])
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def counted(folder, *arguments, metric="goal_rate", item="g"):
    out = folder / "out"
    firstmile("report", *arguments, "--out", out, "-q", "--as-of", "2026-02-01")
    found = [out] if (out / "metrics.csv").exists() else [out / "one"]
    for row in csv.DictReader((found[0] / "metrics.csv").open()):
        if row["metric"] == metric and row["step"] == item and row["breakdown"] == row["cohort"] == "all":
            return int(row["numerator"]), int(row["denominator"])
    raise AssertionError(f"no row of {metric}")


@pytest.mark.parametrize("kind", ["csv", "ndjson", "jsonl"])
@pytest.mark.parametrize("other", OTHERS)
def test_what_else_a_run_asks_for_changes_no_goal(folder, kind, other):
    dump = written(folder, kind)
    (folder / "one.yaml").write_text(ONE)
    flows = ["--flow", folder / "one.yaml"]
    if OTHERS[other]:
        (folder / "two.yaml").write_text(OTHERS[other])
        flows += ["--flow", folder / "two.yaml"]
    assert counted(folder, dump, *flows) == (sum(value is True for value in WORDS.values()), len(WORDS))


@pytest.mark.parametrize("kind", ["csv", "ndjson"])
@pytest.mark.parametrize("other", list(OTHERS)[1:])
def test_what_a_store_was_filled_for_changes_no_goal(folder, kind, other):
    dump = written(folder, kind)
    (folder / "one.yaml").write_text(ONE)
    (folder / "two.yaml").write_text(OTHERS[other])
    firstmile("ingest", dump, "--flow", folder / "two.yaml", "--store", folder / "s.sqlite", "-q")
    assert counted(folder, "--store", folder / "s.sqlite", "--flow", folder / "one.yaml") == (6, len(WORDS))


@pytest.mark.parametrize("kind", ["csv", "ndjson"])
@pytest.mark.parametrize("through", ["files", "a store"])
def test_keys_of_values_are_found_as_well(folder, kind, through):
    dump = written(folder, kind)
    (folder / "one.yaml").write_text(
        "flow: one\nsteps: [a, {id: b, asks: push}]\npermissions: [push]\n"
        "fields: {status: {path: properties.ok, values: {true: granted, false: denied}}}\n")
    source = [dump]
    if through == "a store":
        firstmile("ingest", dump, "--flow", folder / "one.yaml", "--store", folder / "s.sqlite", "-q")
        source = ["--store", folder / "s.sqlite"]
    granted = counted(folder, *source, "--flow", folder / "one.yaml", metric="permission_opt_in", item="push")
    assert granted == (sum(value is True for value in WORDS.values()), len(WORDS))


def test_a_text_that_two_keys_mean_is_the_numbers(folder):
    dump = written(folder, "csv")
    (folder / "one.yaml").write_text(
        "flow: one\nsteps: [a, {id: b, asks: push}]\npermissions: [push]\n"
        "fields: {status: {path: properties.ok, values: {true: denied, '1': granted, '0': granted, false: denied}}}\n")
    # 1, 1.0, 0 and 0.00, in every run: dictionaries come in another order in each.
    for _ in range(8):
        assert counted(folder, dump, "--flow", folder / "one.yaml", metric="permission_opt_in", item="push")[0] == 4


def test_values_of_one_field_rename_nothing_in_another(folder):
    dump = written(folder, "csv")
    (folder / "one.yaml").write_text(
        "flow: one\nsteps: [a, b]\nfields: {status: {path: properties.pro, values: {true: granted}}}\n"
        "goals: [{id: g, event: buy, where: {pro: 'yes'}, within: 7d}, {id: t, event: buy, where: {pro: true}, within: 7d},\n"
        "  {id: by, event: buy, by: pro, within: 7d}]\n")
    assert counted(folder, dump, "--flow", folder / "one.yaml") == (1, len(WORDS))
    assert counted(folder, dump, "--flow", folder / "one.yaml", item="t") == (6, len(WORDS))
    assert counted(folder, dump, "--flow", folder / "one.yaml", item="by:yes") == (1, len(WORDS))


def test_a_preferred_value_has_the_name_that_the_flow_has(folder):
    dump = written(folder, "csv")
    (folder / "one.yaml").write_text(
        "flow: one\nsteps: [a, b]\ngoals: [{id: g, event: buy, by: {property: pro, prefer: [true, 'on']}, within: 7d}]\n")
    assert counted(folder, dump, "--flow", folder / "one.yaml", item="g:true") == (6, len(WORDS))
