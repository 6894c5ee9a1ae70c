"""GA4's parameters in the forms that queries and loaders make of them."""

import json

import pytest

from harness import facts_of, firstmile, report
from test_warehouse_exports import FLOW, canonical, lines, people, table


@pytest.fixture
def flow(folder):
    (folder / "flow.yaml").write_text(FLOW)
    return folder / "flow.yaml"


def counted(folder, dump, name, expect=0):
    report([folder / dump], folder / name, "--as-of", "2026-02-03", flow=folder / "flow.yaml", expect=expect)
    return facts_of(folder / name)["metrics"]


def same(folder, rows, write=lines):
    (folder / "own").write_text(lines([canonical(*one) for one in people()]))
    (folder / "dump").write_text(write(rows))
    assert counted(folder, "dump", "out") == counted(folder, "own", "wanted")
    assert json.loads((folder / "out/metrics.json").read_text())["provenance"]["rejects"] == {}


def ga4(person, at, event, is_user, params):
    return {"event_name": event, "event_timestamp": str(at * 1_000_000), "user_pseudo_id": f"d{person}",
            "user_id": f"u{person}" if is_user else None, "event_params": params}


PARAMS = {
    "an object": lambda page: {"page": page, "ga_session_id": 1} if page else {},
    "an object of typed values": lambda page: {"page": {"string_value": page}, "n": {"int_value": 1}} if page else {},
    "a text of an object": lambda page: json.dumps({"page": page}) if page else "{}",
    "a text of typed values": lambda page: json.dumps({"page": {"string_value": page, "int_value": None}}),
    "an object in a list": lambda page: [{"page": page, "n": 1}],
    "plain values by key": lambda page: [{"key": "page", "value": page}, {"key": "n", "value": 1}] if page else [],
    "types as Firebase spells them": lambda page: [{"key": "page", "value": {"stringValue": page}}] if page else [],
}


@pytest.mark.parametrize("write", [lines, table])
@pytest.mark.parametrize("name", PARAMS)
def test_parameters_of_ga4_are_read_in_every_form(folder, flow, name, write):
    rows = [ga4(person, at, event, is_user, PARAMS[name](page)) for person, at, event, page, is_user in people()]
    if write is table:
        for one in rows:
            text = one["event_params"]
            one["event_params"] = text if isinstance(text, str) else json.dumps(text)
    same(folder, rows, write)
    drafted = firstmile("flow", "init", folder / "dump").stdout.decode()
    assert 'page_name: "properties.page"' in drafted and "- welcome" in drafted, drafted


def test_properties_of_users_are_so_too(folder, flow):
    (folder / "flow.yaml").write_text(FLOW.replace("properties.page", "user_properties.page"))
    rows = [ga4(person, at, event, is_user, []) | {"user_properties": {"page": {"string_value": page}}}
            for person, at, event, page, is_user in people()]
    (folder / "own.yaml").write_text(FLOW)
    (folder / "dump").write_text(lines(rows))
    counted(folder, "dump", "out")
    assert b"step_reach,welcome,80,80" in (folder / "out/metrics.csv").read_bytes()


def test_a_list_of_parameters_without_keys_is_a_reject(folder, flow):
    rows = [ga4(*one[:3], one[4], [{"name": "page", "text": one[3]}, {"name": "n"}]) for one in people()]
    (folder / "dump").write_text(lines(rows))
    counted(folder, "dump", "out", expect=4)
    (first, *_) = map(json.loads, (folder / "out-rejects.ndjson").read_text().splitlines())
    assert first["reason"] == "malformed_json" and "'event_params'" in first["detail"], first
