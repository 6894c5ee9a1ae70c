"""What the data cannot know is unknown in every output, and nothing is decided on it (definitions 15)."""

import csv
import functools
import json
import pickle
import time

import pytest
from harness import firstmile

BEGIN = 1_767_225_600  # 2026-01-01
FLOW = """flow: app
window: 2h
statistics: {target_lift: 30%}
steps: [welcome, {id: ask, asks: camera}, done]
permissions: [camera, location]
goals:
  - {id: paid, event: buy, within: 1d, anchor: {event: installed}}
  - {id: stayed, event: stay, within: 1d, anchor: {goal: paid}}
  - {id: seen, event: buy, within: 1d, of: {viewed: done}}
retention:
  - {days: [1]}
  - {id: back, days: [1], anchor: {goal: paid}}
  - {id: played, days: [1], event: play, anchor: {goal: paid}}
"""
# The days after the last events are over, whatever is taken out.
WHOLE = ["--as-of", "2026-01-25"]
PLAN = "experiments: {ex: {control: A, variants: [A, B], primary: PRIMARY, guardrails: {GUARDRAILS}}}\n"


def events():
    """What `drawn` has, of which a test may change its own copy."""
    return pickle.loads(drawn())


@functools.cache
def drawn():
    """Pickled: 1,000 people over three weeks; half of A finish, and three quarters of B."""
    found = []
    for person in range(1000):
        start = BEGIN + person * 1800
        variant = "AB"[person % 2]

        def send(name, seconds, **properties):
            at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(start + seconds))
            found.append({"event": name, "timestamp": at, "user_id": f"u{person}",
                          "experiments": {"ex": variant}, "properties": properties})
        send("onboarding_started", 0)
        send("installed", 1)
        for second, page in enumerate(("welcome", "ask", "done")):
            send("onboarding_page_viewed", 2 + second, page_name=page)
        for permission in ("camera", "location"):
            send("permission_prompted", 6, permission=permission)
            send("permission_result", 7, permission=permission, prompted=True,
                 status=["granted", "denied"][person % 3 == 0])
        if person % 7 == 0:
            send("onboarding_skipped", 9)
        if person // 2 % 100 < (50 if variant == "A" else 75):
            send("onboarding_completed", 99)
        for second, name in enumerate(("buy", "stay")):
            if person % 3:
                send(name, 200 + second)
        if person % 5:
            send("play", 90_000)
    return pickle.dumps(found)


def written(folder, found, flow=FLOW):
    (folder / "app.yaml").write_text(flow)
    (folder / "dump.ndjson").write_text("".join(json.dumps(event) + "\n" for event in found))
    return [folder / "dump.ndjson", "--flow", folder / "app.yaml"]


def report(folder, found, flow=FLOW, *options):
    firstmile("report", *written(folder, found, flow), "--out", folder / "out", "--quiet", *options)
    return folder / "out"


def values(out):
    """Of everybody: whether each rate has a value."""
    return {(row["metric"], row["step"]): row["value"] for row in csv.DictReader((out / "metrics.csv").open())
            if row["unit"] == "rate" and row["version"] == row["variant"] == row["breakdown"] == row["cohort"] == "all"}


def is_of(event, permission):
    return event["event"].startswith("permission") and event["properties"]["permission"] == permission


LOST = {
    "an event that a goal is counted from": (
        lambda event: event["event"] == "installed",
        [("goal_rate_overall", "paid"), ("goal_rate_overall", "stayed"), ("retention_played_d1_overall", "all")],
        [("goal_rate_overall", "seen"), ("completion_rate", "all")]),
    "a goal that a goal is counted from": (
        lambda event: event["event"] == "buy",
        [("goal_rate_overall", goal) for goal in ("paid", "stayed", "seen")]
        + [("retention_played_d1_overall", "all")], [("retention_d1", "all")]),
    "completions": (
        lambda event: event["event"] == "onboarding_completed",
        [("completion_rate", "all"), ("skip_rate", "all"), ("step_left_skipping", "done")],
        [("used_skip_rate", "all"), ("step_reach", "done"), ("goal_rate_overall", "paid")]),
    "page views": (
        lambda event: event["event"] == "onboarding_page_viewed",
        [("goal_rate_overall", "seen"), ("step_reach", "done"), ("permission_left_after_denial", "camera")],
        [("goal_rate_overall", "paid"), ("completion_rate", "all")]),
    "later days": (
        lambda event: event["event"] == "play",
        [("retention_d1", "all"), ("retention_back_d1_overall", "all"), ("retention_played_d1_overall", "all")],
        [("goal_rate_overall", "paid")]),
    "all answers": (
        lambda event: event["event"] == "permission_result",
        [("permission_joint", "camera=no_result,location=no_result"), ("step_abandoned_after_denial", "ask"),
         ("step_abandoned_after_denial", "(entry)")], [("step_reach", "done")]),
    "answers about one permission": (
        lambda event: event["event"] == "permission_result" and is_of(event, "location"),
        [("permission_joint", "camera=granted,location=no_result"),
         ("permission_joint", "camera=denied,location=no_result")],
        [("permission_opt_in", "camera"), ("step_abandoned_after_denial", "ask")]),
}


@pytest.mark.parametrize("what", LOST)
def test_what_rests_on_a_lost_event_is_unknown(folder, what):
    is_lost, unknown, known = LOST[what]
    whole = values(report(folder, events(), FLOW, *WHOLE))
    assert all(whole[name] for name in unknown + known if name in whole), whole
    left = values(report(folder, [event for event in events() if not is_lost(event)], FLOW, *WHOLE))
    for name in unknown:
        assert left[name] == "", (name, left[name])
    for name in known:
        assert left[name] == whole[name] != "", (name, left[name])
    # That an event is nowhere which a goal alone names leaves all other numbers as they are.
    grade = "C" if "goal" in what else "D"
    assert f"data quality **{grade}**" in (folder / "out/report.md").read_text()


# The second is not misdated, and after the horizon.
@pytest.mark.parametrize("moved", ["2099-01-01T00:00:00Z", "2026-02-05T00:00:00Z"])
def test_an_event_that_does_not_count_makes_nothing_known(folder, moved):
    """One clock is wrong, and by it the event would be in the data."""
    found = [event for event in events() if event["event"] != "stay"]
    expected = values(report(folder, found))
    assert expected["goal_rate_overall", "stayed"] == ""
    stray = next(event for event in events() if event["event"] == "stay") | {"timestamp": moved}
    for source in ("files", "store"):
        if source == "files":
            out = report(folder, [*found, stray])
        else:
            firstmile("ingest", *written(folder, [*found, stray]), "--store", folder / "s.sqlite", "--quiet")
            firstmile("report", "--store", folder / "s.sqlite", "--out", folder / "stored", "--quiet")
            out = folder / "stored"
        assert values(out) == expected, source
        assert "data quality **C**" in (out / "report.md").read_text(), source


def decided(folder, found, primary, guardrails):
    plan = PLAN.replace("PRIMARY", primary).replace("GUARDRAILS", guardrails)
    out = report(folder, found, FLOW + plan)
    text = (out / "report.md").read_text()
    experiments = json.loads((out / "metrics.json").read_text())["metrics"]["experiments"]
    return [entry["decision"] for entry in experiments[0].get("decisions", [])], " ".join(text.replace("\\", "").split())


def test_a_plan_is_decided_where_all_of_it_is_known(folder):
    found = events()
    decisions, text = decided(folder, found, "completion", "camera: 20%")
    assert decisions == ["ship"] and "Ship: B" in text, (decisions, text)


@pytest.mark.parametrize("guardrail, lost", [
    ("used_skip", "onboarding_skipped"), ("camera", "permission_result"), ("paid", "installed"),
    ("played_d1", "play"), ("d1", "play")])
def test_nothing_is_shipped_while_a_guardrail_is_unknown(folder, guardrail, lost):
    found = [event for event in events() if event["event"] != lost]
    decisions, text = decided(folder, found, "completion", f"{guardrail}: 20%")
    assert decisions == ["not decided"] and "Ship:" not in text, (decisions, text)
    assert "Not decided: B" in text and "unknown" in text.rsplit("Not decided: B", 1)[1][:600], text


def test_what_is_shown_to_be_worse_is_not_shipped_whatever_is_unknown(folder):
    found = [event for event in events() if event["event"] != "onboarding_skipped"]
    for event in found:
        event["experiments"]["ex"] = {"A": "B", "B": "A"}[event["experiments"]["ex"]]
    decisions, text = decided(folder, found, "completion", "used_skip: 20%")
    assert decisions == ["don't ship"] and "Don’t ship: B" in text, (decisions, text)


def test_nothing_is_decided_by_an_unknown_primary_metric(folder):
    found = [event for event in events() if event["event"] != "onboarding_completed"]
    decisions, text = decided(folder, found, "completion", "camera: 20%")
    assert decisions == [] and "No decision: experiment" in text, (decisions, text)
    assert "A decision can be taken" not in text and "no 'onboarding_completed' is in the data" in text


def test_a_metric_whose_time_is_over_for_nobody_is_waited_for(folder):
    flow = FLOW.replace("{days: [1]}\n", "{days: [1, 30]}\n")
    plan = PLAN.replace("PRIMARY", "d30").replace("GUARDRAILS", "completion: 20%")
    out = report(folder, events(), flow + plan)
    text = " ".join((out / "report.md").read_text().replace("\\", "").split())
    assert "Keep running: B" in text and "is over for nobody yet" in text, text
    assert "It can be decided once that time is over." in text
    assert "no number of people" not in text.lower(), text


def test_a_rate_that_became_unknown_is_named_by_comparisons(folder):
    found = events()
    before = report(folder, found).rename(folder / "before")
    after = report(folder, [event for event in found if event["event"] != "onboarding_completed"]).rename(
        folder / "after")
    for sides, side in ((before, after), "after"), ((after, before), "before"):
        said = " ".join(firstmile("compare", *sides).stdout.decode().split())
        assert f"Completion is unknown {side} the change." in said, said
        assert f"unknown on one side: {side}, “completion" in said.lower(), said
    said = firstmile("compare", before, before).stdout.decode()
    assert "nknown" not in said, said
    flow = report(folder, [event for event in found if event["event"] != "onboarding_completed"], FLOW,
                  "--against", before)
    assert "Completion is unknown after the change." in (flow / "report.md").read_text()
