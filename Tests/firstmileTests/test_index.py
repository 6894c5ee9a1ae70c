"""The index over several reports: of the flows of a run, and of a flow's days."""

import csv
import json
import re
import shutil
import signal
import sqlite3
import subprocess

from harness import APPS, BINARY, contents, firstmile

FLOW = """flow: {flow}
title: "{title}"
window: 1h
identity: user
steps: [welcome, plan]
targets: [{{metric: completion_rate, at_least: {least}}}]
"""


def event(user, moment, name, **more):
    return json.dumps({"event": name, "user_id": user, "timestamp": moment, **more}) + "\n"


def dump(days, people=8):
    """So many people a day; every other one finishes."""
    lines = []
    for day in days:
        for number in range(people):
            who = f"u{day}-{number}"
            lines += [event(who, f"2026-03-{day:02}T10:{number:02}:00Z", "onboarding_started"),
                      event(who, f"2026-03-{day:02}T10:{number:02}:01Z", "onboarding_page_viewed",
                            properties={"page_name": "welcome"})]
            if number % 2:
                lines.append(event(who, f"2026-03-{day:02}T10:{number:02}:30Z",
                                   "onboarding_completed",
                                   properties={"completion_method": "finished"}))
    return "".join(lines)


def two_flows(folder):
    (folder / "easy.yaml").write_text(FLOW.format(flow="easy", title="Easy one", least="20%"))
    (folder / "hard.yaml").write_text(FLOW.format(flow="hard", title="Hard one", least="90%"))
    (folder / "dump.ndjson").write_text(dump(range(1, 15)))
    return ["report", "dump.ndjson", "--flow", "easy.yaml", "--flow", "hard.yaml", "--quiet"]


def text_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page)).replace("\u202f", " ")


def test_the_index_of_a_run_has_each_flow_with_the_numbers_of_its_report(folder):
    flows = [word for app in APPS for word in ("--flow", app)]
    firstmile("report", *[f"sample-events/{app}" for app in APPS], *flows, "--out", folder / "all",
              "--quiet", expect=(0, 4))
    reports = json.loads((folder / "all/index.json").read_text())["reports"]
    assert [entry["flow"] for entry in reports] == APPS
    page = (folder / "all/index.html").read_text()
    for entry in reports:
        with (folder / "all" / entry["folder"] / "metrics.csv").open(newline="") as file:
            rows = [row for row in csv.DictReader(file) if row["version"] == row["experiment"] ==
                    row["cohort"] == row["breakdown"] == row["step"] == "all"]
        metrics = {row["metric"]: row for row in rows}
        assert entry["people"] == int(metrics["entered"]["numerator"])
        for rate in entry["rates"]:
            row = metrics[rate["metric"]]
            assert (rate["numerator"], rate["denominator"]) == (
                int(row["numerator"]), int(row["denominator"])), (entry["flow"], rate["metric"])
            assert abs(rate["value"] - rate["numerator"] / rate["denominator"]) < 1e-9
            assert len(rate["points"]) > 3
        assert f'href="./{entry["folder"]}/report.html"' in page
        assert (folder / "all" / entry["folder"] / "report.html").is_file()


def test_what_needs_a_reader_comes_first(folder):
    words = two_flows(folder)
    firstmile(*words, "--out", "all", cwd=folder)
    page = text_of((folder / "all/index.html").read_text())
    assert "Hard one misses 1 of its 1 target" in page, page[:600]
    assert "2 flows. 1 misses targets." in page, page[:600]
    table = page[page.index("Data grade"):]
    assert table.index("Hard one") < table.index("Easy one")
    assert "0 of 1 met, 1 missed" in table and "1 of 1 met" in table


def test_an_index_is_kept_and_drops_what_is_gone(folder):
    words = two_flows(folder)
    firstmile(*words, "--out", "all", cwd=folder)
    first = contents(folder / "all")
    firstmile(*words, "--out", "all", "--threads", 3, cwd=folder)
    assert contents(folder / "all") == first
    (folder / "third.yaml").write_text(FLOW.format(flow="third", title="Third", least="20%"))
    shutil.rmtree(folder / "all/hard")
    firstmile("report", "dump.ndjson", "--flow", "easy.yaml", "--flow", "third.yaml", "--quiet",
              "--out", "all", cwd=folder)
    reports = json.loads((folder / "all/index.json").read_text())["reports"]
    assert [entry["flow"] for entry in reports] == ["easy", "third"]


def test_an_index_of_another_program_is_left_alone(folder):
    words = two_flows(folder)
    for name in ("index.html", "index.json"):
        out = folder / name.replace(".", "-")
        out.mkdir()
        (out / name).write_text("{}")
        before = contents(folder)
        said = firstmile(*words, "--out", out, cwd=folder, expect=2).stderr.decode()
        assert "is of another program; choose another --out" in said, said
        assert contents(folder) == before


def test_one_flow_alone_needs_no_index(folder):
    two_flows(folder)
    firstmile("report", "dump.ndjson", "--flow", "easy.yaml", "--quiet", "--out", "one", cwd=folder)
    assert not (folder / "one/index.html").exists()


def test_reports_that_are_made_one_by_one_are_listed_together(folder):
    two_flows(folder)
    for flow in ("hard", "easy"):
        firstmile("report", "dump.ndjson", "--flow", f"{flow}.yaml", "--quiet", "--out",
                  f"reports/{flow}", "--index", "reports/", cwd=folder)
    two = json.loads((folder / "reports/index.json").read_text())["reports"]
    assert [(entry["flow"], entry["folder"]) for entry in two] == [("easy", "easy"), ("hard", "hard")]
    assert 'href="./hard/report.html"' in (folder / "reports/index.html").read_text()
    for out in ("elsewhere", "reports", "reports/"):
        said = firstmile("report", "dump.ndjson", "--flow", "easy.yaml", "--quiet", "--out", out,
                         "--index", "reports", cwd=folder, expect=2).stderr.decode()
        assert "must be a folder that --out lies in" in said, said
    assert not (folder / "elsewhere").exists()


def test_names_are_text(folder):
    words = two_flows(folder)
    hostile = "<script>x</script>{{style}}"
    (folder / "easy.yaml").write_text(FLOW.format(flow="easy", title=hostile, least="20%"))
    firstmile(*words, "--out", "all", cwd=folder)
    page = (folder / "all/index.html").read_text()
    assert "<script" not in page and "&lt;script&gt;x&lt;/script&gt;{{style}}" in page


def watched(folder, files, *options):
    """What a watch says, with files that land one after the other."""
    landing = folder / "landing"
    landing.mkdir()
    process = subprocess.Popen(
        [BINARY, "watch", landing, "--store", folder / "s.sqlite", "--flow", folder / "easy.yaml",
         "--out", folder / "days", "--settle", "0", "--every", "0.05", *options],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = []
    try:
        for number, text in enumerate(files):
            (landing / f".{number}.part").write_text(text)
            (landing / f".{number}.part").rename(landing / f"{number}.ndjson")
            while not said or "is complete" not in said[-1]:
                said.append(process.stderr.readline().decode())
                assert said[-1], "watch ended by itself"
            said.append("")
    finally:
        process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    return said


def history(folder):
    """The days that the store has headline figures of, in the order in which they were kept."""
    database = sqlite3.connect(folder / "s.sqlite")
    rows = database.execute("select options from history order by id").fetchall()
    return [json.loads(options)["as_of"] for (options,) in rows]


def test_a_backlog_fills_the_history_up(folder):
    two_flows(folder)
    said = watched(folder, [dump(range(1, 8)), dump(range(8, 11))])
    days = [f"2026-03-{day:02}" for day in range(1, 10)]
    assert history(folder) == days, history(folder)
    assert "easy: 5 earlier days added to the history, 2026-03-01 to 2026-03-05" in "".join(said)
    assert "easy: 2 earlier days added to the history, 2026-03-07 to 2026-03-08" in "".join(said)
    # Folders are of the days that were complete when files came in.
    assert sorted(path.name for path in (folder / "days/easy").iterdir()) == [
        "2026-03-06", "2026-03-09", "latest.html"]
    assert 'url=2026-03-09/report.html' in (folder / "days/easy/latest.html").read_text()
    reports = json.loads((folder / "days/index.json").read_text())["reports"]
    assert [entry["day"] for entry in reports] == ["2026-03-06", "2026-03-09"]
    page = text_of((folder / "days/index.html").read_text())
    assert "+24 people" in page and "Easy one , day by day" in page, page


def test_a_backlog_can_be_bounded(folder):
    two_flows(folder)
    watched(folder, [dump(range(1, 8))], "--backlog", "2")
    assert history(folder) == ["2026-03-04", "2026-03-05", "2026-03-06"]
    firstmile("watch", folder, "--store", folder / "s.sqlite", "--backlog", "-1", expect=2)
