"""Experiments that are planned: what power says, what a report decides, and amounts a person."""

import csv
import io
import json
import re
from statistics import NormalDist

import pytest

from harness import firstmile, report

DAY = 86_400
START = 1_767_571_200  # 2026-01-05, a Monday


def power(*options):
    said = firstmile("power", "--rate", "30%", "--lift", "10%", *options).stdout.decode()
    return int(re.search(r"control\s+(\d+) persons", said)[1]), said


def test_power_is_planned_for_the_family_that_decides():
    # statsmodels: NormalIndPower with pooled variance under "equal" has 3763; of alpha / 12, 6697.
    single, _ = power()
    family, said = power("--metrics", "12")
    assert single == 3763 and ", 12 metrics" in said
    assert family == power("--alpha", str(0.05 / 12))[0] > 1.7 * single
    # Twelve metrics of one variant are as strict as four metrics of three.
    assert power("--metrics", "4", "--arms", "3", "--control-share", "50%") [1].count("3 arms") == 1
    assert power("--variants", "3")[0] == power("--arms", "2")[0] > single
    watched, said = power("--sequential")
    assert watched > single and "always valid" in said
    assert power("--sequential", "--metrics", "12")[0] > max(watched, family)


@pytest.mark.parametrize("options, said", [
    (("--metrics", "0"), "--metrics must be at least 1"),
    (("--variants", "1"), "--variants must be at least 2"),
    (("--variants", "3", "--arms", "3"), "give one of them"),
    (("--sequential", "--sequential-tuning", "1"), "at least 10"),
])
def test_power_of_nonsense_says_what_is_allowed(options, said):
    done = firstmile("power", "--rate", "30%", "--lift", "10%", *options, expect=2)
    assert said in done.stderr.decode() and not done.stdout


def world(folder, plan, arms, more="", weeks=3):
    """People spread over whole weeks: of each variant (count, finishing, coming back, prices)."""
    (folder / "flow.yaml").write_text(
        "flow: app\nwindow: 1d\nsteps: [welcome, done]\nstatistics: {target_lift: 10%}\n"
        "retention: [{days: [1]}]\n"
        "goals: [{id: paid, title: Paid, event: charged, value: price, within: 1d}]\n"
        f"experiments: {{copy: {{control: A, variants: [A, B]{more}{plan}}}}}\n")
    lines = []
    for variant, (count, finishing, back, prices) in arms.items():
        for person in range(count):
            begin = START + (person * weeks * 7 // count) * DAY + person % 3600

            def add(name, second, **properties):
                lines.append(json.dumps({
                    "event": name, "user_id": f"{variant}{person}", "timestamp": begin + second,
                    "experiments": {"copy": variant}, "properties": properties}))
            add("onboarding_started", 0)
            # Stride through the people, so that every week has its share.
            order = person * 7919 % count
            if order < finishing:
                add("onboarding_completed", 60)
            elif order == finishing:
                # One skip: without any, nothing is known of skips, and the family is smaller.
                add("onboarding_skipped", 60)
            if order < back:
                add("opened", DAY)
            if person < len(prices):
                add("charged", 300, price=prices[person])
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")


def made(folder, *options):
    report([folder / "dump.ndjson"], folder / "out", *options, flow=folder / "flow.yaml")
    return (folder / "out/report.md").read_text()


def page(folder):
    return (folder / "out/report.html").read_text()


def rows(folder):
    return list(csv.DictReader(io.StringIO((folder / "out/experiments.csv").read_text())))


PLAN = ", primary: completion, guardrails: {d1: 20%}"


@pytest.mark.parametrize("back, title, words", [
    (1200, "Ship: B against A", "Guardrail day 1 retention: holds"),
    (800, "Don’t ship: B against A", "violated (the loss is larger than 20 %)")])
def test_a_plan_ships_what_is_better_and_harms_nothing(folder, back, title, words):
    world(folder, PLAN, {"A": (3000, 1500, 1200, []), "B": (3000, 1800, back, [])})
    said = made(folder)
    assert title in said and words in said, said
    roles = {row["metric"]: (row["role"], row["margin"]) for row in rows(folder)
             if row["basis"] == "randomised"}
    assert roles["completion_rate"] == ("primary", "") and roles["used_skip_rate"][0] == "secondary"
    assert roles["retention_d1"] == ("guardrail", "0.2")
    document = json.loads((folder / "out/metrics.json").read_text())
    verdicts = document["metrics"]["experiments"][0]["verdicts"]
    assert [row["role"] for row in verdicts if row["metric"] == "completion_rate"] == ["primary"]


def test_a_plan_with_too_few_people_says_until_when(folder):
    world(folder, ", primary: completion", {"A": (420, 210, 100, []), "B": (420, 215, 100, [])})
    said = made(folder)
    found = re.search(r"Keep running until about (\d+ \w+ 2026): B against A", said)
    assert found and re.search(r"at the pace of \d+ a day \(\d+ Jan – \d+ Jan 2026\)", said), said
    # The file says the same on any day and machine.
    assert said == made(folder)


def test_without_a_plan_nothing_is_shipped(folder):
    world(folder, "", {"A": (3000, 1500, 1200, []), "B": (3000, 1800, 1200, [])})
    said = made(folder)
    assert "Decided at one look: B against A" in said and "Ship" not in said
    assert {row["role"] for row in rows(folder)} == {""}


def welch(one, other):
    """The means' difference and Welch's standard error, people without an amount having 0."""
    def moments(values, count):
        mean = sum(values) / count
        squares = sum((value - mean) ** 2 for value in values) + (count - len(values)) * mean**2
        return mean, squares / (count - 1) / count
    (first, error), (second, other_error) = moments(*one), moments(*other)
    return first - second, (error + other_error) ** 0.5


def test_a_family_needs_more_people_than_a_primary_metric(folder):
    """Without a plan all metrics are decided together, each by a part of alpha."""
    missing = {}
    for plan in ("", ", primary: completion"):
        world(folder, plan, {"A": (1000, 300, 0, []), "B": (1000, 310, 0, [])})
        made(folder)
        (row,) = [row for row in rows(folder)
                  if row["basis"] == "randomised" and row["metric"] == "completion_rate"]
        missing[plan] = int(row["more_persons_needed"])
    assert missing[""] > 1.2 * missing[", primary: completion"] > 0, missing


def test_amounts_a_person_are_compared_by_variant(folder):
    prices = {"A": [10 + number % 7 for number in range(300)],
              "B": [14 + number % 9 for number in range(330)]}
    world(folder, "", {"A": (3000, 1500, 0, prices["A"]), "B": (3000, 1500, 0, prices["B"])})
    assert "Paid averages" in firstmile(
        "report", "--full", folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--out",
        folder / "out").stdout.decode().replace("\n", " ")
    row = next(row for row in rows(folder) if row["metric"] == "goal_value")
    # All but the people of the last day, whose window is not over.
    counts = int(row["denominator"]), int(row["with_denominator"])
    assert 2850 < min(counts) and max(counts) < 3000
    difference, error = welch((prices["B"], counts[0]), (prices["A"], counts[1]))
    assert float(row["difference"]) == pytest.approx(difference, rel=1e-5)
    width = float(row["difference_ci_high"]) - float(row["difference_ci_low"])
    assert width / 2 / error == pytest.approx(1.9604, rel=1e-3)
    assert row["verdict"] == "higher" and float(row["p"]) < 0.001
    # An amount decides no rate, and its test takes nothing from theirs.
    together = {row["metric"]: row["p_adjusted"] for row in rows(folder)}
    assert together["goal_value"] == row["p"]


def test_few_amounts_are_shown_and_not_tested(folder):
    world(folder, "", {"A": (300, 150, 0, [10] * 4), "B": (300, 150, 0, [20] * 40)})
    made(folder)
    row = next(row for row in rows(folder) if row["metric"] == "goal_value")
    assert row["p"] == "" and row["verdict"] == "no verdict" and float(row["rate"]) > 2


def people(folder, declared, groups):
    """People by week, variant and system: how many there are and how many finish."""
    (folder / "flow.yaml").write_text(
        "flow: app\nwindow: 1d\nsteps: [welcome, done]\ndimensions: [os]\n"
        f"experiments: {{copy: {{control: A, variants: [A, B]{declared}}}}}\n")
    lines = []
    for (week, variant, system), (count, finishing) in groups.items():
        for person in range(count):
            common = {"user_id": f"{week}{variant}{system}{person}", "context": {"os": system},
                      "experiments": {"copy": variant}}
            begin = START + week * 7 * DAY + person % 7 * DAY + person
            lines.append({"event": "onboarding_started", "timestamp": begin, **common})
            if person < finishing:
                lines.append({"event": "onboarding_completed", "timestamp": begin + 60, **common})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))


def completion(folder):
    return next(row for row in rows(folder) if row["metric"] == "completion_rate"
                and row["basis"].startswith("randomised"))


# Everybody's window is over by then.
LATER = ("--as-of", "2026-03-15")


def test_strata_are_weighted_by_their_people(folder):
    """Recounted from what was written: by chance B has fewer of the system that finishes."""
    groups = {(0, "A", "iOS"): (500, 400), (0, "B", "iOS"): (430, 366),
              (0, "A", "Android"): (500, 150), (0, "B", "Android"): (560, 196),
              # Too few for a stratum each, and enough together.
              (0, "A", "Linux"): (15, 3), (0, "B", "Linux"): (14, 4),
              (0, "A", "Windows"): (12, 4), (0, "B", "Windows"): (16, 4)}
    people(folder, ", stratify: os", groups)
    said = made(folder, *LATER)
    assert "Rates are compared within each value of os (2 small ones are put together)" in said
    strata = [("iOS",), ("Android",), ("Linux", "Windows")]
    total = sum(count for count, _ in groups.values())
    expected, error = 0, 0
    for systems in strata:
        def sums(variant):
            own = [groups[0, variant, system] for system in systems]
            return sum(count for count, _ in own), sum(finishing for _, finishing in own)
        (n1, x1), (n0, x0) = sums("B"), sums("A")
        share = (n1 + n0) / total
        expected += share * (x1 / n1 - x0 / n0)
        error += share**2 * (x1 / n1 * (1 - x1 / n1) / n1 + x0 / n0 * (1 - x0 / n0) / n0)
    row = completion(folder)
    assert row["basis"] == "randomised; stratified by os"
    assert float(row["difference"]) == pytest.approx(expected, rel=1e-5)
    # The score interval is Wald's to some per cent of its width.
    width = float(row["difference_ci_high"]) - float(row["difference_ci_low"])
    level = float(row["interval_level"])
    critical = NormalDist().inv_cdf((1 + level) / 2)
    assert width / 2 == pytest.approx(critical * error**0.5, rel=0.02)
    assert float(row["rate"]) - float(row["with_rate"]) == pytest.approx(expected, abs=1e-5)
    document = json.loads((folder / "out/metrics.json").read_text())
    verdict = document["metrics"]["experiments"][0]["verdicts"][0]
    assert verdict["stratified"]["strata"] == 3 and verdict["stratified"]["joined"] == 2
    # The diary, which has a row for some of the days, is not of strata.
    interim = "an interim check is of all people together"
    made(folder, *LATER, "--cohorts", "day")
    assert interim in page(folder)
    # Without the declaration the crude rates are compared.
    people(folder, "", groups)
    assert "compared within" not in made(folder, *LATER, "--cohorts", "day") and interim not in page(folder)
    made(folder, *LATER)
    assert float(completion(folder)["difference"]) == pytest.approx(
        570 / 1020 - 557 / 1027, abs=1e-5)


def test_strata_of_two_dimensions_are_their_combinations(folder):
    """Recounted from what was written: neither dimension alone makes the variants alike."""
    groups = {("A", "iOS", "de"): (420, 378), ("B", "iOS", "de"): (300, 279),
              ("A", "iOS", "fr"): (200, 60), ("B", "iOS", "fr"): (330, 115),
              ("A", "Android", "de"): (210, 63), ("B", "Android", "de"): (310, 108),
              ("A", "Android", "fr"): (400, 340), ("B", "Android", "fr"): (290, 255),
              # Too few for a stratum each, and enough together.
              ("A", "Linux", "de"): (15, 5), ("B", "Linux", "de"): (12, 4),
              ("A", "Linux", None): (9, 4), ("B", "Linux", None): (11, 3)}
    (folder / "flow.yaml").write_text(
        "flow: app\nwindow: 1d\nsteps: [welcome, done]\n"
        "dimensions: [country, os]\n"
        "experiments: {copy: {control: A, variants: [A, B], stratify: [os, country]}}\n")
    lines = []
    for (variant, system, country), (count, finishing) in groups.items():
        for person in range(count):
            context = {"os": system} | ({"country": country} if country else {})
            common = {"user_id": f"{variant}{system}{country}{person}", "context": context,
                      "experiments": {"copy": variant}}
            begin = START + person % 7 * DAY + person
            lines.append({"event": "onboarding_started", "timestamp": begin, **common})
            if person < finishing:
                lines.append({"event": "onboarding_completed", "timestamp": begin + 60, **common})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = made(folder, *LATER)
    assert "within each combination of country and os (2 small ones are put together)" in said
    parts = [[key] for key in (("iOS", "de"), ("iOS", "fr"), ("Android", "de"), ("Android", "fr"))]
    parts.append([("Linux", "de"), ("Linux", None)])
    total = sum(count for count, _ in groups.values())
    expected = 0
    for part in parts:
        (n1, x1), (n0, x0) = ([sum(groups[variant, *key][place] for key in part)
                               for place in (0, 1)] for variant in "BA")
        expected += (n1 + n0) / total * (x1 / n1 - x0 / n0)
    row = completion(folder)
    assert row["basis"] == "randomised; stratified by country and os"
    assert float(row["difference"]) == pytest.approx(expected, rel=1e-5)
    crude = 764 / 1253 - 850 / 1254
    assert expected > 0.02 and crude < -0.05
    document = json.loads((folder / "out/metrics.json").read_text())
    verdict = document["metrics"]["experiments"][0]["verdicts"][0]
    assert verdict["stratified"]["strata"] == 5 and verdict["stratified"]["joined"] == 2
    # Combinations are no slices of the report.
    slices = (folder / "out/metrics.csv").read_text()
    assert "\x1f" not in slices and "country=de" in slices
    # Neither files nor threads change anything.
    for place in range(3):
        (folder / f"part{place}.ndjson").write_text(
            "".join(json.dumps(line) + "\n" for line in reversed(lines[place::3])))
    report([folder / f"part{place}.ndjson" for place in range(3)], folder / "out", "--threads", "3",
           *LATER, flow=folder / "flow.yaml")
    assert completion(folder) == row


def test_a_watched_experiment_is_decided_at_its_planned_size(folder):
    declared = ", sequential: true, primary: completion, planned: 2000"

    def decide(weeks):
        people(folder, declared, {
            (week, variant, "iOS"): (400, 200 if variant == "A" else finishing)
            for week, finishing in enumerate(weeks) for variant in "AB"})
        said = made(folder, *LATER)
        (decision,) = json.loads((folder / "out/metrics.json").read_text())[
            "metrics"]["experiments"][0]["decisions"]
        assert decision["title"] in said
        return decision, completion(folder)

    watched, row = decide([216, 216])
    assert watched["decision"] == "keep running" and "400 more people are" in watched["text"]
    assert row["intervals"] == "always valid until the planned size"
    # 2,400 people are in the first three weeks; 55.5 % finish against 50 %.
    decided, row = decide([220, 222, 224])
    assert decided["decision"] == "ship" and "Decided at the planned size" in decided["text"]
    assert row["intervals"] == "planned size" and row["denominator"] == "1200"
    # Later weeks change nothing of it.
    later, same = decide([220, 222, 224, 60])
    assert later == decided and same == row


@pytest.mark.parametrize("finishing", [0, 6])
def test_from_a_control_at_0_or_100_percent_no_sample_is_reckoned(folder, finishing):
    """Of six people nobody knows a rate: it isn't shown that no number of people would do."""
    world(folder, ", primary: completion, guardrails: {paid: 10%}",
          {"A": (6, finishing, 0, []), "B": (6, 3, 0, [5, 7])}, more=", sequential: false")
    said = made(folder, "--as-of", "2026-01-29")
    few = ("none of the control’s 6 people did it" if finishing == 0
           else "all of the control’s 6 people did it")
    assert "Not decided: B against A" in said, said
    assert f"too early, {few}: how many people it takes is not known." in said, said
    assert "too early (none of the control’s 6 people did it: how many people it takes is" in said, said
    assert "How many more people are needed is not known yet." in said, said
    assert "o number of people" not in said, said


def test_a_control_at_0_percent_is_no_matter_of_time(folder):
    world(folder, "", {"A": (6, 0, 0, []), "B": (6, 2, 0, [])})
    said = made(folder, "--as-of", "2026-01-29")
    assert "Too early to decide: B against A" in said, said
    assert "No clear difference yet. None of the control’s 6 people did it, so how many" in said, said
    assert "Too few people of these variants have had the time" not in said, said


def test_a_finding_is_not_decided_before_its_plan_is(folder):
    arms = {"A": (420, 210, 100, []), "B": (420, 300, 100, [])}
    world(folder, ", primary: completion", arms)
    said = made(folder)
    assert "Keep running until about" in said, said
    assert "B is better than A so far (not decided yet): completion 50.0 % → 71.4 %" in said, said
    assert "✅ B is better" not in said, said
    # What is looked at every day, or has no plan, is decided when it is shown.
    for plan in (", primary: completion, sequential: true", ""):
        world(folder, plan, arms)
        assert "✅ B is better than A: completion 50.0 % → 71.4 %" in made(folder), plan


def test_differences_of_rates_are_in_points(folder):
    world(folder, "", {"A": (2000, 800, 100, []), "B": (2000, 1000, 100, [])})
    with (folder / "flow.yaml").open("a") as flow:
        flow.write("targets: [{metric: difference_completion_rate, experiment: copy, variant: B, at_least: 2%}]\n")
    said = made(folder)
    assert "at least +2.0 points | +10.0 points, 9" in said and "+10.0 %" not in said, said
    (folder / "gate.yaml").write_text(
        "targets: ignore\nrules: [{metric: difference_completion_rate, experiment: copy, variant: B, at_least: 1%}]\n")
    gate = firstmile("check", folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--gate",
                     folder / "gate.yaml").stdout.decode()
    gate = " ".join(gate.split())
    assert "variant B: at least 1 point" in gate and "+10.0 points, 90 % interval +7." in gate, gate
    assert "1 pass; 1 test has a false-alarm rate of 5 %" in gate, gate


@pytest.mark.parametrize("prior", ["", ", prior: 10%"])
def test_more_skips_are_the_loss(folder, prior):
    """It was the expectation of fewer skips, and so nothing for a variant that is worse."""
    (folder / "flow.yaml").write_text(
        "flow: app\nwindow: 1d\nsteps: [welcome, done]\n"
        f"experiments: {{copy: {{control: A, variants: [A, B], primary: skip{prior}}}}}\n")
    lines = []
    for variant, skipping in (("A", 190), ("B", 320)):
        for person in range(2000):
            for name, second in (("onboarding_started", 0),
                                 ("onboarding_skipped" if person < skipping else "onboarding_completed", 60)):
                lines.append(json.dumps({
                    "event": name, "user_id": f"{variant}{person}", "timestamp": START + person * 600 + second,
                    "experiments": {"copy": variant}}))
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    said = made(folder, "--as-of", "2026-02-01")
    losses = {row["metric"]: float(row["expected_loss"]) for row in rows(folder)
              if row["basis"].startswith("randomised") and row["expected_loss"]}
    # With uniform priors it is nearly what was seen, 16 % against 9.5 %, and as much completion is lost.
    low, high = (0.03, 0.065) if prior else (0.063, 0.066)
    assert low < losses["skip_rate"] < high and 0.063 < losses["completion_rate"] < 0.066, losses
    if prior:
        assert "choosing it loses 0.0" not in said, said
