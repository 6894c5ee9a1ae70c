"""Retention around days of which hardly anything is in the data."""

import csv
import json

from harness import firstmile

DAY = 86_400
MONDAY = 1_767_571_200


def dump(folder, missing=()):
    """On each of 40 days 30 people start at nine, and a third of them is back on each later day."""
    lines = []
    for start in range(40):
        for person in range(30):
            for day in range(start, 40):
                if day not in missing and (day == start or (person + day - start) % 3 == 0):
                    lines.append({"event": "onboarding_started" if day == start else "app_opened",
                                  "timestamp": MONDAY + day * DAY + 32_400 + (day > start) * 600, "user_id": f"u{start}-{person}"})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "app.yaml").write_text("flow: app\nsteps: [welcome, done]\nretention: [{days: [7]}]\n")
    said = firstmile("report", "dump.ndjson", "--flow", "app.yaml", "--out", "out", "--full", cwd=folder).stdout.decode()
    with (folder / "out/retention.csv").open(newline="") as file:
        rows = {row["cohort"]: row for row in csv.DictReader(file) if row["breakdown"] == "all" and row["version"] == "all"}
    return " ".join(said.split()), rows, (folder / "out/report.html").read_text()


def test_who_lacks_a_day_is_not_called_too_recent(folder):
    said, rows, page = dump(folder, missing=range(20, 23))
    # The seventh day of those of 17 to 20 January lies on the missing ones, which begin on the 25th.
    assert rows["all"]["rate"] == "0.333333" and rows["2026-W03"]["mature"] == "150", rows
    assert rows["2026-W03"]["note"] == "partly mature or without dates", rows["2026-W03"]
    assert "120 people don’t count for it, because days are missing." in said, said
    assert "or it is missing in the data" in page
    said, rows, page = dump(folder)
    assert rows["2026-W03"]["note"] == "" and rows["all"]["note"] == "partly mature", rows
    assert "days are missing" not in said and "or it is missing in the data" not in page


def trickle(folder, days, *options):
    """60 people start and finish on the first day; two of them open the app on each of some later days."""
    flow = [("onboarding_started", None), ("onboarding_page_viewed", "welcome"), ("onboarding_page_viewed", "done"),
            ("onboarding_completed", None)]
    lines = [{"event": name, "timestamp": MONDAY + 36_000 + person * 60 + place, "user_id": f"u{person}",
              "properties": {"page_name": page}} for person in range(60) for place, (name, page) in enumerate(flow)]
    lines += [{"event": "app_opened", "timestamp": MONDAY + day * DAY, "user_id": f"u{person}"}
              for day in range(1, days + 1) for person in range(2)]
    (folder / "launch.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "app.yaml").write_text("flow: app\nsteps: [welcome, done]\n")
    said = firstmile("report", "launch.ndjson", "--flow", "app.yaml", "--full", *options, cwd=folder)
    return " ".join(said.stdout.decode().split())


def test_events_behind_the_end_of_the_data_are_named_where_they_are_many(folder):
    said = trickle(folder, 29)
    assert "58 events after 5 Jan 2026 are left out" in said and "data quality C" in said, said
    assert "data quality B" in trickle(folder, 2) and "data quality A" in trickle(folder, 1)
    # Where the end is chosen there is none behind it, and a stray clock is no finding.
    assert "events after" not in trickle(folder, 29, "--as-of", "2026-02-03")
    assert "events after" not in trickle(folder, 1)


def test_rejects_stay_a_finding_where_they_are_let_pass(folder):
    trickle(folder, 1)
    with (folder / "launch.ndjson").open("a") as file:
        file.write('{"event": "x"}\n' * 150)
    said = firstmile("report", "launch.ndjson", "--flow", "app.yaml", "--full", "--rejects", "rejects.ndjson",
                     "--max-reject-rate", "100%", cwd=folder)
    said = " ".join(said.stdout.decode().split())
    assert "of the lines could not be used (150/392), within the bound of 100 % that was asked for" in said, said
    assert "data quality D" in said
