"""Own events as loggers and databases write them: what belongs into `properties` stands beside the event's name."""

import contextlib
import csv
import gzip
import json

import pytest

from harness import APPS, ROOT, firstmile, report


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


@pytest.mark.parametrize("shape", [flat, only_properties, half, mixed])
def test_properties_beside_the_event_are_properties(folder, shape):
    for app in APPS:
        lines = sample(app)
        assert "page_name" not in str(lines[:20]) and len(lines) > 100
        for name, make in [("own", dict), (shape.__name__, shape)]:
            (folder / f"{app}-{name}.ndjson").write_text("".join(json.dumps(make(line)) + "\n" for line in lines))
            report([folder / f"{app}-{name}.ndjson"], folder / app / name, flow=app)
        expected, found = [(folder / app / name / "metrics.csv").read_bytes() for name in ("own", shape.__name__)]
        assert found == expected, f"{app}: {shape.__name__} differs"


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
        report([folder / f"{name}.ndjson"], folder / name, flow=folder / f"{name}.yaml")
    rows = [[row for row in csv.DictReader((folder / name / "metrics.csv").open()) if row["breakdown"] == "all"] for name in ("own", "flat")]
    assert len(rows[0]) > 100 and rows[0] == rows[1]
