"""Experiments that are compared by accounts, each number recounted from the people."""

import csv
import io
import json
import math
import random

import pytest

from harness import firstmile, report

START = 1_767_571_200  # 2026-01-05, a Monday
DAY = 86_400
# Everybody's window is over.
AS_OF = ("--as-of", "2026-02-01")


def flow(folder, more=""):
    (folder / "flow.yaml").write_text(
        "flow: app\nwindow: 1d\nsteps: [welcome, done]\n"
        "goals: [{id: paid, event: charged, value: price, within: 1d}]\n"
        f"experiments: {{copy: {{control: A, variants: [A, B], cluster: account_id{more}}}}}\n")


class World:
    """Accounts of one to twelve people who mostly do the same."""

    def __init__(self, accounts, rates, seed=7):
        draw = random.Random(seed)
        self.people = []
        for number in range(accounts):
            variant = "AB"[number % 2]
            level = min(1, max(0, rates[variant] + draw.uniform(-0.35, 0.35)))
            price = draw.uniform(2, 20)
            for person in range(draw.randrange(1, 13)):
                finishes = draw.random() < level
                self.people.append({
                    "id": f"u{number}-{person}", "account": f"account {number}", "variant": variant,
                    "finishes": finishes,
                    "pays": round(price + draw.random(), 2) if finishes and draw.random() < 0.7 else None})
        draw.shuffle(self.people)

    def lines(self):
        for place, person in enumerate(self.people):
            begin = START + place % (21 * DAY // 600) * 600
            events = [("onboarding_started", 0, {})]
            if person["finishes"]:
                events.append(("onboarding_completed", 60, {}))
            if person["pays"] is not None:
                events.append(("charged", 300, {"price": person["pays"]}))
            for name, second, properties in events:
                event = {"event": name, "user_id": person["id"], "timestamp": begin + second,
                         "experiments": {"copy": person["variant"]}, "properties": properties}
                if person["account"]:
                    event["context"] = {"account_id": person["account"]}
                yield json.dumps(event)

    def write(self, folder, files=1):
        lines = list(self.lines())
        paths = [folder / f"dump{number}.ndjson" for number in range(files)]
        for number, path in enumerate(paths):
            path.write_text("\n".join(lines[number::files]) + "\n")
        return paths

    def group(self, variant):
        return [person for person in self.people if person["variant"] == variant]


def by_account(people, value):
    """The ratio of the accounts' sums, its variance (the jackknife's, to the first order of what
    each account weighs) and how many accounts there are."""
    sums = {}
    for number, person in enumerate(people):
        total, count = sums.get(person["account"] or number, (0, 0))
        sums[person["account"] or number] = (total + value(person), count + 1)
    count = sum(n for _, n in sums.values())
    ratio = sum(total for total, _ in sums.values()) / count
    spread = sum((total - ratio * n) ** 2 * (1 + 2 * n / count) for total, n in sums.values())
    return ratio, (1 - 1 / len(sums)) * spread / count**2, len(sums)


def compared(folder, metric):
    table = csv.DictReader(io.StringIO((folder / "out/experiments.csv").read_text()))
    (row,) = [row for row in table if row["metric"] == metric and "by account_id" in row["basis"]]
    document = json.loads((folder / "out/metrics.json").read_text())
    (verdict,) = [row for row in document["metrics"]["experiments"][0]["verdicts"]
                  if row["metric"] == metric]
    return row, verdict["clustered"], (folder / "out/report.md").read_text()


def test_rates_are_compared_by_accounts(folder):
    world = World(600, {"A": 0.4, "B": 0.52})
    flow(folder, ", primary: completion")
    report(world.write(folder), folder / "out", *AS_OF, flow=folder / "flow.yaml")
    row, clustered, said = compared(folder, "completion_rate")
    found = {variant: by_account(world.group(variant), lambda person: person["finishes"])
             for variant in "AB"}
    for variant, key in (("A", "control_"), ("B", "")):
        rate, variance, accounts = found[variant]
        effect = variance / (rate * (1 - rate) / len(world.group(variant)))
        assert effect > 1.5
        assert clustered[f"{key}design_effect"] == pytest.approx(effect, rel=1e-5)
        assert clustered[f"{key}accounts"] == accounts
    # With so many people the score interval is nearly that of the normal distribution.
    error = math.sqrt(found["A"][1] + found["B"][1])
    difference = found["B"][0] - found["A"][0]
    assert float(row["difference"]) == pytest.approx(difference, abs=1e-6)
    width = float(row["difference_ci_high"]) - float(row["difference_ci_low"])
    assert width == pytest.approx(2 * 1.964 * error, rel=0.02)
    assert "Intervals and tests count accounts (account_id)" in said


def test_accounts_go_on_from_one_split_to_the_next(folder):
    """With the accounts of each week taken for other ones the interval is less than two thirds as wide."""
    world = World(600, {"A": 0.4, "B": 0.52})
    weeks = ", ".join(f"{{from: 2026-01-{day:02}, A: 50%, B: 50%}}" for day in (5, 12, 19))
    (folder / "flow.yaml").write_text(
        "flow: app\nwindow: 1d\nsteps: [welcome, done]\n"
        "goals: [{id: paid, event: charged, value: price, within: 1d}]\n"
        "experiments: {copy: {control: A, cluster: account_id, primary: completion, splits: ["
        + weeks.replace("A: 50%, B: 50%", "A: 50%, B: 50%", 1).replace("A: 50%, B: 50%", "A: 49%, B: 51%", 1)
        + "]}}\n")
    report(world.write(folder), folder / "out", *AS_OF, flow=folder / "flow.yaml")
    row, clustered, _ = compared(folder, "completion_rate")
    found = [by_account(world.group(variant), lambda person: person["finishes"]) for variant in "AB"]
    assert [clustered["control_accounts"], clustered["accounts"]] == [one[2] for one in found]
    width = float(row["difference_ci_high"]) - float(row["difference_ci_low"])
    assert width == pytest.approx(2 * 1.966 * math.sqrt(found[0][1] + found[1][1]), rel=0.04)
    table = csv.DictReader(io.StringIO((folder / "out/metrics.csv").read_text()))
    (paid,) = [one for one in table if one["metric"] == "difference_goal_value" and one["variant"] == "B"]
    found = [by_account(world.group(variant), lambda person: person["pays"] or 0) for variant in "AB"]
    half = (float(paid["ci_high"]) - float(paid["ci_low"])) / 2
    assert half == pytest.approx(1.966 * math.sqrt(found[0][1] + found[1][1]), rel=0.04)
    # The amounts that are shown are those that are compared.
    (amount,) = [one for one in csv.DictReader(io.StringIO((folder / "out/experiments.csv").read_text()))
                 if one["metric"] == "goal_value" and one["compared"] == "B"]
    shown = float(amount["rate"]) - float(amount["with_rate"])
    assert shown == pytest.approx(float(amount["difference"]), abs=2e-5), amount


def test_files_and_threads_make_no_difference(folder):
    world = World(300, {"A": 0.4, "B": 0.5})
    flow(folder)
    report(world.write(folder), folder / "out", *AS_OF, "--threads", "1", flow=folder / "flow.yaml")
    one = (folder / "out/experiments.csv").read_text()
    report(world.write(folder, files=3), folder / "out", *AS_OF, "--threads", "3", flow=folder / "flow.yaml")
    assert (folder / "out/experiments.csv").read_text() == one
    assert "by account_id" in one


def test_amounts_are_compared_by_accounts(folder):
    world = World(400, {"A": 0.5, "B": 0.5}, seed=11)
    flow(folder)
    report(world.write(folder), folder / "out", *AS_OF, flow=folder / "flow.yaml")
    table = csv.DictReader(io.StringIO((folder / "out/metrics.csv").read_text()))
    (row,) = [row for row in table if row["metric"] == "difference_goal_value" and row["variant"] == "B"]
    found = [by_account(world.group(variant), lambda person: person["pays"] or 0) for variant in "AB"]
    assert float(row["value"]) == pytest.approx(found[1][0] - found[0][0], abs=1e-5)
    half = (float(row["ci_high"]) - float(row["ci_low"])) / 2
    assert half == pytest.approx(1.966 * math.sqrt(found[0][1] + found[1][1]), rel=0.005)


def test_the_split_is_one_of_accounts(folder):
    """One large account makes people uneven (p far below 0.001), and accounts are even."""
    world = World(200, {"A": 0.5, "B": 0.5})
    world.people += [
        {"id": f"big{number}", "account": "account 0", "variant": "A", "finishes": number % 2 == 0,
         "pays": None} for number in range(400)]
    flow(folder)
    report(world.write(folder), folder / "out", *AS_OF, flow=folder / "flow.yaml")
    _, clustered, said = compared(folder, "completion_rate")
    assert clustered["accounts"] == clustered["control_accounts"] == 100
    document = json.loads((folder / "out/metrics.json").read_text())
    assert document["metrics"]["experiments"][0]["srm_p"] > 0.9


def test_few_accounts_are_not_tested(folder):
    flow(folder)
    report(World(38, {"A": 0.2, "B": 0.9}).write(folder), folder / "out", *AS_OF, flow=folder / "flow.yaml")
    row, _, said = compared(folder, "completion_rate")
    assert (row["p"], row["difference_ci_low"]) == ("", "")
    assert "Nothing is tested with fewer than 20 a variant" in said
    assert "too early" in row["verdict"]


def test_people_without_account_count_as_one_each(folder):
    world = World(120, {"A": 0.4, "B": 0.5})
    for number, person in enumerate(world.people):
        if number % 6 == 0:
            person["account"] = None
    flow(folder)
    report(world.write(folder), folder / "out", *AS_OF, flow=folder / "flow.yaml")
    _, clustered, said = compared(folder, "completion_rate")
    people = world.group("B")
    rate, variance, accounts = by_account(people, lambda person: person["finishes"])
    assert clustered["accounts"] == accounts
    assert clustered["design_effect"] == pytest.approx(
        variance / (rate * (1 - rate) / len(people)), rel=1e-5)
    without = sum(person["account"] is None for person in world.people)
    assert f"{without} people without an account count as one each" in said


def test_a_wrong_path_gives_no_verdict(folder):
    flow(folder)
    text = (folder / "flow.yaml").read_text()
    (folder / "flow.yaml").write_text(text.replace("account_id", "acount_id"))
    dumps = World(300, {"A": 0.3, "B": 0.6}).write(folder)
    report(dumps, folder / "out", *AS_OF, flow=folder / "flow.yaml")
    said = (folder / "out/report.md").read_text()
    assert "100 % of the people have no account" in said and "Is the path of 'cluster' right?" in said
    assert "no verdict: without account" in (folder / "out/experiments.csv").read_text()


def test_accounts_in_both_variants_are_named(folder):
    world = World(100, {"A": 0.4, "B": 0.5})
    for number, person in enumerate(world.people):
        person["variant"] = "AB"[number % 2]
    mixed = {person["account"] for person in world.group("A")} & {
        person["account"] for person in world.group("B")}
    flow(folder)
    report(world.write(folder), folder / "out", *AS_OF, flow=folder / "flow.yaml")
    said = (folder / "out/report.md").read_text()
    assert f"{len(mixed)} of 100 accounts have people in several variants" in said


def test_people_who_were_assigned_one_by_one_are_no_split_mismatch(folder):
    """Nine of ten get A: nearly every account has both, and counts for both."""
    world, draw = World(400, {"A": 0.4, "B": 0.5}), random.Random(3)
    for person in world.people:
        person["variant"] = "A" if draw.random() < .9 else "B"
    mixed = {person["account"] for person in world.group("A")} & {person["account"] for person in world.group("B")}
    (folder / "flow.yaml").write_text(
        "flow: app\nwindow: 1d\nsteps: [welcome, done]\n"
        "experiments: {copy: {control: A, split: {A: 90%, B: 10%}, cluster: account_id}}\n")
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, at_least: 10%}]\n")
    dumps = world.write(folder)
    done = firstmile("report", *dumps, "--flow", folder / "flow.yaml", "--full", "--out", folder / "out", *AS_OF)
    claim = f"{len(mixed)} of 400 accounts have people of several variants"
    texts = [done.stdout.decode(), *((folder / "out" / name).read_text() for name in ("report.md", "report.html"))]
    for text in [*texts, firstmile("check", *dumps, "--flow", folder / "flow.yaml", "--gate", folder / "gate.yaml",
                                   *AS_OF, expect=(0, 1, 2, 3, 4)).stdout.decode()]:
        said = " ".join(text.replace("\u202f", ",").split())
        assert claim in said and "mismatch" not in said.lower().replace("sample_ratio_mismatch", ""), said[:2000]
        assert "split as planned" not in said and "is not the planned one" not in said, said[:2000]
    assert "no verdict: mixed accounts" in (folder / "out/experiments.csv").read_text()
    # A split of the people that isn't the planned one is a mismatch all the same.
    (folder / "flow.yaml").write_text((folder / "flow.yaml").read_text().replace("A: 90%, B: 10%", "A: 50%, B: 50%"))
    report(dumps, folder / "out2", *AS_OF, flow=folder / "flow.yaml")
    assert "Sample-ratio mismatch in experiment copy" in (folder / "out2/report.md").read_text()


def test_always_valid_intervals_count_accounts_too(folder):
    world = World(600, {"A": 0.4, "B": 0.5})
    widths = []
    for more in (", sequential: true", ""):
        flow(folder, more)
        report(world.write(folder), folder / "out", *AS_OF, flow=folder / "flow.yaml")
        row, _, _ = compared(folder, "completion_rate")
        widths.append(float(row["difference_ci_high"]) - float(row["difference_ci_low"]))
    assert widths[0] > 1.2 * widths[1]


@pytest.mark.parametrize("more, words", [
    (", stratify: os", "leaves no room for 'stratify'"),
    (", sequential: true, primary: completion, planned: 4000", "leaves no room for 'planned'")])
def test_what_accounts_leave_no_room_for_is_refused(folder, more, words):
    flow(folder, more)
    text = (folder / "flow.yaml").read_text()
    (folder / "flow.yaml").write_text("dimensions: [os]\n" + text)
    done = firstmile("flow", "check", folder / "flow.yaml", expect=2)
    assert words in done.stderr.decode()


def test_a_gate_holds_lifts_of_accounts_to_bounds(folder):
    flow(folder)
    dumps = World(300, {"A": 0.4, "B": 0.5}).write(folder)
    gate = folder / "gate.yaml"
    gate.write_text(
        "targets: ignore\nrules:\n  - {metric: completion_rate, variant: B, experiment: copy,"
        " not_worse_by: 2 points, against: control}\n")
    done = firstmile("check", *dumps, "--flow", folder / "flow.yaml", "--gate", gate, *AS_OF, expect=2)
    assert "compared by accounts" in done.stderr.decode(), done.stderr
    gate.write_text(
        "targets: ignore\nrules:\n  - {metric: lift_completion_rate, variant: B, experiment: copy,"
        " at_least: -90%}\n")
    done = firstmile("check", *dumps, "--flow", folder / "flow.yaml", "--gate", gate, *AS_OF)
    assert "passed" in done.stdout.decode()
