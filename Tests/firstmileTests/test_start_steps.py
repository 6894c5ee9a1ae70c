"""The steps that `firstmile start` finds, and those that it must not take for some."""

import json

import pytest

from harness import firstmile
from test_start import DAY, START
from test_start_foreign import Dump, flow, found, start

STEPS = ("welcome", "profile", "plan", "connect")


def steps(folder):
    """The drafted steps, in their order."""
    lines = flow(folder).partition("\nsteps:\n")[2].splitlines()
    names = []
    for line in lines:
        if not line.startswith("  - "):
            break
        names.append(line[4:].partition("  #")[0].strip().strip('"'))
    return names


def walk(dump, person, at, view):
    """Somebody sees the steps, and leaves at one of ten; when that is, and whether they got through."""
    dump.send(person, at, "Tour Started")
    for step in STEPS:
        at += dump.draw.randrange(4, 40)
        view(person, at, step)
        if dump.draw.random() < 0.1:
            return at, False
    return at, True


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("form", ["segment", "mixpanel"])
def test_taps_between_screens_are_part_of_an_onboarding(folder, form, share):
    dump = Dump(form)

    def view(person, at, step):
        dump.send(person, at, "Tour Step Viewed", step=step)
        if dump.draw.random() < share:
            dump.send(person, at + 1, "Button Tapped")
        if step == "profile":
            dump.send(person, at + 3, "Signed Up")

    for number in range(400):
        person = f"p{number}"
        at, is_through = walk(dump, person, START + dump.draw.randrange(20 * DAY), view)
        if is_through:
            dump.send(person, at + 5, "Tour Finished")
            dump.send(person, at + 8, "Home Viewed")
    dump.later(START + 30 * DAY).write(folder)
    start(folder)
    assert steps(folder) == list(STEPS), flow(folder)


@pytest.mark.parametrize("form", ["ga4", "posthog", "amplitude"])
def test_the_home_screen_is_no_step(folder, form):
    """The only screen that the app sends: everybody sees it, and most never had the onboarding."""
    event, key = {"ga4": ("screen_view", "firebase_screen"), "posthog": ("$screen", "$screen_name"),
                  "amplitude": ("[Amplitude] Screen Viewed", "[Amplitude] Screen Name")}[form]
    dump, had = Dump(form), {}
    for number in range(360):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        if number % 3:
            for step in ("Sign Up Tapped", "Mail Entered", "Password Set", "Profile Saved", "Account Created"):
                dump.send(person, at, step)
                had[step] = had.get(step, 0) + 1
                at += dump.draw.randrange(4, 40)
                if dump.draw.random() < 0.1:
                    break
        for day in range(1 if number % 3 else 0, 9):
            if dump.draw.random() < 0.3:
                dump.send(person, at + day * DAY, event, **{key: "Home"})
                dump.send(person, at + day * DAY + 40, dump.draw.choice(["Task Created", "List Opened"]))
    dump.later(START + 30 * DAY).write(folder)
    start(folder)
    assert steps(folder) == ["Mail Entered", "Password Set", "Profile Saved"], flow(folder)
    assert found(folder)["completion_rate", "all"] == (str(had["Account Created"]), str(had["Sign Up Tapped"]))


def test_steps_by_their_property_come_before_the_home_screen(folder):
    dump = Dump("posthog")
    for number in range(200):
        person = f"p{number}"
        at, is_through = walk(dump, person, START + dump.draw.randrange(20 * DAY),
                              lambda who, when, step: dump.send(who, when, "Tour Step Viewed", step_name=step))
        if is_through:
            dump.send(person, at + 3, "Tour Finished")
        dump.send(person, at + 3 * DAY, "$screen", **{"$screen_name": "Home"})
    dump.later(START + 30 * DAY).write(folder)
    start(folder)
    assert steps(folder) == list(STEPS), flow(folder)


def test_who_skips_to_the_app_has_left_the_onboarding(folder):
    dump = Dump("posthog")
    skipped = 0
    for number in range(300):
        person = f"p{number}"
        at, is_through = walk(dump, person, START + dump.draw.randrange(20 * DAY),
                              lambda who, when, step: dump.send(who, when, "$screen", **{"$screen_name": step}))
        skipped += not is_through
        dump.send(person, at + 3, "Tour Finished" if is_through else "Tour Skipped")
        for day in range(0, 9):
            if day == 0 or dump.draw.random() < 0.3:
                dump.send(person, at + 5 + day * DAY, "$screen", **{"$screen_name": "Home"})
    dump.later(START + 30 * DAY).write(folder)
    start(folder)
    assert "\nskip: ends\n" in flow(folder), flow(folder)
    assert found(folder)["skip_rate", "all"][0] == str(skipped)


def sequence(folder, names, form="segment", people=200):
    """Everybody walks through some events; one of ten leaves at each tenth of them."""
    dump, had = Dump(form), {}
    for number in range(people):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        for name in names:
            dump.send(person, at, name)
            had[name] = had.get(name, 0) + 1
            at += dump.draw.randrange(2, 12)
            if dump.draw.random() < 0.6 / len(names):
                break
    dump.later(START + 30 * DAY).write(folder)
    return had


@pytest.mark.parametrize("count", [24, 60, 75])
def test_a_long_onboarding_gives_a_flow_file_that_is_read(folder, count):
    """Of more steps than a flow may have the rest is named."""
    names = ["Quiz Started", *(f"Question Answered: number {number} of a long quiz" for number in range(count)),
             "Quiz Finished"]
    had = sequence(folder, names)
    said = start(folder)
    assert steps(folder) == names[1:1 + min(count, 64)], flow(folder)
    assert ("11 more steps" in said) == (count == 75), said
    firstmile("flow", "check", "my_app.yaml", cwd=folder)
    assert found(folder)["completion_rate", "all"] == (str(had["Quiz Finished"]), "200")


@pytest.mark.parametrize("ends", [("onboarding_started", "onboarding_completed"), ("tour_started", "tour_completed")])
def test_steps_between_our_own_names_are_found(folder, ends):
    names = [ends[0], "welcome_viewed", "profile_created", "plan_chosen", ends[1]]
    had = sequence(folder, names)
    start(folder)
    assert steps(folder) == names[1:-1], flow(folder)
    assert found(folder)["step_reach", "plan_chosen"] == (str(had["plan_chosen"]), "200")


@pytest.mark.parametrize(("key", "first"), [("page_number", 1), ("page_number", 0), ("page_index", 0)])
def test_pages_without_names_have_their_numbers(folder, key, first):
    had, lines = {}, []
    dump = Dump()
    for number in range(200):
        at = START + dump.draw.randrange(20 * DAY)
        person = f"u{number}"
        lines.append((at, person, "onboarding_started", {}))
        for page in range(4):
            at += 9
            lines.append((at, person, "onboarding_page_viewed", {key: page + first}))
            had[page] = had.get(page, 0) + 1
            if dump.draw.random() < 0.1:
                break
        else:
            lines.append((at + 1, person, "onboarding_completed", {}))
    lines += [(START + 30 * DAY + at % 2, f"visitor{at // 2}", "opened", {}) for at in range(10)]
    (folder / "dump.ndjson").write_text("".join(json.dumps(
        {"event": name, "user_id": person, "timestamp": at, "properties": properties}) + "\n"
        for at, person, name, properties in sorted(lines, key=lambda line: line[0])))
    start(folder)
    names = [f"page_{page + first}" for page in range(4)]
    assert steps(folder) == names, flow(folder)
    for page, name in enumerate(names):
        assert found(folder)["step_reach", name] == (str(had[page]), "200")


def test_a_flow_file_is_of_one_of_the_dumps_flows(folder):
    dump, people, lines = Dump(), {"shop": 0, "tour": 0}, []
    pages = {"shop": ["welcome", "plan"], "tour": ["t1", "t2", "t3"]}
    for number in range(240):
        name = dump.draw.choice(["shop", "shop", "tour"])
        people[name] += 1
        at = START + dump.draw.randrange(20 * DAY)
        events = [("onboarding_started", {}), *(("onboarding_page_viewed", {"page_name": page}) for page in pages[name]),
                  ("onboarding_completed", {})]
        for place, (event, properties) in enumerate(events):
            lines.append({"event": event, "user_id": f"u{number}", "timestamp": at + place * 9, "flow": name,
                          "properties": properties})
    lines += [{"event": "opened", "user_id": f"visitor{at // 2}", "timestamp": START + 30 * DAY + at % 2} for at in range(10)]
    (folder / "dump.ndjson").write_text("".join(
        json.dumps(line) + "\n" for line in sorted(lines, key=lambda line: line["timestamp"])))
    done = firstmile("start", "dump.ndjson", "--yes", "--flow-file", "shop.yaml", "--out", "out", cwd=folder)
    text = (folder / "shop.yaml").read_text()
    assert "t1" not in text.partition("\nsteps:")[2].partition("\nretention")[0], text
    assert b"the flow 'tour', of which there are" in done.stderr, done.stderr
    assert f"{people['shop']} people started" in done.stdout.decode()


def test_a_platform_that_spells_otherwise_is_named(folder):
    dump = Dump("segment")
    for number in range(300):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        for name in ("Signup Started", "Welcome Viewed", "Profile Created", "Signup Completed"):
            dump.send(person, at, name if number % 2 else name.lower().replace(" ", "_"))
            at += dump.draw.randrange(2, 30)
        dump.send(person, at + DAY, "Task Created")
    dump.later(START + 30 * DAY).write(folder)
    said = start(folder)
    assert "in another spelling: 150 of" in said, said


def test_pages_of_a_web_site_are_steps_by_their_paths(folder):
    dump, had = Dump("posthog"), {}
    for number in range(300):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        for step in STEPS:
            path = f"/onboarding/{step}"
            dump.send(person, at, "$pageview",
                      **{"$pathname": path, "$current_url": f"https://app.example.com{path}?ref={number}", "title": "App"})
            had[path] = had.get(path, 0) + 1
            at += dump.draw.randrange(4, 40)
            if dump.draw.random() < 0.1:
                break
        for day in range(1, 9):
            if dump.draw.random() < 0.3:
                dump.send(person, at + day * DAY, "$pageview",
                          **{"$pathname": "/home", "$current_url": "https://app.example.com/home", "title": "App"})
    dump.later(START + 30 * DAY).write(folder)
    start(folder)
    assert steps(folder) == [f"/onboarding/{step}" for step in STEPS], flow(folder)
    for path, people in had.items():
        assert found(folder)["step_reach", path][0] == str(people)
