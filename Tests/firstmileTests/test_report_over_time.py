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
