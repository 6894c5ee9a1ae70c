"""`firstmile check` night after night: the shipped workflow over simulated months, and nights recounted by hand."""

import datetime
import json
import os
import random
import re
import shlex
import subprocess
import zoneinfo

import pytest

from harness import BINARY, ROOT, firstmile

FIRST = datetime.date(2026, 1, 1)
BASELINE_DAYS = 28
NIGHTS = 30
FLOW = "flow: nights\nsteps: [welcome, plan]\nwindow: 24h\ntime_zone: {}\n"


def date(number):
    return (FIRST + datetime.timedelta(days=number)).isoformat()


def people_of(number, rate, zone, people, numbers):
    """Events of the people who begin on a day of the zone; some finish hours later."""
    midnight = datetime.datetime.fromisoformat(date(number)).replace(tzinfo=zone)
    for person in range(people):
        began = midnight.timestamp() + numbers.randrange(86_000)
        yield began, "onboarding_started", f"{number}-{person}"
        if numbers.random() < rate:
            later = 300 if numbers.random() < 0.8 else numbers.randrange(3600, 80_000)
            yield began + later, "onboarding_completed", f"{number}-{person}"


def month(rate_of_day, days, people=400, seed=7, zone="UTC"):
    """Lines by the day of the zone on which they were sent."""
    numbers, place = random.Random(seed), zoneinfo.ZoneInfo(zone)
    lines = {day: [] for day in range(days + 2)}
    for number in range(days):
        # A weekend's rate is lower, and days differ by a point or two.
        weekend = number % 7 in (2, 3)
        rate = rate_of_day(number) - 0.04 * weekend + numbers.gauss(0, 0.01)
        for moment, name, who in people_of(number, rate, place, people, numbers):
            sent = datetime.datetime.fromtimestamp(moment, datetime.timezone.utc)
            day = (sent.astimezone(place).date() - FIRST).days
            lines[day].append(json.dumps(
                {"event": name, "user_id": who, "timestamp": sent.strftime("%Y-%m-%dT%H:%M:%SZ")}))
    return lines


class Nights:
    """An app's repository with the shipped gate file, and dumps that arrive day by day."""

    def __init__(self, folder, lines, is_folder_a_day=False, zone="UTC"):
        self.folder, self.lines, self.is_folder_a_day = folder, lines, is_folder_a_day
        self.arrived = 0
        (folder / "analytics").mkdir(parents=True)
        (folder / "analytics/flow.yaml").write_text(FLOW.format(zone))
        (folder / "analytics/gate.yaml").write_text((ROOT / "docs/ci/gate.yaml").read_text())
        (folder / "bin").mkdir()
        (folder / "bin/firstmile").symlink_to(BINARY)
        self.step = re.search(r"      - name: Gate\n.*?run: \|\n(.*?)\n      - ",
                              (ROOT / "docs/ci/github-actions.yml").read_text(), re.DOTALL).group(1)

    def arrive(self, until, keep=None):
        """Dumps of all days until one, that day included; older folders than `keep` are gone."""
        for day in range(self.arrived, until + 1):
            place = self.folder / "dumps" / (date(day) if self.is_folder_a_day else "")
            place.mkdir(parents=True, exist_ok=True)
            text = "".join(line + "\n" for line in self.lines[day])
            (place / f"{date(day)}.ndjson").write_text(text)
        self.arrived = until + 1
        if keep:
            for place in sorted((self.folder / "dumps").iterdir())[:-keep]:
                for path in place.iterdir():
                    path.unlink()
                place.rmdir()

    def shell(self, command, day, expect=(0,)):
        environment = dict(os.environ, PATH=f"{self.folder / 'bin'}:{os.environ['PATH']}",
                           NO_COLOR="1", DAY=date(day),
                           GITHUB_STEP_SUMMARY=str(self.folder / "summary.md"))
        done = subprocess.run(["bash", "-e", "-c", command], cwd=self.folder, env=environment,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
        assert done.returncode in expect, (command, done.returncode, done.stdout, done.stderr)
        return done

    def accept(self, day):
        self.arrive(day)
        self.shell("firstmile check dumps/ --flow analytics/flow.yaml --gate analytics/gate.yaml "
                   f"--as-of {date(day)} --accept", day)

    def night(self, day, keep=None, step=None):
        """The shipped step on the night after a day; its exit code and JSON."""
        self.arrive(day, keep)
        (self.folder / "summary.md").unlink(missing_ok=True)
        done = self.shell(step or self.step, day, expect=(0, 1))
        answer = json.loads((self.folder / "check.json").read_text())
        assert answer["exit_code"] == done.returncode, answer
        return done.returncode, answer


def moments_in(lines):
    """When each person of some lines began, and when each finished."""
    began, finished = {}, {}
    for line in (line for day in lines.values() for line in day):
        fact = json.loads(line)
        moment = datetime.datetime.fromisoformat(fact["timestamp"].replace("Z", "+00:00"))
        kept = began if fact["event"] == "onboarding_started" else finished
        kept[fact["user_id"]] = moment
    return began, finished


def recount(moments, first, last, as_of, zone="UTC"):
    """A night by hand: people who began on some days and whose window is over, and who finished in it."""
    place = zoneinfo.ZoneInfo(zone)
    began, finished = moments
    end = datetime.datetime.combine(
        datetime.date.fromisoformat(as_of) + datetime.timedelta(days=1), datetime.time(), place)
    window = datetime.timedelta(hours=24)
    counted = [who for who, moment in began.items()
               if first <= moment.astimezone(place).date().isoformat() <= last
               and moment + window < end]
    return sum(who in finished and finished[who] - began[who] <= window for who in counted), len(counted)


def test_a_healthy_month_passes_every_night(tmp_path):
    lines = month(lambda day: 0.6, BASELINE_DAYS + NIGHTS)
    nights = Nights(tmp_path, lines)
    nights.accept(BASELINE_DAYS - 1)
    judged, moments = [], moments_in(lines)
    for day in range(BASELINE_DAYS, BASELINE_DAYS + NIGHTS):
        code, answer = nights.night(day)
        assert code == 0, answer
        check = answer["checks"][0]
        if answer["began"]:
            judged.append(day)
            counts = recount(moments, **answer["began"], as_of=date(day))
            assert (check["current"]["numerator"], check["current"]["denominator"]) == counts, check
            assert answer["began"]["first"] > answer["baseline"]["began"]["last"], answer
    # The baseline's last day is the 27th, whose window ended with the 28th.
    assert answer["baseline"]["began"] == {"first": date(0), "last": date(BASELINE_DAYS - 2)}, answer
    assert len(judged) == NIGHTS, judged


def test_a_drop_fails_within_a_week_and_until_somebody_accepts(tmp_path):
    drop = BASELINE_DAYS + 14
    lines = month(lambda day: 0.6 if day < drop else 0.55, BASELINE_DAYS + NIGHTS + 4, people=1000)
    nights = Nights(tmp_path, lines)
    nights.accept(BASELINE_DAYS - 1)
    codes = {}
    for day in range(drop - 3, BASELINE_DAYS + NIGHTS):
        codes[day], answer = nights.night(day)
    failed = [day for day, code in codes.items() if code]
    # The first day of the drop is complete on the night after the next day.
    assert failed and drop + 1 <= failed[0] <= drop + 8, codes
    assert failed == list(range(failed[0], BASELINE_DAYS + NIGHTS)), codes

    commands = answer["commands"]
    assert list(commands) == ["reproduce", "explain", "accept"], commands
    again = nights.shell(commands["reproduce"] + " --json", day, expect=(1,))
    assert json.loads(again.stdout)["checks"][0]["current"] == answer["checks"][0]["current"]
    assert b"onboarding_started" in nights.shell(commands["explain"], day).stdout
    # A day later more dumps are there, and the command still says the same.
    nights.arrive(day + 1)
    again = nights.shell(commands["reproduce"] + " --json", day, expect=(1,))
    assert json.loads(again.stdout)["checks"][0]["current"] == answer["checks"][0]["current"]
    summary = (tmp_path / "summary.md").read_text()
    assert summary.splitlines()[0] == "## Gate onboarding: ❌ failed", summary
    assert "<details>" in summary and commands["accept"] in summary, summary

    before = answer["baseline"]["began"]
    changed = nights.shell(commands["accept"], day).stdout.decode()
    assert f"{before['first']} to {before['last']}" in changed, changed
    old, new = (answer["checks"][0][side] for side in ("reference", "current"))
    for side in (old, new):
        assert f"({side['numerator']:,}/{side['denominator']:,})" in changed, changed
    codes = [nights.night(later)[0] for later in range(day + 1, day + 5)]
    assert codes == [0] * 4, codes


SLOW = """gate: slow
baseline: baseline.json
targets: ignore
rules:
  - {metric: completion_rate, not_worse_by: 1%, slow_decline: true}
"""


def test_a_slow_decline_fails_until_somebody_accepts(tmp_path):
    """A rate that falls by two tenths of a point a day, and from day 68 on is what it was at first."""
    last = 78
    lines = month(lambda day: 0.6 - 0.002 * max(0, day - BASELINE_DAYS) * (day < 68), last + 2, people=300)
    nights = Nights(tmp_path, lines)
    (tmp_path / "analytics/gate.yaml").write_text(SLOW)
    nights.accept(BASELINE_DAYS - 1)
    step = ("firstmile check dumps/ --flow analytics/flow.yaml --gate analytics/gate.yaml --as-of $DAY "
            "--period 'last complete day' --json-file check.json")
    found = {day: nights.night(day, step=step) for day in (34, 67, last)}
    assert [code for code, _ in found.values()] == [0, 1, 1], found
    check = found[last][1]["checks"][0]
    assert check["verdict"] == "fail" and check["began"] == {"first": date(27), "last": date(last - 1)}
    decline = check["decline"]
    assert date(35) <= decline["shown_on"] <= date(67) and decline["nights"] == last - 27, decline
    assert date(28) <= decline["first_day"] <= decline["shown_on"] and decline["evidence"] >= 20, decline
    # The day that showed it first doesn't move with later days.
    assert found[67][1]["checks"][0]["decline"]["shown_on"] == decline["shown_on"]
    assert "it fails until somebody accepts it" in check["reason"], check
    # The numbers are those of the days that decided: better ones have come since.
    moments = moments_in(lines)
    for side, days in (("current", "began"), ("reference", "reference_began")):
        # The window of one or two of the baseline's last day was open when it was accepted.
        counted = recount(moments, **decline[days], as_of=date(last))
        assert (check[side]["numerator"], check[side]["denominator"]) == pytest.approx(
            counted, abs=2 * (side == "reference")), (side, check)
    assert decline["began"]["first"] == decline["first_day"] and decline["began"]["last"] < date(last - 1), decline
    assert check["estimate"] == pytest.approx(check["current"]["value"] - check["reference"]["value"], abs=0.01), check
    assert f"people who began {date(68)} to {date(last - 1)} have 60.2 %" in check["reason"], check
    table = nights.shell(step, last, expect=(1,)).stdout.decode()
    assert "nothing was tested" not in table, table
    assert "1 watch for a slow decline has a false-alarm rate of 5 % over all nights" in " ".join(table.split()), table
    assert found[last][1]["tests"] == 0 and found[last][1]["slow_declines"] == 1, found[last][1]
    steady = found[34][1]["checks"][0]
    assert steady["verdict"] == "none_shown" and steady["decline"]["shown_on"] is None, steady
    assert steady["decline"]["began"] is None, steady
    assert steady["estimate"] == pytest.approx(
        steady["current"]["value"] - steady["reference"]["value"], abs=1e-5), steady
    nights.shell(found[last][1]["commands"]["accept"], last)
    # Accepted with the days of the decline: from then on that is the level.
    assert nights.night(last + 1, step=step)[0] == 0


def test_a_slow_decline_needs_every_day_since_what_was_accepted(tmp_path):
    lines = month(lambda day: 0.6, 50, people=60)
    nights = Nights(tmp_path, lines, is_folder_a_day=True)
    (tmp_path / "analytics/gate.yaml").write_text(SLOW)
    nights.accept(BASELINE_DAYS - 1)
    check = "firstmile check dumps/ --flow analytics/flow.yaml --gate analytics/gate.yaml --as-of $DAY "
    _, answer = nights.night(48, keep=10, step=check + "--json-file check.json")
    assert answer["checks"][0]["verdict"] == "inconclusive", answer
    assert "slow_decline takes every day since the baseline" in answer["checks"][0]["reason"], answer
    (tmp_path / "analytics/gate.yaml").write_text(SLOW.replace("baseline: baseline.json\n", ""))
    said = nights.shell(check, 48, expect=(2,)).stderr.decode()
    assert "no baseline file" in said, said
    said = nights.shell(check + "--from 2026-02-15 --history 14", 48, expect=(2,)).stderr.decode()
    assert "--accepted" in said, said


def test_a_folder_a_day_of_which_ten_are_kept_says_what_a_growing_folder_says(tmp_path):
    drop = BASELINE_DAYS + 14
    lines = month(lambda day: 0.6 if day < drop else 0.51, BASELINE_DAYS + NIGHTS)
    nights = Nights(tmp_path / "days", lines, is_folder_a_day=True)
    growing = Nights(tmp_path / "growing", lines)
    for world in (nights, growing):
        world.accept(BASELINE_DAYS - 1)
    codes = set()
    for day in (BASELINE_DAYS + 9, BASELINE_DAYS + 12, drop + 9, drop + 14):
        found = [world.night(day, keep)[1] for world, keep in ((nights, 10), (growing, None))]
        checks = [answer["checks"][0] for answer in found]
        assert checks[0]["current"] == checks[1]["current"], checks
        assert checks[0]["verdict"] == checks[1]["verdict"], checks
        codes.add(found[0]["exit_code"])
    assert codes == {0, 1}


def test_a_quiet_day_and_the_night_after_accepting_are_undecided(tmp_path):
    lines = month(lambda day: 0.6, 20, people=60)
    for number in (16, 17):
        lines[number] = []
    nights = Nights(tmp_path, lines)
    nights.accept(14)
    gate = tmp_path / "analytics/gate.yaml"
    gate.write_text(gate.read_text() + "  - {metric: completion_rate, at_least: 10%}\n")
    for day, period in ((14, "last 7 complete days"), (17, "last complete day")):
        done = nights.shell(f"firstmile check dumps/ --flow analytics/flow.yaml --gate "
                            f"analytics/gate.yaml --period '{period}' --as-of {date(day)}", day)
        assert b"undecided" in done.stdout.splitlines()[0], done.stdout
        words = " ".join(done.stdout.decode().split())
        assert ("nobody began on 2026-01-17" if day == 17 else
                "no day after the baseline's last day, 2026-01-14, is complete yet") in words, words
        nights.arrive(17)
    asking = "on_inconclusive: fail\n" + gate.read_text()
    gate.write_text(asking)
    nights.shell(f"firstmile check dumps/ --flow analytics/flow.yaml --gate analytics/gate.yaml "
                 f"--period 'last complete day' --as-of {date(17)}", 17, expect=(3,))


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Tokyo"])
def test_days_of_a_period_are_days_of_the_zone(tmp_path, zone):
    lines = month(lambda day: 0.6, 20, people=80, zone=zone)
    nights = Nights(tmp_path, lines, zone=zone)
    nights.accept(9)
    moments = moments_in(lines)
    for period, first in (("last complete day", 17), ("last 3 complete days", 15),
                          ("since baseline", 9), (f"{date(12)} to {date(13)}", 12)):
        last = 13 if " to " in period else 17
        _, answer = nights.night(18, step="firstmile check dumps/ --flow analytics/flow.yaml --gate "
                                 f"analytics/gate.yaml --period '{period}' --as-of {date(18)} "
                                 "--json-file check.json")
        assert answer["began"] == {"first": date(first), "last": date(last)}, (period, answer)
        current = answer["checks"][0]["current"]
        assert (current["numerator"], current["denominator"]) == recount(
            moments, date(first), date(last), date(18), zone), (period, current)


def test_each_metric_is_judged_over_its_own_complete_days(tmp_path):
    lines = month(lambda day: 0.6, 30, people=60)
    nights = Nights(tmp_path, lines)
    flow, gate = tmp_path / "analytics/flow.yaml", tmp_path / "analytics/gate.yaml"
    flow.write_text(flow.read_text() + "retention: [{days: [7]}]\n"
                    "goals: [{id: done, event: onboarding_completed, within: 3d}]\n")
    gate.write_text("targets: ignore\nperiod: last 2 complete days\nrules:\n"
                    "  - {metric: completion_rate, at_least: 1%}\n"
                    "  - {metric: retention_d7, at_most: 99%}\n"
                    "  - {metric: goal_rate, goal: done, at_least: 1%}\n")
    _, answer = nights.night(25)
    assert [check["began"]["last"] for check in answer["checks"]] == [date(24), date(17), date(22)]
    assert all(check["current"]["denominator"] == 120 for check in answer["checks"]), answer


def test_the_baselines_people_are_never_judged(tmp_path):
    lines = month(lambda day: 0.6, 30, people=60)
    nights = Nights(tmp_path, lines)
    nights.accept(19)
    nights.arrive(29)
    check = ["check", "dumps/", "--flow", "analytics/flow.yaml", "--gate", "analytics/gate.yaml"]
    for dates in (["--period", f"{date(15)} to {date(25)}"], ["--from", date(15)], ["--to", date(25)],
                  ["--from", date(18), "--to", date(19)]):
        refused = firstmile(*check, *dates, cwd=tmp_path, expect=2).stderr.decode()
        assert "are on both sides" in refused and f"people who began {date(0)} to {date(18)}" in refused
        assert "baseline.json" in refused and "dumps/" in refused and "since baseline" in refused
    firstmile(*check, "--period", f"{date(19)} to {date(29)}", cwd=tmp_path)
    firstmile(*check, "--period", "everyone", cwd=tmp_path)
    wrong = firstmile(*check, "--period", "yesterday", cwd=tmp_path, expect=(2, 64)).stderr.decode()
    assert "'last complete day'" in wrong, wrong
    wrong = firstmile(*check, "--period", "last complete day", "--from", date(19), cwd=tmp_path,
                      expect=(2, 64)).stderr.decode()
    assert "leave one out" in wrong, wrong
    # A replay goes back to nights on which only the baseline's people could have been judged.
    done = firstmile(*check, "--plan", "--replay", 14, "--json", "--as-of", date(29), cwd=tmp_path)
    replay = json.loads(done.stdout)["replay"]
    # On the night of the 21st the 20th is complete, the first day after the baseline's.
    assert [day["horizon"][:10] for day in replay] == [date(day) for day in range(20, 30)], replay
    said = firstmile(*check, "--plan", "--replay", 14, "--as-of", date(29), cwd=tmp_path).stdout
    assert b"4 earlier days left out" in said, said


def test_a_baseline_without_its_days_is_refused_with_the_way_to_renew_it(tmp_path):
    lines = month(lambda day: 0.6, 20, people=40)
    nights = Nights(tmp_path, lines)
    nights.accept(14)
    nights.arrive(19)
    baseline = tmp_path / "analytics/baseline.json"
    text = baseline.read_text()
    # A line a rate holds its days.
    assert text.count("240") < 5 and len(text.splitlines()) < 60, text
    daily = json.loads(text)["metrics"]["by_day"][0]
    assert daily["from"] == date(0) and len(daily["days"].split(" ")) == 14, daily
    baseline.write_text(re.sub(r'\n  "began": .*', "", text))
    check = ["check", "dumps/", "--flow", "analytics/flow.yaml", "--gate", "analytics/gate.yaml"]
    refused = firstmile(*check, cwd=tmp_path, expect=2).stderr.decode()
    assert "does not say when its people began" in refused and "--accept" in refused, refused
    # Of what it says the command is copied, with dates of one's own.
    words = shlex.split(re.search(r"(--period .* --accept)", refused).group(1))
    assert words[0] == "--period", words
    firstmile(*check, "--period", f"{date(0)} to {date(12)}", "--accept", cwd=tmp_path)
    assert json.loads(baseline.read_text())["began"] == {"first": date(0), "last": date(12)}
    firstmile(*check, cwd=tmp_path)
