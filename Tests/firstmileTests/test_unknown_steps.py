"""`funnel` and `retention`: what no event shows is unknown, and no 0 % (definitions 15)."""

import csv
import json
import re
import time

import pytest
from harness import firstmile

BEGIN = 1_767_225_600  # 2026-01-01
FLOW = """flow: app
window: 2h
steps: [welcome, done]
dimensions: [os]
experiments: {ex: {control: A, variants: [A, B]}}
funnels: [{id: bought, steps: [onboarding_started, chekout]}]
"""
SENTENCE = "'chekout' was never seen; did you mean 'checkout'?"


def dump(folder, later=True, more=()):
    """60 people over ten days: two thirds check out, half of them come back on the next day."""
    lines = []

    def send(person, at, name):
        lines.append(json.dumps({
            "event": name, "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at)),
            "user_id": f"u{person}", "experiments": {"ex": "AB"[person % 2]},
            "context": {"os": "iOS"}}) + "\n")
    for person in range(60):
        start = BEGIN + person % 10 * 86_400 + person * 60
        send(person, start, "onboarding_started")
        if person % 3:
            send(person, start + 60, "checkout")
        if later and person % 2:
            send(person, start + 86_400, "home")
    for event in more:
        send(*event)
    (folder / "dump.ndjson").write_text("".join(lines))
    (folder / "app.yaml").write_text(FLOW)
    return [folder / "dump.ndjson", "--flow", folder / "app.yaml", "--as-of", "2026-01-31"]


def outputs(command, *asked):
    text = firstmile(command, *asked).stdout.decode()
    found = json.loads(firstmile(command, *asked, "--output", "json").stdout)
    table = firstmile(command, *asked, "--output", "csv").stdout.decode()
    return text, found, list(csv.DictReader(table.splitlines()))


def test_a_step_that_no_event_shows_is_unknown_and_those_after_it(folder):
    asked = [*dump(folder), "--steps", "onboarding_started > checkout > chekout > home",
             "--breakdown", "ex", "--breakdown", "os"]
    page = folder / "page.html"
    text, found, rows = outputs("funnel", *asked, "--page", page)
    assert f"Steps 3 to 4 are unknown: {SENTENCE}" in text, text
    assert text.count("\n  3  unknown\n") == text.count("\n  4  unknown\n") == 3, text
    assert "66.7 % (40/60)" in text and "0 %" not in text.replace("100 %", ""), text
    assert "2026-01-01  unknown (of 6)" in text, text
    assert found["unknown"] == [SENTENCE], found["unknown"]
    assert [step["persons"] for step in found["all"]] == [60, 40, None, None], found["all"]
    assert all(part["steps"][3]["persons"] is None for part in found["by_values"]), found
    assert all(steps[2]["persons"] is None for steps in found["by_day"].values()), found
    for row in rows:
        isUnknown = row["step"] in "34"
        assert (row["value"] == row["ci_low"] == row["ci_high"] == "") == isUnknown, row
        assert row["note"] == (f"unknown: {SENTENCE}" if isUnknown else ""), row
    html = page.read_text()
    assert "How many go through the whole funnel is unknown, of 60" in html.replace("\u00a0", " "), html
    assert "did you mean 'checkout'?" in html.replace("&#39;", "'").replace("\u2019", "'"), html


def test_trends_of_an_unknown_end_are_unknown(folder):
    asked = [*dump(folder), "--steps", "onboarding_started > chekout", "--trend", "week"]
    text, found, rows = outputs("funnel", *asked)
    assert text.count("unknown (of ") == 2 and "0 %" not in text.replace("100 %", ""), text
    assert all(period["persons"][1] is None for period in found["trend"]["periods"]), found["trend"]
    assert all(row["value"] == "" for row in rows if row["step"] == "2"), rows


def test_a_funnel_that_nobody_is_seen_to_enter_is_unknown(folder):
    page = folder / "page.html"
    asked = [*dump(folder), "--steps", "onboarding_startd > checkout", "--page", page]
    text, found, _ = outputs("funnel", *asked)
    assert "\nall: unknown\n" in text and "0 person" not in text, text
    assert "'onboarding_startd' was never seen; did you mean 'onboarding_started'?" in text, text
    assert [step["persons"] for step in found["all"]] == [None, None], found
    assert "How many enter this funnel is unknown" in page.read_text()


def test_a_funnel_of_the_flow_file_and_one_in_any_order_are_unknown_too(folder):
    asked = dump(folder)
    found = json.loads(firstmile("funnel", *asked, "--funnel", "bought", "--output", "json").stdout)
    assert [step["persons"] for step in found["all"]] == [60, None], found
    # Two of three steps in any order can be known without the third.
    steps = ["--steps", "onboarding_started > chekout > checkout", "--order", "any"]
    found = json.loads(firstmile("funnel", *asked, *steps, "--output", "json").stdout)
    assert [step["persons"] for step in found["all"]] == [60, 40, None], found
    # What any event of a step shows, or what a walk may pass over, is known.
    steps = ["--steps", "onboarding_started > chekout or checkout > chekout? > home"]
    found = json.loads(firstmile("funnel", *asked, *steps, "--output", "json", "--within", "3d").stdout)
    assert [step["persons"] for step in found["all"]] == [60, 40, 20, 20], found
    assert found["unknown"] == [], found


def test_one_event_after_the_horizon_makes_no_step_known(folder):
    asked = dump(folder, more=[(3, BEGIN + 40 * 86_400, "chekout")])
    found = json.loads(firstmile("funnel", *asked, "--steps", "onboarding_started > chekout",
                                 "--output", "json").stdout)
    assert [step["persons"] for step in found["all"]] == [60, None], found
    assert found["unknown"] == [SENTENCE], found


def test_retention_by_an_event_that_is_never_seen_is_unknown(folder):
    asked = [*dump(folder), "--periods", "2", "--return", "chekout"]
    text, found, rows = outputs("retention", *asked)
    assert f"Who came back is unknown: {SENTENCE}" in text and "0 %" not in text, text
    assert re.search(r"\n2026-01-01 +6 +\? +\? +\?\n", text), text
    assert found["unknown"] == f"Who came back is unknown: {SENTENCE}", found
    cells = found["all"] + [cell for row in found["cohorts"] for cell in row["periods"]]
    assert {cell["share"] for cell in cells} == {cell["returned"] for cell in cells} == {None}, cells
    assert {row["value"] for row in rows} == {row["ci_high"] for row in rows} == {""}, rows
    assert {row["note"] for row in rows} == {f"unknown: {SENTENCE}"}, rows
    # By PostHog's rules everyone who started is in period 0, whatever the return is.
    theirs = json.loads(firstmile("retention", *asked, "--like", "posthog", "--output", "json").stdout)
    assert [cell["share"] for cell in theirs["all"]] == [1, None, None], theirs["all"]


def test_retention_from_a_start_that_is_never_seen_is_unknown(folder):
    text, found, _ = outputs("retention", *dump(folder), "--start", "onboarding_startd")
    assert "Who started is unknown: 'onboarding_startd' was never seen; did you mean" in text, text
    assert "\nall: unknown\n" in text and "no one started" not in text, text
    assert found["unknown"].startswith("Who started is unknown"), found


def test_retention_is_unknown_where_nobody_was_seen_on_a_later_date(folder):
    asked = [*dump(folder, later=False), "--periods", "2"]
    text, found, _ = outputs("retention", *asked)
    assert "Who came back is unknown: nobody has an event on a later date" in text, text
    # On the day itself people can be seen to go on.
    shares = [cell["share"] for cell in found["all"]]
    assert shares[0] == pytest.approx(40 / 60, abs=1e-6) and shares[1:] == [None, None], found["all"]
    known = json.loads(firstmile("retention", *dump(folder), "--periods", "2", "--output", "json").stdout)
    assert [cell["share"] for cell in known["all"]][1:] == [0.5, 0] and known["unknown"] is None, known
