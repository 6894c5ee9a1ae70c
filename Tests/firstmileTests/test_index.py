"""The index over several reports: of the flows of a run, and of a flow's days."""

import contextlib
import csv
import fcntl
import json
import os
import re
import shutil
import signal
import sqlite3
import subprocess

from harness import APPS, BINARY, assert_same, contents, firstmile, running, wait_until

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


def test_a_report_that_cannot_be_listed_is_not_written(folder):
    two_flows(folder)
    for name in ("index.html", "index.json", "index.css"):
        (folder / "reports" / name).mkdir(parents=True)
        job = a_job("easy", "reports/easy", "--index", "reports")
        if name == "index.css":
            firstmile(*job, cwd=folder)
            continue
        assert name.encode() in firstmile(*job, cwd=folder, expect=2).stderr
        (folder / "reports" / name).rmdir()
        assert not list((folder / "reports").iterdir())


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


def listed(folder):
    """The folders that an index lists; the page leads to the last one of each flow."""
    reports = json.loads((folder / "index.json").read_text())["reports"]
    page = (folder / "index.html").read_text()
    for last in {entry["flow"]: entry for entry in reports}.values():
        assert f'href="./{last["folder"]}/report.html"' in page
    return sorted(entry["folder"] for entry in reports)


def a_job(flow, out, *options):
    return ["report", "dump.ndjson", "--flow", f"{flow}.yaml", "--quiet", "--out", out, *options]


def all_at_once(folder, jobs):
    """Jobs that are started together, end well and have nothing to say."""
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(running(*job, cwd=folder)) for job in jobs]
        ends = [(process.communicate(timeout=600)[1], process.returncode) for process in processes]
    waited = b"another process is writing"
    assert all(code == 0 and (not said or waited in said) for said, code in ends), ends
    left = [path for path in folder.rglob(".*")]
    assert not left, left


def test_jobs_that_run_at_once_are_all_listed(folder):
    two_flows(folder)
    for number in range(3):
        reports = folder / f"reports{number}"
        names = [f"r{name}" for name in range(6)]
        all_at_once(folder, [
            a_job(("easy", "hard")[place % 2], f"{reports}/{name}", "--index", reports)
            for place, name in enumerate(names)])
        assert listed(reports) == names


def test_flows_that_are_reported_on_at_once_are_all_listed(folder):
    """Four runs of two flows each into one folder; all have one flow in common."""
    two_flows(folder)
    (folder / "third.yaml").write_text(FLOW.format(flow="third", title="Third", least="20%"))
    all_at_once(folder, [
        a_job("easy", "all", "--flow", f"{other}.yaml") for other in ("hard", "third") * 2])
    assert listed(folder / "all") == ["easy", "hard", "third"]
    for flow in ("easy", "hard", "third"):
        firstmile(*a_job(flow, f"alone/{flow}"), cwd=folder)
        assert_same(contents(folder / "all" / flow), contents(folder / "alone" / flow), flow)


def test_an_index_waits_for_another_process(folder):
    two_flows(folder)
    reports = folder / "reports"
    firstmile(*a_job("hard", "reports/hard", "--index", "reports"), cwd=folder)
    descriptor = os.open(reports, os.O_RDONLY)
    fcntl.flock(descriptor, fcntl.LOCK_EX)
    with running(*a_job("easy", "reports/easy", "--index", "reports"), cwd=folder) as process:
        with running(*a_job("easy", "reports/dead", "--index", "reports"), cwd=folder) as killed:
            for waiting in (process, killed):
                said = waiting.stderr.readline().decode()
                assert "another process is writing the index to 'reports'; waiting" in said, said
            killed.kill()
        # Meanwhile the other process lists a report of its own.
        shutil.copytree(reports / "hard", reports / "third")
        known = json.loads((reports / "index.json").read_text())
        known["reports"].append(dict(known["reports"][0], folder="third"))
        (reports / "index.json").write_text(json.dumps(known))
        os.close(descriptor)
        said = process.communicate(timeout=60)[1]
        assert (process.returncode, said) == (0, b""), said
    assert listed(reports) == ["easy", "hard", "third"]


def test_a_job_that_is_killed_keeps_no_other_from_the_index(folder):
    two_flows(folder)
    jobs = [a_job("easy", f"reports/r{number}", "--index", "reports") for number in range(2)]
    for _ in range(4):
        shutil.rmtree(folder / "reports", ignore_errors=True)
        with running(*jobs[0], cwd=folder) as process, running(*jobs[1], cwd=folder) as killed:
            wait_until((folder / "reports/r1/report.html").exists, killed)
            killed.kill()
            said = process.communicate(timeout=60)[1]
            assert process.returncode == 0, said
        # A kill may fall between the list and its page, which then leads to the job before.
        known = json.loads((folder / "reports/index.json").read_text())["reports"]
        assert "r0" in {entry["folder"] for entry in known}
        page = (folder / "reports/index.html").read_text()
        assert any(f'href="./{entry["folder"]}/report.html"' in page for entry in known)
        firstmile(*jobs[1], cwd=folder)
        assert listed(folder / "reports") == ["r0", "r1"]
        assert not list((folder / "reports").rglob(".*"))


def test_a_page_that_a_killed_job_did_not_write_is_written_by_the_next(folder):
    two_flows(folder)
    jobs = [a_job(flow, f"reports/{flow}", "--index", "reports") for flow in ("easy", "hard")]
    firstmile(*jobs[0], cwd=folder)
    (folder / "reports/index.html").unlink()
    (folder / "reports/.index.html.firstmile.part").write_text("<!DOCTYPE")
    firstmile(*jobs[1], cwd=folder)
    assert listed(folder / "reports") == ["easy", "hard"]
    assert not list((folder / "reports").rglob(".*"))


def test_names_are_text(folder):
    words = two_flows(folder)
    hostile = "<script>x</script>{{style}}"
    (folder / "easy.yaml").write_text(FLOW.format(flow="easy", title=hostile, least="20%"))
    firstmile(*words, "--out", "all", cwd=folder)
    page = (folder / "all/index.html").read_text()
    assert "<script" not in page and "&lt;script&gt;x&lt;/script&gt;{{style}}" in page


def watched(folder, files, *options):
    """What a watch says, with files that land one after the other; of each file its last day."""
    landing = folder / "landing"
    landing.mkdir()
    process = subprocess.Popen(
        [BINARY, "watch", landing, "--store", folder / "s.sqlite", "--flow", folder / "easy.yaml",
         "--out", folder / "days", "--settle", "0", "--every", "0.05", *options],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = []
    try:
        for number, (day, text) in enumerate(files):
            (landing / f".{number}.part").write_text(text)
            (landing / f".{number}.part").rename(landing / f"{number}.ndjson")
            while not said or f"2026-03-{day:02} is complete" not in said[-1]:
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
    said = watched(folder, [(6, dump(range(1, 8))), (9, dump(range(8, 11)))])
    days = [f"2026-03-{day:02}" for day in range(1, 10)]
    assert history(folder) == days, history(folder)
    assert "easy: 5 earlier days added to the history, 2026-03-01 to 2026-03-05" in "".join(said)
    # The first one is the newest that was complete when the watch began; then each day has one.
    assert sorted(path.name for path in (folder / "days/easy").iterdir()) == [
        *days[5:], "latest.html"]
    complete = [line.split()[2] for line in said if "is complete; reported" in line]
    assert complete == days[5:], said
    assert 'url=2026-03-09/report.html' in (folder / "days/easy/latest.html").read_text()
    reports = json.loads((folder / "days/index.json").read_text())["reports"]
    assert [entry["day"] for entry in reports] == days[5:]
    page = text_of((folder / "days/index.html").read_text())
    assert "+8 people" in page and "Easy one , day by day" in page, page


def test_a_backlog_can_be_bounded(folder):
    two_flows(folder)
    watched(folder, [(6, dump(range(1, 8))), (13, dump(range(8, 15)))], "--backlog", "2")
    days = [4, 5, 6, 11, 12, 13]
    assert history(folder) == [f"2026-03-{day:02}" for day in days]
    assert sorted(path.name for path in (folder / "days/easy").iterdir()) == [
        *[f"2026-03-{day:02}" for day in days[2:]], "latest.html"]
    firstmile("watch", folder, "--store", folder / "s.sqlite", "--backlog", "-1", expect=2)


def test_another_report_in_the_index_leaves_the_link_to_the_newest_day(folder):
    two_flows(folder)
    (folder / "dump.ndjson").write_text(dump(range(1, 3)))
    firstmile(*a_job("easy", "days/easy/beside", "--index", "days"), cwd=folder)
    watched(folder, [(1, dump(range(1, 3))), (2, dump([3]))])
    assert 'url=2026-03-02/report.html' in (folder / "days/easy/latest.html").read_text()
    assert listed(folder / "days") == ["easy/2026-03-01", "easy/2026-03-02", "easy/beside"]
