"""What a report says about when something changed, and about whom."""
import json
import random

from harness import firstmile

DAY = 86_400
MONDAY = 1_767_571_200  # 2026-01-05
STEPS = ["welcome", "plan", "profile", "done"]
LOSES = {"welcome": .05, "plan": .05, "profile": .06, "done": .05}
FLOW = "flow: app\nsteps: [welcome, plan, profile, done]\nretention: []\ndimensions: [{id: release, path: context.app_version}, os, country]\n"


class World:
    """People who start on any second of some days; what is lost is so by the moment of the event."""

    def __init__(self, seed=5):
        self.draw, self.lines, self.people = random.Random(seed), [], 0

    def person(self, day, loses=LOSES, steps=STEPS, lost=range(0), release="1.0", os="iOS", country="DE", more=(), **members):
        self.people += 1
        start = MONDAY + day * DAY + self.draw.randrange(DAY)
        events = [("onboarding_started", "", 0)]
        for place, step in enumerate(steps):
            events.append(("onboarding_page_viewed", step, 1 + 600 * place))
            if self.draw.random() < loses[step]:
                break
        else:
            events.append(("onboarding_completed", "", 600 * len(steps)))
        for name, page, after in events + list(more):
            at = start + after
            if (at - MONDAY) // DAY not in lost:
                self.lines.append(json.dumps({
                    "event": name, "timestamp": at, "user_id": f"u{self.people}", "properties": {"page_name": page} if page else {},
                    "context": {"app_version": release, "os": os, "country": country}, **members}))

    def report(self, folder, flow=FLOW, *options):
        (folder / "dump.ndjson").write_text("\n".join(self.lines) + "\n")
        (folder / "app.yaml").write_text(flow)
        said = firstmile("report", "dump.ndjson", "--flow", "app.yaml", "--out", "out", *options, cwd=folder)
        text, page = ((folder / "out" / name).read_text().replace("\u00a0", " ").replace("\u2060", "") for name in ("report.md", "report.html"))
        return text, page, " ".join(said.stdout.decode().split())


def test_a_jump_has_its_date_and_both_levels(folder):
    world = World()
    for day in range(91):
        for _ in range(45):
            world.person(day, loses=LOSES if day < 56 else dict(LOSES, plan=.3))
    text, page, _ = world.report(folder)
    assert "Completion fell from 80 % to 6" in text and "around 2 Mar 2026 (8 weeks before, " in text, text
    assert "Completion falls" not in text and "Completion fell from 80 %" in page
    # The step has become worse; it is what to look at.
    assert "Biggest drop-off: plan. " in text and "Until around 2 Mar 2026 it was 6 %, since then " in text, text


def test_a_step_that_has_been_mended_is_not_what_to_look_at_first(folder):
    world = World()
    for day in range(91):
        for _ in range(45):
            world.person(day, loses=dict(LOSES, plan=.3) if day < 56 else LOSES)
    text, page, terminal = world.report(folder)
    assert "Completion rose from " in text, text
    assert "plan lost " in text and " of the people who reached it until around 2 Mar 2026, and has lost " in text, text
    assert "Biggest drop-off" not in text and "Biggest drop-off" not in terminal
    assert "plan loses" not in text and "plan loses" not in page.split("</h1>")[1][:2000]


def test_a_release_after_an_outage_is_compared_without_its_weeks(folder):
    # All events of eleven days are lost; who started before midnight hasn't finished. Nothing else differs.
    world = World(3)
    for day in range(63):
        for person in range(60):
            slow = [("app_opened", "", 5 * 3600)]
            world.person(day, lost=range(29, 40), release="1.0" if day < 42 else "1.1", more=slow)
    text, page, _ = world.report(folder)
    assert "Days in the middle of the data are missing." in text
    assert "Without the weeks of which events are missing: " in text, text
    assert "Completion falls" not in text and "Completion rises" not in text and "Completion rose" not in text
    assert "2 Feb – 8 Feb 2026 (partial)" in page and "12 Jan – 18 Jan 2026 (partial)" not in page


def test_a_release_that_only_an_outage_makes_better_is_no_news(folder):
    # For three weeks of seven the days are lost on which most people would have finished.
    world = World(4)
    flow = FLOW + "window: 3d\n"
    for day in range(70):
        for person in range(50):
            slow = [("onboarding_started", "", 0), ("onboarding_page_viewed", "welcome", 1), ("onboarding_completed", "", 2 * DAY)]
            world.people += 1
            start = MONDAY + day * DAY + world.draw.randrange(DAY)
            for name, step, after in slow if world.draw.random() < .8 else slow[:2]:
                at = start + after
                if (at - MONDAY) // DAY not in set(range(21, 28)) | set(range(35, 42)):
                    world.lines.append(json.dumps({
                        "event": name, "timestamp": at, "user_id": f"u{world.people}", "properties": {"page_name": step} if step else {},
                        "context": {"app_version": "1.0" if day < 43 else "1.1", "os": "iOS", "country": "DE"}}))
    text, _, _ = world.report(folder, flow.replace("steps: [welcome, plan, profile, done]", "steps: [welcome]"))
    # Held against the days of the release before it, some of which lack their completions.
    assert "Release 1.1: no clear change in completion" in text, text
    assert "Without the weeks of which events are missing: " in text, text
    assert "Completion is higher" not in text


def test_a_release_with_one_country_says_what_it_cannot_say(folder):
    world = World()
    for day in range(56):
        for _ in range(60):
            new = day >= 28
            world.person(day, loses=dict(LOSES, plan=.3) if new else LOSES, release="2.0" if new else "1.0",
                         country="BR" if new else "DE", os=world.draw.choice(["iOS", "Android"]))
    text, _, _ = world.report(folder)
    assert "Completion is lower with release 2.0 than with 1.0" in text, text
    caveat = "Most people of release 2.0 have nobody, or very few, of the same country with 1.0, so that may be the cause."
    assert caveat in text and text.index(caveat) < text.index("\n\n", text.index("Fewer people finish")), text
    assert "Among people of the same OS" in text


def test_a_step_of_one_system_is_said_to_be_so(folder):
    world = World()
    for day in range(40):
        for _ in range(25):
            os = world.draw.choice(["iOS", "Android"])
            world.person(day, os=os, steps=STEPS if os == "iOS" else ["welcome", "plan", "done"])
    text, page, _ = world.report(folder)
    assert "profile is seen by “iOS” (OS) only (nobody of the " in text, text
    assert "people of “Android” who got past it saw it" in text and "declare it 'optional: true'" in text
    assert "profile is seen by" in page


def test_a_late_exposure_is_counted_and_lowers_the_grade(folder):
    world = World()
    flow = FLOW + "experiments:\n  wall: {control: A, variants: [A, B], exposure: {event: paywall}}\n"
    for day in range(40):
        for person in range(30):
            more = [("paywall", "", 600)] if person % 10 == 0 else [("paywall", "", 3 * DAY)] if person % 10 < 4 else []
            world.person(day, more=more, experiments={"wall": world.draw.choice("AB")})
    text, _, _ = world.report(folder, flow)
    assert " of the people who were exposed were so only after their window of 24h (" in text, text
    assert "and are not compared" in text and "data quality **C**" in text, text[:900]
    rows = [line for line in (folder / "out/quality.csv").read_text().splitlines() if line.startswith("exposed_later,")]
    assert len(rows) == 1 and rows[0].startswith("exposed_later,wall,"), rows
    late, exposed = rows[0].split(",")[2:4]
    assert int(late) == 360 and int(exposed) == 480, rows
