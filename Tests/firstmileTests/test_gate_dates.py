"""`firstmile check` over local dates: a day is judged once the dates of all who began on it are over."""

import datetime
import json
import zoneinfo

import pytest

from harness import firstmile

RULES = "rules: [{metric: retention_d1, at_least: 1%}, {metric: retention_d7, at_least: 1%}]\n"


def judged(folder, zone, last):
    """The last day that each rule is judged on, of data up to the end of a day there."""
    clock = zoneinfo.ZoneInfo(zone)
    (folder / "f.yaml").write_text(
        f"flow: f\nsteps: [w]\ntime_zone: {zone}\nday: calendar\nretention: [{{days: [1, 7]}}]\n")
    (folder / "gate.yaml").write_text(RULES)
    with open(folder / "dump.ndjson", "w") as file:
        for days in range(30):
            for hour in (0, 12, 23):
                day = last - datetime.timedelta(days=days)
                at = datetime.datetime.combine(day, datetime.time(hour, 59), clock).astimezone(datetime.UTC)
                for name, after in (("onboarding_started", 0), ("x", 86_400)):
                    moment = at + datetime.timedelta(seconds=after)
                    if moment.astimezone(clock).date() <= last:
                        file.write(json.dumps({
                            "event": name, "user_id": f"{days}-{hour}",
                            "timestamp": moment.isoformat()}) + "\n")
    done = firstmile("check", folder / "dump.ndjson", "--flow", folder / "f.yaml", "--gate",
                     folder / "gate.yaml", "--period", "last complete day", "--as-of", last, "--json",
                     expect=(0, 1))
    return [check["began"]["last"] for check in json.loads(done.stdout)["checks"]]


def test_a_calendar_that_ends_is_no_endless_walk(folder):
    (folder / "f.yaml").write_text("flow: f\nsteps: [w]\nday: calendar\nretention: [{days: [1, 3650]}]\n")
    (folder / "gate.yaml").write_text("rules: [{metric: retention_d3650, at_least: 1%}]\n")
    with open(folder / "dump.ndjson", "w") as file:
        for day in range(1, 20):
            file.write(json.dumps({"event": "onboarding_started", "user_id": f"{day}",
                                   "timestamp": f"2000-01-{day:02d}T10:00:00Z"}) + "\n")
    firstmile("check", folder / "dump.ndjson", "--flow", folder / "f.yaml", "--gate", folder / "gate.yaml",
              "--period", "last 7 complete days", expect=(0, 4))


@pytest.mark.parametrize("zone, last", [
    ("UTC", "2026-06-10"), ("Europe/Berlin", "2026-04-01"), ("Europe/Berlin", "2026-04-05"),
    ("Europe/Berlin", "2026-10-31"), ("America/New_York", "2026-03-09"), ("Asia/Kolkata", "2026-03-10")])
def test_a_day_is_judged_when_its_dates_are_over(folder, zone, last):
    last = datetime.date.fromisoformat(last)
    expected = [str(last - datetime.timedelta(days=days)) for days in (1, 7)]
    assert judged(folder, zone, last) == expected
