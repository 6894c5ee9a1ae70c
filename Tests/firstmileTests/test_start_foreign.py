"""`firstmile start` on dumps that are shaped as other tools' exports are, each with a plain recount."""

import json
import random
import re

import pytest

from harness import firstmile
from test_start import DAY, START, rows


class Dump:
    """Events of many people, written as one tool exports them."""

    def __init__(self, form="mixpanel", seed=3):
        self.form = form
        self.draw = random.Random(seed)
        self.events = []

    def send(self, person, at, name, **properties):
        self.events.append((at, person, name, properties))

    def line(self, at, person, name, properties):
        if self.form == "mixpanel":
            return {"event": name, "properties": {
                "time": at, "distinct_id": person, "$insert_id": f"{person}-{at}-{name}", **properties}}
        if self.form == "segment":
            return {"type": "track", "event": name, "messageId": f"{person}-{at}-{name}",
                    "anonymousId": person, "timestamp": iso(at), "context": {}, "properties": properties}
        if self.form == "posthog":
            return {"uuid": f"{person}-{at}-{name}", "event": name, "distinct_id": person,
                    "timestamp": iso(at), "properties": properties}
        if self.form == "amplitude":
            return {"event_type": name, "device_id": person, "$insert_id": f"{person}-{at}-{name}",
                    "event_time": iso(at).replace("T", " ").rstrip("Z"),
                    "event_properties": properties}
        return {"event_name": name, "event_timestamp": str(at * 1_000_000), "user_pseudo_id": person,
                "event_params": [{"key": key, "value": {"string_value": str(value)}}
                                 for key, value in properties.items()]}

    def later(self, at):
        """Some people who only look around later: everybody's window is over."""
        for number in range(5):
            self.send(f"visitor{number}", at, "Song Played")
            self.send(f"visitor{number}", at + 90, "Song Played")
        return self

    def write(self, folder):
        self.events.sort(key=lambda event: event[:3])
        (folder / "dump.ndjson").write_text(
            "".join(json.dumps(self.line(*event)) + "\n" for event in self.events))
        return self


def iso(at):
    second = at % DAY
    day = at // DAY
    # Days since 1970 to a date, without a library's time zone.
    era, rest = divmod(day + 719_468, 146_097)
    year = (rest - rest // 1_460 + rest // 36_524 - rest // 146_096) // 365
    of_year = rest - (365 * year + year // 4 - year // 100)
    month = (5 * of_year + 2) // 153
    return (f"{year + era * 400 + (month >= 10):04}-{month + 3 - 12 * (month >= 10):02}-"
            f"{of_year - (153 * month + 2) // 5 + 1:02}T"
            f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}Z")


def start(folder, *options, expect=0):
    said = firstmile("start", "dump.ndjson", "--yes", *options, cwd=folder, expect=expect)
    return (said.stdout + said.stderr).decode()


def flow(folder):
    return (folder / "my_app.yaml").read_text()


def found(folder):
    return rows(folder / "reports/my_app")


def findings(folder):
    text = (folder / "reports/my_app/report.md").read_text()
    return text.partition("### Findings")[2].partition("\n##")[0]


def quality(folder, check):
    lines = (folder / "reports/my_app/quality.csv").read_text().splitlines()
    return [line for line in lines if line.startswith(f"{check},")]


def branching(form="mixpanel"):
    """People sign up by phone, by mail or as guests; a fifth leave at that step."""
    dump = Dump(form)
    had = {}

    def send(person, at, name):
        dump.send(person, at, name)
        had[name] = had.get(name, 0) + 1

    for number in range(400):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        send(person, at, "Signup Started")
        at += dump.draw.randrange(4, 30)
        send(person, at, dump.draw.choice(["Phone Entered", "Mail Entered", "Guest Chosen"]))
        if dump.draw.random() < 0.2:
            continue
        at += dump.draw.randrange(4, 30)
        send(person, at, "Profile Saved")
        at += dump.draw.randrange(4, 30)
        send(person, at, "Signup Finished")
    return dump, had


@pytest.mark.parametrize("form", ["mixpanel", "segment", "ga4"])
def test_steps_that_exclude_each_other_are_optional(folder, form):
    dump, had = branching(form)
    dump.later(START + 23 * DAY).write(folder)
    start(folder)
    for name in ("Phone Entered", "Mail Entered", "Guest Chosen"):
        assert re.search(rf'id: "{name}", optional: true', flow(folder)), flow(folder)
    assert '"Profile Saved"  #' in flow(folder)
    table = found(folder)
    assert table["completion_rate", "all"] == (str(had["Signup Finished"]), "400")
    # A list of mandatory steps would say that a third passed each branch by.
    for name in ("Phone Entered", "Mail Entered", "Guest Chosen", "Profile Saved"):
        assert table["step_reach", name] == (str(had[name]), "400")


def several_ends(ends, form="mixpanel"):
    """People of whom a tenth leave before the end, and the others have one of these ends."""
    dump = Dump(form)
    had = dict.fromkeys(ends, 0)
    for number in range(400):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        for name in ("Signup Opened", "Profile Saved", "Plan Chosen"):
            dump.send(person, at, name)
            at += dump.draw.randrange(4, 30)
        if dump.draw.random() < 0.1:
            continue
        (end,) = dump.draw.choices(list(ends), list(ends.values()))
        dump.send(person, at, end)
        had[end] += 1
    return dump.later(START + 23 * DAY), had


@pytest.mark.parametrize("form", ["mixpanel", "amplitude"])
def test_an_end_that_comes_by_several_ways_is_one_end(folder, form):
    dump, had = several_ends({"Mail Signup Completed": 70, "Google Signup Completed": 24,
                              "Apple Signup Completed": 6}, form)
    dump.write(folder)
    start(folder)
    assert found(folder)["completion_rate", "all"] == (str(sum(had.values())), "400")
    for name in had:
        assert f'"{name}": onboarding_completed' in flow(folder)
        assert f"'{name}'" in findings(folder), findings(folder)
    # The file says how many finish in which way.
    assert f"#   Apple Signup Completed as onboarding_completed: {had['Apple Signup Completed']}" in (
        flow(folder))


@pytest.mark.parametrize("other", ["Signup Failed", "Waitlist Joined", "Waitlist Signup Completed", "Exit Survey Completed",
                                   "Account Deletion Completed", "Login Completed"])
def test_what_is_no_success_by_its_name_is_no_other_end(folder, other):
    dump, had = several_ends({"Signup Completed": 70, other: 30})
    dump.write(folder)
    start(folder)
    assert found(folder)["completion_rate", "all"] == (str(had["Signup Completed"]), "400")
    assert f'"{other}": onboarding_completed' not in flow(folder)


def test_what_people_have_with_the_end_is_no_other_end(folder):
    dump, had = several_ends({"Signup Completed": 1})
    for _, person, name, _ in list(dump.events):
        if name == "Signup Completed" and dump.draw.random() < 0.5:
            at = max(event[0] for event in dump.events if event[1] == person)
            dump.send(person, at + 9, "Tour Completed")
    dump.write(folder)
    start(folder)
    assert found(folder)["completion_rate", "all"] != (str(2 * had["Signup Completed"]), "400")
    ends = re.findall(r'"(.*)": onboarding_completed', flow(folder))
    assert len(ends) == 1, ends


def test_a_list_that_everybody_walks_has_no_branches(folder):
    dump = Dump()
    for number in range(300):
        at = START + dump.draw.randrange(20 * DAY)
        for name in ("Start", "One", "Two", "Three", "Four", "Finish"):
            dump.send(f"p{number}", at, name)
            at += dump.draw.randrange(4, 30)
            if dump.draw.random() < 0.3:
                break
    dump.write(folder)
    start(folder)
    assert "optional" not in flow(folder)


def screens_without_names(screen, first, last):
    """Between start and end there are screens, of which events say no more than the system."""
    dump = Dump("segment")
    finished = 0
    for number in range(300):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        system = dump.draw.choice(["Android", "iOS"])
        dump.send(person, at, first)
        for _ in range(dump.draw.randrange(1, 5)):
            at += dump.draw.randrange(4, 20)
            dump.send(person, at, screen, system_name=system)
        if dump.draw.random() < 0.55:
            finished += 1
            dump.send(person, at + 9, last)
    return dump.later(START + 23 * DAY), str(finished)


def test_an_end_behind_screens_without_names_is_found(folder):
    dump, finished = screens_without_names("Screen Viewed", "Onboarding Started", "Onboarding Finished")
    dump.write(folder)
    start(folder)
    assert found(folder)["completion_rate", "all"] == (finished, "300")


def test_what_stays_the_same_from_screen_to_screen_is_no_page(folder):
    dump, finished = screens_without_names(
        "onboarding_page_viewed", "onboarding_started", "onboarding_completed")
    dump.write(folder)
    start(folder)
    assert "Android" not in flow(folder) and "iOS" not in flow(folder)
    assert found(folder)["completion_rate", "all"] == (finished, "300")


@pytest.mark.parametrize("known", ["permission_result", "onboarding_page_viewed", "onboarding_skipped"])
def test_one_name_of_ours_among_others_leaves_the_rest_to_be_found(folder, known):
    """An app sends one event by our name, and all else by its own."""
    dump = Dump("segment")
    finished = 0
    for number in range(300):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        ends = dump.draw.random() < 0.6
        finished += ends
        for name in ("Sign Up Started", "Mail Entered", "Photo Taken", known, "Sign Up Finished"):
            if name == "Sign Up Finished" and not ends or name == "onboarding_skipped" and ends:
                continue
            properties = {"permission": "camera", "status": "granted"} if name == "permission_result" else {}
            dump.send(person, at, name, **properties)
            at += dump.draw.randrange(4, 30)
            if dump.draw.random() < 0.05 and not ends:
                break
    dump.later(START + 23 * DAY).write(folder)
    start(folder)
    assert found(folder)["completion_rate", "all"] == (str(finished), "300"), flow(folder)


def approved_later(last):
    """Sign up in minutes; the bank says yes, or delivers, two to five days later."""
    dump = Dump("segment")
    counts = {"all": 0, "late": 0}
    for number in range(300):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        counts["all"] += 1
        for name in ("Application Begun", "Identity Checked", "Papers Sent"):
            dump.send(person, at, name)
            at += dump.draw.randrange(5, 60)
        if dump.draw.random() < 0.6:
            counts["late"] += 1
            dump.send(person, at + dump.draw.randrange(2 * DAY, 5 * DAY), last)
    # The last ones' windows close.
    dump.send("p-later", START + 40 * DAY, "Application Begun")
    return dump, counts


def test_an_end_of_later_days_is_offered_with_its_window(folder):
    approved_later("Account Opened")[0].write(folder)
    said = start(folder)
    assert "'Account Opened' is the real end" in said
    assert "needs 'window: 5d'" in said or "needs 'window: 7d'" in said, said
    assert "window: 24h" in flow(folder)


def test_machine_events_are_no_returns(folder):
    """Everybody's app pings every hour; only some people do anything on day 1."""
    dump = Dump("mixpanel")
    back = 0
    for number in range(200):
        person, at = f"p{number}", START + dump.draw.randrange(DAY // 2)
        for name in ("Tour Started", "Tour Read", "Tour Finished"):
            dump.send(person, at, name)
            at += dump.draw.randrange(5, 60)
        for hour in range(1, 80):
            dump.send(person, at + 3600 * hour, "beat")
            if hour % 24 == 5:
                dump.send(person, at + 3600 * hour + 7, "$ae_updated")
                dump.send(person, at + 3600 * hour + 9, "app_backgrounded")
                dump.send(person, at + 3600 * hour + 11, "push_received")
                dump.send(person, at + 3600 * hour + 13, "$ae_session")
        if dump.draw.random() < 0.3:
            back += 1
            dump.send(person, at + DAY + 3600, "Song Played")
        if dump.draw.random() < 0.5:
            dump.send(person, at + 3 * DAY, "Song Played")
    dump.write(folder)
    start(folder)
    line = next(line for line in flow(folder).splitlines() if line.startswith("not_activity"))
    for name in ("beat", "$ae_updated", "app_backgrounded", "push_received", "$ae_session"):
        assert name in line
    assert "Song Played" not in line
    assert "says nothing about who came back" not in findings(folder)
    assert found(folder)["retention_d1", "all"] == (str(back), "200")


@pytest.mark.parametrize("words", [["email", "google"], ["sso", None, None]])
def test_a_property_called_flow_may_be_the_apps_own(folder, words):
    """How people sign up is on the last events only, and is no name of an onboarding."""
    dump = Dump("segment")
    finished, named = 0, 0
    for number in range(200):
        person, at = f"p{number}", START + dump.draw.randrange(DAY // 2)
        word = words[number % len(words)]
        for name in ("Tour Started", "Tour Read", "Tour Joined", "Tour Finished"):
            own = {"flow": word} if word and name in ("Tour Joined", "Tour Finished") else {}
            dump.send(person, at, name, **own)
            finished += name == "Tour Finished"
            named += name == "Tour Finished" and bool(word)
            if dump.draw.random() < 0.1:
                break
            at += dump.draw.randrange(5, 60)
    dump.later(START + 20 * DAY).write(folder)
    start(folder)
    assert "flow: my_app\n" in flow(folder) and '  flow: {constant: "my_app"}\n' in flow(folder)
    assert found(folder)["completion_rate", "all"] == (str(finished), "200")
    assert quality(folder, "ends_of_other_flows") == []
    # By hand, as the documentation has it, the end of those people is missing, and the report says so.
    own = "".join(line for line in flow(folder).splitlines(True) if "constant: " not in line)
    (folder / "own.yaml").write_text(own)
    firstmile("report", "dump.ndjson", "--flow", "own.yaml", "--out", "reports/my_app", cwd=folder, expect=(0, 4))
    row, = quality(folder, "ends_of_other_flows")
    assert row.startswith(f"ends_of_other_flows,,{named},"), row
    said = findings(folder)
    assert f"{named} people abandon this flow and complete another one that they never started: “{words[0]}”" in said, said
    if None not in words:
        assert "each 'onboarding_completed' in the data is of another flow (email, google)" in said, said
    assert "fields: {flow: {constant: my_app}}" in said and "data quality A" not in (folder / "reports/my_app/report.md").read_text()


@pytest.mark.parametrize("says", [True, False])
def test_who_signs_in_on_the_way_is_one_person(folder, says):
    """As PostHog's mobile SDKs send it: the id changes, and only `$identify` names both."""
    dump = Dump("posthog")
    finished = 0
    for number in range(200):
        person, at = f"anonymous{number}", START + dump.draw.randrange(DAY // 2)
        for place, name in enumerate(["Tour Started", "Tour Read", "$identify", "Tour Joined", "Tour Finished"]):
            if place > 1 and dump.draw.random() < 0.1:
                break
            if name == "$identify":
                dump.send(f"user{number}", at, name, **{"$anon_distinct_id": person} | ({"$is_identified": True} if says else {}))
                person = f"user{number}"
            else:
                dump.send(person, at, name, **({"$is_identified": person.startswith("user")} if says else {}))
            finished += name == "Tour Finished"
            at += dump.draw.randrange(5, 60)
    dump.later(START + 20 * DAY).write(folder)
    assert "205 people" in start(folder)
    assert found(folder)["completion_rate", "all"] == (str(finished), "200")


@pytest.mark.parametrize("minutes", [15, 30])
def test_who_comes_every_evening_is_no_machine(folder, minutes):
    """A daily reminder rings at an hour of one's own, and is answered within half an hour."""
    dump = Dump("segment")
    back = 0
    for number in range(200):
        person, at = f"p{number}", START + dump.draw.randrange(DAY // 2)
        first = at
        for name in ("Tour Started", "Tour Read", "Tour Finished"):
            dump.send(person, at, name)
            at += dump.draw.randrange(5, 60)
        hour, visits = 20 + dump.draw.uniform(-1.5, 1.5), []
        for day in range(1, dump.draw.choice([1, 1, 2, 8, 15])):
            visits.append(START + day * DAY + int(3600 * hour + 60 * dump.draw.gauss(0, minutes)))
            dump.send(person, visits[-1], "Home Viewed")
        back += any(DAY <= visit - first < 2 * DAY for visit in visits)
        dump.send(person, START + 20 * DAY, "Notice Read")
    dump.write(folder)
    start(folder)
    assert "Home Viewed" not in "".join(line for line in flow(folder).splitlines() if line.startswith("not_activity"))
    assert found(folder)["retention_d1", "all"] == (str(back), "200")


@pytest.mark.parametrize(("form", "name"), [
    ("ga4", "user_engagement"), ("amplitude", "[Amplitude] Start Session"), ("posthog", "$autocapture")])
def test_openings_are_returns_where_there_is_nothing_else(folder, form, name):
    dump = Dump(form)
    back = 0
    for number in range(200):
        person, at = f"p{number}", START + dump.draw.randrange(DAY // 2)
        for step in ("tour_started", "tour_read", "tour_finished"):
            dump.send(person, at, step)
            at += dump.draw.randrange(5, 60)
        if dump.draw.random() < 0.3:
            back += 1
            dump.send(person, at + DAY + 3600, name)
        dump.send(person, at + 4 * DAY, name)
    dump.write(folder)
    start(folder)
    assert "not_activity" not in flow(folder)
    assert found(folder)["retention_d1", "all"] == (str(back), "200")


def experiment(chosen, form="mixpanel", name="plan_variant", arms=("monthly", "yearly")):
    """A variant that chance gave at the start, or that people choose on a later screen."""
    dump = Dump(form)
    people = {}
    for number in range(600):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        arm = dump.draw.choice(arms)
        people[person] = arm
        for place, event in enumerate(("Trial Started", "Plan Seen", "Card Given", "Trial Finished")):
            known = {name: arm} if place > 1 or not chosen else {}
            dump.send(person, at, event, **known)
            at += dump.draw.randrange(5, 60)
            if dump.draw.random() < 0.15:
                break
    return dump, people


@pytest.mark.parametrize(("form", "name", "arms"), [
    ("mixpanel", "plan_variant", ("monthly", "yearly")),
    # Firebase's property of users: the number of the variant, 0 for the control.
    ("ga4", "firebase_exp_7", ("0", "1"))])
def test_what_chance_assigns_is_an_experiment(folder, form, name, arms):
    dump, people = experiment(False, form, name, arms)
    dump.write(folder)
    start(folder)
    assert "experiments:" in flow(folder)
    lines = (folder / "reports/my_app/metrics.csv").read_text().splitlines()
    entered = {row[3]: row[8] for row in (line.split(",") for line in lines)
               if row[6] == "entered" and row[2] == name and row[4:6] == ["all", "all"]}
    for arm in arms:
        assert entered[arm] == str(sum(own == arm for own in people.values()))


@pytest.mark.parametrize("is_for_system", [True, False], ids=["for one system", "by chance"])
def test_a_flag_that_is_on_for_one_system_is_no_experiment(folder, is_for_system):
    dump = Dump("posthog")
    for number in range(400):
        at = START + dump.draw.randrange(20 * DAY)
        system = dump.draw.choice(["iOS", "Android"])
        is_on = system == "iOS" if is_for_system else dump.draw.random() < 0.5
        for name in ("Tour Started", "Tour Read", "Tour Finished"):
            dump.send(f"p{number}", at, name, **{"$feature/glass": is_on, "$os": system})
            at += dump.draw.randrange(5, 60)
            if dump.draw.random() < (0.1 if system == "iOS" else 0.3):
                break
    dump.write(folder)
    said = start(folder)
    assert ("\nexperiments:" in flow(folder)) != is_for_system
    assert ("whether 'glass' is an experiment: its shares differ between people with and without "
            "'context.os=" in said) == is_for_system
    if is_for_system:
        assert "adjusted p" not in findings(folder)


def test_screens_that_can_be_no_steps_are_named(folder):
    dump = Dump("posthog")
    for number in range(40):
        at = START + dump.draw.randrange(9 * DAY)
        for screen in ("Welcome", "Set your goal ", "Ready"):
            dump.send(f"p{number}", at, "$screen", **{"$screen_name": screen})
            at += dump.draw.randrange(5, 60)
        dump.send(f"p{number}", at, "Tour Finished")
    dump.later(START + 30 * DAY).write(folder)
    said = start(folder)
    assert "names that no step can have: 'Set your goal ' 40." in said, said
    assert "names that no step can have" in flow(folder)


def test_a_tools_own_event_of_an_experiment_is_no_start(folder):
    """Segment's and Mixpanel's exposure event comes first for everybody."""
    dump = Dump("segment")
    arms = {"a": 0, "b": 0}
    for number in range(300):
        at = START + dump.draw.randrange(20 * DAY)
        arm = dump.draw.choice("ab")
        arms[arm] += 1
        dump.send(f"p{number}", at, "Experiment Viewed", experiment_name="form", variation_name=arm)
        for name in ("Form Started", "Name Given", "Form Finished"):
            at += dump.draw.randrange(5, 60)
            dump.send(f"p{number}", at, name)
    dump.write(folder)
    start(folder)
    assert '"Form Started": onboarding_started' in flow(folder)
    assert f"form:  # a {arms['a']}, b {arms['b']}" in flow(folder)


def test_what_people_choose_gets_no_verdict(folder):
    experiment(chosen=True)[0].write(folder)
    said = start(folder)
    assert "\nexperiments:" not in flow(folder)
    assert "whether 'plan_variant' is an experiment's variant: only 0 of" in said
    assert "plan_variant" not in findings(folder)


@pytest.mark.parametrize(("how", "words"), [
    ("time", "its shares change over time"),
    ("behaviour", "people with and without 'Sale Seen' before it"),
])
def test_shares_that_depend_on_something_are_no_chance(folder, how, words):
    dump = Dump("mixpanel")
    for number in range(800):
        person = f"p{number}"
        at = START + number * 2_000
        saw = dump.draw.random() < 0.3
        if saw:
            dump.send(person, at - 60, "Sale Seen")
        is_new = number > 400 if how == "time" else saw
        arm = dump.draw.choices(["old", "new"], [1, 3] if is_new else [3, 1])[0]
        for name in ("Trial Started", "Card Given", "Trial Finished"):
            dump.send(person, at, name, offer_variant=arm)
            at += dump.draw.randrange(5, 60)
    dump.write(folder)
    said = start(folder)
    assert words in said
    assert "\nexperiments:" not in flow(folder)


def people_of(dump, names, count, prefix, agent="Mozilla/5.0 (iPhone)"):
    for number in range(count):
        at = START + dump.draw.randrange(20 * DAY)
        dump.send(f"{prefix}{number}", at, "Application Opened", user_agent=agent)
        for name in names:
            at += dump.draw.randrange(4, 50)
            dump.send(f"{prefix}{number}", at, name, user_agent=agent)


@pytest.mark.parametrize("forms, doubled", [(("segment", "mixpanel"), 120), (("mixpanel", "mixpanel"), 31)])
def test_exports_of_two_tools_are_named(folder, forms, doubled):
    """Of Segment an id is a device and of Mixpanel a user; some people have two ids anyway."""
    one, other = (Dump(form) for form in forms)
    for number in range(120):
        at = START + one.draw.randrange(20 * DAY)
        twice = number < 31
        for name in ("Sign Up", "Name Given", "Photo Taken", "Friends Found", "Plan Chosen", "Song Played"):
            one.send(f"p{number}", at, name)
            other.send(f"q{number}" if twice else f"p{number}", at, name)
            at += one.draw.randrange(4, 55)
    for name, dump in (("one", one), ("other", other)):
        (folder / name).mkdir()
        dump.write(folder / name)
    (folder / "flow.yaml").write_text(
        "flow: my_app\nsteps: [a, b]\nwindow: 1d\nevents: {Sign Up: onboarding_started, "
        "Plan Chosen: onboarding_completed}\n")

    def reported(*dumps):
        firstmile("report", *dumps, "--flow", folder / "flow.yaml", "--as-of", "2026-03-01", "--out",
                  folder / "reports/my_app", "--quiet", cwd=folder)
        return findings(folder), quality(folder, "doubled_people")
    said, lines = reported("one", "other")
    assert f"About {doubled} of {120 + doubled} people count twice." in said, said
    assert lines and lines[0].split(",")[2:4] == [str(doubled), str(120 + doubled)]
    said, lines = reported("one")
    assert "count twice" not in said and not lines


def test_many_doubles_are_about_counted_whatever_the_order(folder):
    """More people than the sketch keeps: a tenth of them has two ids."""
    draw = random.Random(5)
    lines = []
    for number in range(20_000):
        at = START * 1000 + draw.randrange(20 * DAY * 1000)
        for name in ("onboarding_started", "a", "b", "c", "d", "onboarding_completed"):
            for person in (f"p{number}", f"q{number}")[:1 + (number % 10 == 0)]:
                lines.append(f'{{"event": "{name}", "user_id": "{person}", "timestamp": {at}}}\n')
            at += draw.randrange(1_000, 60_000)
    (folder / "flow.yaml").write_text("flow: my_app\nsteps: [a, b]\nwindow: 1d\n")
    said = set()
    for threads in ("1", "3"):
        draw.shuffle(lines)
        (folder / "dump.ndjson").write_text("".join(lines))
        firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--threads", threads, "--out",
                  "reports/my_app", "--quiet", cwd=folder)
        said.add(quality(folder, "doubled_people")[0])
    (line,) = said
    # Of 8,192 timelines a tenth is known to 0.3 points, which are 70 people.
    assert abs(int(line.split(",")[2]) - 2_000) < 4 * 70 and line.split(",")[3] == "22000"


@pytest.mark.parametrize("people_of_a_second, longest_gap", [(60, 7_000), (2, 140)])
def test_what_many_have_alike_is_no_double(folder, people_of_a_second, longest_gap):
    """60 timelines of one script, and the second of its arrival that a server stamps on all that is sent."""
    draw = random.Random(3)
    script = people_of_a_second > 2
    with (folder / "dump.ndjson").open("w") as dump:
        for number in range(60):
            at = (START + number // people_of_a_second * 3_601) * 1_000
            for name in ("onboarding_started", "a", "b", "c", "d", "e", "onboarding_completed"):
                dump.write(json.dumps({"event": name, "user_id": f"p{number}", "timestamp": at}) + "\n")
                at += longest_gap if script else draw.randrange(10, longest_gap)
    (folder / "flow.yaml").write_text("flow: my_app\nsteps: [a, b]\nwindow: 1d\n")
    firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--out", "reports/my_app", "--quiet", cwd=folder)
    said = findings(folder)
    assert "count twice" not in said and not quality(folder, "doubled_people")
    assert ("same events at the same distances" in said) == script


def test_two_apps_in_one_dump_are_named(folder):
    dump = Dump("segment")
    people_of(dump, ["shop_started", "shop_paid", "shop_finished"], 120, "s")
    people_of(dump, ["game_started", "game_level", "game_won"], 80, "g")
    dump.write(folder)
    said = start(folder)
    assert "these people share no event: 120 with 'shop_started'" in said
    text = findings(folder)
    assert "2 groups that share no event. 120 with 'shop_started'" in text
    assert "80 with 'game_started'" in text
    assert len(quality(folder, "event_groups")) == 2


def test_healthy_people_are_one_group_and_no_copies(folder):
    dump = Dump("segment")
    people_of(dump, ["shop_started", "shop_paid", "shop_seen", "shop_liked", "shop_finished"], 200, "s")
    dump.write(folder)
    assert "share no event" not in start(folder)
    for words in ("share no event", "crawler", "events or more on one day", "the same events"):
        assert words not in findings(folder)


def test_crawlers_are_named(folder):
    dump = Dump("posthog")
    people_of(dump, ["shop_started", "shop_paid", "shop_finished"], 70, "s")
    people_of(dump, ["shop_started"], 60, "b", "Mozilla/5.0 (compatible; Googlebot/2.1)")
    people_of(dump, ["shop_started"], 30, "h", "Mozilla/5.0 HeadlessChrome/120.0")
    dump.write(folder)
    said = start(folder)
    agents = [event[3]["user_agent"] for event in dump.events]
    bots = sum("Googlebot" in agent or "Headless" in agent for agent in agents)
    text = findings(folder)
    words = f"{bots} of {len(agents)} sampled: 'Googlebot', 'HeadlessChrome'."
    assert words in text
    # Before anything is written or asked.
    assert words in said.partition("wrote ")[0] and "They count as people" in said, said


def test_busy_ids_and_copies_are_named(folder):
    dump = Dump("mixpanel")
    names = ["shop_started", "shop_seen", "shop_liked", "shop_paid", "shop_rated", "shop_finished"]
    people_of(dump, names, 150, "s")
    for person, events in (("robot", 1_500), ("limit", 1_000), ("below", 999)):
        for number in range(events):
            dump.send(person, START + 3 * DAY + 50 * number, "shop_seen")
    # A load test plays one recording for forty users.
    gaps = [7, 13, 5, 21, 11, 17]
    for number in range(40):
        at = START + 5 * DAY + 977 * number
        for name, gap in zip(names, gaps):
            at += gap
            dump.send(f"load{number}", at, name)
    dump.write(folder)
    start(folder)
    text = findings(folder)
    assert "2 ids have 1,000 events or more on one day. Up to 1,500, and " in text
    assert "About 40 of 193 people have the same events" in text


@pytest.mark.parametrize("people", [450, 600])
def test_copies_are_named_from_a_hundredth_of_all_people_on(folder, people):
    dump = Dump("mixpanel")
    names = ["shop_started", "shop_seen", "shop_liked", "shop_paid", "shop_rated", "shop_finished"]
    people_of(dump, names, people, "s")
    for number in range(5):
        for place, name in enumerate(names):
            dump.send(f"load{number}", START + 5 * DAY + 977 * number + 7 * place, name)
    dump.write(folder)
    start(folder)
    assert (f"About 5 of {people + 5} people have the same events" in findings(folder)) == (
        people == 450)


def test_one_session_past_midnight_is_no_retention(folder):
    dump = Dump("mixpanel")
    day = START // DAY * DAY
    for number in range(100):
        at = day + number % 10 * DAY + 10 * 3600 + 300 * number
        for name in ("Tour Started", "Tour Read", "Tour Finished"):
            dump.send(f"p{number}", at, name)
            at += dump.draw.randrange(5, 60)
    for place, name in enumerate(("Tour Started", "Tour Read", "Tour Finished")):
        dump.send("late", day + DAY - 60 + 50 * place, name)
    dump.write(folder)
    start(folder)
    text = findings(folder)
    assert "All events in these data belong to the onboarding" in text
    assert re.search(r"\b1 of \d+ people have an event on a later date", text)


def test_a_steady_small_dump_ends_evenly(folder):
    """Two to six people a day, and one on one of the last days: chance."""
    dump = Dump("mixpanel")
    number = 0
    for day in range(40):
        for _ in range(1 if day == 37 else dump.draw.randrange(3, 6)):
            number += 1
            for place, name in enumerate(("Tour Started", "Tour Read", "Tour Finished")):
                dump.send(f"p{number}", START // DAY * DAY + day * DAY + 3600 + 20 * place + number,
                          name)
    dump.write(folder)
    start(folder)
    assert "end unevenly" not in findings(folder)
    assert not quality(folder, "short_day")


@pytest.mark.parametrize("place", ["/proc/flow.yaml", "/dev/null/flow.yaml"])
def test_a_flow_file_that_cannot_be_written_is_found_before_reading(folder, place):
    # The dump isn't even there: that would be the first thing to be said of it.
    said = firstmile("start", "no-such-dump", "--yes", "--flow-file", place, cwd=folder, expect=2)
    text = said.stderr.decode()
    assert "no-such-dump" not in text and "flow.yaml" in text
    assert not list(folder.iterdir())


def test_a_table_with_foreign_columns_is_named_by_them(folder):
    (folder / "dump.csv").write_text(
        "kundin,zeitpunkt,was\na,2026-01-01T00:00:00Z,los\nb,2026-01-02T00:00:00Z,fertig\n")
    for command in (("start", "dump.csv", "--yes"), ("flow", "init", "dump.csv")):
        said = firstmile(*command, cwd=folder, expect=4).stderr.decode()
        assert "its columns with a value are 'kundin', 'was', 'zeitpunkt'" in said
        assert "'dump.csv' was read as" in said and "(missing_event)" in said


def test_a_time_in_an_unknown_form_is_said_to_be_the_reason(folder):
    dump = Dump("segment")
    for number in range(30):
        for place, name in enumerate(("Tour Started", "Tour Read", "Tour Finished")):
            dump.send(f"p{number}", START + DAY * (number // 3) + 20 * place, name)
    dump.later(START + 12 * DAY).write(folder)
    path = folder / "dump.ndjson"
    events = [json.loads(line) for line in path.read_text().splitlines()]

    def write(form):
        path.write_text("".join(
            json.dumps({**event, "timestamp": form(event["timestamp"])}) + "\n" for event in events))

    write(lambda time: f"{time[:4]}.{time[5:7]}.{time[8:10]} {time[11:16]}")
    for command in (("start", "dump.ndjson", "--yes"), ("flow", "init", "dump.ndjson")):
        said = firstmile(*command, cwd=folder, expect=4).stderr.decode()
        assert "its first line has a time that is in a form that is not known" in said, said
        assert "'dump.ndjson' was read as segment" in said and "docs/input.md" in said
        assert "p0" not in said, "no value of a person"
    # As BigQuery writes them.
    write(lambda time: time.replace("T", " ").rstrip("Z") + ".123 UTC")
    start(folder)
    assert rows(folder / "reports/my_app")["completion_rate", "all"][0] == "30"


def test_a_game_of_one_screen_is_found_by_the_events_of_its_tutorial(folder):
    """Firebase sends views of screens by itself, also where they say nothing of the onboarding."""
    dump = Dump("ga4")
    had = {name: 0 for name in ("tutorial_begin", "swap_done", "boost_done", "tutorial_complete")}
    for number in range(300):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        dump.send(person, at, "screen_view", firebase_screen="Loading")
        for name in had:
            at += dump.draw.randrange(4, 30)
            dump.send(person, at, name)
            had[name] += 1
            dump.send(person, at + 1, "screen_view", firebase_screen="Map")
            if dump.draw.random() < 0.15:
                break
    dump.later(START + 23 * DAY).write(folder)
    start(folder)
    table = found(folder)
    assert table["completion_rate", "all"] == (
        str(had["tutorial_complete"]), str(had["tutorial_begin"]))
    for name in ("swap_done", "boost_done"):
        assert table["step_reach", name] == (str(had[name]), str(had["tutorial_begin"]))


def test_screens_that_lead_somewhere_are_the_steps_still(folder):
    dump = Dump("ga4")
    for number in range(300):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        for name in ("Hello", "Plan", "Account"):
            at += dump.draw.randrange(4, 30)
            dump.send(person, at, "screen_view", firebase_screen=name)
            if dump.draw.random() < 0.15:
                break
        else:
            dump.send(person, at + 9, "sign_up")
    dump.later(START + 23 * DAY).write(folder)
    start(folder)
    table = found(folder)
    assert all(("step_reach", name) in table for name in ("Hello", "Plan", "Account")), table
