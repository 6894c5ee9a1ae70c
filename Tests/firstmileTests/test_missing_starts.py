"""Days on which an app's own events are missing while others go on."""
import json
import random

import pytest
from harness import firstmile

DAY = 86_400
MONDAY = 1_767_571_200  # 2026-01-05
FLOW = "flow: app\nsteps: [welcome]\ndimensions: [{id: release, path: context.app_version}]\n"


def dump(folder, lost=range(0), days=63, people=60):
    """Everybody starts, finishes with 60 %, opens the app later and gets a bill every week; a release comes on day 40."""
    draw = random.Random(11)
    lines = []
    for day in range(days):
        for person in range(people if day % 7 < 5 else people // 3):
            user, start = f"u{day}-{person}", MONDAY + day * DAY + draw.randrange(DAY)
            events = [("onboarding_started", start), ("onboarding_page_viewed", start + 1)] + [("onboarding_completed", start + 90)] * (draw.random() < .6)
            events += [("app_opened", start + age * DAY) for age in range(1, 15) if draw.random() < .2]
            events = [(name, at) for name, at in events if (at - MONDAY) // DAY not in lost]
            events += [("bill_sent", start + week * 7 * DAY) for week in range(1, 8)]
            release = "1.0" if day < 40 else "1.1"
            lines += [json.dumps({"event": name, "timestamp": at, "user_id": user, "context": {"app_version": release},
                                  "properties": {"page_name": "welcome"}})
                      for name, at in events if at < MONDAY + days * DAY]
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "app.yaml").write_text(FLOW)
    (folder / "gate.yaml").write_text("rules:\n  - {metric: completion_rate, at_least: 30%}\n")


def run(folder, *more):
    said = firstmile("report", "dump.ndjson", "--flow", "app.yaml", "--out", "out", *more, cwd=folder)
    return said.stdout.decode(), {name: (folder / "out" / name).read_text() for name in
                                  ("report.md", "report.html", "quality.csv", "metrics.json")}


def test_an_outage_of_the_apps_events_is_named_everywhere(folder):
    dump(folder, lost=range(33, 40))
    terminal, files = run(folder)
    claim = "Hardly anybody started on 2026-02-07 and 6 other days."
    assert claim in " ".join(terminal.split()), terminal
    assert claim in files["report.md"] and claim in files["report.html"]
    assert "data quality **B**" in files["report.md"], files["report.md"][:600]
    rows = [row for row in files["quality.csv"].splitlines() if row.startswith("missing_starts,")]
    assert rows[0] == "missing_starts,2026-02-07,0,,,people started; 20 are usual on that weekday", rows
    assert [row.split(",")[1] for row in rows] == [f"2026-02-{day:02}" for day in range(7, 14)]
    assert "Starts on a day with hardly any: 2026-02-07" in files["report.html"]
    partial = json.loads(files["metrics.json"])["metrics"]["partial_cohorts"]
    assert {"2026-W06", "2026-W07"} <= set(partial) and "2026-W05" not in partial, partial
    # The release that followed is no verdict.
    assert "Starts are missing (7 Feb – 13 Feb 2026)" in files["report.md"], files["report.md"]
    gate = firstmile("check", "dump.ndjson", "--flow", "app.yaml", "--gate", "gate.yaml", "--today", "2026-03-09", cwd=folder)
    assert claim in " ".join(gate.stdout.decode().split()), gate.stdout


def test_tallies_of_parts_and_threads_find_it_too(folder):
    dump(folder, lost=range(33, 40))
    _, files = run(folder, "--threads", "1")
    for command in (["partition", "dump.ndjson", "--flow", "app.yaml", "--partitions", "4", "--out", "segments"],
                    ["stitch", "segments", "--flow", "app.yaml", "--out", "stitched"],
                    ["survey", "segments", "stitched", "--flow", "app.yaml", "--out", "surveys"],
                    ["tally", "segments", "stitched", "--flow", "app.yaml", "--surveys", "surveys", "--out", "tallies"]):
        firstmile(*command, cwd=folder)
    firstmile("report", "--tallies", "tallies", "--flow", "app.yaml", "--out", "joined", cwd=folder)
    assert (folder / "joined/quality.csv").read_text() == files["quality.csv"]
    assert (folder / "joined/metrics.json").read_text() == files["metrics.json"]
    # Nothing by date is for everybody.
    shared = firstmile("share", "tallies", "--flow", "app.yaml", "--out", "shared.csv", cwd=folder)
    assert "2026-02-0" not in (folder / "shared.csv").read_text(), shared


def test_days_before_the_period_are_not_missed(folder):
    dump(folder)
    lines = (folder / "dump.ndjson").read_text().splitlines()
    kept = [line for line in lines if (json.loads(line)["timestamp"] - MONDAY) // DAY != 20]
    (folder / "dump.ndjson").write_text("\n".join(kept) + "\n")
    for options, is_named in ((["--from", "2026-01-25"], True), (["--from", "2026-01-26"], False),
                              (["--from", "2026-02-20", "--history-from", "2026-01-26"], False)):
        _, files = run(folder, *options)
        assert ("missing_days,2026-01-25,0," in files["quality.csv"]) == is_named, options
        assert "missing_starts" not in files["quality.csv"], options


@pytest.mark.parametrize(("lost", "people"), [(range(0), 60), (range(33, 34), 6), (range(0), 3)])
def test_chance_and_weekends_are_no_outage(folder, lost, people):
    dump(folder, lost=lost, people=people)
    _, files = run(folder)
    assert "missing_starts" not in files["quality.csv"] and "Hardly anybody started" not in files["report.md"]


def test_an_outage_that_goes_on_is_named(folder):
    dump(folder, lost=range(56, 63))
    _, files = run(folder)
    assert "Hardly anybody has started since 2 Mar 2026." in files["report.md"], files["report.md"][:900]
