"""What a report says of data whose truth is known: no claim hides a loss, names a bystander or makes much of a few."""

import json
import re

import pytest

from harness import firstmile, report

START = 1_772_409_600  # 2026-03-02, a Monday
DAY = 86_400
STEPS = ("welcome", "plan", "done")


class Dump:
    """People of an app, one at a time; who leaves is spread evenly, not drawn."""

    def __init__(self, folder, flow):
        self.folder, self.lines, self.people = folder, [], 0
        (folder / "flow.yaml").write_text("flow: app\nwindow: 1d\nretention: [{days: [1, 7]}]\n" + flow)

    def send(self, name, user, time, **more):
        self.lines.append(json.dumps({"event": name, "user_id": user, "timestamp": time, **more}))

    def person(self, day, leaves=None, back=(), **more):
        """`leaves` is the step that this person is lost at."""
        self.people += 1
        # Nobody has the seconds of somebody else.
        user, time = f"u{self.people}", START + day * DAY + 3600 + self.people * 7 % 7000
        self.send("onboarding_started", user, time, **more)
        for place, step in enumerate(STEPS):
            time += 5 + self.people * (place + 3) % 23
            self.send("onboarding_page_viewed", user, time, properties={"page_name": step}, **more)
            if step == leaves:
                break
        else:
            self.send("onboarding_completed", user, time + 9, **more)
        for later in back:
            self.send("app_opened", user, START + (day + later) * DAY + 40_000 + self.people % 9000, **more)
        return user, time

    def said(self, *options):
        """The terminal's words on one line, and the folder."""
        (self.folder / "dump.ndjson").write_text("\n".join(self.lines) + "\n")
        done = firstmile("report", self.folder / "dump.ndjson", "--flow", self.folder / "flow.yaml", "--out",
                         self.folder / "out", *options)
        return " ".join(done.stdout.decode().split()), self.folder / "out"


FLOW = "steps: [welcome, plan, done]\n"


def whole(folder):
    return " ".join((folder / "report.md").read_text().replace("\\", "").split())


def test_a_permission_that_is_granted_at_the_second_prompt(folder):
    """All deny, are asked again and grant: opt-in is of the first prompt, and the words say so."""
    dump = Dump(folder, FLOW.replace("plan", "{id: plan, asks: camera}"))
    for person in range(200):
        user, time = dump.person(person % 10)
        for second, status in ((1, "denied"), (60, "granted")):
            asked = {"permission": "camera"}
            dump.send("permission_prompted", user, time + second, properties=asked)
            dump.send("permission_result", user, time + second + 2, properties=asked | {"status": status})
    text, out = dump.said("--as-of", "2026-05-01")
    assert ("Camera: 0 % of people opt in at the first prompt; of those who denied it, 100 % have granted it within "
            "30 days") in text, text
    assert "of people opt in (" not in whole(out)


def test_grants_without_a_prompt_are_not_of_the_first_prompt(folder):
    dump = Dump(folder, FLOW.replace("plan", "{id: plan, asks: camera}"))
    for person in range(200):
        user, time = dump.person(person % 10)
        if person % 2 == 0:
            dump.send("permission_prompted", user, time + 1, properties={"permission": "camera"})
        dump.send("permission_result", user, time + 3,
                  properties={"permission": "camera", "status": "granted" if person % 2 else "denied"})
    text, _ = dump.said("--as-of", "2026-05-01")
    assert "Camera: 50.0 % of people opt in at the first prompt or before it" in text, text
    assert "Acceptance, of those asked: 0 %" in text, text


@pytest.mark.parametrize("count, is_known", [(2, True), (60, True), (80, False)])
def test_that_none_of_a_few_came_back_is_chance(folder, count, is_known):
    dump = Dump(folder, FLOW + "experiments: {copy: {control: A, variants: [A, B]}}\n")
    for person in range(count):
        user, time = dump.person(0, experiments={"copy": "AB"[person % 2]})
        dump.send("app_opened", user, time + 300)
    text, _ = dump.said("--full", "--as-of", "2026-04-01")
    assert ("Retention is unknown" not in text) == is_known, text
    assert ("data quality D" not in text) == is_known, text
    assert (f"Day 7 retention is 0 % (0 of {count};" in text) == is_known, text
    assert ("too few to say whether the split is as planned" in text) == (count == 2), text
    assert "the week of 2 Mar" not in text and "All of its people joined on 2 Mar 2026" in text, text


def test_a_goal_that_nobody_reaches_is_no_alarm(folder):
    dump = Dump(folder, FLOW + "goals: [{id: bought, event: bought, within: 2d}]\n")
    for person in range(300):
        dump.person(person % 20, "plan" if person % 3 == 0 else None, (1, 7) if person % 4 == 0 else ())
    text, _ = dump.said()
    assert "data quality C" in text, text
    assert "──── plan loses 33 % of the people who reach it." in text, text
    assert re.search(r"\d Goal bought is unknown: no 'bought' is in the data", text), text


def test_where_no_step_stands_out_headline_and_finding_say_so(folder):
    dump = Dump(folder, FLOW)
    for person in range(400):
        dump.person(person % 20, {0: "welcome", 1: "plan"}.get(person % 10), (1, 7) if person % 4 == 0 else ())
    text, out = dump.said()
    assert "80 % of people finish; no step stands out." in text, text
    assert "No single step stands out beyond chance. The losses are spread over plan and welcome" in text, text
    # The losses are equal, and the rate of the second is higher.
    assert whole(out).startswith("## app") and "no step stands out" in whole(out)


def test_a_pace_that_has_ended_is_none(folder):
    dump = Dump(folder, FLOW + "experiments: {copy: {control: A, variants: [A, B], primary: completion}}\n")
    for person in range(840):
        dump.person(person % 28, "plan" if person % 3 == 0 else None, (1,) if person % 5 == 0 else (),
                    experiments={"copy": "AB"[person // 28 % 2]})
    text, out = dump.said()
    assert "Keep running until about" in text and "at the pace of 30 a day (" in whole(out), text
    text, out = dump.said("--as-of", "2026-04-15")
    assert "nobody has joined since 29 Mar 2026" in whole(out), text
    assert "Keep running: B against A" in text and "the pace of" not in text, text


def test_nobody_is_told_to_keep_running_what_nobody_joins(folder):
    dump = Dump(folder, FLOW + "experiments: {copy: {control: A, variants: [A, B]}}\n")
    for person in range(840):
        variant = "AB"[person // 28 % 2]
        is_lost = person % 10 < 3 if variant == "A" else person % 3 == 0
        dump.person(person % 28, "plan" if is_lost else None, (1,) if person % 5 == 0 else (),
                    experiments={"copy": variant})
    _, out = dump.said("--as-of", "2026-04-15")
    text = whole(out)
    assert "nobody has joined since 29 Mar 2026" in text, text
    assert "would probably show it. Waiting won’t settle this soon" in text, text
    assert "Keep it running" not in text, text


def test_a_cohort_that_is_too_recent_has_its_people(folder):
    dump = Dump(folder, FLOW)
    for person in range(300):
        dump.person(person % 21, "plan" if person % 3 == 0 else None, (1,) if person % 4 == 0 else ())
    for person in range(70):
        dump.person(21, None)
    _, out = dump.said()
    page = re.sub(r"<[^>]+>", " ", (out / "report.html").read_text())
    cells = " ".join(page.split())
    assert re.search(r"23 Mar – 29 Mar 2026 \(partial\) 0 of 70 ", cells), cells[cells.find("Began"):][:600]


def test_findings_have_the_numbers_of_the_page_and_name_whom_a_step_loses(folder):
    dump = Dump(folder, FLOW + "dimensions: [app_version, os]\nexperiments: {copy: {control: A, variants: [A, B]}}\n")
    for person in range(1200):
        of_day = person // 28
        variant, system = "AB"[of_day % 2], ("iOS 26", "Android 16")[of_day // 2 % 2]
        version = ("3.2.0", "3.2.1")[of_day // 4 % 2]
        is_bad = (system, version) == ("Android 16", "3.2.1")
        lost = (person * 7 + of_day) % 10 < (7 if is_bad else 5 if variant == "B" else 1)
        dump.person(person % 28, "plan" if lost else None, (1, 7) if person % 5 == 0 else (),
                    experiments={"copy": variant}, context={"app_version": version, "os": system})
    text, out = dump.said()
    screen = text.split("FINDINGS")[1].rsplit("EXPERIMENTS", 1)[0]
    page = whole(out)
    for number, begin in re.findall(r" (\d) ([A-Z][\w ]+)", screen):
        assert re.search(rf"{number}\. \W*{re.escape(begin)}", page), (number, begin, page[:1500])
    assert "It loses clearly more of" in screen and "“Android 16” (OS)" in screen, screen
    assert "“3.2.1” (app version)" in screen, screen
    assert "n observation, not an experiment" in screen, screen
