"""Completions, views or answers that are no longer sent while people go on to start."""
import json
import random

import pytest
from harness import firstmile

DAY = 86_400
MONDAY = 1_767_571_200  # 2026-01-05
FLOW = "flow: app\nsteps: [welcome, {id: push, asks: push}, done]\nretention: []\ndimensions: [{id: release, path: context.app_version}]\n"
COMPLETED = "onboarding_completed"


def dump(folder, lost=range(0), what=COMPLETED, days=63, people=30, release=None):
    """Three of four see each step after the last, and most of those at the end finish; what is lost is so by the day of the event."""
    draw = random.Random(7)
    lines = []
    for day in range(days):
        for person in range(people if day % 7 < 5 else people // 3):
            start = MONDAY + day * DAY + draw.randrange(DAY)
            context = {"app_version": "1.0" if release is None or day < release else "2.0"}
            events = [("onboarding_started", {}), ("onboarding_page_viewed", {"page_name": "welcome"})]
            if draw.random() < .8:
                events += [("onboarding_page_viewed", {"page_name": "push"}),
                           ("permission_result", {"permission": "push", "status": "granted", "prompted": True})]
                if draw.random() < .9:
                    events += [("onboarding_page_viewed", {"page_name": "done"})] + [(COMPLETED, {})] * (draw.random() < .9)
            for place, (name, properties) in enumerate(events):
                at = start + 10 * place + (place > 0) * draw.randrange(9)
                if (at - MONDAY) // DAY in lost and what in (name, properties.get("page_name")):
                    continue
                lines.append(json.dumps({"event": name, "timestamp": at, "user_id": f"u{day}-{person}", "context": context, "properties": properties}))
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "app.yaml").write_text(FLOW)
    (folder / "gate.yaml").write_text("rules:\n  - {metric: completion_rate, at_least: 30%}\n")


def run(folder, *more):
    said = firstmile("report", "dump.ndjson", "--flow", "app.yaml", "--out", "out", *more, cwd=folder)
    return " ".join(said.stdout.decode().split()), {
        name: (folder / "out" / name).read_text().replace("\u00a0", " ").replace("\u2060", "")
        for name in ("report.md", "report.html", "quality.csv", "metrics.json")}


def test_completions_that_stop_are_named_everywhere(folder):
    dump(folder, lost=range(50, 63))
    terminal, files = run(folder)
    # What people of the day before sent after midnight is lost as well; the first day without any is the 24th.
    claim = "Nobody who started since 24 Feb 2026 finished."
    for said in (terminal, files["report.md"], files["report.html"]):
        assert claim in said, said[:1500]
    assert "data quality **C**" in files["report.md"], files["report.md"][:600]
    assert "Is 'onboarding_completed' still sent, or can nobody finish?" in files["report.md"]
    assert "Completion fell" not in files["report.md"] and "Completion falls" not in files["report.md"], files["report.md"]
    # Whether they were lost at the last step is not known.
    assert "Biggest drop-off: done" not in files["report.md"], files["report.md"]
    row = [line for line in files["quality.csv"].splitlines() if line.startswith("stopped_events,")]
    assert len(row) == 1 and row[0].startswith("stopped_events,completion,") and "since 24 Feb 2026" in row[0], row
    assert "People of whom none did what is usual: completion" in files["report.html"]
    partial = json.loads(files["metrics.json"])["metrics"]["partial_cohorts"]
    assert {"2026-W09", "2026-W10"} <= set(partial) and "2026-W08" not in partial, partial
    gate = firstmile("check", "dump.ndjson", "--flow", "app.yaml", "--gate", "gate.yaml", "--today", "2026-03-09", cwd=folder, expect=(0, 1, 2, 3))
    assert claim in " ".join(gate.stdout.decode().split()), gate.stdout
    checked = firstmile("validate", "dump.ndjson", "--flow", "app.yaml", cwd=folder, expect=(0, 1, 2, 3))
    assert "stopped events completion: 298, people who started since 24 Feb 2026; nobody did, of others" in checked.stdout.decode(), checked.stdout


def test_a_week_without_completions_has_its_dates(folder):
    dump(folder, lost=range(28, 35), release=36)
    _, files = run(folder)
    assert "Nobody who started from 2 Feb 2026 to 8 Feb 2026 finished." in files["report.md"], files["report.md"][:900]
    assert "Without the weeks of which events are missing:" in files["report.md"], files["report.md"]
    # That week is no weakness of the release that was there, whose days are known to differ.
    assert "higher with release 2.0" not in files["report.md"], files["report.md"]


def test_a_release_is_compared_without_weeks_of_missing_events(folder):
    """Too few days of the release before are known to hold days against days."""
    dump(folder, lost=range(7, 14), release=13, days=49, people=60)
    _, files = run(folder)
    claim = "Completion is higher with release 2.0 than with 1.0: "
    assert claim in files["report.md"], files["report.md"]
    assert ", but not without the weeks of which events are missing (" in files["report.md"], files["report.md"]
    # Where the difference may be that of lost events, its place may be theirs.
    assert "left it before" not in files["report.md"], files["report.md"]


@pytest.mark.parametrize(("what", "claim"), [
    ("push", "Nobody who started since 23 Feb 2026 saw “push”, though people got further."),
    ("permission_result", "Nobody who started since 23 Feb 2026 and finished has a result for 'push'."),
])
def test_views_and_answers_that_stop_are_named(folder, what, claim):
    dump(folder, lost=range(49, 63), what=what)
    _, files = run(folder)
    assert claim in files["report.md"], files["report.md"][:1500]
    assert "data quality **C**" in files["report.md"]


@pytest.mark.parametrize(("lost", "people"), [(range(0), 30), (range(61, 63), 60), (range(58, 63), 3), (range(30, 32), 30)])
def test_few_people_and_few_days_are_no_stop(folder, lost, people):
    dump(folder, lost=lost, people=people)
    _, files = run(folder)
    assert "stopped_events" not in files["quality.csv"] and "Nobody who started" not in files["report.md"]


def test_tallies_of_parts_find_it_too(folder):
    dump(folder, lost=range(50, 63))
    _, files = run(folder, "--threads", "1")
    for command in (["partition", "dump.ndjson", "--flow", "app.yaml", "--partitions", "4", "--out", "segments"],
                    ["stitch", "segments", "--flow", "app.yaml", "--out", "stitched"],
                    ["survey", "segments", "stitched", "--flow", "app.yaml", "--out", "surveys"],
                    ["tally", "segments", "stitched", "--flow", "app.yaml", "--surveys", "surveys", "--out", "tallies"]):
        firstmile(*command, cwd=folder)
    firstmile("report", "--tallies", "tallies", "--flow", "app.yaml", "--out", "joined", cwd=folder)
    for name in ("quality.csv", "metrics.json", "report.md"):
        found = (folder / "joined" / name).read_text().replace("\u00a0", " ").replace("\u2060", "")
        assert found == files[name] or name == "report.md" and "since 24 Feb 2026 finished" in found, name
    firstmile("share", "tallies", "--flow", "app.yaml", "--out", "shared.csv", cwd=folder)
    assert "2026-02" not in (folder / "shared.csv").read_text()


def test_a_release_without_completions_is_not_drawn_at_0(folder):
    dump(folder, lost=range(40, 63), release=40)
    _, files = run(folder)
    assert "Completion with release 2.0 is unknown" in files["report.md"], files["report.md"][:1500]
    row = files["report.html"].split('id="breakdowns/release"')[1].split("<bdi>2.0</bdi>")[1].split("<tr>")[0]
    assert "unknown" in row and "0 %" not in row.split("unknown")[0], row


def test_a_release_that_stops_everybody_is_named_and_not_its_days(folder):
    draw = random.Random(3)
    lines = []
    for day in range(56):
        release = "1.0" if day < 20 else "1.1" if day < 30 else "1.2"
        for person in range(40):
            start = MONDAY + day * DAY + draw.randrange(DAY)
            pages = ["welcome", "push", "done"][: 1 if draw.random() < .1 else 2 if release == "1.1" or draw.random() < .1 else 3]
            events = [("onboarding_started", "")] + [("onboarding_page_viewed", page) for page in pages] + [(COMPLETED, "")] * (len(pages) == 3)
            lines += [json.dumps({"event": name, "timestamp": start + place * 10, "user_id": f"u{day}-{person}",
                                  "context": {"app_version": release}, "properties": {"page_name": page} if page else {}})
                      for place, (name, page) in enumerate(events)]
        # The server goes on for a week after the last start.
    lines += [json.dumps({"event": "bill_sent", "timestamp": MONDAY + day * DAY, "user_id": f"u3-{person}"}) for day in range(56, 63) for person in range(30)]
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "app.yaml").write_text(FLOW)
    _, files = run(folder)
    assert "✅ Completion is higher with release 1.2 than with 1.1: 0 %" in files["report.md"], files["report.md"]
    assert "Nobody who started" not in files["report.md"] and "stopped_events" not in files["quality.csv"]
    # Starts that end with the data are no gap in what came before.
    assert "Hardly anybody has started since" in files["report.md"]
    assert "Without the weeks" not in files["report.md"], files["report.md"]
