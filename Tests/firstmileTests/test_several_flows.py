"""Several flows in one run: a flow's numbers are its own."""

import json

from harness import APPS, SAMPLE, assert_same, contents, firstmile

OTHER = """
flow: other
window: 2h
steps: [welcome, plan]
goals: [{id: bought, event: bought, where: {colour: [c5, c6, c7]}, by: size, within: 1h}]
dimensions: [{id: colour, path: properties.colour}]
"""
PLAIN = """
flow: plain
window: 1h
steps: [welcome]
goals: [{id: bought, event: bought, by: colour, within: 1h}]
"""


def assert_each_flow_is_as_alone(folder, inputs, flows, *options):
    named = [word for flow in flows for word in ("--flow", flow)]
    firstmile("report", *inputs, *named, "--out", folder / "all", "--quiet", *options, expect=(0, 4))
    for flow in flows:
        name = flow.stem if hasattr(flow, "stem") else flow
        firstmile("report", *inputs, "--flow", flow, "--out", folder / name, "--quiet", *options,
                  expect=(0, 4))
        assert_same(contents(folder / "all" / name), contents(folder / name), name)


def test_the_samples_together_are_as_alone(folder):
    """All apps' events in one run, each flow of which sees the others' as activity."""
    inputs = [f"sample-events/{app}" for app in APPS]
    assert_each_flow_is_as_alone(folder, inputs, APPS)


def test_flows_that_look_at_other_values_change_nothing(folder):
    """Facts that only another flow tells apart, repeated ones, and tables that overflow."""
    dump = folder / "dump.ndjson"
    lines = []
    for number in range(600):
        moment = f"2026-03-{1 + number % 9:02}T10:00:0{number % 7}Z"
        for name in ("onboarding_started", "bought", "opened"):
            for size in range(2):
                lines.append(json.dumps({
                    "event": name, "user_id": f"u{number % 40}", "device_id": f"d{number % 45}",
                    "timestamp": moment, "properties": {
                        "colour": f"c{number % 240}", "size": f"s{size}", "page": number % 3}}))
    lines += lines[:100] + [json.dumps({
        "event": "opened", "user_id": "u1", "timestamp": f"{year}-01-01T10:00:0{size}Z",
        "properties": {"size": f"s{size % 2}"}}) for year in (2000, 2090) for size in range(4)]
    dump.write_text("\n".join(lines) + "\n")
    flows = []
    for name, text in (("other", OTHER), ("plain", PLAIN)):
        flows.append(folder / f"{name}.yaml")
        flows[-1].write_text(text)
    for number, options in enumerate(([], ["--as-of", "2026-03-05"], ["--memory-limit", "64K"])):
        (folder / str(number)).mkdir()
        assert_each_flow_is_as_alone(folder / str(number), [dump], [*flows, SAMPLE], *options)
