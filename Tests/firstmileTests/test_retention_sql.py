"""`firstmile retention` against SQL that says the same in another way, over random people.

DuckDB finds hours, dates, weeks and months in the time zone, and joins starts with returns.
"""

import itertools
import json
import random
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from harness import firstmile

duckdb = pytest.importorskip("duckdb", reason="DuckDB for Python is not installed")

FLOW = "flow: app\nwindow: 24h\nsteps: [welcome]\ntime_zone: {zone}\n"
#: Time zone, the first and the last day of the starts: clocks change, months and years end.
SPANS = [("Europe/Berlin", "2026-03-20", 20), ("Europe/Berlin", "2025-10-18", 20),
         ("America/New_York", "2026-10-26", 14), ("Asia/Kolkata", "2026-02-20", 20),
         ("America/Santiago", "2026-08-30", 14), ("UTC", "2025-12-20", 90),
         ("Pacific/Auckland", "2026-01-25", 80)]
TIMES = """
CREATE OR REPLACE TABLE event AS
SELECT person, name, ms, row_number() OVER (PARTITION BY person ORDER BY ms) AS place,
       datediff('day', DATE '1970-01-01', CAST(clock AS DATE)) AS day, (ms + {shift}) // 3600000 AS hour,
       CASE '{by}' WHEN 'hour' THEN (ms + {shift}) // 3600000
                   WHEN 'day' THEN datediff('day', DATE '1970-01-01', CAST(clock AS DATE))
                   WHEN 'week' THEN datediff('week', DATE '1969-12-29',
                                             CAST(clock AS DATE) + INTERVAL ({sunday}) DAY)
                   ELSE year(clock) * 12 + month(clock) END AS period
FROM (SELECT *, timezone('{zone}', make_timestamptz(ms * 1000)) AS clock
      FROM (SELECT * FROM raw WHERE ms <= {horizon}
            UNION ALL SELECT 'after', 'end', {horizon} + 1
            UNION ALL SELECT 'until', 'end', {horizon}))
"""
DISTANCE = {
    ("calendar", False): "{r}.period - {s}.period",
    ("calendar", True): "{r}.period - {s}.period",
    ("rolling", False): "({r}.ms - {s}.ms) // {length}",
    ("rolling", True): "CASE WHEN '{by}' IN ('hour', 'day') "
                       "THEN ({r}.hour - {s}.hour) // ({length} // 3600000) "
                       "ELSE ({r}.day - {s}.day) // ({length} // 86400000) END",
}
MATRIX = """
WITH start AS (SELECT * FROM event WHERE name = 'a'),
anchor AS ({anchor}),
cohort AS (SELECT person, period, min(place) AS place, min(ms) AS first, max(ms) AS last
           FROM anchor GROUP BY ALL),
back AS (SELECT s.person, s.period, {distance} AS n
         FROM anchor s JOIN event r ON r.person = s.person AND r.place > s.place AND r.name = 'b'),
reach AS (SELECT s.person, s.period, min({over}) AS over FROM anchor s GROUP BY ALL)
SELECT cohort.period, n, count(*) AS size,
       count(*) FILTER (n < over) AS over,
       count(*) FILTER (is_back) AS returned,
       count(*) FILTER (is_back AND n < over) AS returned_over
FROM (SELECT *, EXISTS (SELECT 1 FROM back WHERE back.person = cohort.person
                        AND back.period = cohort.period AND {matches}) OR ({fills} AND n = 0)
                AS is_back
      FROM cohort CROSS JOIN range(0, {periods} + 1) AS t(n)) AS cohort
JOIN reach USING (person, period)
GROUP BY ALL ORDER BY ALL
"""
ANCHORS = {
    "first start of all": "SELECT * FROM start QUALIFY place = min(place) OVER (PARTITION BY person)",
    "first start of each": "SELECT * FROM start QUALIFY place = min(place) "
                           "OVER (PARTITION BY person, period)",
    "every start": "SELECT * FROM start",
}
LENGTH = {"hour": 3_600_000, "day": 86_400_000, "week": 604_800_000, "month": 2_592_000_000}


def people(zone, first, days, seed):
    """Random people, whose events fall on round hours and midnights rather often."""
    chance = random.Random(seed)
    begin = datetime.fromisoformat(first).replace(tzinfo=ZoneInfo(zone))
    rows = []
    for number in range(60):
        times = set()
        for _ in range(chance.randint(1, 14)):
            time = (begin + timedelta(days=chance.randrange(days))).timestamp()
            time += chance.choice([0, 3600, 7200, 10800, 86399, chance.uniform(0, 86400)])
            times.add(int(time * 1000) + chance.choice([0, 0, -1, 1]))
        rows += [(f"u{number}", chance.choice("aab"), ms) for ms in times]
    return rows


def counted_by_sql(database, rules, horizon):
    by, zone, cohorts, windows, returned, tool, week, periods = rules
    shift = 1_800_000 if zone == "Asia/Kolkata" else 0
    database.execute(TIMES.format(
        by=by, zone=zone, horizon=horizon, sunday=1 if week == "sunday" else 0, shift=shift))
    if cohorts == "first" or tool == "posthog" and windows == "rolling":
        anchor = "first start of all"
    else:
        anchor = "every start" if tool == "amplitude" and windows == "rolling" else \
            "first start of each"
    rounds = tool in ("posthog", "amplitude")
    distance = DISTANCE[windows, rounds]
    text = {"by": by, "length": LENGTH[by]}
    # The period at the first moment after the horizon is the first that is not over.
    over = distance.format(r="h", s="s", **text)
    return database.execute(MATRIX.format(
        anchor=ANCHORS[anchor], distance=distance.format(r="r", s="s", **text),
        over=f"(SELECT {over} FROM event h WHERE h.person = 'after')",
        matches="back.n = t.n" if returned == "on" else "back.n >= t.n",
        fills="true" if tool == "posthog" else "false", periods=periods)).fetchall()


def label(period, by, week, zone):
    if by == "month":
        return f"{(period - 1) // 12}-{(period - 1) % 12 + 1:02}"
    if by == "hour":
        shift = 1800 if zone == "Asia/Kolkata" else 0
        time = datetime(1970, 1, 1) + timedelta(seconds=period * 3600 - shift)
        return time.strftime("%Y-%m-%dT%H:%MZ")
    days = period * 7 - (4 if week == "sunday" else 3) if by == "week" else period
    return (datetime(1970, 1, 1) + timedelta(days=days)).strftime("%Y-%m-%d")


@pytest.mark.parametrize("span", SPANS, ids=[f"{zone} {first}" for zone, first, _ in SPANS])
def test_sql_counts_the_same(folder, span):
    zone, first, days = span
    (folder / "flow.yaml").write_text(FLOW.format(zone=zone))
    rows = people(zone, first, days, seed=f"{zone} {first}")
    (folder / "dump.ndjson").write_text("".join(
        json.dumps({"event": name, "user_id": person, "timestamp": ms / 1000}) + "\n"
        for person, name, ms in rows))
    # The data end in the middle of the span, at the end of a date.
    last = (datetime.fromisoformat(first) + timedelta(days=days * 2 // 3)).date()
    end = datetime.combine(last + timedelta(days=1), datetime.min.time(), ZoneInfo(zone))
    horizon = int(end.timestamp() * 1000) - 1
    database = duckdb.connect()
    database.execute("CREATE TABLE raw (person TEXT, name TEXT, ms BIGINT)")
    database.execute("INSERT INTO raw VALUES " + ", ".join(map(str, rows)))
    compared = 0
    for number, (by, cohorts, windows, returned, tool) in enumerate(itertools.product(
            LENGTH, ("first", "recurring"), ("calendar", "rolling"), ("on", "on-or-after"),
            ("firstmile", "posthog", "mixpanel", "amplitude"))):
        if tool == "posthog" and windows == "rolling" and returned == "on-or-after":
            continue
        # All spans together have every rule with every other one.
        if number % len(SPANS) != SPANS.index(span) and number % 8 != 0:
            continue
        week = "sunday" if number % 2 else "monday"
        answer = json.loads(firstmile(
            "retention", folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--by", by,
            "--cohorts", cohorts, "--windows", windows, "--returned", returned, "--like", tool,
            *(["--week-starts", week] if by == "week" else []), "--everyone", "--start", "a",
            "--return", "b", "--periods", "6", "--as-of", last.isoformat(),
            "--output", "json").stdout)
        rules = (by, zone, cohorts, windows, returned, tool, week, 6)
        expected = {}
        for period, n, size, over, back, back_over in counted_by_sql(database, rules, horizon):
            part, whole = (back_over, over) if tool == "firstmile" else (back, size)
            expected[label(period, by, week, zone), n] = (size, part, whole, over == size)
        found = {(row["cohort"], n): (row["people"], cell["returned"], cell["people"],
                                      cell["complete"])
                 for row in answer["cohorts"] for n, cell in enumerate(row["periods"])}
        # Of a period that has not begun, tools that count everyone show no people.
        for key, (size, part, whole, complete) in found.items():
            if tool != "firstmile" and whole == 0:
                assert (part, complete) == (0, False), (rules, key)
                found[key] = (size, part, size, complete)
        assert found == expected, (rules, {
            key: (found.get(key), expected.get(key)) for key in {**found, **expected}
            if found.get(key) != expected.get(key)})
        compared += len(found)
    assert compared > 500, compared
