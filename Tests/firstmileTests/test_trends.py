"""`firstmile funnel --trend`: who finished of those who entered in each day, week or month.

PostHog's cases are the facts of its published tests (events in, counts out), named by those tests:
posthog/hogql_queries/insights/funnels/test/test_funnel_trends.py at 1b3b61d4.
"""

import csv
import json
from datetime import datetime, timezone

import pytest
from harness import SAMPLE, firstmile, sample_files

FLOW = "flow: app\nwindow: 24h\nsteps: [welcome]\ntime_zone: {zone}\n"


def dump(folder, people, zone="UTC"):
    """Each of the people is a text of `day hour event`, in May 2021."""
    (folder / "flow.yaml").write_text(FLOW.format(zone=zone))
    lines = []
    for person, events in people.items():
        for item in events.split(", "):
            day, hour, name = item.split()
            time = datetime(2021, 5, int(day), tzinfo=timezone.utc).timestamp() + 3600 * float(hour)
            lines.append(json.dumps({"event": name, "user_id": person, "timestamp": time}))
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    return [folder / "dump.ndjson", "--flow", folder / "flow.yaml"]


def trend(inputs, *options):
    answer = json.loads(firstmile("funnel", *inputs, *options, "--output", "json").stdout)
    return {row["start"]: [row["persons"][0], row["persons"][-1]]
            for row in answer["trend"]["periods"]}


SIX = {"one": "1 0 a, 3 0 b, 5 0 c", "two": "2 0 a, 4 0 b", "three": "6 0 a", "four": "6 0 none",
       "five": "1 1 a, 1 2 b, 1 3 c", "six": "1 0 a, 3 0 b, 5 0 c", "seven": "2 0 a, 4 0 b"}
RUN = {"one": "1 0 a, 1 1 b, 1 2 c"}
POSTHOG = [
    ("test_all_results_for_day_interval", "UTC", "--trend day --within 7d", SIX,
     {"2021-05-01": [3, 3], "2021-05-02": [2, 0], "2021-05-06": [1, 0]}),
    ("test_window_size_one_day", "UTC", "--trend day --within 1d", SIX,
     {"2021-05-01": [3, 1], "2021-05-02": [2, 0], "2021-05-06": [1, 0]}),
    ("test_week_interval", "UTC", "--trend week --within 7d", RUN, {"2021-04-25": [1, 1]}),
    ("test_month_interval, UTC", "UTC", "--trend month --within 7d", RUN, {"2021-05": [1, 1]}),
    ("test_month_interval, US/Pacific", "US/Pacific", "--trend month --within 7d", RUN,
     {"2021-04": [1, 1]}),
    ("test_two_runs_by_single_user_in_one_period", "UTC", "--trend day --within 1d",
     {"one": "1 0 a, 1 1 b, 1 2 c, 1 13 a, 1 14 b, 1 15 c"}, {"2021-05-01": [1, 1]}),
    ("test_steps_performed_in_period_but_in_reverse", "UTC", "--trend day --within 1d",
     {"one": "1 1 c, 1 2 b, 1 3 a"}, {"2021-05-01": [1, 0]}),
    ("test_one_person_in_multiple_periods_and_windows", "UTC", "--trend day --within 1d",
     {"one": "1 1 a, 1 2 b, 1 3 c, 3 1 a, 3 2 b, 4 11 a, 4 12 b, 4 13 c", "two": "4 18 a"},
     {"2021-05-01": [1, 1], "2021-05-03": [1, 0], "2021-05-04": [2, 1]}),
    ("test_one_person_in_multiple_periods_and_windows_in_unordered_funnel", "UTC",
     "--trend day --within 1d --order any",
     {"one": "1 1 a, 1 2 c, 1 3 b, 3 1 b, 3 2 a, 4 11 c, 4 12 a, 4 13 b", "two": "4 18 a"},
     {"2021-05-01": [1, 1], "2021-05-03": [1, 0], "2021-05-04": [2, 1]}),
    ("test_one_person_in_multiple_periods_and_windows_in_strict_funnel", "UTC",
     "--trend day --within 1d --order strict",
     {"one": "1 1 a, 1 2 b, 1 3 c, 3 1 a, 3 2 b, 3 2.5 blah, 3 3 c, 4 11 a, 4 12 b, 4 13 c",
      "two": "4 18 a, 4 18.3 blah, 4 19 b"},
     {"2021-05-01": [1, 1], "2021-05-03": [1, 0], "2021-05-04": [2, 1]}),
]


@pytest.mark.parametrize(("test", "zone", "options", "people", "expected"), POSTHOG,
                         ids=[case[0] for case in POSTHOG])
def test_posthog_publishes_these_trends(folder, test, zone, options, people, expected):
    inputs = dump(folder, people, zone)
    found = trend(inputs, *options.split(), "--steps", "a > b > c", "--like", "posthog",
                  "--as-of", "2021-05-20")
    assert found == expected, found


def test_people_enter_once_or_in_each_period(folder):
    inputs = [*dump(folder, {"u": "3 1 a, 4 1 a, 4 2 b, 12 1 a", "v": "4 1 a"}),
              "--steps", "a > b", "--within", "1h", "--as-of", "2021-06-01", "--trend", "day"]
    once = {"2021-05-03": [1, 0], "2021-05-04": [1, 0]}
    assert trend(inputs + ["--everyone"]) == once
    assert trend(inputs + ["--everyone", "--entry", "best"]) == {"2021-05-04": [2, 1]}
    each = {"2021-05-03": [1, 0], "2021-05-04": [2, 1], "2021-05-12": [1, 0]}
    for tool in ("posthog", "mixpanel", "amplitude"):
        assert trend(inputs + ["--like", tool]) == each, tool
    for tool in ("clickhouse", "ga4"):
        assert trend(inputs + ["--like", tool]) == {"2021-05-04": [2, 1]}, tool
    text = firstmile("funnel", *inputs, "--like", "posthog").stdout.decode()
    assert "By start day: finished of those who entered; people count in each one" in text, text
    assert "\n  2021-05-04  50.0 % (1/2)\n" in text, text


@pytest.mark.parametrize("tool", ["posthog", "mixpanel", "amplitude"])
def test_a_period_is_a_funnel_of_its_own(folder, tool):
    ask = [*sample_files(), "--flow", SAMPLE, "--like", tool, "--within", "2d", "--steps",
           "onboarding_started > onboarding_page_viewed > test_started"]
    months = trend(ask, "--trend", "month")
    assert len(months) > 5, months
    for month, next_month in zip(months, [*list(months)[1:], "2026-08"]):
        answer = json.loads(firstmile("funnel", *ask, "--from", month + "-01", "--to",
                                    next_month + "-01", "--output", "json").stdout)
        assert months[month] == [answer["all"][0]["persons"], answer["all"][-1]["persons"]], month


def test_entries_whose_window_is_open_are_marked(folder):
    inputs = [*dump(folder, {"u": "3 1 a, 3 2 b", "v": "5 1 a", "w": "5 2 a, 5 3 b"}), "--steps",
              "a > b", "--within", "2d", "--as-of", "2021-05-06", "--trend", "day", "--everyone"]
    answer = json.loads(firstmile("funnel", *inputs, "--output", "json").stdout)["trend"]
    assert answer["periods"] == [
        {"start": "2021-05-03", "persons": [1, 1], "immature": 0, "complete": True},
        {"start": "2021-05-05", "persons": [0, 0], "immature": 2, "complete": False}], answer
    text = firstmile("funnel", *inputs).stdout.decode()
    assert "\n  2021-05-05  – (0/0)*, 2 more began too late\n" in text, text
    rows = list(csv.DictReader(
        firstmile("funnel", *inputs, "--like", "posthog", "--output", "csv").stdout.decode()
        .splitlines()))
    assert [(row["day"], row["step"], row["numerator"], row["complete"]) for row in rows] == [
        ("all", "1", "3", ""), ("all", "2", "2", ""), ("2021-05-03", "1", "1", "yes"),
        ("2021-05-03", "2", "1", "yes"), ("2021-05-05", "1", "2", "no"),
        ("2021-05-05", "2", "1", "no")], rows
    for options, said in ((["--trend", "hour"], "day, week or month"),
                          (["--week-starts", "sunday"], "needs --trend week")):
        assert said in firstmile("funnel", *inputs[:-3], *options, expect=2).stderr.decode()
