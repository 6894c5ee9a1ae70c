"""The gate on worlds whose truth is known: rules that hold a variant against its control."""

import json

import pytest

from harness import firstmile

DAY = 86_400
START = 1_767_571_200  # 2026-01-05, a Monday


def world(folder, groups, experiment, rules="", more=""):
    """Writes people who start on one day each, and the flow and gate that judge them.

    A group is (count, variants in the order they are seen, day, how many finish, other event).
    """
    (folder / "flow.yaml").write_text(
        f"flow: app\nsteps: [welcome, done]\n{more}experiments: {{copy: {{control: A, {experiment}}}}}\n")
    (folder / "gate.yaml").write_text("targets: ignore\nrules:\n" + (rules or (
        "  - {metric: completion_rate, variant: B, experiment: copy, not_worse_by: 2 points,"
        " against: control}\n")))
    lines = []
    for number, (count, variants, day, finishing, *other) in enumerate(groups):
        for person in range(count):
            def add(name, second, variant):
                event = {"event": name, "user_id": f"p{number}-{person}",
                         "timestamp": START + day * DAY + person % 3600 + second}
                if variant:
                    event["experiments"] = {"copy": variant}
                lines.append(json.dumps(event))
            add("onboarding_started", 0, variants[:1])
            for second, name in enumerate(other, 1):
                add(name, second, variants[:1])
            if person < finishing:
                add("onboarding_completed", 60, variants[-1:])
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")


def check(folder, expect):
    done = firstmile("check", "dump.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", "--json",
                     "--as-of", "2026-06-01", cwd=folder, expect=expect)
    return json.loads(done.stdout)


def weighted(groups):
    """The Mantel-Haenszel weighted rates of both variants, a day being a period."""
    periods = {}
    for count, variant, day, finishing in groups:
        periods.setdefault(day, {})[variant] = (finishing, count)
    sums = {"A": 0, "B": 0}
    total = 0
    for arms in periods.values():
        if len(arms) < 2:
            continue
        weight = arms["A"][1] * arms["B"][1] / (arms["A"][1] + arms["B"][1])
        total += weight
        for name, (finishing, count) in arms.items():
            sums[name] += weight * finishing / count
    return {name: value / total for name, value in sums.items()}


SPLITS = "splits: [{from: 2026-01-05, A: 90%, B: 10%}, {from: 2026-01-12, A: 50%, B: 50%}]"


def ramp(first, second, size=1):
    """Of A 80 % finish at first and 40 % later; of B as many as given."""
    return [(9000 * size, "A", 0, 7200 * size), (1000 * size, "B", 0, int(1000 * size * first)),
            (5000 * size, "A", 7, 2000 * size), (5000 * size, "B", 7, int(5000 * size * second))]


@pytest.mark.parametrize("first, second, code, verdict", [
    # All periods together, B would be 20 points below A.
    (0.8, 0.4, 0, "pass"), (0.85, 0.45, 0, "pass"), (0.7, 0.3, 1, "fail")])
def test_a_rule_against_the_control_is_held_within_the_periods_of_one_split(
        folder, first, second, code, verdict):
    groups = ramp(first, second)
    world(folder, groups, SPLITS)
    found = check(folder, code)["checks"][0]
    rates = weighted(groups)
    assert found["verdict"] == verdict, found
    assert abs(found["current"]["value"] - rates["B"]) < 1e-6, found
    assert abs(found["reference"]["value"] - rates["A"]) < 1e-6, found
    assert found["ci_low"] <= rates["B"] - rates["A"] <= found["ci_high"], found
    assert "periods of one split" in found["reference_name"], found
    assert not found.get("contributions"), found


def test_a_rule_on_what_should_fall_is_held_within_the_periods_too(folder):
    rule = ("  - {metric: abandon_rate, variant: B, experiment: copy, not_worse_by: 2 points,"
            " against: control}\n")
    for second, code in ((0.4, 0), (0.3, 1)):
        world(folder, ramp(0.8, second), SPLITS, rule)
        found = check(folder, code)["checks"][0]
        rates = weighted(ramp(0.8, second))
        assert abs(found["current"]["value"] - (1 - rates["B"])) < 1e-6, found


def test_one_period_with_both_variants_is_all_that_is_compared(folder):
    # In the first week nobody has B yet, and far more people finish.
    splits = "splits: [{from: 2026-01-05, A: 99.9%, B: 0.1%}, {from: 2026-01-12, A: 50%, B: 50%}]"
    groups = [(5000, "A", 0, 4500), (4000, "A", 7, 1600), (4000, "B", 7, 1640)]
    world(folder, groups, splits)
    found = check(folder, 0)["checks"][0]
    assert (found["current"]["value"], found["reference"]["value"]) == (0.41, 0.4), found
    firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--out", "out", "--quiet",
              "--as-of", "2026-06-01", cwd=folder)
    rows = [line.split(",") for line in (folder / "out/experiments.csv").read_text().splitlines()]
    row = next(dict(zip(rows[0], row)) for row in rows if "completion_rate" in row)
    assert float(row["lift"]) == pytest.approx(0.025, abs=1e-6), row
    assert float(row["probability_better"]) > 0.5, row
    text = (folder / "out/report.md").read_text()
    assert "within the periods of one split" in text, text[:1500]
    assert "67.8 %" not in text.split("## ")[1], "the rate of all periods beside a difference within"


def test_rules_hold_nothing_where_no_period_has_both_variants(folder):
    splits = "splits: [{from: 2026-01-05, A: 99.9%, B: 0.1%}, {from: 2026-01-12, A: 0.1%, B: 99.9%}]"
    world(folder, [(900, "A", 0, 500), (900, "B", 7, 300)], splits)
    found = check(folder, (0, 3))["checks"][0]
    assert found["verdict"] == "inconclusive" and "no period" in found["reason"], found


@pytest.mark.parametrize("late, code", [(5000, 4), (0, 4)])
def test_contamination_is_a_share_of_those_inside_the_experiment(folder, late, code):
    # 2 % of those who entered while it ran saw both; 5,000 later people would make it 0.6 %.
    groups = [(980, "A", 0, 500), (20, "AB", 0, 20), (1000, "B", 0, 500), (20, "BA", 0, 20)]
    groups += [(late, "", 40, late // 2)] if late else []
    world(folder, groups, "variants: [A, B], start: 2026-01-05, end: 2026-01-20")
    said = check(folder, code)
    data = next(one for one in said["data"] if one["quality"] == "contaminated")
    assert (data["numerator"], data["denominator"]) == (40, 2020), data
    assert said["checks"][0]["verdict"] == "invalid", said


def test_people_without_a_variant_outside_of_the_experiment_are_not_missing_one(folder):
    groups = [(1000, "A", 0, 500), (1000, "B", 0, 520), (3000, "", 40, 900)]
    world(folder, groups, "variants: [A, B], start: 2026-01-05, end: 2026-01-20")
    data = next(one for one in check(folder, (0, 3))["data"] if one["quality"] == "unassigned")
    assert (data["numerator"], data["denominator"], data["verdict"]) == (0, 2000, "pass"), data
    groups[2] = (3000, "", 0, 900)
    world(folder, groups, "variants: [A, B], start: 2026-01-05, end: 2026-01-20")
    data = next(one for one in check(folder, 4)["data"] if one["quality"] == "unassigned")
    assert (data["numerator"], data["denominator"], data["verdict"]) == (3000, 5000, "invalid"), data


def test_an_exposure_has_two_splits_to_keep(folder):
    exposure = "variants: [A, B], exposure: {event: paywall}"
    # Alike exposed, but far more were assigned to A.
    groups = [(500, "A", 0, 200, "paywall"), (500, "B", 0, 210, "paywall"), (2000, "A", 0, 900),
              (1000, "B", 0, 450)]
    world(folder, groups, exposure)
    data = next(one for one in check(folder, 4)["data"] if one["quality"] == "sample_ratio")
    assert data["verdict"] == "invalid" and data["value"] < 1e-6, data
    groups[2] = (1000, "A", 0, 450)
    world(folder, groups, exposure)
    data = next(one for one in check(folder, (0, 3))["data"] if one["quality"] == "sample_ratio")
    assert data["verdict"] == "pass", data


def test_contamination_of_those_who_were_not_exposed_is_of_no_comparison(folder):
    groups = [(400, "A", 0, 200, "paywall"), (400, "B", 0, 280, "paywall"), (600, "A", 0, 300),
              (600, "B", 0, 300), (60, "AB", 0, 30), (60, "BA", 0, 30)]
    for rule in ("first", "exclude"):
        world(folder, groups, f"variants: [A, B], contaminated: {rule}, exposure: {{event: paywall}}")
        data = next(one for one in check(folder, 0)["data"] if one["quality"] == "contaminated")
        assert (data["numerator"], data["denominator"]) == (0, 800), (rule, data)


def test_a_ramp_of_a_variant_that_does_nothing_makes_no_finding(folder):
    # Finishers return alike, and fewer people finish later, when B is what most have.
    splits = "splits: [{from: 2026-01-05, A: 90%, B: 10%}, {from: 2026-01-12, A: 10%, B: 90%}]"
    world(folder, [(1800, "A", 0, 1440, "visit"), (200, "B", 0, 160, "visit"), (200, "A", 7, 80),
                   (1800, "B", 7, 720)], splits, more="goals: [{id: g, event: visit, within: 1d}]\n")
    firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--out", "out", "--quiet",
              "--as-of", "2026-06-01", cwd=folder)
    text = (folder / "out/report.md").read_text()
    assert "changed who finishes" not in text, text
    rows = [line.split(",") for line in (folder / "out/experiments.csv").read_text().splitlines()]
    shares = {row[rows[0].index("compared")]: row[rows[0].index("with_rate")]
              for row in rows if "sample_ratio" in row}
    assert {name: float(share) for name, share in shares.items()} == {"A": 0.5, "B": 0.5}, shares
    (folder / "gate.yaml").write_text(
        "targets: ignore\nrules: [{metric: difference_time_to_complete_p50, variant: B, at_most: 5m}]\n")
    said = firstmile("check", "dump.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", cwd=folder,
                     expect=2).stderr.decode()
    assert "times are not compared within its periods" in said, said


@pytest.mark.parametrize("rule, code", [
    ("at_least: 10%", 1), ("for_each: variant, at_least: 10%", 1),
    ("variant: B, not_worse_by: 3 points, against: control", 1), ("at_most: 10%", 0)])
def test_a_value_of_a_goal_that_nobody_reaches_is_0(folder, rule, code):
    (folder / "flow.yaml").write_text(
        "flow: app\nsteps: [welcome, done]\nexperiments: {copy: {control: A, variants: [A, B]}}\n"
        "goals: [{id: g, event: buy, by: kind, within: 1d}]\n")
    lines = []
    for person in range(2000):
        variant = "AB"[person % 2]
        # Of A two in five buy the year where variants are looked at.
        kind = "year" if "variant" in rule and variant == "A" and person % 5 < 2 else "month"
        for second, (name, properties) in enumerate(
                [("onboarding_started", {}), ("buy", {"kind": kind})]):
            lines.append(json.dumps({
                "event": name, "user_id": f"p{person}", "timestamp": START + person + second,
                "experiments": {"copy": variant}, "properties": properties}))
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "gate.yaml").write_text(
        "targets: ignore\nrules: [{metric: goal_rate, goal: 'g:year', " + rule + "}]\n")
    found = check(folder, code)["checks"]
    last = found[-1]
    assert last["current"]["numerator"] == 0 and last["current"]["denominator"] in (1000, 2000), found
    assert len(found) == (2 if "for_each" in rule else 1), found


def test_nothing_in_five_people_is_no_pass(folder):
    world(folder, [(5, "A", 0, 0), (5, "B", 0, 0), (1, "A", 1, 1)], "variants: [A, B]")
    (folder / "gate.yaml").write_text(
        "targets: ignore\nrules: [{metric: completion_rate, variant: B, not_worse_by: 20 points,"
        " against: control}]\n")
    found = check(folder, (0, 3))["checks"][0]
    assert found["verdict"] == "inconclusive", found
