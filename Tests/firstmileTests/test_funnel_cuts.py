"""What `firstmile funnel` shows beside the steps: breakdowns, times, returns, days."""

import csv
import json

import pytest
from harness import firstmile

DAY = 86400
START = 1767571200  # 2026-01-05
FLOW = ("flow: app\nwindow: 24h\nsteps: [welcome]\ndimensions: [os, plan]\n"
        "experiments: {copy: {control: A, split: {A: 50%, B: 50%}}}\n")


def dump(folder, people):
    """Each of the people is a list of (second, event, context)."""
    (folder / "flow.yaml").write_text(FLOW)
    lines = [json.dumps({"event": name, "user_id": person, "timestamp": START + second,
                         "context": context})
             for person, events in people.items() for second, name, context in events]
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    return [folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--as-of", "2026-03-01",
            "--everyone", "--steps", "a > b > c"]


def asked(inputs, *options, **more):
    return json.loads(firstmile("funnel", *inputs, *options, "--output", "json", **more).stdout)


def cut(told):
    return {tuple(row["values"]): [step["persons"] for step in row["steps"]]
            for row in told["by_values"]}


PEOPLE = {
    "one": [(0, "a", {"os": "iOS", "plan": "free"}), (5, "b", {"os": "iOS", "plan": "paid"}),
            (9, "c", {"os": "web", "plan": "paid"})],
    "two": [(0, "a", {"os": "iOS", "plan": "free"}), (5, "b", {"plan": "free"})],
    "three": [(0, "a", {"plan": "paid"}), (5, "b", {"os": "web", "plan": "paid"}),
              (9, "c", {"os": "iOS", "plan": "free"})],
    "four": [(0, "a", {})],
    "five": [(0, "a", {"os": "iOS", "plan": "free"}), (5, "b", {"os": "web"})],
}


def test_breakdowns_are_combined(folder):
    inputs = dump(folder, PEOPLE)
    told = asked(inputs, "--breakdown", "os", "--breakdown", "plan")
    assert told["breakdowns"] == ["os", "plan"] and told["breakdown"] is None, told
    # Values are those at the entry (definition 5.10).
    assert cut(told) == {("iOS", "free"): [3, 3, 1], ("(none)", "paid"): [1, 1, 1],
                         ("(none)", "(none)"): [1, 0, 0]}, told
    # The rows stand in the order of the values' bytes.
    assert list(cut(told)) == sorted(cut(told)), told
    other = asked(inputs, "--breakdown", "plan", "--breakdown", "os")
    assert cut(other) == {(right, left): steps for (left, right), steps in cut(told).items()}
    text = firstmile("funnel", *inputs, "--breakdown", "os", "--breakdown", "plan").stdout.decode()
    assert "\nos=iOS / plan=free\n" in text, text
    rows = csv.DictReader(firstmile("funnel", *inputs, "--breakdown", "os", "--breakdown", "plan",
                                    "--output", "csv").stdout.decode().splitlines())
    found = [int(row["numerator"]) for row in rows if row["breakdown"] == "os=iOS / plan=free"]
    assert found == [3, 3, 1]
    # Of one breakdown the values alone are the keys, as before.
    one = asked(inputs, "--breakdown", "plan")
    assert {key: steps[0]["persons"] for key, steps in one["by_value"].items()} == {
        "free": 3, "paid": 1, "(none)": 1}, one


@pytest.mark.parametrize(("attribution", "expected", "without"), [
    # PostHog: "the first property value seen in any of the steps is chosen".
    ("first", {("iOS",): [3, 3, 1], ("web",): [1, 1, 1], ("(none)",): [1, 0, 0]}, 0),
    # PostHog: "the last property value seen from all steps is chosen".
    ("last", {("web",): [2, 2, 1], ("iOS",): [2, 2, 1], ("(none)",): [1, 0, 0]}, 0),
    # PostHog: "the person won't be included in the funnel if they don't have a property value at
    # the selected step".
    ("1", {("iOS",): [3, 3, 1]}, 2),
    ("2", {("iOS",): [1, 1, 1], ("web",): [2, 2, 1]}, 2),
    ("3", {("web",): [1, 1, 1], ("iOS",): [1, 1, 1]}, 3),
])
def test_a_step_decides_the_value(folder, attribution, expected, without):
    inputs = dump(folder, PEOPLE)
    told = asked(inputs, "--breakdown", "os", "--attribution", attribution)
    assert cut(told) == expected and told["without_value"] == without, told
    text = firstmile("funnel", *inputs, "--breakdown", "os", "--attribution", attribution).stdout
    said = f"{without} persons without a value at that step".encode()
    assert (said in text) == (without > 0), text


@pytest.mark.parametrize("attribution", ["first", "last", "1"])
def test_who_says_no_version_is_not_of_the_newest(folder, attribution):
    inputs = dump(folder, PEOPLE)
    lines = [json.loads(line) for line in (folder / "dump.ndjson").read_text().splitlines()]
    lines = [line | ({"flow_version": "1"} if line["user_id"] in ("one", "two") else {}) for line in lines]
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "flow.yaml").write_text(FLOW + 'version: "2"\nversions: {"1": [welcome]}\n')
    told = asked(inputs, "--breakdown", "version", "--attribution", attribution)
    assert cut(told) == {("1",): [2, 2, 1]} and told["without_value"] == 3, told


def test_breakdowns_that_make_no_sense_are_refused(folder):
    inputs = dump(folder, PEOPLE)
    for options, said in (
            (["--breakdown", "os", "--breakdown", "os"], "given twice"),
            (["--breakdown", "so"], "there are version, os, plan, copy"),
            (["--attribution", "first"], "needs --breakdown"),
            (["--breakdown", "os", "--attribution", "4"], "a step from 1 to 3, found '4'"),
            (["--breakdown", "os", "--attribution", "0"], "a step from 1 to 3, found '0'"),
            (["--breakdown", "os", "--attribution", "2", "--order", "any"], "order of steps"),
            (["--breakdown", "copy", "--attribution", "last"], "is an experiment"),
            (["--returned-from", "0"], "from 1 to 3650")):
        assert said in firstmile("funnel", *inputs, *options, expect=2).stderr.decode(), options


def test_times_of_few_people_are_exact(folder):
    # A histogram of three digits would say 12,344,320 ms for the median.
    seconds = [4, 12345.678, 80000]
    inputs = dump(folder, {f"u{number}": [(0, "a", {}), (1, "b", {}), (second, "c", {})]
                           for number, second in enumerate(seconds)}
                  | {"v": [(0, "a", {}), (3, "b", {})]})
    told = asked(inputs)
    time = told["conversion_time"]
    assert time["exact"] and time["persons"] == 3 and time["seconds_p50"] == 12345.7, time
    assert time["seconds_mean"] == 30783.2 and time["seconds_p90"] == 80000, time
    bins = [(found["seconds_from"], found["seconds_to"], found["persons"])
            for found in time["histogram"] if found["persons"]]
    assert bins == [(2, 5, 1), (7200, 14400, 1), (43200, 86400, 1)], time
    assert told["all"][1]["seconds_mean"] == 1.5 and told["all"][2]["seconds_p50"] == 12344.7, told
    text = firstmile("funnel", *inputs).stdout.decode()
    assert "From the first step to the last: mean 8 h 33 min, median 3 h 25 min" in text, text
    assert "  2 s to 5 s  " in text and "12 h to 1 d" in text, text


def test_returns_on_a_day_or_later(folder):
    def person(*days):
        return [(0, "a", {})] + [(day * DAY + 60, "app_opened", {}) for day in days]

    inputs = dump(folder, {"u1": person(1), "u2": person(3, 9), "u3": person(30), "u4": person(),
                           "late": [(54 * DAY + DAY // 2, "a", {}), (55 * DAY, "app_opened", {})]})
    told = asked(inputs, "--returned-on", "3", "--returned-from", "3", "--returned-from", "1",
                 "--returned-from", "3")
    # The last one's first day is not over.
    assert [(day["day"], day["on_or_after"], day["persons"], day["returned"])
            for day in told["retention"]] == [
        (3, False, 4, 1), (1, True, 4, 3), (3, True, 4, 2)], told["retention"]
    text = firstmile("funnel", *inputs, "--returned-from", "3").stdout.decode()
    assert "Came back on day 3 or later: 50.0 % (2/4)" in text, text


def test_days_are_in_every_output(folder):
    people = {f"u{day}-{number}": [(day * DAY, "a", {}), (day * DAY + 5, "b", {})][:1 + number % 2]
              for day in range(3) for number in range(4)}
    inputs = dump(folder, people)
    days = {day: [step["persons"] for step in steps]
            for day, steps in asked(inputs)["by_day"].items()}
    # No event is the third step, so that it is unknown who got there.
    assert days == {f"2026-01-0{5 + day}": [4, 2, None] for day in range(3)}, days
    rows = list(csv.DictReader(
        firstmile("funnel", *inputs, "--output", "csv").stdout.decode().splitlines()))
    found = {day: [int(row["numerator"]) if row["value"] else None for row in rows if row["day"] == day]
             for day in days}
    assert found == days
    text = firstmile("funnel", *inputs).stdout.decode()
    assert "By start day: finished of those who entered\n  2026-01-05  unknown (of 4)" in text, text
