"""Own events as loggers and databases write them: what belongs into `properties` stands beside the event's name."""

import contextlib
import csv
import functools
import gzip
import json
import pathlib
import tempfile

import pytest

from harness import APPS, ROOT, facts_of, firstmile, numbers, report, total


@functools.cache
def sample(app):
    """The lines of an app's sample, those first that have neither a page nor a permission."""
    lines = []
    for path in sorted((ROOT / "sample-events" / app).glob("*.gz")):
        for line in gzip.decompress(path.read_bytes()).splitlines():
            with contextlib.suppress(ValueError):  # the samples have broken lines
                line = json.loads(line)
                if isinstance(line, dict):
                    lines.append(line)
    return sorted(lines, key=lambda line: not {"page_name", "permission"}.isdisjoint(line.get("properties", {})))


def flat(line):
    own = {key: value for key, value in line.items() if key not in ("properties", "context")}
    return {**line.get("context", {}), **line.get("properties", {}), **own}


def only_properties(line):
    return {**flat(line), "properties": {}}


def half(line):
    """Properties in their object, the context beside it."""
    own = {key: value for key, value in line.items() if key != "context"}
    return {**line.get("context", {}), **own}


def mixed(line):
    return flat(line) if sum(str(line.get("timestamp")).encode()) % 2 else line


def counted(folder, lines, flow):
    folder.mkdir(parents=True)
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    numbers([folder / "dump.ndjson"], folder, flow=flow)
    return facts_of(folder)["rows"]


@functools.cache
def own(app):
    """What is counted in a sample as it is."""
    with tempfile.TemporaryDirectory() as folder:
        return counted(pathlib.Path(folder) / "own", sample(app), app)


@pytest.mark.parametrize("shape", [flat, only_properties, half, mixed])
def test_properties_beside_the_event_are_properties(folder, shape):
    for app in APPS:
        lines = sample(app)
        assert "page_name" not in str(lines[:20]) and len(lines) > 100
        assert counted(folder / app, map(shape, lines), app) == own(app), f"{app}: {shape.__name__} differs"


def test_a_property_counts_before_what_stands_beside_it_and_fields_of_the_event_are_none(folder):
    (folder / "app.yaml").write_text(
        "flow: app\nsteps: [welcome, end]\ndimensions: [{id: plan, path: properties.plan}, {id: who, path: properties.user_id}]\n")
    lines = []
    for person in range(60):
        for second, page in enumerate(["welcome", "end"]):
            lines.append({"event": "onboarding_page_viewed", "timestamp": f"2026-03-02T10:{person:02}:{second:02}Z", "user_id": f"u{person}",
                          "page_name": "elsewhere", "plan": "beside", "properties": {"page_name": page, **({"plan": "own"} if person < 20 else {})}})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    report([folder / "dump.ndjson"], folder / "out", "--as-of", "2026-05-01", flow=folder / "app.yaml")
    entered = {row["breakdown"]: row["denominator"] for row in csv.DictReader((folder / "out/metrics.csv").open()) if row["metric"] == "completion_rate" and row["version"] == row["cohort"] == "all"}
    assert (entered["plan=own"], entered["plan=beside"], entered["who=(none)"]) == ("20", "40", "60")
    assert "elsewhere" not in (folder / "out/quality.csv").read_text()


def test_a_draft_of_flat_lines_reads_its_own_dump(folder):
    lines = sample("aiq")
    for name, shape in [("own", dict), ("flat", flat)]:
        (folder / f"{name}.ndjson").write_text("".join(json.dumps(shape(line)) + "\n" for line in lines))
        (folder / f"{name}.yaml").write_bytes(firstmile("flow", "init", folder / f"{name}.ndjson").stdout)
        numbers([folder / f"{name}.ndjson"], folder / name, flow=folder / f"{name}.yaml")
    found = [json.loads((folder / name / "metrics.json").read_text())["metrics"]["rows"] for name in ("own", "flat")]
    rows = [[row for row in one if "breakdown" not in row] for one in found]
    assert len(rows[0]) > 100 and rows[0] == rows[1]


def people(count=60):
    """Canonical events: everybody views two pages, every second one finishes, signed in from the second page on."""
    for person in range(count):
        def event(name, second, signed_in=True, **properties):
            found = {"event": name, "timestamp": f"2026-03-02T10:{person:02}:{second:02}Z", "device_id": f"d{person}"}
            return found | ({"user_id": f"u{person}"} if signed_in else {}) | ({"properties": properties} if properties else {})
        yield event("onboarding_started", 0, False)
        yield event("onboarding_page_viewed", 1, False, page_name="welcome")
        yield event("onboarding_page_viewed", 2, page_name="end")
        if person % 2:
            yield event("onboarding_completed", 3)


def renamed(names):
    """Flat lines with other names for some fields; `None` leaves one out."""
    def shape(line):
        return {names.get(key, key): value for key, value in flat(line).items() if names.get(key, key)}
    return shape


def with_distinct_id(line):
    return flat(line) | {"distinct_id": line.get("user_id", line["device_id"])}


def logged(line):
    return line | {"event_type": "track", "event_time": line["timestamp"]}


def in_properties(line):
    own = {key: line[key] for key in ("flow", "flow_version") if key in line}
    return {key: value for key, value in line.items() if key not in own} | {"properties": {**line.get("properties", {}), **own}}


SHAPES = {
    "segment's ids": renamed({"device_id": "anonymousId", "user_id": "userId"}),
    "ga4's columns": renamed({"event": "event_name", "timestamp": "event_timestamp", "device_id": "user_pseudo_id"}),
    "amplitude's columns": renamed({"event": "event_type", "timestamp": "event_time"}),
    "a distinct_id beside": with_distinct_id,
    "a logger's fields": logged,
    "the flow among properties": in_properties,
}


@pytest.mark.parametrize("shape", SHAPES)
def test_whatever_else_a_line_has_it_is_the_apps_own(folder, shape):
    flow = "flow: app\nsteps: [welcome, end]\n"
    (folder / "app.yaml").write_text(flow)
    lines = list(people())
    if shape == "the flow among properties":
        # Events of another app are there, too.
        lines = [line | {"flow": flow, "flow_version": "2"} for line in lines for flow in ("app", "other")]
    for name, make in [("own", dict), ("shape", SHAPES[shape])]:
        (folder / f"{name}.ndjson").write_text("".join(json.dumps(make(line)) + "\n" for line in lines))
        numbers([folder / f"{name}.ndjson"], folder / name, "--as-of", "2026-05-01", flow=folder / "app.yaml")
    assert total(folder / "own", "completion_rate") == (30, 60)
    assert facts_of(folder / "shape")["rows"] == facts_of(folder / "own")["rows"]


@pytest.mark.parametrize("name, grade", [("end ", "C"), ("End", "C"), ("e-n_d", "C"), ("ending", "A"), ("settings", "A")])
def test_a_step_that_is_written_in_two_ways_is_no_other_page(folder, name, grade):
    (folder / "app.yaml").write_text("flow: app\nsteps: [welcome, end]\nother_pages: ignore\n")
    lines = list(people())
    for line in lines:
        if line["device_id"] < "d3" and line.get("properties", {}).get("page_name") == "end":
            line["properties"] = line["properties"] | {"page_name": name}
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    # Up to the data's own end: an end date behind it is a flaw of its own.
    report([folder / "dump.ndjson"], folder / "out", flow=folder / "app.yaml")
    text = (folder / "out/report.md").read_text().replace("\\", "")
    assert f"data quality **{grade}**" in text
    assert ("is it meant to be the step 'end'?" in text) == (grade == "C")


@pytest.mark.parametrize("more", ["", "other_pages: ignore\n"])
def test_views_that_say_no_page_are_counted_and_named(folder, more):
    (folder / "app.yaml").write_text("flow: app\nsteps: [welcome, end]\n" + more)
    lines = list(people())
    for line in lines:
        if line["device_id"] < "d3" and "page_name" in line.get("properties", {}):
            line["properties"] = {"page": line["properties"]["page_name"]}
    without = sum("page" in line.get("properties", {}) for line in lines)
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    report([folder / "dump.ndjson"], folder / "out", "--as-of", "2026-05-01", flow=folder / "app.yaml")
    (row,) = [row for row in csv.DictReader((folder / "out/quality.csv").open()) if row["check"] == "views_without_page"]
    assert (row["count"], row["of"]) == (str(without), "120")
    text = (folder / "out/report.md").read_text().replace("\\", "")
    assert f"{without} of 120 page views have no page, by name or by number and count for no step" in text and "{page_name: properties.…}" in text
    assert "data quality **D**" in text
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, at_least: 0}]\n")
    said = firstmile("check", folder / "dump.ndjson", "--flow", folder / "app.yaml", "--gate", folder / "gate.yaml",
                     "--as-of", "2026-05-01", expect=4).stdout.decode()
    assert "page views that say no page" in said


def test_a_name_that_is_dropped_costs_flat_lines_no_event(folder):
    (folder / "app.yaml").write_text("flow: app\nsteps: [welcome, end]\nredact: [properties.name]\n")
    (folder / "dump.ndjson").write_text("".join(json.dumps(flat(line) | {"name": "Ada"}) + "\n" for line in people()))
    report([folder / "dump.ndjson"], folder / "out", "--as-of", "2026-05-01", flow=folder / "app.yaml")
    rows = [row for row in csv.DictReader((folder / "out/metrics.csv").open()) if row["metric"] == "entered" and row["cohort"] == row["breakdown"] == "all"]
    assert {row["numerator"] for row in rows} == {"60"}
