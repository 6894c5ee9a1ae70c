"""Properties that were cut off, encoded twice, or put into a list: read or rejected, and never lost without a word."""

import csv
import io
import json

import pytest

from harness import firstmile, numbers

TIMES = [f"2026-01-05 10:00:0{second}" for second in range(3)]


def seen(folder, name, text, step="view[page=plan]", fields=""):
    """How many people have the step, and the reasons for rejects."""
    dump, flow = folder / name, folder / "flow.yaml"
    dump.write_text(text)
    flow.write_text("flow: f\nsteps: [x]\n" + (f"fields: {fields}\n" if fields else ""))
    said = firstmile("funnel", dump, "--flow", flow, "--everyone", "--as-of", "2026-03-01", "--output", "csv", "--steps",
                     f"{step} > never", expect=(0, 4)).stdout.decode()
    numbers([dump], folder / "out", "--as-of", "2026-03-01", flow=flow, expect=(0, 4))
    provenance = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    return int(said.splitlines()[1].split(",")[6]), provenance["rejects"]


def table(columns, rows):
    out = io.StringIO()
    csv.writer(out).writerows([columns, *rows])
    return out.getvalue()


def test_parameters_of_ga4_that_were_cut_off_make_rejects(tmp_path):
    params = json.dumps([{"key": "page", "value": {"string_value": "plan"}}])
    rows = [("view", 1767607200000000 + person, text, f"d{person}") for person, text in enumerate((params, params, params[:-9]))]
    text = table(("event_name", "event_timestamp", "event_params", "user_pseudo_id"), rows)
    assert seen(tmp_path, "dump.csv", text) == (2, {"malformed_json": 1})


@pytest.mark.parametrize(("column", "fields"), [("context", "{page_name: context.page}"), ("payload", "{page_name: payload.page}")])
def test_other_objects_that_were_cut_off_make_rejects(tmp_path, column, fields):
    rows = [("view", time, f"u{person}", text) for person, (time, text) in enumerate(zip(TIMES, (
        '{"page": "plan"}', '{"page": "plan", "long": "aa', "[draft] plan")))]
    text = table(("event", "timestamp", "user_id", column), rows)
    assert seen(tmp_path, "dump.csv", text, f"view[{column}.page=plan]", fields) == (1, {"malformed_json": 1})


@pytest.mark.parametrize("pack", [
    lambda page: [page], lambda page: json.dumps([page]), lambda page: json.dumps(json.dumps(page)),
    lambda page: json.dumps(json.dumps([page]))])
@pytest.mark.parametrize("is_table", [True, False])
def test_one_object_is_read_in_whatever_it_is_packed(tmp_path, pack, is_table):
    properties = pack({"page": "plan"})
    events = [{"event": "view", "timestamp": time, "user_id": f"u{person}", "properties": properties} for person, time in enumerate(TIMES)]
    if is_table:
        text = table(events[0], [[value if isinstance(value, str) else json.dumps(value) for value in event.values()] for event in events])
    else:
        text = "".join(json.dumps(event) + "\n" for event in events)
    assert seen(tmp_path, "dump.csv" if is_table else "dump.ndjson", text) == (3, {})


@pytest.mark.parametrize("is_table", [True, False])
def test_a_schema_s_column_may_hold_a_list_of_one(tmp_path, is_table):
    """Snowplow's own seeds have it; in tables each such row was a reject, in JSON the property was lost."""
    events = [{"app_id": "w", "collector_tstamp": time, "event": "unstruct", "event_name": "view", "event_id": f"e{person}",
               "domain_userid": f"d{person}", "unstruct_event_com_acme_view_1_0_0": [{"page": "plan"}]} for person, time in enumerate(TIMES)]
    if is_table:
        text = table(events[0], [[value if isinstance(value, str) else json.dumps(value) for value in event.values()] for event in events])
    else:
        text = "".join(json.dumps(event) + "\n" for event in events)
    assert seen(tmp_path, "dump.csv" if is_table else "dump.ndjson", text) == (3, {})


def test_a_list_of_anything_else_is_no_object(tmp_path):
    events = [{"event": "view", "timestamp": time, "user_id": f"u{person}", "properties": properties}
              for person, (time, properties) in enumerate(zip(TIMES, ({"page": "plan"}, [{"page": "plan"}, {}], [])))]
    assert seen(tmp_path, "dump.ndjson", "".join(json.dumps(event) + "\n" for event in events)) == (1, {"malformed_json": 1})
    rejects = [json.loads(line) for line in (tmp_path / "out-rejects.ndjson").read_text().splitlines()]
    assert [reject["detail"] for reject in rejects] == ["the properties are a list, not an object"]


@pytest.mark.parametrize("times", [
    ["2026-01-05 01:00:00 PM", "2026-01-05 01:00:01 PM"], ["20260105T130000Z", "20260105T130001Z"],
    [" 2026-01-05 13:00:00", "\u00a02026-01-05 13:00:01"],
    ["2026-01-05 05:00:00.000 America/Los_Angeles", "2026-01-05 05:00:01.000 America/Los_Angeles"]])
def test_times_that_can_t_be_misread_are_read(tmp_path, times):
    text = table(("event", "timestamp", "user_id"), [("view", time, f"u{person}") for person, time in enumerate(times)])
    assert seen(tmp_path, "dump.csv", text, "view") == (2, {})


def test_blanks_behind_delimiters_are_no_values(tmp_path):
    text = 'user_id, event, timestamp, page\nu1, view, 2026-01-05 13:00:00, "plan"\nu2, view, 2026-01-05 13:00:01, plan\n'
    assert seen(tmp_path, "dump.csv", text) == (2, {})
