"""Steps that people see in another order than the flow declares."""
import json

from harness import firstmile

MONDAY = 1_767_571_200  # 2026-01-05


def reported(folder, ways, steps="[welcome, plan, push, done]"):
    """The report of so many people for each way through the steps."""
    lines = []
    for place, (way, people) in enumerate(ways.items()):
        for person in range(people):
            events = [("onboarding_started", "")] + [("onboarding_page_viewed", step) for step in way.split()]
            events += [("onboarding_completed", "")] * ("done" in way)
            lines += [json.dumps({
                "event": name, "timestamp": MONDAY + 600 * person + 10 * number, "user_id": f"u{place}-{person}",
                "properties": {"page_name": step} if step else {}}) for number, (name, step) in enumerate(events)]
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "app.yaml").write_text(f"flow: app\nsteps: {steps}\nretention: []\n")
    said = firstmile("report", "dump.ndjson", "--flow", "app.yaml", "--out", "out", "--as-of", "2026-02-01", cwd=folder)
    texts = [said.stdout.decode(), (folder / "out/report.md").read_text()]
    return [" ".join(text.split()) for text in texts]


def test_a_step_that_many_see_before_the_one_declared_first_is_named(tmp_path):
    ways = {"welcome plan push done": 100, "welcome push plan done": 60, "welcome push plan push plan done": 10, "welcome push": 30}
    for text in reported(tmp_path, ways):
        # Of the 70 who go from push to plan ten have gone back to it, and could have seen it first.
        assert "At least 35.3 % of the people who see plan see push before it, which comes later in the flow (60 of 170)." in text, text
    declared = reported(tmp_path, ways, steps="[welcome, push, plan, done]")
    assert all("At least 50.0 % of the people who see push see plan before it, which comes later in the flow (100 of 200)" in text for text in declared), declared


def test_going_back_is_no_other_order(tmp_path):
    for text in reported(tmp_path, {"welcome plan push done": 100, "welcome plan push plan push done": 80, "welcome plan": 20}):
        assert "comes later in the flow" not in text, text
