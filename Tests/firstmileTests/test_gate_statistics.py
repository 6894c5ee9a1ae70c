"""The gate on worlds whose truth is known: proofs, mixes of people, where a drop is, many nights."""

import csv
import json

import pytest

from harness import firstmile

START = 1_767_571_200  # 2026-01-05, a Monday
AS_OF = ("--as-of", "2026-01-10")


def dump(path, groups):
    """People who start on one day; a group is (name, count, how many finish, properties)."""
    lines = []
    for name, count, finishing, more in groups:
        for person in range(count):
            base = {"user_id": f"{name}-{person}", **more}
            moment = START + person % 3600
            lines.append({"event": "onboarding_started", "timestamp": moment, **base})
            if person < finishing:
                lines.append({"event": "onboarding_completed", "timestamp": moment + 60 + person % 97, **base})
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def systems(name, **counts):
    """Groups by system: (people, of whom finish)."""
    return [(f"{name}{os}", count, finishing, {"context": {"os": os}})
            for os, (count, finishing) in counts.items()]


def run(folder, before, now, rule, *options, expect, head="targets: ignore", json_out=True):
    (folder / "flow.yaml").write_text(
        "flow: app\nsteps: [welcome, done]\ndimensions: [os]\n")
    # Other people, but both sides began on the same day.
    (folder / "gate.yaml").write_text(f"{head}\nperiod: everyone\nrules:\n  - {{metric: completion_rate, {rule}}}\n")
    dump(folder / "now.ndjson", now)
    dump(folder / "before.ndjson", before)
    shared = ("--flow", "flow.yaml", "--gate", "gate.yaml", "--baseline", "baseline.json", *AS_OF)
    (folder / "baseline.json").unlink(missing_ok=True)
    firstmile("check", "before.ndjson", *shared, "--accept", cwd=folder)
    done = firstmile("check", "now.ndjson", *shared, *(["--json"] if json_out else []), *options, cwd=folder,
                     expect=expect)
    return json.loads(done.stdout) if json_out else done.stdout.decode()


def test_a_drop_of_the_margin_is_no_proof(folder):
    before, now = systems("b", ios=(4000, 2400)), systems("n", ios=(4000, 2320))
    plain = run(folder, before, now, "not_worse_by: 2%", expect=0)["checks"][0]
    assert plain["verdict"] == "none_shown", plain
    strict = run(folder, before, now, "not_worse_by: 2%, prove: true", expect=3)["checks"][0]
    assert strict["verdict"] == "inconclusive" and strict["missing_persons"] > 0, strict
    assert "not shown to lie within the margin" in strict["reason"], strict
    run(folder, before, now, "not_worse_by: 2%, prove: true, on_inconclusive: warn", expect=0)
    run(folder, before, now, "not_worse_by: 5%, prove: true", expect=0)
    fallen = systems("n", ios=(4000, 2000))
    assert run(folder, before, fallen, "not_worse_by: 2%, prove: true", expect=1)["verdict"] == "fail"


def test_a_plan_says_what_a_proof_takes(folder):
    before, now = systems("b", ios=(2000, 1200)), systems("n", ios=(2000, 1200))
    plan = run(folder, before, now, "not_worse_by: 4%, prove: true", "--plan", expect=0)
    test = plan["tests"][0]
    assert test["chance_to_prove_at_margin"] == pytest.approx(0.05, abs=0.005), test
    assert 0.7 < test["chance_to_prove"] < 0.9, test
    few = run(folder, before, systems("n", ios=(300, 180)), "not_worse_by: 4%, prove: true", "--plan",
              expect=0)["tests"][0]
    assert few["missing_persons"] > 300, few
    text = run(folder, before, now, "not_worse_by: 4%, prove: true", "--plan", expect=0, json_out=False)
    assert "worse by the margin" in " ".join(text.split()), text


@pytest.mark.parametrize("rule, persons, finishing, verdict", [
    # Fails two in a hundred, where one in two hundred may: a hundred people can't tell, unless four and a half
    # in a hundred are all that is looked for.
    ("at_least: 99.5%", 100, 98, "inconclusive"),
    ("at_least: 99.5%, margin: 2 points", 100, 98, "none_shown"),
    ("at_least: 99.5%", 10_000, 9_954, "none_shown"),
    ("at_least: 99.5%", 10_000, 9_930, "fail"),
    # Turned over, and in the middle, where the margin is two points as ever.
    ("at_most: 0.5%", 100, 2, "inconclusive"),
    ("at_least: 60%", 2_000, 1_195, "none_shown"),
    # Nobody may: the first one fails.
    ("at_most: 0%", 100, 1, "fail")])
def test_the_margin_of_a_bound_follows_it(folder, rule, persons, finishing, verdict):
    (folder / "flow.yaml").write_text("flow: app\nsteps: [welcome, done]\n")
    (folder / "gate.yaml").write_text(f"targets: ignore\nrules: [{{metric: completion_rate, {rule}}}]\n")
    dump(folder / "now.ndjson", [("n", persons, finishing, {})])
    done = firstmile("check", "now.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", *AS_OF, "--json", cwd=folder,
                     expect=1 if verdict == "fail" else 0)
    check = json.loads(done.stdout)["checks"][0]
    assert check["verdict"] == verdict, check


@pytest.mark.parametrize("seconds, verdict, exit_code", [(80, "pass", 0), (106, "inconclusive", 0), (130, "fail", 1)])
def test_a_time_is_tested_from_below_as_from_above(folder, seconds, verdict, exit_code):
    (folder / "flow.yaml").write_text("flow: app\nsteps: [welcome, done]\n")
    (folder / "gate.yaml").write_text(
        f"targets: ignore\nrules: [{{metric: time_to_complete_p50, at_least: {seconds}s, margin: 1s}}]\n")
    # A median of 108 seconds, more or less: 60 and up to 96 more, all alike.
    dump(folder / "now.ndjson", [("n", 200, 200, {})])
    done = firstmile("check", "now.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", *AS_OF, "--json", cwd=folder,
                     expect=exit_code)
    check = json.loads(done.stdout)["checks"][0]
    assert check["verdict"] == verdict, check
    low, high = check["ci_low"], check["ci_high"]
    assert low < 108 < high and (verdict == "fail") == (high < seconds) and (verdict == "pass") == (low > seconds), check


@pytest.mark.parametrize("keys, said", [
    ("at_least: 10%, prove: true", "'prove' goes with 'not_worse_by' only"),
    ("not_worse_by: 2%, margin: 1%", "'margin' goes with 'at_least' and 'at_most' only"),
    ("at_least: 10%, min_persons: 50", "'min_persons' goes with 'for_each' only"),
    ("not_worse_by: 2%, prove: maybe", "must be true or false"),
    ("not_worse_by: 10s, metric: time_to_complete_p50, better: higher", "a time against taking longer"),
    ("at_least: 10%, slow_decline: true", "'slow_decline' goes with 'not_worse_by' on a rate"),
    ("not_worse_by: 2%, slow_decline: true, prove: true", "a rule with 'slow_decline' has no 'prove'"),
    ("not_worse_by: 2%, slow_decline: true, for_each: os", "no dimension cuts them"),
    ("at_least: 10%, adjust: [os]", "'adjust' goes with 'not_worse_by' on a rate only"),
    ("not_worse_by: 2%, adjust: [browser]", "os"),
    ("not_worse_by: 2%, adjust: []", "'adjust' takes one dimension"),
    ("not_worse_by: 2%, adjust: os, for_each: os", "is not cut by one")])
def test_rules_that_make_no_sense_are_mistakes(folder, keys, said):
    (folder / "flow.yaml").write_text(
        "flow: app\nsteps: [welcome, done]\ndimensions: [os]\n")
    metric = "" if "metric:" in keys else "metric: completion_rate, "
    (folder / "gate.yaml").write_text(f"targets: ignore\nrules:\n  - {{{metric}{keys}}}\n")
    dump(folder / "now.ndjson", systems("n", ios=(5, 3)))
    done = firstmile("check", "now.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", cwd=folder, expect=2)
    assert said in done.stderr.decode(), done.stderr


# Both systems fall by 4 points, and more people come with the better one.
MIXED = (systems("b", ios=(4000, 3200), web=(4000, 1600)), systems("n", ios=(4800, 3648), web=(3200, 1152)))


def test_a_better_mix_hides_no_drop(folder):
    check = run(folder, *MIXED, "not_worse_by: 2%", expect=0)["checks"][0]
    assert check["verdict"] in ("pass", "none_shown") and abs(check["estimate"]) < 0.005, check
    (change,) = check["standardised"]
    assert change["dimension"] == "os" and abs(change["points"] + 0.04) < 1e-6, change
    text = run(folder, *MIXED, "not_worse_by: 2%", expect=0, json_out=False)
    assert "The mix of people hides a drop" in text and "adjust: [os]" in text, text
    adjusted = run(folder, *MIXED, "not_worse_by: 2%, adjust: [os]", expect=1)["checks"][0]
    assert adjusted["verdict"] == "fail" and abs(adjusted["estimate"] + 0.04) < 1e-6, adjusted
    # The same people in the same mix have nothing hidden.
    held = run(folder, MIXED[0], systems("n", ios=(4000, 3200), web=(4000, 1600)), "not_worse_by: 2%", expect=0)
    assert "standardised" not in held["checks"][0], held


def test_a_rule_on_what_should_fall_is_adjusted_too(folder):
    rule = "not_worse_by: 2%, adjust: os, better: lower"
    check = run(folder, MIXED[1], MIXED[0], rule, expect=1)["checks"][0]
    assert abs(check["estimate"] - 0.04) < 1e-6, check
    run(folder, *MIXED, rule, expect=0)


def test_a_drop_that_is_alike_everywhere_names_nobody(folder):
    before = systems("b", ios=(4000, 3200), web=(2000, 1000), tv=(500, 150))
    alike = systems("n", ios=(4000, 2880), web=(2000, 900), tv=(500, 135))
    check = run(folder, before, alike, "not_worse_by: 2%", expect=1)["checks"][0]
    assert check["alike_everywhere"] is True and "contributions" not in check, check
    text = run(folder, before, alike, "not_worse_by: 2%", expect=1, json_out=False)
    assert "Everywhere alike" in text, text
    one = systems("n", ios=(4000, 3200), web=(2000, 500), tv=(500, 150))
    check = run(folder, before, one, "not_worse_by: 2%", expect=1)["checks"][0]
    (part,) = check["contributions"]
    assert (part["kind"], part["name"]) == ("rate", "os=web") and "alike_everywhere" not in check, check
    assert part["share_of_change"] == pytest.approx(1, abs=1e-6), part
    assert part["share_of_people"] == pytest.approx(2000 / 6500, abs=1e-6), part


def test_a_gate_of_a_month_has_a_thirtieth_for_each_night(folder):
    # p is 0.003 or so: enough for one run, and not for thirty.
    before, now = systems("b", ios=(5000, 3000)), systems("n", ios=(5000, 2865))
    run(folder, before, now, "not_worse_by: 2%", expect=1)
    month = run(folder, before, now, "not_worse_by: 2%", expect=0,
                head="targets: ignore\nstatistics: {alpha: 5%, nights: 30}")
    assert month["nights"] == 30 and month["checks"][0]["verdict"] != "fail", month
    for head, most in (("targets: ignore", 1), ("targets: ignore\nstatistics: {alpha: 5%, nights: 30}", 0.05)):
        plan = run(folder, before, now, "not_worse_by: 0.1%", "--plan", expect=0, head=head)
        assert 0.02 < plan["false_alarm_rate_of_month"] <= most * 1.02, plan
        assert plan["false_alarm_rate_of_month"] == pytest.approx(
            min(1, 30 * plan["false_alarm_rate"]), abs=1e-4), plan


def declining(folder, days):
    """From the 30th day on five points fewer finish."""
    lines = []
    for day in range(days):
        for person in range(600):
            moment = START + day * 86_400 + person
            user = {"user_id": f"{day}-{person}"}
            lines.append({"event": "onboarding_started", "timestamp": moment, **user})
            if person < (360 if day < 30 else 330) + (day * 7) % 5 - 2:
                lines.append({"event": "onboarding_completed", "timestamp": moment + 60, **user})
    (folder / "days.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "flow.yaml").write_text("flow: days\nsteps: [welcome, plan]\nwindow: 5m\n")
    (folder / "gate.yaml").write_text("targets: ignore\nrules: [{metric: completion_rate, not_worse_by: 2%}]\n")


def test_a_lasting_drop_fails_until_somebody_accepts_it(folder):
    declining(folder, 53)

    def judged(first, *options, expect):
        # A week's people: 2026-01-05 is day 0.
        last = {"2026-02-05": "2026-02-12", "2026-02-19": "2026-02-26"}[first]
        done = firstmile("check", "days.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", "--json",
                         "--from", first, "--to", last, "--history", 14, *options, cwd=folder, expect=expect)
        return json.loads(done.stdout)["checks"][0]

    assert judged("2026-02-05", expect=1)["verdict"] == "fail"
    # Days 45 to 51: the two weeks before are all of the drop.
    assert judged("2026-02-19", expect=0)["verdict"] != "fail"
    held = judged("2026-02-19", "--accepted", "2026-02-02", expect=1)
    assert held["verdict"] == "fail" and held["reference"]["denominator"] == 14 * 600, held
    assert judged("2026-02-19", "--accepted", "2026-02-18", expect=0)["verdict"] != "fail"
    for options, said in ((["--accepted", "2026-02-02"], "goes with --history"),
                          (["--history", 14, "--accepted", "2026-02-20"], "must not lie after --from"),
                          (["--history", 14, "--accepted", "soon"], "--accepted")):
        done = firstmile("check", "days.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", "--from",
                         "2026-02-19", *options, cwd=folder, expect=(2, 64))
        assert said in done.stderr.decode(), done.stderr


@pytest.mark.parametrize("sequential", [True, False])
def test_an_experiment_looked_at_every_day_is_held_by_its_always_valid_interval(folder, sequential):
    (folder / "flow.yaml").write_text(
        "flow: app\nsteps: [welcome, done]\nexperiments: {copy: {control: A, variants: [A, B]"
        + (", sequential: true" if sequential else "") + "}}\n")
    (folder / "gate.yaml").write_text(
        "targets: ignore\nrules: [{metric: completion_rate, variant: B, not_worse_by: 1%, against: control}]\n")
    # One-sided p is 0.012 in a single look.
    dump(folder / "now.ndjson", [
        (variant, 1500, finishing, {"experiments": {"copy": variant}})
        for variant, finishing in (("A", 900), ("B", 839))])
    done = firstmile("check", "now.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", "--json", *AS_OF,
                     cwd=folder, expect=0 if sequential else 1)
    check = json.loads(done.stdout)["checks"][0]
    assert (check["verdict"] == "fail") != sequential, check
    assert (check["ci_high"] < 0) != sequential, check


@pytest.mark.parametrize("planned, people, intervals", [
    (1000, 600, "planned size"), (100_000, 600, "always valid until the planned size")])
def test_a_planned_experiment_has_the_intervals_of_its_report(folder, planned, people, intervals):
    """Each of its two looks may spend a share of alpha; the gate spent all of it on both."""
    (folder / "flow.yaml").write_text(
        "flow: app\nsteps: [welcome, done]\nexperiments: {copy: {control: A, variants: [A, B], sequential: true, "
        f"primary: completion, planned: {planned}}}}}\n")
    dump(folder / "now.ndjson", [
        (variant, people, finishing, {"experiments": {"copy": variant}})
        for variant, finishing in (("A", 360), ("B", 396))])
    shared = ("now.ndjson", "--flow", "flow.yaml", *AS_OF)
    firstmile("report", *shared, "--cohorts", "day", "--out", "reports", "--quiet", cwd=folder)
    with (folder / "reports" / "experiments.csv").open() as table:
        row = next(row for row in csv.DictReader(table) if row["metric"] == "completion_rate"
                   and row["compared"] == "B" and row["cohort"] == "all")
    assert row["intervals"] == intervals, row
    for number, bound in (("lift", "at_least: -3%"), ("difference", "at_most: 9%")):
        # Two one-sided tests at 2.5 % are the report's interval of 95 %.
        (folder / "gate.yaml").write_text(
            "targets: ignore\nstatistics: {alpha: 2.5%}\nrules:\n"
            f"  - {{metric: {number}_completion_rate, variant: B, {bound}}}\n")
        done = firstmile("check", *shared, "--gate", "gate.yaml", "--period", "everyone", "--json", cwd=folder,
                         expect=(0, 1, 3))
        (check,) = json.loads(done.stdout)["checks"]
        ends = tuple(float(row[f"{number}_ci_{end}"]) for end in ("low", "high"))
        assert (check["ci_low"], check["ci_high"]) == pytest.approx(ends, abs=2e-6), (check, row)


def test_a_lift_of_few_people_has_no_bound_in_the_thousands(folder):
    (folder / "flow.yaml").write_text(
        "flow: app\nsteps: [welcome, done]\n"
        "experiments: {copy: {control: A, variants: [A, B], sequential: true}}\n")
    (folder / "gate.yaml").write_text(
        "targets: ignore\nrules: [{metric: lift_completion_rate, variant: B, at_least: -10%}]\n")
    dump(folder / "now.ndjson", [
        (variant, 400, finishing, {"experiments": {"copy": variant}})
        for variant, finishing in (("A", 40), ("B", 9))])
    done = firstmile("check", "now.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", "--json", *AS_OF,
                     cwd=folder, expect=(0, 1, 3))
    check = json.loads(done.stdout)["checks"][0]
    assert check["ci_low"] >= -1 and check["ci_high"] < 2, check


def test_days_that_differ_are_no_mix_that_hides_a_drop(folder):
    """Both differences are the same number: that the rule's own test shows none is because days differ."""
    def write(name, first, days, rate_of_day):
        lines = []
        for day in range(first, first + days):
            for os, more in (("ios", 1.1), ("web", 0.9)):
                finishing = round(50 * rate_of_day(day) * more)
                for person in range(50):
                    base = {"user_id": f"{day}-{os}-{person}", "context": {"os": os}}
                    moment = START + day * 86_400 + person
                    lines.append({"event": "onboarding_started", "timestamp": moment, **base})
                    if person < finishing:
                        lines.append({"event": "onboarding_completed", "timestamp": moment + 60, **base})
        (folder / name).write_text("".join(json.dumps(line) + "\n" for line in lines))

    (folder / "flow.yaml").write_text("flow: app\nsteps: [welcome, done]\ndimensions: [os]\n")
    (folder / "gate.yaml").write_text(
        "targets: ignore\nperiod: everyone\nrules:\n  - {metric: completion_rate, not_worse_by: 2%}\n")
    write("before.ndjson", 0, 28, lambda day: 0.75 if day % 3 else 0.45)
    write("now.ndjson", 28, 7, lambda day: 0.55)
    shared = ("--flow", "flow.yaml", "--gate", "gate.yaml", "--baseline", "baseline.json")
    (folder / "baseline.json").unlink(missing_ok=True)
    firstmile("check", "before.ndjson", *shared, "--accept", "--as-of", "2026-02-03", cwd=folder)
    done = firstmile("check", "now.ndjson", *shared, "--as-of", "2026-02-10", "--json", cwd=folder)
    (check,) = json.loads(done.stdout)["checks"]
    assert check["estimate"] < -0.04 and check["days"]["deviation"] > 0.05, check
    assert check["verdict"] == "inconclusive" and "standardised" not in check, check


def test_rules_that_ask_something_else_are_each_judged(folder):
    """`adjust` and `prove` ask something else: the second of two rules was dropped in silence."""
    before = systems("b", ios=(3000, 2400), android=(1000, 400))
    # Twice as many come with iOS, and of each system fewer finish.
    now = systems("n", ios=(6000, 4560), android=(500, 180))
    rules = ("not_worse_by: 2%}\n  - {metric: completion_rate, not_worse_by: 2%, adjust: [os]}\n"
             "  - {metric: completion_rate, not_worse_by: 2%, prove: true")
    result = run(folder, before, now, rules, expect=1)
    assert len(result["checks"]) == 3, result["checks"]
    plain, adjusted, proof = result["checks"]
    assert plain["verdict"] == proof["verdict"] == "pass" and plain["estimate"] > 0, result
    assert adjusted["verdict"] == "fail" and adjusted["estimate"] < -0.03, adjusted
    # In whatever order they stand.
    rules = ("not_worse_by: 2%, adjust: [os]}\n  - {metric: completion_rate, not_worse_by: 2%")
    assert len(run(folder, before, now, rules, expect=1)["checks"]) == 2


def test_two_rules_that_ask_the_same_are_no_stricter_than_both(folder):
    few = systems("n", ios=(40, 28))
    before = systems("b", ios=(400, 280))

    def code(*rules):
        asked = "}\n  - {metric: completion_rate, ".join(f"not_worse_by: 2%, {rule}" for rule in rules)
        for expected in (0, 1, 3):
            try:
                result = run(folder, before, few, asked, expect=expected)
            except AssertionError as error:
                if "exit code" not in str(error):
                    raise
                continue
            assert [check["verdict"] for check in result["checks"]] == ["inconclusive"], result
            return expected, result["checks"][0]["severity"]
        raise AssertionError(rules)
    warns, ignores = "level: warn, on_inconclusive: fail", "level: error, on_inconclusive: ignore"
    assert code(warns) == (0, "warning") and code(ignores) == (0, "none")
    assert code(warns, ignores) == code(ignores, warns) == (0, "warning")
    # Whichever comes first, the stricter consequence holds.
    assert code("on_inconclusive: fail", "on_inconclusive: ignore") == (3, "error")
    assert code("on_inconclusive: ignore", "on_inconclusive: fail") == (3, "error")


def test_a_suppressed_rule_silences_no_other_rule(folder):
    before, now = systems("b", ios=(4000, 2400)), systems("n", ios=(4000, 2000))
    quiet = "not_worse_by: 2%, suppress: {reason: outage, until: 2026-12-31}"
    loud = "not_worse_by: 2%"
    for rules in ((quiet, loud), (loud, quiet)):
        asked = "}\n  - {metric: completion_rate, ".join(rules)
        result = run(folder, before, now, asked, expect=1)
        assert [check["verdict"] for check in result["checks"]] == ["fail", "fail"], result
    assert run(folder, before, now, quiet, expect=0)["checks"][0]["verdict"] == "fail"


def test_the_margins_of_two_bounds_are_both_asked(folder):
    (folder / "flow.yaml").write_text("flow: app\nsteps: [welcome, done]\n")
    dump(folder / "now.ndjson", systems("n", ios=(600, 354)))
    rules = "".join(f"  - {{metric: completion_rate, at_least: 60%, margin: {margin}}}\n"
                    for margin in ("10 points", "1 point"))
    (folder / "gate.yaml").write_text("targets: ignore\nrules:\n" + rules)
    done = firstmile("check", "now.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", *AS_OF, "--json", cwd=folder)
    assert [check["verdict"] for check in json.loads(done.stdout)["checks"]] == ["none_shown", "inconclusive"]


def test_a_rule_stands_in_for_a_target_also_while_it_is_suppressed(folder):
    (folder / "flow.yaml").write_text(
        "flow: app\nsteps: [welcome, done]\ntargets: [{metric: completion_rate, at_least: 70%}]\n")
    dump(folder / "now.ndjson", systems("n", ios=(600, 300)))
    gate = "rules:\n  - {metric: completion_rate, at_least: 70%, margin: 1 point"
    for more, code in (("", 1), (", suppress: {reason: outage, until: 2026-12-31}", 0)):
        (folder / "gate.yaml").write_text(gate + more + "}\n")
        done = firstmile("check", "now.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", *AS_OF, "--json",
                         cwd=folder, expect=code)
        (check,) = json.loads(done.stdout)["checks"]
        assert check["verdict"] == "fail", check
