"""`firstmile start`: what a newcomer gets for dumps that nobody has described."""

import importlib.util
import json
import os
import pty
import random
import re
import signal
import subprocess

import pytest

from harness import APPS, BINARY, FORMATS, ROOT, contents, firstmile

START = 1_770_000_000
DAY = 86_400
NOISE = ["Product Viewed", "Search", "Cart Updated"]
SIGNUP = ["Signup Flow Started", "Email Entered", "Address Entered", "Signup Flow Finished"]
# What must be equal, in all slices by version and variant.
COUNTED = {
    "entered", "persons", "finished", "finished_after_skipping", "skipped", "abandoned",
    "completion_rate", "abandon_rate", "step_reach", "step_conversion", "step_drop_off",
    "step_bypassed", "step_left_skipping",
}


def truth_reader():
    spec = importlib.util.spec_from_file_location("compare_truth", ROOT / "script/compare-truth.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TRUTH = truth_reader()


def differences(truth, report):
    """What the report says of completion and steps that the truth says differently."""
    truth = json.loads(truth.read_text())
    truth["metrics"] = [fact for fact in truth["metrics"] if fact["metric"] in COUNTED
                        and "cohort" not in fact and "breakdown" not in fact]
    truth["times"] = []
    assert len(truth["metrics"]) > 30
    return TRUTH.compare(truth, TRUTH.metrics_by_key(report), TRUTH.quality_by_item(report))[0]


@pytest.mark.parametrize("app", APPS)
def test_the_report_of_the_best_guess_equals_the_truth_in_every_format(folder, app):
    for form in FORMATS:
        place = folder / form
        firstmile("simulate", "--flow", app, "--persons", 100, "--seed", 3, "--files", 2, "--out",
                  place / "dump", "--format", form, "--quiet")
        # Broken lines are in the dumps, more than the share that a report takes without a word.
        firstmile("start", "dump", "--yes", cwd=place, expect=(0, 4))
        assert not differences(place / "dump/truth.json", place / "reports" / app), form
        firstmile("flow", "check", f"{app}.yaml", cwd=place)


class Shop:
    """People of a made-up shop: most sign up, a tenth leave at each step, many shop for days."""

    def __init__(self, names, people=300, seed=5):
        self.random = random.Random(seed)
        self.names = names
        self.events = []
        self.had = dict.fromkeys(names, 0)
        for number in range(people):
            self.person(f"u{number:04}")

    def person(self, person):
        draw = self.random
        at = START + draw.randrange(30 * DAY)
        arm = draw.choice(["control", "green"])

        def send(name):
            self.events.append({"event": name, "properties": {
                "time": at, "distinct_id": person, "$insert_id": f"{person}-{len(self.events)}",
                "button_variant": arm}})

        send("App Opened")
        is_member = draw.random() < 0.9
        for place, name in enumerate(self.names if is_member else []):
            at += draw.randrange(3, 40)
            send(name)
            self.had[name] += 1
            if place < len(self.names) - 1 and draw.random() < 0.1:
                is_member = False
                break
        for visit in range(draw.randrange(6) if is_member else draw.randrange(2)):
            at += draw.randrange(DAY // 3, 4 * DAY) if visit else 60
            send("App Opened")
            for _ in range(draw.randrange(1, 7)):
                at += draw.randrange(5, 90)
                send(draw.choice(NOISE))

    def write(self, path):
        self.events.sort(key=lambda event: event["properties"]["time"])
        path.write_text("".join(json.dumps(event) + "\n" for event in self.events))
        return self


def of_everybody(report):
    table = TRUTH.read_table(report / "metrics.csv")
    return {(row["metric"], row["step"]): row for row in table
            if all(row[name] == "all" for name in TRUTH.SLICE)}


def grade(page):
    return re.search(r"Data quality</.*?>([A-F])<", page, re.S).group(1)


def rows(report):
    """Numerator and denominator by metric and step, of everybody."""
    return {name: (row["numerator"], row["denominator"])
            for name, row in of_everybody(report).items()}


def test_an_onboarding_is_found_by_its_order_and_not_by_its_names(folder):
    names = [f"e{number}" for number in range(1, 10)]
    for seed in (1, 2, 3):
        random.Random(seed).shuffle(names)
        place = folder / str(seed)
        place.mkdir()
        shop = Shop(names, seed=seed).write(place / "dump.ndjson")
        firstmile("start", "dump.ndjson", "--yes", cwd=place)
        found = rows(place / "reports/my_app")
        entered = str(shop.had[names[0]])
        assert found["entered", "all"][0] == entered
        assert found["completion_rate", "all"] == (str(shop.had[names[-1]]), entered)
        reach = {step: pair for (metric, step), pair in found.items() if metric == "step_reach"}
        assert list(reach) == names[1:-1]
        assert reach == {name: (str(shop.had[name]), entered) for name in names[1:-1]}


@pytest.fixture
def shop(folder):
    return Shop(SIGNUP).write(folder / "dump.ndjson")


def test_a_guess_is_called_one_where_people_look_first(folder, shop):
    said = firstmile("start", "dump.ndjson", "--yes", cwd=folder)
    sentence = "The start, the end, the steps and the experiment are a guess from the order of people's"
    findings = said.stdout.decode().partition("FINDINGS")[2]
    assert findings.splitlines()[1].startswith(" 1 The start, the end, the steps and the experiment")
    page = (folder / "reports/my_app/report.html").read_text()
    assert sentence.replace("'", "&#39;") in page
    assert grade(page) == "C"
    assert "split of the experiment: equal shares are assumed" in said.stderr.decode()
    assert said.stdout.decode().splitlines()[-1] == "reports/my_app/report.html"
    flow = (folder / "my_app.yaml").read_text()
    had = shop.had
    assert (f"# The start: Signup Flow Started. {had[SIGNUP[0]]} of 300 people have it; for 100 % of "
            "them it is the first of the events that people have once.") in flow
    assert f"# The end: Signup Flow Finished. {had[SIGNUP[-1]]} of 300 people have it; for 100 %" in flow
    # Read and agreed with.
    (folder / "my_app.yaml").write_text(re.sub("^guessed: .*\n", "", flow, flags=re.M))
    firstmile("report", "--quiet", cwd=folder)
    assert "a guess from" not in (folder / "reports/my_app/report.html").read_text()


def test_an_end_that_the_data_lack_is_unknown_and_not_0(folder):
    shop = Shop(SIGNUP[:-1]).write(folder / "dump.ndjson")
    screens = [event for event in shop.events]
    for event in screens:
        if event["event"] in SIGNUP:
            event["properties"]["current_page_title"] = event["event"]
            event["event"] = "$mp_page_view"
    shop.write(folder / "dump.ndjson")
    said = firstmile("start", "dump.ndjson", "--yes", cwd=folder)
    assert "not known: the end" in said.stderr.decode()
    assert "Not known: the end" in (folder / "my_app.yaml").read_text()
    page = (folder / "reports/my_app/report.html").read_text()
    assert "Completion is unknown" in page and grade(page) == "D"
    found = rows(folder / "reports/my_app")
    assert of_everybody(folder / "reports/my_app")["completion_rate", "all"]["value"] == ""
    assert found["step_reach", SIGNUP[1]] == (str(shop.had[SIGNUP[1]]), str(shop.had[SIGNUP[0]]))


def test_without_an_onboarding_nothing_is_claimed(folder):
    draw = random.Random(4)
    events = []
    for person in range(100):
        at = START + draw.randrange(DAY)
        for _ in range(draw.randrange(5, 40)):
            at += draw.randrange(60, DAY)
            events.append({"event": draw.choice(NOISE), "timestamp": at, "user_id": f"u{person}"})
    (folder / "dump.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    before = contents(folder)
    done = firstmile("start", "dump.ndjson", "--yes", cwd=folder, expect=4)
    assert "no onboarding was found" in done.stderr.decode() and "'Search'" in done.stderr.decode()
    assert not done.stdout and contents(folder) == before


def test_nothing_is_replaced_unasked(folder, shop):
    (folder / "my_app.yaml").write_text("mine")
    before = contents(folder)
    said = firstmile("start", "dump.ndjson", "--yes", cwd=folder, expect=2).stderr.decode()
    assert "'my_app.yaml' is there already; name another file with --flow-file" in said
    assert contents(folder) == before
    firstmile("start", "dump.ndjson", "--yes", "--flow-file", "b.yaml", cwd=folder)
    assert (folder / "my_app.yaml").read_text() == "mine"
    said = firstmile("start", "dump.ndjson", "--yes", "--flow-file", "c.yaml", cwd=folder, expect=2)
    assert "there is a report in 'reports/my_app' already" in said.stderr.decode()
    assert not (folder / "c.yaml").exists()
    firstmile("start", "dump.ndjson", "--yes", "--replace", cwd=folder)
    assert "Signup" in (folder / "my_app.yaml").read_text()
    assert 'flow: "b.yaml"' in (folder / "firstmile.yaml").read_text()


def test_without_a_terminal_it_takes_a_yes(folder, shop):
    before = contents(folder)
    said = firstmile("start", "dump.ndjson", cwd=folder, expect=2).stderr.decode()
    assert "add --yes" in said
    os.mkfifo(folder / "pipe")
    said = firstmile("start", "pipe", "--yes", cwd=folder, expect=2).stderr.decode()
    assert "'pipe' is a pipe or a device" in said
    os.unlink(folder / "pipe")
    said = firstmile("start", "dump.ndjson", "--yes", "--flow-file", "a/b.yaml", cwd=folder, expect=2)
    assert "there is no folder 'a' for the flow file" in said.stderr.decode()
    said = firstmile("start", "-", "--yes", cwd=folder, expect=2, stdin=b"").stderr.decode()
    assert "save it to a file" in said
    assert contents(folder) == before


class Terminal:
    """A run at a pseudo-terminal, which is read up to each question."""

    def __init__(self, folder, *words, environment=None):
        self.ours, theirs = pty.openpty()
        self.text = ""
        self.process = subprocess.Popen(
            [BINARY, "start", *words], cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs,
            start_new_session=True,
            env={**os.environ, "NO_COLOR": "1", "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": "",
                 **(environment or {})})
        os.close(theirs)

    def read(self, until=None):
        """What is said up to some words, or up to the end of the run."""
        start = len(self.text)
        while until is None or until not in self.text[start:]:
            try:
                piece = os.read(self.ours, 65536)
            except OSError:  # Linux says so when the other side is closed.
                piece = b""
            if not piece:
                assert until is None, self.text
                break
            self.text += piece.decode()
        return self.text[start:].replace("\r\n", "\n")

    def answer(self, text):
        question = self.read("q leaves: ")
        os.write(self.ours, text.encode())
        return question

    def end(self):
        rest = self.read()
        os.close(self.ours)
        return rest, self.process.wait(60)


def test_questions_have_evidence_a_default_and_alternatives(folder, shop):
    terminal = Terminal(folder, "dump.ndjson")
    end = terminal.answer("\n")
    had = shop.had[SIGNUP[-1]]
    assert "Is 'Signup Flow Finished' the end?\n" in end
    assert f"  1  Signup Flow Finished: {had} of 300 people have it; for 100 % of them" in end
    assert "  0  none of these: completion stays unknown\n" in end and "[1]" in end
    steps = terminal.answer("seven\n")
    assert "These look like steps of the onboarding" in steps and "  2  Address Entered: " in steps
    assert "'seven' is no list of numbers from 1 to 2." in terminal.answer("2\n")
    variant = terminal.answer("0\n")
    assert "  1  button_variant: one value a person: control " in variant
    activity = terminal.answer("9\n")
    assert "What is a normal day-7 user" in activity and "  0  any event\n" in activity
    assert "'9' is not a number from 0 to " in terminal.answer("1\n")
    rest, code = terminal.end()
    assert code == 0, rest
    assert rest.count("q leaves") == 0
    flow = (folder / "my_app.yaml").read_text()
    assert '"Address Entered"' in flow and '"Email Entered": onboarding_page_viewed' not in flow
    assert "experiments:" not in flow and "guessed:" not in flow
    activity = re.search(r"  1  (.*?): ", activity.split("normal day-7")[1]).group(1)
    assert f'event: "{activity}"' in flow or f"event: {activity}}}" in flow
    found = rows(folder / "reports/my_app")
    assert found["completion_rate", "all"] == (str(had), str(shop.had[SIGNUP[0]]))


def test_another_end_can_be_chosen(folder, shop):
    terminal = Terminal(folder, "dump.ndjson")
    question = terminal.answer("")
    place = re.search(r"  (\d)  Address Entered: ", question).group(1)
    os.write(terminal.ours, f"{place}\n".encode())
    for _ in range(3):
        terminal.answer("\n")
    assert terminal.end()[1] == 0
    found = rows(folder / "reports/my_app")
    assert found["completion_rate", "all"][0] == str(shop.had["Address Entered"])
    assert [step for metric, step in found if metric == "step_reach"] == ["Email Entered"]


@pytest.mark.parametrize("answers", [["q\n"], ["\n", "quit\n"], ["\x04"], ["\n", "\n", "\x04"]])
def test_who_leaves_leaves_nothing_behind(folder, shop, answers):
    before = contents(folder)
    terminal = Terminal(folder, "dump.ndjson")
    for answer in answers:
        terminal.answer(answer)
    rest, code = terminal.end()
    assert code == 0 and "nothing was written" in rest
    assert contents(folder) == before


def test_an_interrupt_leaves_nothing_behind(folder, shop):
    before = contents(folder)
    terminal = Terminal(folder, "dump.ndjson")
    terminal.answer("\n")
    terminal.read("q leaves: ")
    terminal.process.send_signal(signal.SIGINT)
    rest, code = terminal.end()
    assert code == 130 and "interrupted; nothing was written" in rest
    assert contents(folder) == before


def test_names_of_our_own_ask_no_more_than_who_comes_back(folder):
    firstmile("simulate", "--flow", "aiq", "--persons", 100, "--seed", 3, "--out", folder / "dump",
              "--quiet")
    terminal = Terminal(folder, "dump")
    assert "What is a normal day-7 user" in terminal.answer("\n")
    rest, _ = terminal.end()
    assert "q leaves" not in rest and "guessed" not in rest


@pytest.fixture
def browser(folder):
    """A program that writes the page that it is given into a pipe, and the environment for it."""
    programs = folder / "programs"
    programs.mkdir()
    for name in ("xdg-open", "open"):
        program = programs / name
        program.write_text(f'#!/bin/sh\necho "$1" > "{folder}/opened"\n')
        program.chmod(0o755)
    os.mkfifo(folder / "opened")
    return {"PATH": f"{programs}:{os.environ['PATH']}", "DISPLAY": ":99"}


def test_the_page_is_opened_after_questions_and_where_it_is_asked_for(folder, shop, browser):
    terminal = Terminal(folder, "dump.ndjson", environment=browser)
    for _ in range(4):
        terminal.answer("\n")
    page = (folder / "opened").read_text()
    assert terminal.end()[1] == 0
    assert page == f"{folder}/reports/my_app/report.html\n"
    with subprocess.Popen([BINARY, "report", "--quiet", "--open"], cwd=folder,
                          env={**os.environ, **browser}, stdin=subprocess.DEVNULL) as report:
        assert (folder / "opened").read_text() == page
        assert report.wait(60) == 0


def test_opening_without_a_display_is_harmless(folder, shop, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    done = firstmile("start", "dump.ndjson", "--yes", "--open", cwd=folder)
    if os.uname().sysname == "Linux":
        assert "there is no display to open the page on" in done.stderr.decode()
    assert "--open needs --out" in firstmile(
        "report", "dump.ndjson", "--flow", "my_app.yaml", "--no-project-file", "--open", cwd=folder,
        expect=2).stderr.decode()


class Dump:
    """Mixpanel's events of some people, each person's in order."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.events = []
        self.had = {}

    def send(self, person, at, name, page=None):
        """Sends an event, or the view of a page under that event's name."""
        properties = {"time": at, "distinct_id": person, "$insert_id": str(len(self.events))}
        if page:
            properties["current_page_title" if name == "$mp_page_view" else "id"] = page
        self.events.append({"event": name, "properties": properties})
        key = page or name
        self.had.setdefault(key, set()).add(person)

    def report(self, folder):
        self.events.sort(key=lambda event: event["properties"]["time"])
        (folder / "dump.ndjson").write_text("".join(json.dumps(e) + "\n" for e in self.events))
        firstmile("start", "dump.ndjson", "--yes", cwd=folder)
        found = rows(folder / "reports/my_app")
        steps = {step: int(pair[0]) for (metric, step), pair in found.items()
                 if metric == "step_reach"}
        return int(found["entered", "all"][0]), steps, found["completion_rate", "all"]

    def people(self, *names):
        return [len(self.had[name]) for name in names]


def test_most_people_are_old_users_and_every_screen_is_sent(folder):
    dump = Dump(1)
    draw = dump.random
    signup = [("Sign Up Clicked", "Sign up"), ("Email Submitted", "Verify"),
              ("Profile Saved", "Welcome"), ("Account Created", None)]
    for number in range(400):
        person, at = f"u{number}", START + draw.randrange(20 * DAY)
        stays = True
        if draw.random() < 0.35:
            for place, (name, page) in enumerate(signup):
                dump.send(person, at, name)
                if page:
                    dump.send(person, at + 3, "$mp_page_view", page)
                at += draw.randrange(9, 60)
                if place < 3 and draw.random() < 0.15:
                    stays = False
                    break
        for _ in range(draw.randrange(1, 6) if stays else 0):
            at += draw.randrange(DAY // 4, 5 * DAY)
            for page in draw.sample(["Home", "Product", "Search", "Cart"], 3):
                at += 20
                dump.send(person, at, "$mp_page_view", page)
            if draw.random() < 0.3:
                for name in ("Checkout Started", "Order Placed"):
                    at += 30
                    dump.send(person, at, name)
    entered, steps, completion = dump.report(folder)
    started, email, profile, finished = dump.people(*(name for name, _ in signup))
    assert entered == started and completion == (str(finished), str(started))
    assert steps == {"Sign up": started, "Verify": email, "Welcome": profile}
    # The screens of the app are no data problem.
    assert "of the page views" not in (folder / "reports/my_app/report.html").read_text()


def test_a_day_of_data_shows_most_things_once(folder):
    dump = Dump(2)
    draw = dump.random
    setup = ["Welcome Shown", "Goal Picked", "Plan Built", "Setup Done"]
    for number in range(300):
        person, at, stays = f"u{number}", START + draw.randrange(DAY // 2), draw.random() < 0.4
        if draw.random() < 0.5:
            stays = True
            for name in setup:
                dump.send(person, at, name)
                at += draw.randrange(4, 30)
                if name != setup[-1] and draw.random() < 0.15:
                    stays = False
                    break
        for _ in range(draw.randrange(6) if stays else 0):
            at += draw.randrange(20, 3000)
            dump.send(person, at, draw.choice(["Workout Finished", "Workout Opened", "Share Tapped"]))
    for number in range(30):  # So that the day of those before is over.
        dump.send(f"late{number}", START + 3 * DAY + number, "Share Tapped")
    entered, steps, completion = dump.report(folder)
    started, goal, plan, done = dump.people(*setup)
    assert entered == started and completion == (str(done), str(started))
    assert steps == {"Goal Picked": goal, "Plan Built": plan}


def test_few_reach_the_end_of_a_hard_onboarding(folder):
    dump = Dump(3)
    draw = dump.random
    for number in range(600):
        person, at = f"u{number}", START + draw.randrange(20 * DAY)
        for name, leaves in [("s1", 0.3), ("s2", 0.4), ("s3", 0.5), ("s4", 0.6), ("s5", 0)]:
            dump.send(person, at, name)
            at += draw.randrange(4, 30)
            if draw.random() < leaves:
                break
        else:
            dump.send(person, at + DAY, "opened")
            dump.send(person, at + 2 * DAY, "opened")
    entered, steps, completion = dump.report(folder)
    assert completion == (str(len(dump.had["s5"])), "600")
    assert steps == {name: len(dump.had[name]) for name in ("s2", "s3", "s4")}


def test_screens_are_found_though_the_app_shows_others_under_the_same_name(folder):
    dump = Dump(4)
    draw = dump.random
    screens = ["Hello", "Name", "Interests", "Push"]
    for number in range(300):
        person, at = f"u{number}", START + draw.randrange(20 * DAY)
        for screen in screens:
            dump.send(person, at, "Looked At", screen)
            at += draw.randrange(4, 30)
            if draw.random() < 0.1:
                break
        else:
            dump.send(person, at, "Ready")
            for _ in range(draw.randrange(1, 12)):
                at += draw.randrange(20, DAY)
                dump.send(person, at, "Looked At", draw.choice(["Feed", "Post", "Me"]))
    entered, steps, completion = dump.report(folder)
    assert entered == 300 and completion == (str(len(dump.had["Ready"])), "300")
    assert steps == dict(zip(screens, dump.people(*screens)))


def disjoint_endings(good, bad, first="Apply Started"):
    """People who all end with one of two events."""
    lines = []
    for person in range(60):
        names = [first, "Income Given", "Documents Sent", bad if person % 5 < 3 else good]
        for place, name in enumerate(names):
            lines.append({"event": name, "properties": {
                "time": 1_770_000_000 + 600 * person + 20 * place, "distinct_id": f"p{person}"}})
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_an_app_that_sends_events_twice_shows_each_once(folder):
    lines = []
    for person in range(60):
        for place, name in enumerate(["Signup Begun", "Name Given", "Plan Picked", "Order Placed"]):
            for again in range(2):
                lines.append({"event": name, "properties": {
                    "time": 1_770_000_000 + 600 * person + 20 * place + again,
                    "distinct_id": f"p{person}", "$insert_id": f"{person}-{place}-{again}"}})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    firstmile("start", "--yes", "dump.ndjson", "--no-open", cwd=folder)
    flow = (folder / "my_app.yaml").read_text()
    assert '"Signup Begun": onboarding_started' in flow, flow
    assert '"Order Placed": onboarding_completed' in flow, flow


@pytest.mark.parametrize("good, bad, end", [
    ("Offer Made", "Application Rejected", "Offer Made"),
    ("Application Complete", "Sent To Branch", "Application Complete"),
    ("Offer Made", "Sent To Branch", None)])
def test_of_two_endings_only_a_name_says_which_is_a_success(folder, good, bad, end):
    (folder / "dump.ndjson").write_text(disjoint_endings(good, bad))
    done = firstmile("start", "--yes", "dump.ndjson", "--no-open", cwd=folder, expect=(0, 4))
    findings = (folder / "reports/my_app/report.md").read_text()
    flow = (folder / "my_app.yaml").read_text()
    if end:
        assert f'"{end}": onboarding_completed' in flow, flow
        assert f'"finished" is \'{end}\'' in findings, findings[:1500]
    else:
        assert "onboarding_completed" not in flow.split("Not known")[0], flow
        assert b"not known: the end" in done.stderr, done.stderr


def test_a_replaced_flow_is_the_one_that_report_makes_again(folder):
    for name in ("first", "second"):
        (folder / name).mkdir()
        (folder / name / "dump.ndjson").write_text(
            disjoint_endings("Offer Made", "Application Rejected", first=f"{name} begun"))
    firstmile("start", "--yes", "first", "--no-open", cwd=folder)
    firstmile("start", "--yes", "--replace", "second", "--no-open", cwd=folder)
    assert 'inputs: "second"' in (folder / "firstmile.yaml").read_text()
    made = (folder / "reports/my_app/metrics.csv").read_bytes()
    firstmile("report", "--quiet", cwd=folder)
    assert (folder / "reports/my_app/metrics.csv").read_bytes() == made
