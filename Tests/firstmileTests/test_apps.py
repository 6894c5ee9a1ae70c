"""The built-in apps' questions, and what their flow files can say that others need not."""

import csv
import gzip
import json
import subprocess
import sys

from harness import ROOT, firstmile


def rows_of(folder):
    return list(csv.DictReader((folder / "metrics.csv").read_text().splitlines()))


def test_every_question_of_the_apps_has_its_answer():
    done = subprocess.run([sys.executable, ROOT / "script/app-pages", "--check"],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_update_begins_the_attempt_of_a_flow_of_its_own(folder):
    updates = {}
    for path in (ROOT / "sample-events/memoss").glob("*.gz"):
        for line in gzip.decompress(path.read_bytes()).splitlines():
            if b'"app_updated"' in line and line.startswith(b"{") and line.endswith(b"}"):
                event = json.loads(line)
                updates[event.get("user_id") or event["device_id"]] = event
    firstmile("report", ROOT / "sample-events/memoss", "--flow", ROOT / "flows/memoss-whats-new.yaml",
              "--out", folder / "out", "--rejects", folder / "rejects", "--quiet")
    rows = {(row["metric"], row["step"]): row for row in rows_of(folder / "out")
            if {row[key] for key in ("version", "variant", "cohort", "breakdown")} == {"all"}}
    entered = int(rows["entered", "all"]["numerator"])
    # Some people are seen with a user and with a device id; nobody is counted twice for it.
    assert 0 < entered <= len(updates)
    assert 0 < float(rows["completion_rate", "all"]["value"]) <= 1
    assert float(rows["step_reach", "shared_lists"]["value"]) >= float(rows["step_reach", "quick_add"]["value"])


def test_skips_that_count_from_another_number_are_named_with_the_setting_that_helps(folder):
    lines = []
    for person in range(40):
        page = 1 + person % 3
        at = lambda second: f"2026-03-{1 + person % 20:02}T10:00:{second:02}Z"
        lines += [{"event": "onboarding_started", "user_id": f"u{person}", "timestamp": at(0)}]
        lines += [{"event": "onboarding_page_viewed", "user_id": f"u{person}", "timestamp": at(number),
                   "properties": {"page_number": number}} for number in range(1, page + 1)]
        if person % 2:
            lines += [{"event": "onboarding_skipped", "user_id": f"u{person}", "timestamp": at(9),
                       "properties": {"skipped_at_page": page - 1}}]
        else:
            lines += [{"event": "onboarding_completed", "user_id": f"u{person}", "timestamp": at(9)}]
    dump = folder / "dump.ndjson"
    dump.write_text("".join(json.dumps(line) + "\n" for line in lines))
    flow = "flow: x\nsteps: [one, two, three]\ncounts_from: 1\n"
    (folder / "x.yaml").write_text(flow)
    said = firstmile("report", dump, "--flow", folder / "x.yaml", "--as-of", "2026-04-30",
                     "--full").stdout.decode()
    assert "skips_count_from: 0" in said and "grade A" not in said, said
    (folder / "x.yaml").write_text(flow + "skips_count_from: 0\n")
    said = firstmile("report", dump, "--flow", folder / "x.yaml", "--as-of", "2026-04-30",
                     "--full").stdout.decode()
    assert "skips_count_from" not in said.partition("SETTINGS")[0], said


def test_amounts_stand_in_every_report(folder):
    lines = []
    for person, price in enumerate(["29.99", 3.99, "free", None]):
        lines += [{"event": "onboarding_started", "user_id": f"u{person}", "timestamp": "2026-03-01T10:00:00Z"},
                  {"event": "onboarding_completed", "user_id": f"u{person}", "timestamp": "2026-03-01T10:00:09Z"}]
        lines += [{"event": "bought", "user_id": f"u{person}", "timestamp": "2026-03-01T11:00:00Z",
                   "properties": {"price": price}}]
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "x.yaml").write_text(
        "flow: x\nsteps: [one]\ngoals: [{id: revenue, event: bought, value: price, within: 2h}]\n")
    said = firstmile("report", folder / "dump.ndjson", "--flow", folder / "x.yaml", "--as-of", "2026-03-09",
                     "--full", "--out", folder / "out").stdout.decode()
    rows = {row["metric"]: row for row in rows_of(folder / "out") if row["step"] == "revenue"
            and row["breakdown"] == row["cohort"] == row["version"] == "all"}
    assert float(rows["goal_value_total"]["value"]) == 33.98
    assert abs(float(rows["goal_value"]["value"]) - 33.98 / 4) < 1e-9
    for text in (said, (folder / "out/report.md").read_text(), (folder / "out/report.html").read_text()):
        assert "33.98" in text and "8.5" in text
    gate = folder / "gate.yaml"
    gate.write_text("rules: [{metric: goal_value, goal: revenue, at_least: 3}]\n")
    said = firstmile("check", folder / "dump.ndjson", "--flow", folder / "x.yaml", "--gate", gate,
                     "--as-of", "2026-03-09", expect=2).stderr.decode()
    assert "amounts" in said and "goal_rate" in said, said
