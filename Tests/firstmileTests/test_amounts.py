"""Amounts with a heavy tail and amounts per event, against a plain recount of what was written."""

import csv
import io
import json
import math
import random

import pytest

from harness import firstmile, report

DAY = 86_400
START = 1_767_571_200  # 2026-01-05, a Monday
# Everybody's window is over by then.
LATER = ("--as-of", "2026-02-15")


def world(folder, value, more=""):
    """People of three variants with none, one or several charges: of each a list of prices."""
    draw = random.Random(11)
    people = {}
    for variant, scale in (("A", 1), ("B", 1.3), ("C", 0.9)):
        for number in range(700):
            level = draw.gauss(2, 1.4)
            count = draw.choice((0, 0, 0, 1, 1, 2, 5))
            people[variant, number] = [
                round(scale * math.exp(level + draw.gauss(0, 0.3)), 2) for _ in range(count)]
    # A gift, whose price is no number, and a refund.
    people["A", 0], people["B", 0] = ["free", 12.5], [30.0, -40.0]
    (folder / "flow.yaml").write_text(
        "flow: app\nwindow: 1d\nsteps: [welcome, done]\nstatistics: {correction: none}\n"
        f"goals: [{{id: paid, title: Paid, event: charged, value: {value}, within: 1d}}]\n"
        f"experiments: {{copy: {{control: A, variants: [A, B, C]{more}}}}}\n")
    lines = []
    for (variant, number), prices in people.items():
        common = {"user_id": f"{variant}{number}", "experiments": {"copy": variant}}
        begin = START + number % 21 * DAY + number
        lines.append({"event": "onboarding_started", "timestamp": begin, **common})
        lines += [{"event": "charged", "timestamp": begin + 60 + place,
                   "properties": {"price": price}, **common}
                  for place, price in enumerate(prices)]
    return people, lines


def write(folder, lines, files=1):
    folder.mkdir()
    for part in range(files):
        (folder / f"{part}.ndjson").write_text(
            "".join(json.dumps(line) + "\n" for line in lines[part::files]))


def made(folder, dumps, *options):
    report([dumps], folder / "out", *options, *LATER, flow=folder / "flow.yaml")
    found = csv.DictReader(io.StringIO((folder / "out/experiments.csv").read_text()))
    return {(row["metric"], row["compared"]): row for row in found if "goal_value" in row["metric"]}


def amounts(people, variant):
    return [sum(price for price in prices if price != "free")
            for (own, _), prices in people.items() if own == variant]


def moments(values):
    mean = sum(values) / len(values)
    return mean, sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)


def check(row, treatment, control):
    (mean, error), (other, other_error) = moments(treatment), moments(control)
    assert float(row["rate"]) == pytest.approx(mean, rel=1e-5)
    assert float(row["with_rate"]) == pytest.approx(other, rel=1e-5)
    assert float(row["difference"]) == pytest.approx(mean - other, rel=1e-4, abs=1e-5)
    half = (float(row["difference_ci_high"]) - float(row["difference_ci_low"])) / 2
    assert half / (error + other_error) ** 0.5 == pytest.approx(1.962, abs=0.003)


def test_amounts_are_capped_at_a_quantile_of_all_variants(tmp_path):
    people, lines = world(tmp_path, "{property: price, winsorise: 95%}")
    write(tmp_path / "dumps", lines)
    rows = made(tmp_path, tmp_path / "dumps")
    sums = {variant: amounts(people, variant) for variant in "ABC"}
    paid = sorted(value for values in sums.values() for value in values if value > 0)
    quantile = paid[math.ceil(0.95 * len(paid)) - 1]
    # The largest amount that shares a bucket of three digits with the quantile.
    cap = max(value for value in paid if value <= quantile * 1.001)
    assert cap < 0.5 * max(paid)
    for variant in "BC":
        capped = [[min(value, cap) for value in sums[own]] for own in (variant, "A")]
        row = rows["goal_value_winsorised", variant]
        check(row, *capped)
        assert row["p"] and row["p_adjusted"] and row["basis"] == "randomised"
        plain = rows["goal_value", variant]
        check(plain, sums[variant], sums["A"])
        # What is as it was is shown, and decides nothing.
        assert plain["p"] == plain["p_adjusted"] == "" and plain["verdict"] == "no verdict"
    said = firstmile("report", "--full", tmp_path / "dumps", "--flow", tmp_path / "flow.yaml",
                     "--out", tmp_path / "out", *LATER).stdout.decode()
    more = sum(value > cap for value in paid)
    said = " ".join(said.split())
    assert f"Paid capped at {cap:.2f} ({more} people have more) averages" in said, said
    assert "Paid without the cap averages" in said and "the capped amounts decide" in said


def test_caps_depend_on_no_order_of_files_and_events(tmp_path):
    _, lines = world(tmp_path, "{property: price, winsorise: 97.5%, per_event: true}")
    write(tmp_path / "one", lines)
    random.Random(5).shuffle(lines)
    write(tmp_path / "many", lines, files=7)
    first = made(tmp_path, tmp_path / "one", "--threads", "1")
    assert first == made(tmp_path, tmp_path / "many", "--threads", "4")
    assert ("goal_value_winsorised", "B") in first


def test_amounts_per_event_have_the_variance_of_people(tmp_path):
    people, lines = world(tmp_path, "{property: price, per_event: true}")
    write(tmp_path / "dumps", lines)
    rows = made(tmp_path, tmp_path / "dumps")

    def linear(variant):
        """Each person's part of the ratio, and the ratio."""
        events = [len([price for price in prices if price != "free"])
                  for (own, _), prices in people.items() if own == variant]
        values = amounts(people, variant)
        ratio = sum(values) / sum(events)
        mean = sum(events) / len(events)
        return [ratio + (value - ratio * count) / mean
                for value, count in zip(values, events)]

    for variant in "BC":
        row = rows["goal_value_per_event", variant]
        check(row, linear(variant), linear("A"))
        assert row["basis"] == "among some: not randomised" and row["verdict"] == "not randomised"
        assert row["p"] == ""
        # The amounts a person are tested as they are without it.
        assert rows["goal_value", variant]["p"]
    found = csv.DictReader(io.StringIO((tmp_path / "out/metrics.csv").read_text()))
    (whole,) = [row for row in found if row["metric"] == "goal_value_per_event" and {"all"} == {
        row[name] for name in ("version", "experiment", "variant", "cohort", "breakdown")}]
    events = [price for prices in people.values() for price in prices if price != "free"]
    assert int(whole["denominator"]) == len(events)
    assert float(whole["value"]) == pytest.approx(sum(events) / len(events), rel=1e-9)


@pytest.mark.parametrize("value, said", [
    ("{property: price, winsorise: 40%}", "'winsorise' must be from 50% to 99.99%"),
    ("{property: price, winsorise: 0.99}", "99%"),
    ("{winsorise: 99%}", "'value' needs the key 'property'"),
    ("{property: price, capped: 99%}", "capped"),
])
def test_a_wrong_cap_is_a_mistake_of_the_flow_file(tmp_path, value, said):
    world(tmp_path, value)
    done = firstmile("flow", "check", tmp_path / "flow.yaml", expect=2)
    assert said in (done.stdout + done.stderr).decode()
