"""`redact` changes no number: whatever an export calls it, what a flow uses can't be dropped."""

import functools
import json
import re

import pytest

from harness import FORMATS, SAMPLE, firstmile, report
from partitioned import divide

# What exports call what the flow of the sample uses.
NEEDED = {
    "canonical": ["context.os", "user_id", "timestamp"],
    "segment": ["context.os.name", "anonymousId", "timestamp", "properties.experiments.copy"],
    "rudderstack": ["context.os.name", "anonymousId", "properties.experiments.copy"],
    "amplitude": ["os_name", "event_time", "event_type", "event_properties.page_name"],
    "mixpanel": ["properties.$os", "properties.time", "properties.$device_id"],
    "posthog": ["properties.$os_name", "timestamp"],
    "ga4": ["device.operating_system", "event_timestamp", "event_params.page_name"],
}


def paths_of(value, path=""):
    """All paths of an event, of objects and their values; of lists of entries the entries' keys."""
    if isinstance(value, dict):
        for key, inner in value.items():
            own = f"{path}.{key}" if path else key
            yield own
            yield from paths_of(inner, own)
    elif isinstance(value, list):
        for entry in value:
            if isinstance(entry, dict) and "key" in entry:
                yield f"{path}.{entry['key']}"


def simulated(folder, form):
    firstmile("simulate", "--flow", SAMPLE, "--persons", 30, "--seed", 5, "--out", folder / form,
              "--format", form, "--files", 1, "--compression", "none", "--tidy", "--quiet")
    dump, = (path for path in (folder / form).rglob("*")
             if path.is_file() and path.name != "truth.json")
    return dump


@functools.cache
def shown():
    return firstmile("flow", "show", SAMPLE).stdout.decode()


def flow_with(folder, *paths, more=""):
    text = shown() + more
    if paths:
        text += f"\nredact: {json.dumps(list(paths))}\n"
    (folder / "flow.yaml").write_text(text)
    return folder / "flow.yaml"


def refused(said, paths):
    """Those of the paths that an error names, or that hold the place it names."""
    named = set(re.findall(r"'([^']+)' is redacted here", said))
    places = re.findall(r"'redact' drops '([^']+)'", said)
    return {path for path in paths
            if path in named or any(f"{place}.".startswith(f"{path}.") for place in places)}


@pytest.mark.parametrize("form", FORMATS)
def test_a_redaction_changes_no_number_or_is_refused(folder, form):
    dump = simulated(folder, form)
    report([dump], folder / "whole", flow=flow_with(folder))
    paths = {path for line in dump.read_text().splitlines() for path in paths_of(json.loads(line))}
    assert paths.issuperset(NEEDED[form])
    left = set(paths)
    while True:
        done = report([dump], folder / "out", flow=flow_with(folder, *sorted(left)), expect=(0, 2))
        if done.returncode == 0:
            break
        found = refused(done.stderr.decode(), left)
        assert found, done.stderr
        left -= found
    # All that may be dropped is: the numbers are those of the whole dump.
    assert left and not left & set(NEEDED[form]), left
    for name in ("metrics.csv", "timing.csv", "retention.csv", "goals.csv"):
        assert (folder / "out" / name).read_bytes() == (folder / "whole" / name).read_bytes(), name


def test_a_path_of_the_flows_own_can_not_be_dropped(folder):
    dump = simulated(folder, "posthog")
    fields = "\nfields:\n  page_name: {path: properties.$current_url}\n"
    flow = flow_with(folder, "properties.$current_url", more=fields)
    said = report([dump], folder / "out", flow=flow, expect=2).stderr.decode()
    assert "redact" in said and "properties.$current_url" in said


def test_a_store_and_parts_refuse_it_too(folder):
    dump = simulated(folder, "mixpanel")
    flow = flow_with(folder, "properties.$os")
    for done in (
        firstmile("ingest", dump, "--store", folder / "a.fmstore", "--flow", flow, expect=2),
        divide([dump], 2, folder / "segments", flow=flow, expect=2),
    ):
        said = done.stderr.decode()
        assert "'properties.$os'" in said and "'context.os'" in said, said
    # What a store keeps anyway may be dropped: the flow has no use for it.
    plain = folder / "plain.yaml"
    plain.write_text("flow: x\nsteps: [a]\nredact: [properties.$os]\n")
    firstmile("ingest", dump, "--store", folder / "b.fmstore", "--flow", plain)
