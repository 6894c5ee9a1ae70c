"""`firstmile retention`: matrices of cohorts, by rules of our own and by other tools' rules.

PostHog's cases are the facts of its published tests (events in, counts out), named by those tests:
posthog/hogql_queries/insights/test/test_retention_query_runner.py at 3c29d63a.
"""

import csv
import json
from datetime import datetime, timedelta, timezone

import pytest
from harness import SAMPLE, firstmile, sample_files

FLOW = "flow: app\nwindow: 24h\nsteps: [welcome]\ndimensions: [os]\ntime_zone: {zone}\n"


def moment(text, zone=timezone.utc):
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def dump(folder, people, zone="UTC", **context):
    """Each of the people is a list of (time, event)."""
    (folder / "flow.yaml").write_text(FLOW.format(zone=zone))
    lines = [json.dumps({"event": name, "user_id": person, "timestamp": time.timestamp(),
                         "context": {"os": context.get(person)}})
             for person, events in people.items() for time, name in events]
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    return [folder / "dump.ndjson", "--flow", folder / "flow.yaml"]


def asked(inputs, *options):
    return json.loads(firstmile("retention", *inputs, *options, "--output", "json").stdout)


def counts(table):
    """The people who came back, by cohort and period, behind trailing zeros."""
    rows = {row["cohort"]: [cell["returned"] for cell in row["periods"]]
            for row in table["cohorts"]}
    for row in rows.values():
        while row and row[-1] == 0:
            row.pop()
    return rows


def june(day, hour=5):
    """As PostHog's tests count: day 0 is 10 June 2020."""
    return datetime(2020, 6, 10, hour, tzinfo=timezone.utc) + timedelta(days=day)


def month(number, day=0):
    return datetime(2020, 6 + number, 10 + day, 5, tzinfo=timezone.utc)


def views(*days, name="view"):
    return [(june(day) if isinstance(day, (int, float)) else day, name) for day in days]


TWO = {"one": views(0, 1, 2, 5, june(5, 9), 6), "two": views(1, 2, 3, 6)}
TWO_DAYS = {"2020-06-10": [1, 1, 1, 0, 0, 1, 1], "2020-06-11": [2, 2, 1, 0, 1, 2],
            "2020-06-12": [2, 1, 0, 1, 2], "2020-06-13": [1, 0, 0, 1],
            "2020-06-15": [1, 1], "2020-06-16": [2]}
WEEKS = {"one": views(0, 1, 7, 14, month(1, -6), month(1, 1)),
         "two": views(0, 1, 7, month(1, -6), month(1, 1), month(1, 15))}
HOURS = {
    "one": views(*(june(0, hour) for hour in (6, 7, 8, 10, 11, 14))),
    "two": views(*(june(0, hour) for hour in (6, 7, 8, 11, 12, 16)))}
MONTHS = {"one": views(*(month(number) for number in (-5, -4, -3, -1, 0, 3))),
          "two": views(*(month(number) for number in (-5, -4, -3, 0, 1, 5)))}
TRIANGLE = [[2, 2, 2, 0, 1, 2, 1, 0, 1, 0, 1], [2, 2, 0, 1, 2, 1, 0, 1, 0, 1],
            [2, 0, 1, 2, 1, 0, 1, 0, 1], [1, 1, 0, 0, 1], [2, 1, 0, 1, 0, 1], [1, 0, 0, 0, 1],
            [1], [1]]
SIGN_UPS = {
    "zero": views(-5, -1, name="up"),
    "one": views(-1, 1, 2, 3, 4, name="up") + views(0, 1, 2, 5, june(5, 9), 6),
    "two": views(-1, name="up") + views(1, 2, 3, 6),
    "three": views(0, name="up") + views(1, 3, 4, 5),
    "four": views(2, name="up") + views(3, 5)}
ROLLING = {"one": views(0, 3, 4), "two": views(0, 1), "three": views(1, 2, 3), "four": views(3, 4),
           "five": views(4)}
EIGHT = {
    **{person: views(0, 1, 2, 3, name="some") for person in ("one", "two")},
    "three": views(5, name="some")}
EIGHT["one"] = EIGHT["one"] + views(5, 6)
EIGHT["two"] = EIGHT["two"] + views(5)
#: Test, time zone, options, people, and the people who came back by cohort.
POSTHOG = [
    ("test_day_interval", "UTC", "--as-of 2020-06-20 --periods 10 --start view --return view",
     TWO, TWO_DAYS),
    ("test_retention_people_basic", "UTC",
     "--from 2020-06-11 --as-of 2020-06-20 --periods 10 --start view --return view", TWO,
     {day: row for day, row in TWO_DAYS.items() if day > "2020-06-10"}),
    ("test_week_interval, weeks from Sunday", "UTC",
     "--by week --as-of 2020-07-25 --periods 6 --start view --return view", WEEKS,
     {"2020-06-07": [2, 2, 1, 2, 2, 0, 1], "2020-06-14": [2, 1, 2, 2, 0, 1],
      "2020-06-21": [1, 1, 1], "2020-06-28": [2, 2, 0, 1], "2020-07-05": [2, 0, 1],
      "2020-07-19": [1]}),
    ("test_week_interval, weeks from Monday", "UTC",
     "--by week --week-starts monday --as-of 2020-07-26 --periods 6 --start view --return view",
     WEEKS,
     {"2020-06-08": [2, 2, 1, 2, 2, 0, 1], "2020-06-15": [2, 1, 2, 2, 0, 1],
      "2020-06-22": [1, 1, 1], "2020-06-29": [2, 2, 0, 1], "2020-07-06": [2, 0, 1],
      "2020-07-20": [1]}),
    ("test_month_interval", "UTC",
     "--by month --as-of 2020-11-30 --periods 10 --start view --return view", MONTHS,
     dict(zip(("2020-01", "2020-02", "2020-03", "2020-05", "2020-06", "2020-07", "2020-09",
               "2020-11"), TRIANGLE))),
    ("test_hour_interval", "UTC",
     "--by hour --as-of 2020-06-10T17:00:00Z --periods 10 --start view --return view", HOURS,
     dict(zip((f"2020-06-10T{hour:02}:00Z" for hour in (6, 7, 8, 10, 11, 12, 14, 16)),
              TRIANGLE))),
    ("test_timezones, UTC", "UTC",
     "--from 2020-06-10 --as-of 2020-06-20 --periods 10 --start view --return view",
     {"one": views(june(-1, 1), june(0, 1), june(1, 1)), "two": views(june(6, 1), june(6, 9))},
     {"2020-06-10": [1, 1], "2020-06-11": [1], "2020-06-16": [1]}),
    ("test_timezones, US/Pacific", "US/Pacific",
     "--from 2020-06-10 --as-of 2020-06-20 --periods 10 --start view --return view",
     {"one": views(june(-1, 1), june(0, 1), june(1, 1)), "two": views(june(6, 1), june(6, 9))},
     {"2020-06-10": [1], "2020-06-15": [1, 1], "2020-06-16": [1]}),
    ("test_rolling_retention", "UTC",
     "--from 2020-06-11 --as-of 2020-06-15 --periods 4 --returned on-or-after --start view "
     "--return view", ROLLING,
     {"2020-06-11": [2, 1, 1], "2020-06-12": [1, 1], "2020-06-13": [3, 2], "2020-06-14": [3]}),
    ("test_rolling_retention_doesnt_double_count_same_user", "UTC",
     "--as-of 2020-06-15 --periods 5 --returned on-or-after --start view --return view", ROLLING,
     {"2020-06-10": [2, 2, 1, 1, 1], "2020-06-11": [2, 1, 1], "2020-06-12": [1, 1],
      "2020-06-13": [3, 2], "2020-06-14": [3]}),
    ("test_all_events_target_first_time", "UTC",
     "--cohorts first --as-of 2020-06-12 --periods 3 --start event2",
     {"one": views(0, 1, 2, name="event1") + views(2.001, 3, name="event2")},
     {"2020-06-12": [1]}),
    ("test_retention_multiple_events", "UTC",
     "--as-of 2020-06-16 --periods 6 --start some --return view", EIGHT,
     {"2020-06-10": [2, 0, 0, 0, 0, 2, 1], "2020-06-11": [2, 0, 0, 0, 2, 1],
      "2020-06-12": [2, 0, 0, 2, 1], "2020-06-13": [2, 0, 2, 1], "2020-06-15": [1]}),
    ("test_retention_any_event", "UTC",
     "--as-of 2020-06-16 --periods 6 --start SOME-OR-VIEW", EIGHT,
     {"2020-06-10": [2, 2, 2, 2, 0, 2, 1], "2020-06-11": [2, 2, 2, 0, 2, 1],
      "2020-06-12": [2, 2, 0, 2, 1], "2020-06-13": [2, 0, 2, 1], "2020-06-15": [3, 1],
      "2020-06-16": [1]}),
    ("test_first_time_retention", "UTC",
     "--cohorts first --from 2020-06-09 --as-of 2020-06-15 --periods 6 --start up --return view",
     SIGN_UPS,
     {"2020-06-09": [2, 1, 2, 2, 1, 0, 1], "2020-06-10": [1, 1, 0, 1, 1, 1],
      "2020-06-12": [1, 1, 0, 1]}),
    ("test_first_time_retention_weeks", "UTC",
     "--by week --cohorts first --from 2020-05-03 --as-of 2020-06-20 --periods 6 --start up "
     "--return view", SIGN_UPS, {"2020-05-31": [1], "2020-06-07": [4, 4]}),
    # test_retention_data_warehouse_24h_window.py at 081e14f2: renewed 27, 50 and 28 hours later.
    ("test_24h_windows", "UTC",
     "--windows rolling --from 2025-01-01 --as-of 2025-01-05 --periods 3 --start signed "
     "--return renewed",
     {person: [(moment(start), "signed")] + ([(moment(end), "renewed")] if end else [])
      for person, start, end in (
          ("one", "2025-01-01T09:00", "2025-01-02T12:00"),
          ("two", "2025-01-01T10:00", "2025-01-03T12:00"),
          ("three", "2025-01-02T09:00", "2025-01-03T13:00"),
          ("four", "2025-01-02T10:00", None))},
     {"2025-01-01": [2, 1, 1], "2025-01-02": [2, 1]}),
]


@pytest.mark.parametrize(("test", "zone", "options", "people", "expected"), POSTHOG,
                         ids=[case[0] for case in POSTHOG])
def test_posthog_publishes_these_matrices(folder, test, zone, options, people, expected):
    inputs = dump(folder, people, zone)
    words = ["some or view" if word == "SOME-OR-VIEW" else word for word in options.split()]
    answer = asked(inputs, *words, "--like", "posthog")
    assert counts(answer) == expected, answer
    # The cohort's own period is the whole cohort there.
    assert all(row["people"] == row["periods"][0]["returned"] for row in answer["cohorts"]), answer


def at(*texts, name):
    return [(moment(text), name) for text in texts]


#: Options, people, and the people who came back by cohort.
RULES = [
    # Mixpanel: "Day 1 retention = 24-48 hrs since person's birth"; 8pm on Monday, 6am on Tuesday.
    ("--like mixpanel --returned on",
     {"u": at("2026-01-05T20:00", name="a") + at("2026-01-06T06:00", name="b")},
     {"2026-01-05": [1]}),
    ("--like mixpanel --returned on --windows calendar",
     {"u": at("2026-01-05T20:00", name="a") + at("2026-01-06T06:00", name="b")},
     {"2026-01-05": [0, 1]}),
    # "Week 1 retention = 7-14 days", "Month 1 retention = 30-60 days since person's birth".
    ("--like mixpanel --returned on --by week",
     {"u": at("2026-01-09T12:00", name="a") + at("2026-01-16T11:59", "2026-01-23T12:00", name="b")},
     {"2026-01-05": [1, 0, 1]}),
    # "a purchase on 25th Feb and then again on 3rd March": month 1 by the calendar only.
    ("--like mixpanel --returned on --by month",
     {"u": at("2026-02-25T12:00", name="a") + at("2026-03-03T12:00", name="b")},
     {"2026-02": [1]}),
    ("--like mixpanel --returned on --by month --windows calendar",
     {"u": at("2026-02-25T12:00", name="a") + at("2026-03-03T12:00", name="b")},
     {"2026-02": [0, 1]}),
    # "come back on a specific time unit or any time unit afterward" is the default.
    ("--like mixpanel",
     {"u": at("2026-01-05T20:00", name="a") + at("2026-01-08T20:00", name="b")},
     {"2026-01-05": [1, 1, 1, 1]}),
    # Amplitude: a first event at 5:59 pm and a second one at 5:00 pm of the next day are day 1.
    ("--like amplitude",
     {"u": at("2021-12-01T17:59", name="a") + at("2021-12-02T17:00", name="b")},
     {"2021-12-01": [0, 1]}),
    ("--like amplitude",
     {"u": at("2021-12-01T17:59", name="a") + at("2021-12-02T16:59", name="b")},
     {"2021-12-01": [1]}),
    ("--like mixpanel --returned on",
     {"u": at("2021-12-01T17:59", name="a") + at("2021-12-02T17:00", name="b")},
     {"2021-12-01": [1]}),
    # "it's possible for one return event to define a user as both Day 1 and Day 2 retained".
    ("--like amplitude",
     {"u": at("2021-12-01T08:00", "2021-12-01T20:00", name="a") + at("2021-12-03T10:00", name="b")},
     {"2021-12-01": [0, 1, 1]}),
    ("--like mixpanel --returned on",
     {"u": at("2021-12-01T08:00", "2021-12-01T20:00", name="a") + at("2021-12-03T10:00", name="b")},
     {"2021-12-01": [0, 0, 1]}),
    # "Weekly retention is computed on a daily basis": 1 to 7 December, 8 to 14 December.
    ("--like amplitude --by week",
     {"u": at("2021-12-01T12:00", name="a") + at("2021-12-07T23:00", name="b"),
      "v": at("2021-12-01T12:00", name="a") + at("2021-12-08T01:00", name="b")},
     {"2021-11-29": [1, 1]}),
    # Ours: the date counts, each person once, by their first start; a return is a later event.
    ("--everyone",
     {"u": at("2026-01-05T20:00", name="a") + at("2026-01-06T06:00", name="b"),
      "v": at("2026-01-05T20:00", "2026-01-06T20:00", name="a") + at("2026-01-08T06:00", name="b"),
      "w": at("2026-01-05T06:00", name="b") + at("2026-01-05T20:00", name="a")},
     {"2026-01-05": [0, 1, 0, 1]}),
    ("--everyone --cohorts recurring",
     {"v": at("2026-01-05T20:00", "2026-01-06T20:00", name="a") + at("2026-01-08T06:00", name="b")},
     {"2026-01-05": [0, 0, 0, 1], "2026-01-06": [0, 0, 1]}),
    # Months of 31, 28 and 31 days.
    ("--everyone --by month",
     {"u": at("2026-01-31T23:59", name="a") + at("2026-02-01T00:00", "2026-02-28T23:59",
                                                  "2026-03-31T23:59", name="b")},
     {"2026-01": [0, 1, 1]}),
]


@pytest.mark.parametrize(("options", "people", "expected"), RULES)
def test_tools_cut_time_by_their_own_rules(folder, options, people, expected):
    inputs = dump(folder, people)
    answer = asked(inputs, *options.split(), "--start", "a", "--return", "b", "--as-of", "2026-12-31")
    assert counts(answer) == expected, answer


def test_days_of_23_and_25_hours_are_days(folder):
    from zoneinfo import ZoneInfo
    berlin = ZoneInfo("Europe/Berlin")
    people = {
        # 29 March 2026 has 23 hours, 25 October 25.
        "spring": [(moment("2026-03-28T23:30", berlin), "a"),
                   (moment("2026-03-29T00:10", berlin), "b"),
                   (moment("2026-03-30T00:10", berlin), "b")],
        "autumn": [(moment("2026-10-24T23:30", berlin), "a"),
                   (moment("2026-10-25T23:50", berlin), "b")]}
    inputs = dump(folder, people, "Europe/Berlin")
    ask = ["--everyone", "--start", "a", "--return", "b", "--as-of", "2026-12-31"]
    assert counts(asked(inputs, *ask)) == {"2026-03-28": [0, 1, 1], "2026-10-24": [0, 1]}
    # 24 h 40 min in hours that passed: day 1; 25 h 20 min: day 1.
    assert counts(asked(inputs, *ask, "--windows", "rolling")) == {
        "2026-03-28": [1], "2026-10-24": [0, 1]}


def test_a_period_that_is_not_over_is_marked_and_never_0(folder):
    people = {f"u{number}": at(f"2026-01-0{day}T12:00", name="a")
              + (at(f"2026-01-0{day + 1}T12:00", name="b") if number % 2 else [])
              for number, day in enumerate([5, 5, 6, 6, 7, 7])}
    inputs = dump(folder, people)
    ask = ["--start", "a", "--return", "b", "--periods", "3"]
    # The data are complete until noon of the 7th, in the middle of a date.
    answer = asked(inputs, *ask, "--everyone", "--as-of", "2026-01-07T12:00:00Z")
    share = {row["cohort"]: [cell["share"] for cell in row["periods"]] for row in answer["cohorts"]}
    assert share == {"2026-01-05": [0, 0.5, None, None], "2026-01-06": [0, None, None, None],
                     "2026-01-07": [None] * 4}, answer
    assert [cell["share"] for cell in answer["all"]] == [0, 0.5, None, None], answer
    text = firstmile("retention", *inputs, *ask, "--everyone", "--as-of",
                     "2026-01-07T12:00:00Z").stdout.decode()
    row = next(line for line in text.splitlines() if line.startswith("2026-01-07"))
    assert row.split() == ["2026-01-07", "2", "–", "–", "–", "–"], text
    # Rolling windows end for each person at a time of their own.
    answer = asked(inputs, *ask, "--everyone", "--windows", "rolling", "--by", "day", "--as-of",
                 "2026-01-08T11:59:59.998Z")
    cells = {row["cohort"]: [(cell["people"], cell["complete"]) for cell in row["periods"]]
             for row in answer["cohorts"]}
    assert cells["2026-01-06"] == [(2, True), (0, False), (0, False), (0, False)], cells
    # Tools that count everyone mark what can still rise.
    answer = asked(inputs, *ask, "--like", "posthog", "--as-of", "2026-01-07T12:00:00Z")
    cells = {row["cohort"]: [(cell["returned"], cell["people"], cell["complete"])
                             for cell in row["periods"]] for row in answer["cohorts"]}
    assert cells["2026-01-06"] == [(2, 2, True), (1, 2, False), (0, 0, False), (0, 0, False)], cells
    text = firstmile("retention", *inputs, *ask, "--like", "posthog", "--as-of",
                     "2026-01-07T12:00:00Z").stdout.decode()
    row = next(line for line in text.splitlines() if line.startswith("2026-01-06"))
    assert row.split() == ["2026-01-06", "2", "100", "%", "50.0", "%*", "–", "–"], text
    assert "* the day is not over for everyone yet" in text, text


def test_people_are_cut_by_their_values(folder):
    people = {person: at("2026-01-05T12:00", name="a") for person in "uvwx"}
    people["u"] += at("2026-01-06T12:00", name="b")
    people["x"] += at("2026-01-06T12:00", name="b")
    inputs = dump(folder, people, u="iOS", v="iOS", w="web", x="web")
    ask = ["--everyone", "--start", "a", "--return", "b", "--as-of", "2026-02-01", "--periods", "2"]
    answer = asked(inputs, *ask, "--breakdown", "os")
    cut = {tuple(row["values"]): counts(row) for row in answer["by_values"]}
    assert cut == {("iOS",): {"2026-01-05": [0, 1]}, ("web",): {"2026-01-05": [0, 1]}}, answer
    rows = list(csv.DictReader(firstmile("retention", *inputs, *ask, "--breakdown", "os",
                                         "--output", "csv").stdout.decode().splitlines()))
    assert {(row["breakdown"], row["cohort"]) for row in rows} == {
        (name, cohort) for name in ("all", "os=iOS", "os=web") for cohort in ("all", "2026-01-05")}
    first = [row for row in rows if row["breakdown"] == "all" and row["cohort"] == "2026-01-05"]
    assert [(row["numerator"], row["denominator"]) for row in first] == [
        ("0", "4"), ("2", "4"), ("0", "4")], first
    assert float(first[1]["ci_low"]) < 0.5 < float(first[1]["ci_high"])
    assert b"\nos=web: 2 persons in a cohort\n" in firstmile(
        "retention", *inputs, *ask, "--breakdown", "os").stdout


def test_the_flow_says_who_starts(folder):
    files = sample_files()
    ask = [*files, "--flow", SAMPLE, "--by", "week", "--periods", "4"]
    answer = asked(ask)
    assert answer["start"] == "onboarding_started, or the first view of the first step" and answer["return"] == "any activity", answer
    rows = answer["cohorts"]
    assert len(rows) > 20 and sum(row["people"] for row in rows) == answer["people"] > 200, rows
    # One thread or several, in whatever order the files are named.
    assert firstmile("retention", *ask, "--threads", "1").stdout == firstmile(
        "retention", *reversed(files), *ask[len(files):], "--threads", "4").stdout
    # Without end, a person who came back once is in every period before.
    later = asked(ask, "--returned", "on-or-after")
    for row in later["cohorts"]:
        shares = [cell["share"] for cell in row["periods"] if cell["complete"]]
        assert shares == sorted(shares, reverse=True), row


def test_what_makes_no_sense_is_refused(folder):
    inputs = [*dump(folder, {"u": at("2026-01-05T12:00", name="a")}), "--start", "a"]
    for options, said in (
            (["--like", "ga4"], "is not known"),
            (["--like", "clickhouse"], "is not known"),
            (["--periods", "0"], "from 1 to 366"),
            (["--week-starts", "sunday"], "needs --by week"),
            (["--by", "year"], "'year'"),
            (["--like", "posthog", "--windows", "rolling", "--returned", "on-or-after"],
             "no on-or-after retention for rolling windows"),
            (["--breakdown", "os", "--breakdown", "os"], "given twice"),
            (["--breakdown", "nothing"], "there are version, os"),
            (["--return", "a > b"], "one step"),
            (["--return", "a["], "column")):
        assert said in firstmile("retention", *inputs, *options, expect=2).stderr.decode(), options
    slip = firstmile("retention", *inputs, "--return", "bb", "--everyone").stderr.decode()
    assert "'bb' was never seen" in slip, slip
    text = firstmile("retention", *inputs[:-1], "never", "--everyone").stdout.decode()
    assert "all: unknown" in text, text


def test_a_start_that_no_app_sends_is_a_view_of_the_first_step(folder):
    """A flow file of `firstmile start` names the screens and no start; reports imply it."""
    day, lines = 86_400, []
    for number in range(40):
        begin = 1_767_571_200 + number % 10 * day

        def add(name, at, **properties):
            lines.append(json.dumps({"event": name, "user_id": f"u{number}", "timestamp": at,
                                     "properties": properties}))
        add("onboarding_page_viewed", begin, page_name="welcome")
        add("onboarding_page_viewed", begin + 9, page_name="plan")
        if number % 4 == 0:
            # The screens once more are no start, and one more day on which they are there.
            add("onboarding_page_viewed", begin + day, page_name="welcome")
            add("onboarding_page_viewed", begin + day, page_name="plan")
            add("opened", begin + day)
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "flow.yaml").write_text("flow: app\nsteps: [welcome, plan]\n")
    done = firstmile("retention", "dump.ndjson", "--flow", "flow.yaml", "--as-of", "2026-02-01",
                     "--periods", "1", "--output", "json", "--cohorts", "recurring", cwd=folder)
    found = json.loads(done.stdout)
    assert not done.stderr, done.stderr
    assert len(found["cohorts"]) == 10, found
    said = firstmile("retention", "dump.ndjson", "--flow", "flow.yaml", "--as-of", "2026-02-01",
                     "--periods", "1", cwd=folder).stdout.decode()
    assert "Start: onboarding_started, or the first view of the first step" in said
    assert "all: 40 persons in a cohort" in said and "25.0 %" in said, said


def around_an_outage():
    """Twelve people start each day for a month and are back a day and two days later; the events of
    20 June are lost."""
    people = {}
    for first in range(28):
        for number in range(12):
            times = [june(day) for day in (first, first + 1, first + 2) if day != 10]
            people[f"{first}-{number}"] = [(time, "view") for time in times]
    return people


def test_nobody_counts_for_a_period_on_dates_that_are_missing(folder):
    inputs = dump(folder, around_an_outage())
    options = ["--everyone", "--start", "view", "--periods", "3"]
    found = asked(inputs, *options)
    rows = {row["cohort"]: row["periods"] for row in found["cohorts"]}
    assert [cell["share"] for cell in rows["2020-06-17"]] == [0, 1, 1, None]
    assert [cell["share"] for cell in rows["2020-06-19"]] == [0, None, 1, 0]
    assert [(cell["returned"], cell["people"]) for cell in rows["2020-06-18"]] == [
        (0, 12), (12, 12), (None, 0), (0, 12)]
    assert [cell["share"] for cell in found["all"]][:2] == [0, 1]
    assert "2020-06-20" in found["unknown"]

    text = firstmile("retention", *inputs, *options).stdout.decode()
    row = next(line for line in text.splitlines() if line.startswith("2020-06-19"))
    assert row.split()[2:] == ["0", "%", "?", "100", "%", "0", "%"], row
    assert "on 2020-06-20 (UTC) hardly anybody has events" in text and "? unknown" in text

    file = firstmile("retention", *inputs, *options, "--output", "csv").stdout.decode()
    lost = [row for row in csv.DictReader(file.splitlines())
            if row["cohort"] == "2020-06-19" and row["period"] == "1"]
    assert [(row["value"], row["denominator"]) for row in lost] == [("", "0")]
    assert "2020-06-20" in lost[0]["note"]

    # A week of which a seventh is missing, and one on or after days, of which a twentieth is.
    weeks = asked(inputs, *options, "--by", "week")
    shares = {row["cohort"]: row["periods"] for row in weeks["cohorts"]}
    assert shares["2020-06-15"][0]["share"] is None and shares["2020-06-22"][0]["share"] > 0.8
    after = asked(inputs, *options, "--returned", "on-or-after")
    rows = {row["cohort"]: row["periods"] for row in after["cohorts"]}
    assert [cell["share"] for cell in rows["2020-06-11"]][:3] == [1, 1, 1]


@pytest.mark.parametrize("tool", ["posthog", "mixpanel", "amplitude"])
def test_other_tools_count_dates_that_are_missing_as_days_without_returns(folder, tool):
    inputs = dump(folder, around_an_outage())
    found = asked(inputs, "--start", "view", "--periods", "3", "--like", tool, "--cohorts", "first",
                  "--returned", "on")
    rows = {row["cohort"]: row["periods"] for row in found["cohorts"]}
    assert [(cell["returned"], cell["people"]) for cell in rows["2020-06-19"]][1] == (0, 12)
    assert found["unknown"] is None


def test_getting_through_the_onboarding_is_no_return_by_our_rules(folder):
    """Who goes on behind midnight was not back, who did something else was: as reports say."""
    people = {
        "slow": at("2026-01-01T23:59", name="onboarding_started")
        + at("2026-01-02T00:01", name="onboarding_page_viewed")
        + at("2026-01-02T00:02", name="onboarding_completed"),
        "back": at("2026-01-01T12:00", name="onboarding_started")
        + at("2026-01-01T12:01", name="onboarding_completed") + at("2026-01-02T12:00", name="open"),
        # A second onboarding behind the window of the first is being there again.
        "again": at("2026-01-01T10:00", "2026-01-03T10:00", name="onboarding_started"),
        **{f"q{number}": at("2026-01-20T12:00", name="open") for number in range(3)}}
    inputs = dump(folder, people)
    shares = [cell["returned"] for cell in asked(inputs, "--periods", "2")["cohorts"][0]["periods"]]
    assert shares == [0, 1, 1]
    everybody = asked(inputs, "--periods", "2", "--like", "amplitude", "--windows", "calendar")
    assert everybody["cohorts"][0]["periods"][1]["returned"] == 2
    named = asked(inputs, "--periods", "2", "--return", "onboarding_completed")
    assert [cell["returned"] for cell in named["cohorts"][0]["periods"]] == [1, 1, 0]


def test_the_row_of_all_says_whether_it_is_of_everybody(folder):
    people = {"one": at("2026-01-01T10:00", "2026-01-02T10:00", name="a"),
              "two": at("2026-01-02T12:00", name="a")}
    found = asked(dump(folder, people), "--everyone", "--start", "a", "--periods", "1")
    assert [cell["complete"] for cell in found["all"]] == [False, False]
    assert [cell["people"] for cell in found["all"]] == [1, 0]
    found = asked(dump(folder, people), "--everyone", "--start", "a", "--periods", "1", "--as-of",
                  "2026-01-31")
    assert [(cell["complete"], cell["people"]) for cell in found["all"]] == [(True, 2), (True, 2)]
