"""`firstmile funnel --like` and `firstmile reconcile`: other tools' rules, case by case.

Most cases are sentences or tests that the tools publish; docs/funnels.md quotes them.
"""

import json
from fractions import Fraction

import pytest
from harness import firstmile

DAY = 1767571200  # 2026-01-05
FLOW = "flow: app\nwindow: 24h\nsteps: [welcome]\n"
ABC = "a > b > c"
#: Tool and options, steps, events as name and second, and how many steps the person gets to.
CASES = [
    # Mixpanel, Funnels FAQ: "any consecutive steps that have timestamps within two seconds of one
    # another are interchangeable"; "if a user completes event B first and then performs event A
    # within two seconds, the Funnel will count this as a conversion".
    ("mixpanel", "a > b", "b0 a1", 2),
    ("mixpanel", "a > b", "b0 a2", 2),
    ("mixpanel", "a > b", "b0 a2.001", 1),
    ("amplitude", "a > b", "b0 a2", 1),
    ("posthog", "a > b", "b0 a1", 1),
    ("ga4", "a > b", "b0 a1", 1),
    ("firstmile", "a > b", "b0 a1", 1),
    # Amplitude, simultaneous events: "if a user fires Event B first, and then fires Event A within
    # one second, a funnel counts this as a conversion".
    ("amplitude", "a > b", "b0 a0.4", 2),
    ("amplitude", "a > b", "b0 a1", 2),
    ("amplitude", "a > b", "b0 a1.001", 1),
    # Each step to the one before it, so a chain may go back by more than the tolerance: our choice.
    ("mixpanel", ABC, "c0 b2 a4", 3),
    ("mixpanel", ABC, "c0 b2 a4.001", 1),
    # An event is one step, in either order.
    ("mixpanel", "a > a", "a0", 1),
    ("mixpanel", "a > b > a", "a0 b1", 2),
    ("mixpanel", "a > b > a", "a0 b1 a9", 3),
    # Mixpanel: "A user will qualify for each step in the funnel until they track the exclusion
    # step"; "Exclusion steps have the same two-second grace period as other steps".
    ("mixpanel --exclude x", ABC, "a0 b10 x20 c30", 2),
    ("mixpanel --exclude x", ABC, "a0 x10 b20 c30", 1),
    ("mixpanel --exclude x", ABC, "x0 a10 b20 c30", 3),
    ("mixpanel --exclude x", ABC, "a0 x2 b20 c30", 3),
    ("mixpanel --exclude x", ABC, "a0 x18 b20 c30", 3),
    ("mixpanel --exclude x", ABC, "a0 x2.001 b20 c30", 1),
    # Mixpanel's own scenario: A excluded between A and B; the second A ends the attempt.
    ("mixpanel --exclude a", "a > b", "a0 a10 a20 b30", 1),
    # PostHog: "These people are completely excluded from the entire funnel."
    ("posthog --exclude x", ABC, "a0 b10 x20 c30", 0),
    ("firstmile --exclude x --everyone", ABC, "a0 b10 x20 c30", 0),
    # PostHog, test_excluded_after_time_expires.
    ("posthog --exclude x --within 10s", "a > b", "a0 x11 b12", 1),
    # PostHog's steps.rs: "We ignore strict steps and exclusions in this case", at one timestamp.
    ("posthog --exclude x", "a > b", "a0 x0 b5", 2),
    ("posthog --exclude x", "a > b", "a0 x5 b5", 2),
    ("posthog --order strict", "a > b", "a0 x5 b5", 2),
    ("posthog --order strict", "a > b", "a0 x4 b5", 1),
    # Amplitude: "if an event that isn't part of your funnel definition fires simultaneously in the
    # same second, Amplitude still considers that user converted".
    ("amplitude --order strict", "a > b", "a0 x0.5 b5", 2),
    ("amplitude --order strict", "a > b", "a0 x3 b5", 1),
    # A repeated step at one moment is not only the first of its occurrences.
    ("mixpanel", "a > b > a", "a0 a5 b5", 3),
    ("amplitude", "a > b > a", "a0 a5 b5", 3),
    ("ga4", "a > b > a", "a5 b5", 2),
    ("clickhouse", "a > b > a", "a5 b5", 3),
    # ClickHouse, 00632_aggregation_window_funnel.
    ("clickhouse", "a > a > a", "a0", 3),
    ("clickhouse --mode strict_once", "a > a > a", "a0", 1),
    ("clickhouse --mode strict_increase", "a > a > a", "a0", 1),
    ("clickhouse --mode strict_order", ABC, "a1 d2 b3 c4", 1),
    ("clickhouse --mode strict_order", ABC, "a1 a2 b3 b4 d5 c6 c7", 2),
    # ClickHouse, pull request 86916: refreshes and back-navigation.
    ("clickhouse --mode strict_order", ABC, "a1 c2 b3 c4", 1),
    ("clickhouse --mode strict_order --mode allow_reentry", ABC, "a1 c2 b3 c4", 3),
    ("clickhouse --mode strict_order --mode allow_reentry", ABC, "a1 c2 d3 b4 c5", 1),
    # The comment in ClickHouse's source: "start", "a", "b", "a", "end".
    ("clickhouse --mode strict_once", "s > a > b > a > e", "s1 a2 b3 a4 e5", 5),
    ("clickhouse --mode strict_once", "s > a > b > a > e", "s1 a2 b3 e5", 3),
]


def dump(folder, people, flow=FLOW):
    """A dump in which everybody's window is over long ago."""
    (folder / "flow.yaml").write_text(flow)
    lines = []
    for person, events in people.items():
        for item in events.split():
            name, second = item[0], Fraction(item[1:])
            lines.append(json.dumps({"event": name, "user_id": person,
                                     "timestamp": float(DAY + second)}))
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    return [folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--as-of", "2026-06-01"]


@pytest.mark.parametrize(("like", "steps", "events", "expected"), CASES)
def test_a_tool_counts_by_its_own_rules(folder, like, steps, events, expected):
    inputs = dump(folder, {"u": events})
    tool, *options = like.split()
    if tool == "firstmile" and "--everyone" not in options:
        options.append("--everyone")
    told = firstmile("funnel", *inputs, "--steps", steps, "--like", tool, *options,
                     "--output", "json").stdout
    reached = [step["persons"] for step in json.loads(told)["all"]]
    assert sum(reached) == expected, (like, steps, events, reached)


def test_rows_that_differ_in_their_uuid_alone_are_several_events_of_posthog(folder):
    inputs = dump(folder, {"u": "a0"})
    for number, expected in (("02", [1, 1]), ("01", [1, 0])):
        (folder / "dump.ndjson").write_text("".join(json.dumps({
            "uuid": f"0192f0aa-0000-7000-8000-0000000000{end}", "event": "a", "distinct_id": "u",
            "timestamp": "2026-01-05T10:00:00.000Z", "properties": {}}) + "\n"
            for end in ("01", number)))
        told = json.loads(firstmile("funnel", *inputs, "--steps", "a > a", "--like", "posthog",
                                    "--output", "json").stdout)
        assert [step["persons"] for step in told["all"]] == expected, (number, told)


def test_modes_are_those_of_clickhouse(folder):
    inputs = [*dump(folder, {"u": "a1"}), "--steps", "a > b"]
    for options, said in (
            (["--like", "clickhouse", "--mode", "allow_reentry"], "needs --mode strict_order"),
            (["--like", "clickhouse", "--mode", "strict"], "strict_once or allow_reentry"),
            (["--like", "mixpanel", "--mode", "strict_once"], "--like clickhouse")):
        assert said in firstmile("funnel", *inputs, *options, expect=2).stderr.decode()


def reconciled(inputs, first, second, *options):
    """The reconciliation, whose parts must add up exactly, and its page."""
    asked = ["reconcile", *inputs, "--between", first, "--and", second, *options]
    told = json.loads(firstmile(*asked, "--json").stdout, parse_float=Fraction)
    for number in ("entered", "finished"):
        assert (told["start"][number] + sum(rule[number] for rule in told["rules"])
                == told["end"][number]), told
        assert all(rule[number] == 0 for rule in told["without_effect"]), told
    assert told["agrees"] == (told["start"] == told["end"]), told
    assert told["method"] == "shapley"
    text = firstmile(*asked).stdout
    assert text == firstmile(*asked, "--threads", "3").stdout
    return told, text.decode()


def parts(told, number):
    return {rule["rule"]: rule[number] for rule in told["rules"]}


def test_tools_that_agree_are_not_given_opposite_differences(folder):
    # The first entry leads nowhere, a later one does: once by the choice of an entry, and by
    # windowFunnel's one pass over all entries.
    inputs = dump(folder, {f"u{number}": "a0 a1000 b1001" for number in range(184)})
    asked = ["--steps", "a > b", "--within", "10s"]
    told, text = reconciled(inputs, "posthog", "clickhouse", *asked)
    assert told["agrees"] and not told["rules"], told
    assert [rule["rule"] for rule in told["without_effect"]] == ["sharing", "runs"], told
    assert "posthog and clickhouse agree on this data: 184 of 184 finish" in text, text
    assert "Rules that differ without an effect on this data:\n  sharing: " in text, text
    told, text = reconciled(inputs, "mixpanel", "clickhouse", *asked)
    assert parts(told, "finished") == {"entry": 184} and parts(told, "entered") == {"entry": 0}
    assert "  entry               +184  ++++" in text, text
    told, text = reconciled(inputs, "posthog", "ga4", *asked)
    assert not told["rules"], told
    assert [rule["rule"] for rule in told["without_effect"]] == ["runs"], told
    # Funnels of any order know no runs.
    told, text = reconciled(inputs, "posthog", "ga4", *asked, "--order", "any")
    assert not told["rules"] and not told["without_effect"], told
    assert "They count this funnel by the same rules." in text, text


def test_rules_that_need_each_other_share_what_they_do(folder):
    # Only with the best entry and with either order within two seconds do these finish.
    people = {f"both{number}": "a0 b1000 a1001" for number in range(3)}
    # These finish with either order alone, these with the best entry alone.
    people |= {f"order{number}": "b0 a1" for number in range(4)}
    people |= {f"entry{number}": "a0 a1000 b1001" for number in range(8)}
    inputs = dump(folder, people)
    asked = ["--steps", "a > b", "--within", "10s", "--exclude", "x"]
    told, text = reconciled(inputs, "mixpanel", "ga4", *asked)
    assert (told["start"], told["end"]) == (
        {"entered": 15, "finished": 4}, {"entered": 15, "finished": 8})
    # Mean over both orders: the first three finish neither before nor after.
    assert parts(told, "finished") == {"entry": Fraction(19, 2), "ties": Fraction(-11, 2)}, told
    assert "+9.50" in text and "-5.50" in text and "Shapley" in text, text
    assert [rule["rule"] for rule in told["without_effect"]] == ["exclusions"], told


def test_thirds_of_people_add_up_in_hundredths(folder):
    # The first one needs the later entry, the exclusion without effect, and one event as two steps;
    # the second one the later entry only.
    inputs = dump(folder, {"u": "a0 a100 x103 b106", "v": "a0 a100 b105 b107"})
    told, text = reconciled(inputs, "mixpanel", "clickhouse", "--steps", "a > b > b",
                            "--within", "10s", "--exclude", "x")
    assert parts(told, "finished") == {
        "entry": Fraction("1.34"), "sharing": Fraction("0.33"), "exclusions": Fraction("0.33")}
    assert [rule["rule"] for rule in told["without_effect"]] == ["ties"], told
    assert "+1.34" in text and "+0.33" in text and "The parts add up exactly" in text, text


def test_rules_that_a_funnel_has_no_use_for_are_not_named(folder):
    inputs = dump(folder, {"u": "a0 b1"})
    told, _ = reconciled(inputs, "firstmile", "mixpanel", "--steps", "a > b")
    named = [rule["rule"] for rule in told["rules"] + told["without_effect"]]
    # Both take the first entry, and nothing is excluded.
    assert sorted(named) == ["people", "ties", "windows"], named
    told, _ = reconciled(
        inputs, "firstmile", "clickhouse", "--steps", "a > b?", "--entry", "best")
    named = [rule["rule"] for rule in told["rules"] + told["without_effect"]]
    assert sorted(named) == ["people", "sharing", "structure", "ties", "windows"], named
