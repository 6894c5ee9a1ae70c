"""`firstmile report`: what it prints and writes."""

import csv
import gzip
import hashlib
import json
import os
import re
import select
import shutil
import subprocess
import sys

import pytest

from harness import (
    APPS, BINARY, ROOT, SAMPLE, contents, firstmile, gate, report, sample_events, sample_files,
    sample_report,
)


def test_each_observational_lift_has_the_e_value_of_its_own(folder):
    table = (sample_report(folder) / "experiments.csv").read_text()
    bases = set()
    for row in csv.DictReader(table.splitlines()):
        if not row["basis"].startswith("observational") or not row["e_value"]:
            continue
        ratio = 1 + float(row["lift"])
        away = max(ratio, 1 / ratio)
        # The lift has six digits, and the root is steep near 1.
        assert abs(float(row["e_value"]) - away - (away * (away - 1)) ** 0.5) < 0.01, row
        bases.add(row["basis"])
    assert len(bases) == 2, bases


def test_a_report_about_nobody_says_what_is_there_instead(folder):
    dump = [f"sample-events/{SAMPLE}", "--quiet", "--flow"]
    other = firstmile("report", *dump, "trendy").stderr.decode()
    assert "nobody entered flow 'trendy'" in other and f"of flow {SAMPLE} (" in other, other
    assert "look at --flow" in other and "from 2026-01-05 to 2026-07-03" in other, other
    both = firstmile("report", *dump, SAMPLE, "--flow", "trendy").stderr.decode()
    assert "nobody entered flow 'trendy'" in both and f"entered flow '{SAMPLE}'" not in both, both
    early = firstmile("report", *dump, SAMPLE, "--as-of", "2020-01-01").stderr.decode()
    assert "after --as-of 2020-01-01" in early and "from 2026-01-05 to 2026-07-03" in early, early
    late = firstmile("report", *dump, SAMPLE, "--from", "2027-01-01").stderr.decode()
    assert "within --from 2027-01-01" in late, late
    assert b"nobody" not in firstmile("report", *dump, SAMPLE).stderr
    store = folder / "store.sqlite"
    firstmile("ingest", *sample_files(), "--store", store, "--flow", SAMPLE, "--quiet")
    stored = firstmile("report", "--store", store, "--quiet", "--as-of", "2020-01-01").stderr.decode()
    assert "after --as-of 2020-01-01" in stored and f"of flow {SAMPLE} (" in stored, stored
    judged = gate([f"sample-events/{SAMPLE}"], "--baseline", f"reports/{SAMPLE}/metrics.json",
                  "--from", "2027-01-01", "--quiet", expect=4).stderr.decode()
    assert "nothing to judge: nobody entered" in judged, judged


def test_the_folder_of_the_reports_is_made_with_its_parents(folder):
    report(sample_files(), folder / "a" / "b" / "c")
    assert "metrics.csv" in contents(folder / "a" / "b" / "c")


def test_reports_hold_no_raw_id(folder):
    out = sample_report(folder / "out")
    ids = {value for event in sample_events()
           for name in ("user_id", "device_id", "session_id", "message_id")
           if isinstance(value := event.get(name), str) and len(value) > 6}
    assert len(ids) > 100, "the samples should have ids"
    for name, data in contents(out).items():
        words = set(data.decode().replace('"', " ").replace(",", " ").split())
        assert not words & ids, f"{name} holds {sorted(words & ids)[:3]}"


def test_an_as_of_long_after_the_data_is_told(folder):
    told = report(sample_files(), folder / "out", "--as-of", "2027-01-31").stderr.decode()
    assert re.search(r"--as-of 2027-01-31 is \d+ days after the last event", told), told
    inside = report(sample_files(), folder / "out", "--as-of", "2026-03-01").stderr.decode()
    assert "after the last event" not in inside, inside


def test_counts_of_large_apps_are_told_whole(folder):
    firstmile("simulate", "--flow", "memoss", "--persons", 12000, "--out", folder / "dump", "--quiet")
    text = firstmile("report", folder / "dump", "--flow", "memoss", "--full").stdout.decode()
    part = text[text.index("PERMISSIONS"):text.index("GOALS")]
    assert "…" not in part and part.count("/") > 8, part
    assert all(len(line) <= 80 for line in part.splitlines()), part


def test_names_of_one_letter_are_names(folder):
    (folder / "g").write_text("rules: [{metric: entered, at_least: 0}]\nbaseline: b\n")
    for out, rejects in (("r", "q"), ("/", "/"), ("r/", "./q"), (".", "q")):
        code = 2 if out == "/" else 0
        firstmile("report", ROOT / "sample-events" / SAMPLE, "--flow", SAMPLE, "--out", out,
                  "--rejects", rejects, "--quiet", cwd=folder, expect=code)
    assert (folder / "r" / "metrics.json").exists() and (folder / "q").exists()
    shutil.copy(folder / "r" / "metrics.json", folder / "b")
    firstmile("check", ROOT / "sample-events" / SAMPLE, "--flow", SAMPLE, "--gate", "g", cwd=folder)


def test_moments_are_told_to_the_millisecond(folder):
    lines = [json.dumps({"event": "onboarding_started", "user_id": f"u{person}",
                         "timestamp": f"2026-01-07T23:59:18.{400 + person}Z"})
             for person in range(10)]
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    store = folder / "store.sqlite"
    firstmile("ingest", folder / "dump.ndjson", "--store", store, "--flow", SAMPLE)
    told = firstmile("store", "info", store).stdout.decode()
    assert "23:59:18.400Z" in told and "23:59:18.409Z" in told, told


def test_a_misspelt_step_is_the_first_finding(folder):
    flow = firstmile("flow", "show", SAMPLE).stdout.decode()
    flow = flow.replace("{id: privacy,", "{id: privasy,").replace("viewed: privacy}", "viewed: privasy}")
    (folder / "slip.yaml").write_text(flow)
    said = firstmile("report", "sample-events/" + SAMPLE, "--flow", folder / "slip.yaml").stdout
    found = re.search(r"^ 1 .*?^ 2 ", said.decode(), re.DOTALL | re.MULTILINE)
    words = " ".join(found.group(0).split()) if found else said.decode()[:2000]
    assert "of pages that the flow does not declare" in words and "'privasy'" in words, words


def test_json_holds_to_its_schemas(folder):
    try:
        import jsonschema
    except ImportError:
        pytest.skip("no jsonschema; script/setup --tests installs it")
    sample_report(folder / "out")

    def schema(name):
        path = ROOT / "docs" / name
        if not path.exists():
            pytest.skip(f"no docs/{name}")
        return jsonschema.Draft202012Validator(json.loads(path.read_text()))

    events = sample_events()[::10]
    validator = schema("event.schema.json")
    wrong = sum(not validator.is_valid(event) for event in events)
    # The samples have a few broken lines on purpose.
    assert wrong <= len(events) * 0.01, f"{wrong} of {len(events)} events break the schema"
    metrics = schema("metrics.schema.json")
    for app in APPS:
        report([f"sample-events/{app}"], folder / app, flow=app)
        for error in metrics.iter_errors(json.loads((folder / app / "metrics.json").read_text())):
            raise AssertionError(f"{app}/metrics.json at {error.json_path}: {error.message}")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux counts so")
def test_the_peak_of_memory_is_not_that_of_the_program_before(folder):
    ballast = bytearray(b"x") * (600 << 20)
    done = report([sample_files()[0]], folder / "out", "--stats-json", "--memory-limit", "64M")
    assert len(ballast) > json.loads(done.stderr.splitlines()[-1])["peak_memory_bytes"] * 1.5


def test_figures_of_a_run_are_told_last(folder):
    done = report([f"sample-events/{SAMPLE}"], folder / "out", "--stats", "--stats-json")
    line, figures = done.stderr.decode().splitlines()[-2:]
    figures = json.loads(figures)
    told = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert figures["events"] == told["events"] > 0, (figures, told["events"])
    assert figures["persons"] > 0 and figures["seconds"] > 0, figures
    assert figures["text_bytes"] >= figures["input_bytes"] > 0, figures
    assert figures["peak_memory_bytes"] > 1 << 20, figures
    assert line.startswith(f"firstmile: {figures['events']:,} events, "), line


def test_inputs_are_named_by_what_is_in_them(folder):
    def digests(name):
        sources = json.loads((folder / name / "metrics.json").read_text())["provenance"]["sources"]
        return sorted(source["digest"] for source in sources)

    files = sample_files()
    report(files, folder / "fast")
    assert all(re.fullmatch("xxh3-128:[0-9a-f]{32}", digest) for digest in digests("fast"))
    # The same bytes, whatever they are called.
    for number, path in enumerate(files):
        shutil.copy(path, folder / f"{len(files) - number}.ndjson.gz")
    report(sorted(folder.glob("*.gz")), folder / "copies")
    assert digests("copies") == digests("fast")
    report(files, folder / "sealed", "--digest", "sha256")
    wanted = sorted(f"sha256:{hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files)
    assert digests("sealed") == wanted
    # A store goes by SHA-256, and so do its reports.
    store = folder / "store.sqlite"
    firstmile("ingest", *files, "--store", store, "--flow", SAMPLE, "--quiet")
    firstmile("report", "--store", store, "--out", folder / "stored", "--quiet")
    assert digests("stored") == wanted
    firstmile("report", "--store", store, "--digest", "xxh3-128", expect=2)
    said = firstmile("compare", folder / "fast", folder / "stored").stdout.decode()
    assert "named by xxh3-128; after, by sha256" in " ".join(said.split()), said
    said = firstmile("compare", folder / "sealed", folder / "stored").stdout.decode()
    assert f"Both sides read {len(files)} of the same inputs" in " ".join(said.split()), said


def test_progress_is_for_terminals_only(folder):
    import pty
    lines = b"".join(gzip.open(path).read()
                     for path in sorted((ROOT / f"sample-events/{SAMPLE}").glob("*.gz")))
    half = lines.index(b"\n", len(lines) // 2) + 1

    def run(standard_error):
        return subprocess.Popen(
            [BINARY, "report", "-", "--flow", SAMPLE, "--quiet", "--stats"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=standard_error)

    leader, follower = pty.openpty()
    process = run(follower)
    os.close(follower)
    process.stdin.write(lines[:half])
    process.stdin.flush()
    # The run waits for the rest of its input, so the line appears however fast the machine is.
    shown = b""
    while b"reading" not in shown:
        assert select.select([leader], [], [], 60)[0], f"no progress within a minute: {shown}"
        shown += os.read(leader, 4096)
    process.stdin.write(lines[half:])
    process.stdin.close()
    try:
        while part := os.read(leader, 4096):
            shown += part
    except OSError:
        pass  # The other end is closed.
    os.close(leader)
    assert process.wait() == 0, shown
    before, _, after = shown.rpartition(b"\r\x1b[K")
    assert b"events/s" in before, shown
    assert after.startswith(b"firstmile: ") and b"reading" not in after, shown

    process = run(subprocess.PIPE)
    _, said = process.communicate(lines)
    assert process.returncode == 0 and b"reading" not in said and b"\x1b" not in said, said


def test_wrong_clocks_change_no_number_of_anybody_else(folder):
    """People in 2099 and in 2000 beside the sample: the same metrics, and a word about them."""
    sample_report(folder / "plain")
    clocks = folder / "clocks.ndjson"
    clocks.write_text("\n".join(
        json.dumps({"event": "app_opened", "user_id": f"clock-{year}-{number}",
                    "timestamp": f"{year}-12-30T1{number}:00:00Z"})
        for year in (2000, 2099) for number in range(3)) + "\n")
    report([*sample_files(), clocks], folder / "wrong")
    plain, wrong = (json.loads((folder / name / "metrics.json").read_text())
                    for name in ("plain", "wrong"))
    assert plain["horizon"] == wrong["horizon"]
    assert plain["metrics"]["rows"] == wrong["metrics"]["rows"]
    # The sample has some wrong clocks of its own.
    counts = {name: wrong["metrics"]["quality"][name] for name in
              ("misdated_facts", "misdated_persons")}
    assert counts == {name: plain["metrics"]["quality"][name] + 6 for name in counts}
    facts, people = counts.values()
    said = re.sub("<[^>]*>", "", (folder / "wrong/report.html").read_text())
    assert f"{people} people have {facts} events dated far" in said
    said = firstmile("validate", *sample_files(), clocks, "--flow", SAMPLE).stdout.decode()
    assert f"misdated facts: {facts} of" in said


def test_a_step_that_stands_out_in_an_old_version_is_a_finding(folder):
    lines = []
    for person in range(300):
        is_old = person < 112
        pages = ["welcome", "account_setup", "profile_setup"] if is_old else ["welcome", "profile_setup"]
        if is_old and person < 29:
            pages.pop()
        common = {"user_id": f"u{person}", "flow": "unforgotten", "flow_version": "1" if is_old else "2"}
        for place, page in enumerate(pages):
            lines.append(common | {"event": "onboarding_page_viewed", "properties": {"page_name": page},
                                   "timestamp": f"2026-03-{1 + person % 20:02}T10:00:{place:02}Z"})
        if pages[-1] == "profile_setup" and person % 9:
            lines.append(common | {"event": "onboarding_completed",
                                   "timestamp": f"2026-03-{1 + person % 20:02}T10:01:00Z"})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    said = firstmile("report", folder / "dump.ndjson", "--flow", "unforgotten", "--as-of",
                     "2026-04-30").stdout.decode()
    said = " ".join(said.split())
    assert "Flow version 1: Biggest drop-off: Account" in said, said
    assert "25.9 % of the people who reach it leave (29 of 112;" in said, said


def test_large_amounts_are_exact_and_goals_are_called_by_their_titles(folder):
    (folder / "shop.yaml").write_text(
        "flow: shop\nsteps: [welcome]\n"
        "goals: [{id: g, title: Bought a house, event: purchase, value: price}]\n")
    lines = []
    for person, price in (("u", "1234567.89"), ("v", "0.01")):
        for event, second in (("onboarding_started", 0), ("purchase", 9)):
            lines.append(json.dumps({
                "event": event, "user_id": person, "flow": "shop", "timestamp": 1_770_000_000 + second,
                "properties": {"price": price}}))
    (folder / "shop.ndjson").write_text("\n".join(lines) + "\n")
    report([folder / "shop.ndjson"], folder / "out", "--as-of", "2026-12-31", flow=folder / "shop.yaml")
    (row,) = [row for row in csv.DictReader((folder / "out/metrics.csv").open())
              if row["metric"] == "goal_value_total" and row["version"] == "all"
              and row["cohort"] == "all" and row["breakdown"] == "all"]
    assert row["value"] == "1234567.9", row
    for name in ("report.md", "report.html"):
        assert "Bought a house" in (folder / "out" / name).read_text(), name
