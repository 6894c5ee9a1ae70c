"""Numbers at the ends of what a machine's integers can say, wherever an event may have a number."""

import json

import pytest

from harness import firstmile

FLOW = """flow: app
steps: [{id: welcome}, {id: end}]
goals: [{id: paid, event: paid, value: amount, within: 7d}]
dimensions: [{id: plan, path: properties.plan}]
"""
EDGES = ["-9223372036854775808", "9223372036854775807", "-9223372036854775809", "18446744073709551616",
         "-9223372036854775808.1234", "1e-9223372036854775808", "1e9223372036854775807", "-0.0", "1e308"]
FIELDS = ["page_number", "page_index", "skipped_at_page", "skipped_at_index", "amount", "plan", "latitude", "flow_version"]


@pytest.mark.parametrize("as_text", [True, False])
@pytest.mark.parametrize("field", FIELDS)
def test_no_number_ends_the_program(folder, field, as_text):
    (folder / "app.yaml").write_text(FLOW)
    lines = []
    for person in range(len(EDGES) * 5):
        edge = EDGES[person % len(EDGES)]
        for second, event in enumerate(["onboarding_page_viewed", "onboarding_step_skipped", "onboarding_skipped", "onboarding_completed", "paid"]):
            line = {"event": event, "timestamp": f"2026-03-02T10:{person:02}:{second:02}Z", "user_id": f"u{person}", "properties": {field: "EDGE"}}
            if field == "flow_version":
                line |= {"properties": {}, field: "EDGE"}
            lines.append(json.dumps(line).replace('"EDGE"', f'"{edge}"' if as_text else edge))
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    inputs = [folder / "dump.ndjson", "--flow", folder / "app.yaml"]
    firstmile("report", *inputs, "--out", folder / "out", "-q")
    firstmile("validate", *inputs, expect=(0, 1, 4))
    firstmile("flow", "init", folder / "dump.ndjson")
    firstmile("explain", "u0", *inputs)
