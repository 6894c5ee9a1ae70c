"""Redacted values are not stored: a flow that needs them later requires reading the files again."""

import csv
import json

import pytest

from harness import assert_same, facts_of, firstmile
from partitioned import divide

BASE = "flow: f\nsteps: [w]\nskip: never\nwindow: 1h\nidentity: user\n"
GOAL = BASE + "goals: [{id: g, event: buy, where: {plan: pro}, within: 1h}]\n"
OS = BASE + "dimensions: [os]\n"


@pytest.fixture
def days(folder):
    """Two days of people of one system, who all buy."""
    def line(event, day, person, second, **more):
        return json.dumps({
            "event": event, "user_id": f"u{day}-{person}",
            "timestamp": f"2026-02-0{day}T10:0{person}:{second:02d}Z", **more}) + "\n"

    for day in (1, 2):
        (folder / f"{day}.ndjson").write_text("".join(
            line("onboarding_started", day, person, 0, context={"os": "iOS"})
            + line("buy", day, person, 30, properties={"plan": "pro"}) for person in range(9)))
    return folder


def flow(folder, name, text):
    (folder / name).write_text(text)
    return folder / name


@pytest.mark.parametrize("redacted, asked", [
    ("properties.plan", GOAL),
    ("context.os", OS), ("context", OS), ('"context.*"', OS)])
def test_a_store_knows_that_redacted_values_were_not_kept(days, redacted, asked):
    store = days / "s.sqlite"
    asking = flow(days, "asking.yaml", asked)
    redacting = flow(days, "redacting.yaml", BASE + f"redact: [{redacted}]\n")
    firstmile("ingest", days / "1.ndjson", "--store", store, "--flow", asking, "--quiet")
    firstmile("ingest", days / "2.ndjson", "--store", store, "--flow", redacting, "--quiet")
    # The flow that drops them goes on without them.
    firstmile("report", "--store", store, "--flow", redacting, "--out", days / "r", "--quiet")
    said = firstmile("report", "--store", store, "--flow", asking, "--out", days / "s", "--quiet",
                     expect=2).stderr.decode()
    assert "2.ndjson" in said and "was not kept" in said and "1.ndjson" not in said, said
    firstmile("ingest", "--again", days / "2.ndjson", "--store", store, "--flow", asking, "--quiet")
    firstmile("report", "--store", store, "--flow", asking, "--out", days / "s", "--quiet")
    firstmile("report", days / "1.ndjson", days / "2.ndjson", "--flow", asking, "--out", days / "d",
              "--quiet")
    assert_same(facts_of(days / "s"), facts_of(days / "d"), "read again")


@pytest.mark.parametrize("redacted", ["user_properties", "event_properties", '"data.*"', "event_params", "os_name"])
def test_what_the_flow_needs_is_kept_whatever_vendors_call_it(days, redacted):
    """A path of some other format drops nothing of these events."""
    own = flow(days, "own.yaml", GOAL + f"dimensions: [os]\nredact: [{redacted}]\n")
    dumps = [days / "1.ndjson", days / "2.ndjson"]
    firstmile("ingest", *dumps, "--store", days / "s.sqlite", "--flow", own, "--quiet")
    firstmile("report", "--store", days / "s.sqlite", "--flow", own, "--out", days / "s", "--quiet")
    firstmile("report", *dumps, "--flow", own, "--out", days / "d", "--quiet")
    assert_same(facts_of(days / "s"), facts_of(days / "d"), redacted)


def test_a_vendors_name_for_a_value_is_enough(folder):
    firstmile("simulate", "--flow", "aiq", "--persons", 60, "--format", "mixpanel", "--out",
              folder / "dump", "--quiet")
    store = folder / "s.sqlite"
    redacting = flow(folder, "redacting.yaml", "flow: x\nsteps: [a]\nredact: [properties.$os]\n")
    firstmile("ingest", folder / "dump", "--store", store, "--flow", redacting, "--quiet")
    asking = flow(folder, "asking.yaml", "flow: x\nsteps: [a]\ndimensions: [os]\n")
    said = firstmile("report", "--store", store, "--flow", asking, "--out", folder / "out",
                     expect=2).stderr.decode()
    assert "context.os was not kept" in said, said


def test_segments_know_it_too(days):
    redacting = flow(days, "redacting.yaml", BASE + "redact: [context.os]\n")
    divide([days / "1.ndjson"], 2, days / "parts", flow=redacting)
    asking = flow(days, "asking.yaml", OS)
    said = firstmile("survey", days / "parts", "--flow", asking, "--out", days / "surveys",
                     expect=2).stderr.decode()
    assert "was not kept" in said, said
