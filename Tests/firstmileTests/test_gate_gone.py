"""`firstmile check` where a number is gone: events that are renamed or no longer sent, and people not yet old enough."""

import datetime
import functools
import json
import pickle
import random

import pytest

from harness import firstmile

FIRST = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
FLOW = "flow: app\nsteps: [welcome, plan, ready]\nwindow: 24h\nretention:\n  - {days: [7]}\n"
GATE = "baseline: baseline.json\ntargets: ignore\nperiod: last 7 complete days\nrules:\n  - {}\n"


def date(number):
    return (FIRST + datetime.timedelta(days=number)).date().isoformat()


def events(days, people):
    """What `drawn` has, of which a test may change its own copy."""
    return pickle.loads(drawn(days, people))


@functools.cache
def drawn(days, people, seed=3):
    """By day, pickled: people who see three pages, of whom most finish and some come back a week later."""
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
    return pickle.dumps(found)


class Gate:
    def __init__(self, folder, rule, more=""):
        self.folder = folder
        (folder / "flow.yaml").write_text(FLOW + more)
        text = GATE.format(rule)
        # A bound needs no baseline, nor does what is held against the control.
        (folder / "gate.yaml").write_text(text if "not_worse_by" in rule and "control" not in rule else text.partition("\n")[2])

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
    return {day: json.loads(json.dumps(of_day).replace(f'"{old}"', f'"{new}"'))
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


def in_variants(found, until):
    """Everybody's variant of an experiment, up to a day."""
    for day, of_day in found.items():
        for event in of_day:
            event.pop("experiments", None)
            if day < until:
                event["experiments"] = {"copy": "AB"[int(event["user_id"].split("-")[1]) % 2]}
    return found


@pytest.mark.parametrize("rule", [
    "{metric: completion_rate, for_each: variant, not_worse_by: 5%}",
    "{metric: completion_rate, experiment: copy, variant: B, not_worse_by: 5%}",
    "{metric: completion_rate, for_each: variant, not_worse_by: 5%, against: control}"])
def test_variants_that_are_no_longer_sent_are_no_green_gate(tmp_path, rule):
    more = "experiments:\n  copy: {control: A, split: {A: 50%, B: 50%}}\n"
    gate = Gate(tmp_path, rule, more)
    found = in_variants(events(28, 40), 99)
    if "control" not in rule:
        gate.accept(found, 14)
    gate.write(found)
    assert gate.check(27)[0] == 0
    gate.write(in_variants(found, 14))
    code, said = gate.check(27)
    assert code == 4 and "is in a variant of 'copy'" in said, said
    # An experiment that is over by the flow file has nobody any more.
    (tmp_path / "flow.yaml").write_text(FLOW + more.replace("{control", "{end: 2026-01-15, control"))
    assert gate.check(27)[0] == 0


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


@pytest.mark.parametrize("missing", [5, 8, 11])
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


def called_otherwise(found, old, new, since):
    """The same events, of which one is called otherwise from a day on; those before are kept."""
    return {day: of_day for day, of_day in found.items() if day < since} | renamed(found, old, new, since)


def with_errors(found, share_of_day, seed=4):
    """Some people meet an error half a minute after they start."""
    draw = random.Random(seed)
    for day, of_day in found.items():
        for start in [event for event in of_day if event["event"] == "onboarding_started"]:
            if draw.random() < share_of_day(day):
                moment = datetime.datetime.fromisoformat(start["timestamp"]) + datetime.timedelta(seconds=30)
                of_day.append(start | {"event": "error", "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ")})
    return found


FRICTION = "friction: [{id: errors, event: error}]\n"


@pytest.mark.parametrize(("rule", "old", "new", "words"), [
    ("{metric: completion_rate, not_worse_by: 5%}", "onboarding_completed", "onboarding_finished",
     "The data have the event 'onboarding_finished', which the flow does not declare"),
    ("{metric: completion_rate, at_least: 30%}", "onboarding_completed", "onboarding_finished",
     "expected of at least 30.0 %: is an event no longer sent, or called otherwise? The data have the event"),
    ("{metric: abandon_rate, not_worse_by: 5%}", "onboarding_completed", "onboarding_finished",
     "None of the 280 people judged finished. In the baseline"),
    ("{metric: step_drop_off, step: ready, not_worse_by: 5%}", "onboarding_completed", "onboarding_finished",
     "people judged finished"),
    ("{metric: time_to_complete_p50, not_worse_by: 10% relative}", "onboarding_completed", "onboarding_finished",
     "judged has such a time. In the baseline"),
    ("{metric: abandon_rate, at_most: 60%}", "onboarding_completed", "onboarding_finished",
     "None of the 280 people judged finished. Of the people who began 2026-01-01 to 2026-01-20"),
    ("{metric: step_reach, for_each: step, not_worse_by: 5%}", "plan", "paywall",
     "The data have the page 'paywall', which the flow does not declare"),
    ("{metric: friction_rate, friction: errors, not_worse_by: 5%}", "error", "form_error", "the event 'form_error'"),
    ("{metric: friction_rate, friction: errors, at_most: 30%}", "error", "form_error",
     "Of the people who began 2026-01-01 to 2026-01-20"),
    ("{metric: retention_d7, not_worse_by: 5%}", "song_played", None, "In the baseline"),
])
def test_what_none_of_the_judged_people_has_is_no_green_gate_either(tmp_path, rule, old, new, words):
    """The days before are still in the data, so the event is there, and the number is no unknown one but 0."""
    gate = Gate(tmp_path, rule, FRICTION)
    (tmp_path / "gate.yaml").write_text(GATE.format(rule).partition("\n")[2])
    found = with_errors(events(36, 40), lambda day: 0.15)
    day, since = (34, 20) if "retention" in rule else (27, 20)
    history = ("--history", "14") if "not_worse_by" in rule else ()
    gate.write(found)
    assert gate.check(day, *history)[0] == 0
    if new is None:
        lost = {day: [event for event in of_day if day < since or event["event"] != old] for day, of_day in found.items()}
    else:
        lost = called_otherwise(found, old, new, since)
    gate.write(lost)
    code, said = gate.check(day, *history)
    assert code == 4 and words in said and "called otherwise?" in said, said


def test_the_level_of_days_whose_events_are_lost_is_none_to_accept(tmp_path):
    """What follows from them fails, and leads to what is gone."""
    gate = Gate(tmp_path, "{metric: completion_rate, not_worse_by: 5%}")
    (tmp_path / "gate.yaml").write_text(
        GATE.format("{metric: step_reach, for_each: step, not_worse_by: 5%}").partition("\n")[2]
        + "  - {metric: step_conversion, step: welcome, not_worse_by: 5%}\n")
    found = events(36, 100)
    lost = called_otherwise(found, "plan", "paywall", 20)
    # Who sees no page after the first one did not go on.
    gate.write({day: [event for event in of_day if day < 20 or event["event"] != "onboarding_page_viewed"
                      or event["properties"]["page_name"] != "ready"] for day, of_day in lost.items()})
    code, said = gate.check(27, "--history", "14")
    assert "The data have the page 'paywall'" in said and "what failed may follow from the number" in said, said
    assert code == 1 and "What next" in said and "--accept" not in said.partition("What next")[2], said


def test_errors_of_an_outage_are_not_missed_when_it_is_over(tmp_path):
    gate = Gate(tmp_path, "{metric: friction_rate, friction: errors, not_worse_by: 5%}", FRICTION)
    found = with_errors(events(28, 40), lambda day: 0.6 if day in (5, 6) else 0)
    gate.accept(found, 14)
    gate.write(found)
    code, said = gate.check(27)
    assert code == 0 and "0 % (0/280)" in said, said


def test_what_only_a_part_of_the_people_can_no_longer_do_fails(tmp_path):
    gate = Gate(tmp_path, "{metric: completion_rate, breakdown: os=iOS, not_worse_by: 5%}", "dimensions: [os]\n")
    found = on_systems(events(28, 40), ["iOS", "Android"])
    gate.accept(found, 14)
    gate.write({day: [event for event in of_day if day < 14 or event["context"].get("os") != "iOS"
                      or event["event"] != "onboarding_completed"] for day, of_day in found.items()})
    code, said = gate.check(27)
    assert code == 1 and "0 % (0/140)" in said, said


def of_flow(found, name, since=0):
    """All events name a flow."""
    for day, of_day in found.items():
        if day >= since:
            for event in of_day:
                event["flow"] = name
    return found


@pytest.mark.parametrize("rule", ["{metric: completion_rate, not_worse_by: 5%}", "{metric: completion_rate, at_least: 10%}"])
@pytest.mark.parametrize("period", ["last 7 complete days", "last complete day"])
def test_a_release_with_another_flow_id_is_no_quiet_week(tmp_path, rule, period):
    gate = Gate(tmp_path, rule)
    found = of_flow(events(28, 40), "app")
    if "not_worse_by" in rule:
        gate.accept(found, 13)
    gate.write(of_flow(found, "app_v2", since=14))
    codes = {}
    for day in (16, 19, 20, 21, 22, 27):
        codes[day], said = gate.check(day, "--period", period)
    # Up to the day before, six days and seven.
    assert codes[27] == codes[22] == 4 and codes[16] == codes[19] == 0, codes
    assert "nobody began from 2026-01-15 to 2026-01-27, and before that about 40 people a day" in said, said
    assert "The data have events of flow 'app_v2' (" in said and "which is not 'app'" in said, said


def test_a_quiet_week_of_an_app_with_few_people_is_undecided(tmp_path):
    gate = Gate(tmp_path, "{metric: completion_rate, not_worse_by: 5%}")
    few = {day: [event for event in of_day if event["user_id"].endswith("-1") and day < 14 and day % 3 == 0]
           for day, of_day in events(14, 40).items()}
    gate.accept(few, 14)
    gate.write(few | {22: events(23, 1)[22]})
    code, said = gate.check(22)
    assert code == 0 and "undecided" in said, said


def test_days_that_are_held_against_are_the_rules_own(tmp_path):
    """And the same in every run: no hash-table order chooses them."""
    gate = Gate(tmp_path, "{metric: completion_rate, not_worse_by: 5%}")
    text = "targets: ignore\nperiod: last 2 complete days\nrules:\n"
    rules = ["{metric: completion_rate, not_worse_by: 50%}", "{metric: retention_d7, not_worse_by: 50%}",
             "{metric: step_reach, step: plan, not_worse_by: 50%}", "{metric: skip_rate, at_most: 90%}"]
    (tmp_path / "gate.yaml").write_text(text + "".join(f"  - {rule}\n" for rule in rules))
    gate.write(events(36, 40))
    outputs = {firstmile("check", "dump.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", "--history", "10",
                         "--as-of", date(35), "--json", cwd=tmp_path, expect=(0,)).stdout for _ in range(8)}
    assert len(outputs) == 1, outputs
    answer = json.loads(outputs.pop())
    of_window, of_week = [{"first": date(first), "last": date(last)} for first, last in ((23, 32), (16, 25))]
    assert answer["baseline"]["began"] == of_window, answer["baseline"]
    assert [check.get("reference_began") for check in answer["checks"]] == [of_window, of_week, of_window, None], answer
    said = " ".join(firstmile("check", "dump.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", "--history", "10",
                              "--as-of", date(35), cwd=tmp_path, expect=(0,)).stdout.decode().split())
    assert f"people who began {date(26)} to {date(27)}, held against people who began {date(16)} to {date(25)}" in said, said
