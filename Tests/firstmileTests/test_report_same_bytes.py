"""The same facts give the same bytes."""

import csv
import gzip
import io
import json
import random
import shutil
import subprocess
import zipfile

from harness import (
    SAMPLE, assert_same, contents, facts_of, firstmile, numbers, report, sample_files,
    sample_lines, sample_report, total,
)


def test_threads_change_no_byte(folder):
    sample_lines()
    for threads in (1, 2, 7):
        report([f"sample-events/{SAMPLE}"], folder / str(threads), "--threads", threads)
    for threads in (2, 7):
        assert_same(contents(folder / "1"), contents(folder / str(threads)), f"{threads} threads")


def test_order_splitting_repetition_and_compression_change_no_metric(folder):
    lines = sample_lines()
    mixed = random.Random(5)
    shuffled = lines + mixed.sample(lines, len(lines) // 10)
    mixed.shuffle(shuffled)
    parts = [shuffled[index::6] for index in range(6)]
    text = [b"\n".join(part) + b"\n" for part in parts]
    dump = folder / "dump"
    dump.mkdir()
    (dump / "a.ndjson").write_bytes(text[0])
    half = len(parts[1]) // 2
    members = [b"\n".join(parts[1][:half]) + b"\n", b"", b"\n".join(parts[1][half:])]
    (dump / "b.ndjson.gz").write_bytes(b"".join(gzip.compress(member) for member in members))
    # Compression is told by content, whatever the name says.
    (dump / "c.jsonl").write_bytes(gzip.compress(text[2]))
    (dump / "d.ndjson").write_bytes(b"\xef\xbb\xbf" + text[3].replace(b"\n", b"\r\n"))
    with zipfile.ZipFile(dump / "e.ndjson.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("export/1.json", text[4])
    (dump / "f.ndjson").write_bytes(text[5].rstrip(b"\n"))
    if shutil.which("zstd"):
        subprocess.run(["zstd", "-q", "--rm", str(dump / "f.ndjson")], check=True)
    else:
        print("  (not with zstd: there is no zstd command)")
    numbers([dump], folder / "mixed")
    assert_same(facts_of(sample_report(folder / "plain")), facts_of(folder / "mixed"), "metrics")


def test_standard_input_globs_and_names_read_the_same(folder):
    expected = facts_of(sample_report(folder / "folder"))
    files = sample_files()
    numbers(["-"], folder / "stdin", stdin=b"".join(path.read_bytes() for path in files))
    numbers([f"sample-events/{SAMPLE}/*.ndjson.gz"], folder / "glob")
    numbers([*reversed(files), files[0]], folder / "named")
    for way in ("stdin", "glob", "named"):
        assert_same(expected, facts_of(folder / way), way)


def test_users_who_are_one_are_one_however_they_are_read(folder):
    times = iter(range(1_770_000_000, 1_780_000_000, 7))
    lines = []
    for person in range(300):
        ids = [f"{person}-{name}" for name in "abc"]
        events = [(ids[0], "onboarding_started", {}), (ids[1], "x", {"previous_id": ids[0]}),
                  (ids[2], "x", {"previous_id": ids[1]}),
                  (ids[2], "onboarding_completed", {"properties": {"completion_method": "finished"}})]
        for user, event, more in events:
            lines.append(json.dumps({"event": event, "user_id": user, "timestamp": next(times), **more}))
    for name, parts in [("one", [lines]), ("three", [lines[2::3], lines[::3], lines[1::3]])]:
        (folder / name).mkdir()
        for number, part in enumerate(parts):
            (folder / name / f"{number}.ndjson").write_text("\n".join(part) + "\n")
        firstmile("ingest", folder / name, "--store", folder / f"{name}.sqlite", "--flow", SAMPLE)
    runs = [[folder / "one"], [folder / "three"], [folder / "three", "--threads", 1],
            [folder / "three", "--memory-limit", "1K"], ["--store", folder / "one.sqlite"],
            ["--store", folder / "three.sqlite"]]
    for number, run in enumerate(runs):
        numbers(run, folder / f"out{number}")
        assert facts_of(folder / f"out{number}")["rows"] == facts_of(folder / "out0")["rows"], run
    assert total(folder / "out0", "entered") == (300, None)
    told = firstmile("explain", "7-b", folder / "one", "--flow", SAMPLE).stdout
    assert told.count(b"previous") == 0 and b"onboarding_started" in told, told
    done = firstmile("store", "forget", folder / "three.sqlite", "7-b").stdout
    assert b"4 facts" in done and b"3 user ids" in done, done


def test_one_text_in_two_spellings_is_one_value_in_any_order(folder):
    composed, taken_apart = "caf\u00e9", "cafe\u0301"
    (folder / "flow.yaml").write_text(f"""flow: shop
window: 1h
steps: [welcome]
goals: [{{id: bought, event: buy, by: plan, within: 30m}}]
dimensions: [{{id: city, path: context.city}}]
events: {{"{taken_apart} opened": onboarding_started}}
""", encoding="utf-8")
    lines = []
    for number in range(12):
        text = (composed, taken_apart)[number % 2]
        common = {"user_id": f"u{number}", "context": {"city": text}}
        lines += [{"event": f"{text} opened", "timestamp": 1_770_000_000 + number} | common,
                  {"event": "buy", "timestamp": 1_770_000_010 + number,
                   "properties": {"plan": text}} | common]
    reports = []
    for name, order in (("forward", lines), ("back", lines[::-1]), ("even", lines[::2] + lines[1::2])):
        (folder / f"{name}.ndjson").write_text(
            "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in order), encoding="utf-8")
        report([folder / f"{name}.ndjson"], folder / name, "--as-of", "2026-03-01",
               flow=folder / "flow.yaml")
        reports.append((folder / name / "metrics.csv").read_text(encoding="utf-8"))
    assert reports[0] == reports[1] == reports[2]
    assert composed in reports[0] and taken_apart not in reports[0]
    (row,) = [row for row in csv.DictReader(io.StringIO(reports[0]))
              if row["metric"] == "persons" and composed in row["breakdown"]
              and all(row[key] == "all" for key in ("version", "experiment", "variant", "cohort"))]
    assert row["numerator"] == "12"
