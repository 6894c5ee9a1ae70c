"""`firstmile check` where a number is gone: events that are renamed or no longer sent, and people not yet old enough."""

import datetime
import json
import random

import pytest

from harness import firstmile

FIRST = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
FLOW = "flow: app\nsteps: [welcome, plan, ready]\nwindow: 24h\nretention:\n  - {days: [7]}\n"
GATE = "baseline: baseline.json\ntargets: ignore\nperiod: last 7 complete days\nrules:\n  - {}\n"


def date(number):
    return (FIRST + datetime.timedelta(days=number)).date().isoformat()


def events(days, people, seed=3):
    """By day: people who see three pages, of whom most finish and some come back a week later."""
    draw = random.Random(seed)
    found = {day: [] for day in range(days + 9)}

    def send(moment, who, name, **properties):
        found[moment.toordinal() - FIRST.toordinal()].append({
            "event": name, "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "user_id": who,
            **({"properties": properties} if properties else {})})

    for day in range(days):
        for number in range(people):
            who = f"{day}-{number}"
            moment = FIRST + datetime.timedelta(days=day, seconds=draw.randrange(80_000))
            send(moment, who, "onboarding_started")
            for place, page in enumerate(("welcome", "plan", "ready")):
                if draw.random() < 0.9:
                    send(moment + datetime.timedelta(seconds=9 + place), who, "onboarding_page_viewed", page_name=page)
            if draw.random() < 0.6:
                send(moment + datetime.timedelta(minutes=5), who, "onboarding_completed")
            if draw.random() < 0.4:
                send(moment + datetime.timedelta(days=7, hours=1), who, "song_played")
    return found


class Gate:
    def __init__(self, folder, rule, more=""):
        self.folder = folder
        (folder / "flow.yaml").write_text(FLOW + more)
        text = GATE.format(rule)
        # A bound needs no baseline.
        (folder / "gate.yaml").write_text(text if "not_worse_by" in rule else text.partition("\n")[2])

    def write(self, found):
        (self.folder / "dump.ndjson").write_text("".join(
            json.dumps(event) + "\n" for day in sorted(found) for event in found[day]))

    def check(self, day, *options, expect=(0, 1, 3, 4)):
        done = firstmile("check", "dump.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", "--as-of", date(day),
                         *options, cwd=self.folder, expect=expect)
        return done.returncode, " ".join(done.stdout.decode().split())

    def accept(self, found, day):
        self.write(found)
        self.check(day, "--accept", expect=0)


def renamed(found, old, new, since):
    """The same events, of which one is called otherwise from a day on; those before are no longer kept."""
    return {day: [json.loads(json.dumps(event).replace(f'"{old}"', f'"{new}"')) for event in of_day]
            for day, of_day in found.items() if day >= since}


@pytest.mark.parametrize(("rule", "old", "words"), [
    ("{metric: completion_rate, not_worse_by: 5%}", "onboarding_completed", "In the baseline "),
    ("{metric: completion_rate, at_least: 30%}", "onboarding_completed", "It is expected of at least 30.0 %"),
    ("{metric: time_to_complete_p50, not_worse_by: 10% relative}", "onboarding_completed", "In the baseline "),
    ("{metric: step_conversion, step: plan, not_worse_by: 5%}", "plan", "Nobody counts for it. In the baseline "),
    ("{metric: step_conversion, for_each: step, not_worse_by: 5%}", "plan", "Nobody counts for it. In the baseline "),
])
def test_what_nobody_has_any_more_is_no_green_gate(tmp_path, rule, old, words):
    gate = Gate(tmp_path, rule)
    found = events(28, 40)
    if "not_worse_by" in rule:
        gate.accept(found, 14)
    gate.write(renamed(found, "nothing", "nothing", 14))
    assert gate.check(27)[0] == 0
    gate.write(renamed(found, old, "another_name", 14))
    code, said = gate.check(27)
    assert code == 4 and words in said, said
    assert "no longer sent, or called otherwise?" in said, said


def on_systems(found, names, since=0):
    """Everybody's events with the system that they have; `None` for none."""
    for of_day in (found[day] for day in found if day >= since):
        for event in of_day:
            context = event.setdefault("context", {})
            context.pop("os", None)
            if name := names[int(event["user_id"].split("-")[1]) % len(names)]:
                context["os"] = name
    return found


@pytest.mark.parametrize("rule", [
    "{metric: completion_rate, for_each: os, not_worse_by: 5%}",
    "{metric: completion_rate, for_each: os, min_persons: 20, not_worse_by: 5%}",
    "{metric: completion_rate, breakdown: os=iOS, not_worse_by: 5%}",
])
def test_a_property_that_is_no_longer_sent_is_no_green_gate(tmp_path, rule):
    """Everybody would be in a group of the people without a value, of which the baseline knows nobody."""
    gate = Gate(tmp_path, rule, "dimensions: [os]\n")
    found = on_systems(events(28, 40), ["iOS", "Android"])
    gate.accept(found, 14)
    gate.write(found)
    assert gate.check(27)[0] == 0
    # The days before are still in the dump: that the rule names what is there is no mistake of its file.
    gate.write(on_systems(found, [None], since=14))
    code, said = gate.check(27)
    assert code == 4 and "has any 'os'" in said and "no longer sent, or called otherwise?" in said, said


def test_a_value_that_a_rule_names_and_nobody_has_any_more_is_no_green_gate(tmp_path):
    gate = Gate(tmp_path, "{metric: completion_rate, breakdown: os=iOS, not_worse_by: 5%}", "dimensions: [os]\n")
    found = on_systems(events(28, 40), ["iOS", "Android"])
    gate.accept(found, 14)
    gate.write(on_systems(found, ["ios", "Android"], since=14))
    code, said = gate.check(27)
    assert code == 4 and "has 'os=iOS'" in said, said


def test_what_people_say_only_later_is_not_missed_before(tmp_path):
    gate = Gate(tmp_path, "{metric: completion_rate, for_each: os, not_worse_by: 5%}",
                "dimensions: [{id: os, known: later, within: 5d}]\n")
    found = on_systems(events(28, 40), ["iOS", "Android"])
    gate.accept(found, 14)
    gate.write(on_systems(found, [None], since=14))
    assert gate.check(27)[0] == 0


def test_releases_that_people_have_left_are_no_fault(tmp_path):
    gate = Gate(tmp_path, "{metric: completion_rate, for_each: os, not_worse_by: 5%}", "dimensions: [os]\n")
    found = on_systems(events(28, 40), ["iOS 1", "Android"])
    gate.accept(found, 14)
    gate.write(on_systems(found, ["iOS 2", "Android"], since=14))
    assert gate.check(27)[0] == 0


@pytest.mark.parametrize(("rule", "old"), [
    ("{metric: time_to_complete_p90, at_most: 10m}", "onboarding_completed"),
    ("{metric: step_conversion, step: plan, at_least: 40%}", "plan"),
    ("{metric: step_drop_off, for_each: step, at_most: 60%}", "plan"),
    ("{metric: step_drop_off, for_each: step, at_most: 60%, min_persons: 100}", "plan")])
def test_a_bound_on_what_nobody_has_is_no_green_gate(tmp_path, rule, old):
    gate = Gate(tmp_path, rule)
    found = renamed(events(28, 120), "nothing", "nothing", 14)
    gate.write(found)
    assert gate.check(27)[0] == 0
    gate.write(renamed(found, old, "another_name", 0))
    code, said = gate.check(27)
    assert code == 4 and "It is expected of at least 1.0 %" in said, said


def test_an_app_without_skips_is_no_broken_one(tmp_path):
    gate = Gate(tmp_path, "{metric: skip_rate, at_most: 20%}")
    gate.write(events(28, 120))
    assert gate.check(27)[0] == 0


def test_a_share_of_skips_of_which_there_are_none_is_no_broken_step(tmp_path):
    gate = Gate(tmp_path, "{metric: skip_share, step: plan, at_most: 20%}")
    gate.write(events(28, 120))
    assert gate.check(27)[0] == 0


def test_what_nobody_of_a_few_has_is_undecided(tmp_path):
    gate = Gate(tmp_path, "{metric: completion_rate, not_worse_by: 5%}")
    found = events(28, 40)
    gate.accept(found, 14)
    few = renamed(found, "onboarding_completed", "another_name", 14)
    some = {f"{day}-1" for day in range(20, 25)}
    gate.write({day: [event for event in of_day if event["user_id"] in some] for day, of_day in few.items()})
    code, said = gate.check(27)
    assert code == 0 and "undecided" in said, said


def test_the_nights_after_accepting_are_undecided_until_people_are_old_enough(tmp_path):
    gate = Gate(tmp_path, "{metric: retention_d7, not_worse_by: 3%}")
    found = events(45, 40)
    gate.accept({day: of_day for day, of_day in found.items() if day <= 30}, 30)
    gate.write(found)
    for day in (31, 33, 36, 38):
        code, said = gate.check(day)
        assert code == 0 and "undecided" in said and "before the first start" not in said, (day, said)
    # Then some are, and are judged.
    assert "/280)" in gate.check(44)[1]


@pytest.mark.parametrize("missing", [5, 8])
def test_a_missing_day_of_a_short_folder_is_named(tmp_path, missing):
    gate = Gate(tmp_path, "{metric: completion_rate, at_least: 10%}")
    gate.write(events(12, 40) | {missing: []})
    assert f"On {date(missing)} (UTC) hardly anybody has events" in gate.check(12)[1], gate.check(12)


def test_a_missing_day_is_named_beside_what_it_does(tmp_path):
    gate = Gate(tmp_path, "{metric: retention_d7, not_worse_by: 3%}")
    found = events(45, 40)
    gate.accept({day: of_day for day, of_day in found.items() if day <= 30}, 30)
    gate.write(found)
    assert "missing" not in gate.check(44)[1]
    gate.write(found | {40: []})
    words = "On 2026-02-10 (UTC) hardly anybody has events: on 2026-02-10 0 people have"
    assert words in gate.check(44)[1], gate.check(44)
    firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--as-of", date(44), "--out", "out", "--quiet", cwd=tmp_path)
    report = (tmp_path / "out/report.md").read_text()
    assert "Days in the middle of the data are missing." in report and "data quality **B**" in report, report
    assert "missing_days,2026-02-10,0,,,people; " in (tmp_path / "out/quality.csv").read_text()
