"""Broken and missing input: what is counted, kept and said, and the exit code."""

import gzip
import json
import pathlib
import re
import stat

import pytest

from harness import (
    SAMPLE, assert_same, contents, facts_of, firstmile, report, sample_files, sample_lines,
    sample_report,
)


def test_broken_lines_are_counted_and_kept_verbatim(folder):
    good = sample_lines()
    broken = [b'{"event":', b"[]", b"no json", b'{"event":"x","timestamp":"soon","user_id":"u"}',
              b'{"timestamp":"2026-01-21T10:00:00Z","user_id":"u"}', b"\xff\xfe", b"{" * 5000]
    (folder / "dump.ndjson").write_bytes(b"\n".join(good + broken))
    rejects = folder / "rejects.ndjson"
    report([folder / "dump.ndjson"], folder / "out", "--rejects", rejects, "--max-reject-rate", 1)
    kept = [json.loads(line) for line in rejects.read_text().splitlines()]
    before = facts_of(sample_report(folder / "before"))
    assert_same(before, facts_of(folder / "out"), "metrics with broken lines")
    ours = [row for row in kept if row["line"] > len(good)]
    assert [row["line"] - len(good) for row in ours] == list(range(1, len(broken) + 1)), ours
    assert all(row["reason"] for row in ours), ours
    assert ours[2]["text"] == "no json", ours[2]
    mode = stat.S_IMODE(rejects.stat().st_mode)
    assert mode == 0o600, f"the rejects file has mode {mode:o}, not 600"
    assert "rejects.ndjson" not in contents(folder / "out")


def in_members(path, text):
    path.write_bytes(gzip.compress(text[:300]) + gzip.compress(text[300:]))


@pytest.mark.parametrize("write", [pathlib.Path.write_bytes, in_members])
def test_rejects_keep_their_byte_order_mark(folder, write):
    good = sample_lines()[:20]
    # A mark is passed over, on a line that is read and on one that is not; each stays where it was.
    lines = ["\ufeffno json".encode(), *good[:10], b"\xef\xbb\xbf" + good[10], "\ufeff{broken".encode(),
             "\ufeff".encode() + b"x" * 5000, *good[11:]]
    write(folder / "dump.ndjson", b"\n".join(lines) + b"\n")
    rejects = folder / "rejects.ndjson"
    report([folder / "dump.ndjson"], folder / "out", "--rejects", rejects, "--max-reject-rate", 1)
    kept = {row["line"]: row["text"] for row in map(json.loads, rejects.read_text().splitlines())}
    assert kept == {1: "\ufeffno json", 13: "\ufeff{broken", 14: "\ufeff" + "x" * 5000}, kept


def test_too_many_rejects_end_with_4_and_with_reports(folder):
    good = sample_lines()
    (folder / "dump.ndjson").write_bytes(b"\n".join(good + [b"no json"] * len(good)))
    report([folder / "dump.ndjson"], folder / "out", expect=4)
    assert "metrics.csv" in contents(folder / "out")


def test_a_name_that_promises_what_the_bytes_are_not_is_told(folder):
    garbage, store = folder / "garbage.gz", folder / "store.sqlite"
    garbage.write_bytes(b"\n".join(bytes([200 + number] * 9) for number in range(20)))
    said = "garbage.gz: the name ends in .gz but the bytes aren't gzip: read as plain text"
    alone = report([garbage], folder / "alone", expect=4)
    assert alone.stderr.decode().count(said) == 1, alone.stderr
    told = firstmile("validate", garbage, "--flow", SAMPLE, expect=4).stdout.decode()
    assert "misnamed input" in told and "aren't gzip" in told, told
    # Beside readable files it changes no exit code, but is reported.
    among = report([garbage, *sample_files()], folder / "out")
    assert said in among.stderr.decode(), among.stderr
    assert "misnamed_input," in (folder / "out" / "quality.csv").read_text()
    firstmile("ingest", garbage, *sample_files(), "--store", store, "--flow", SAMPLE)
    again = firstmile("report", "--store", store, "--out", folder / "stored")
    assert said in again.stderr.decode(), again.stderr
    # Lines that kept the name when they were unpacked are what they should be.
    (folder / "plain.ndjson.gz").write_bytes(b"\n".join(sample_lines()))
    plain = report([folder / "plain.ndjson.gz"], folder / "plain")
    assert "aren't gzip" not in plain.stderr.decode(), plain.stderr
    assert "misnamed" not in (folder / "plain" / "quality.csv").read_text()


def test_a_truncated_file_keeps_what_came_before(folder):
    lines = sample_lines()
    whole = gzip.compress(b"\n".join(lines))
    (folder / "dump.ndjson.gz").write_bytes(whole[: len(whole) // 2])
    done = report([folder / "dump.ndjson.gz"], folder / "out", expect=4)
    assert b"dump.ndjson.gz" in done.stderr, done.stderr
    entered = [line for line in (folder / "out/metrics.csv").read_text().splitlines()
               if ",entered," in line]
    assert entered, "nothing was kept"


def test_an_unreadable_file_ends_with_2_and_the_others_count(folder):
    expected = facts_of(sample_report(folder / "before"))
    done = report([f"sample-events/{SAMPLE}", folder / "none.ndjson"], folder / "out", expect=2)
    assert b"none.ndjson" in done.stderr, done.stderr
    assert_same(expected, facts_of(folder / "out"), "metrics")


def test_no_events_make_reports_of_zeros_and_4(folder):
    (folder / "empty.ndjson").write_bytes(b"")
    report([folder / "empty.ndjson"], folder / "out", expect=4)
    assert "metrics.csv" in contents(folder / "out")


def test_rejected_lines_are_told_with_and_without_a_folder(folder):
    dump = [f"sample-events/{SAMPLE}", "--flow", SAMPLE, "--quiet"]
    told = re.compile(r"firstmile: ([\d,]+) of ([\d,]+) lines could not be used")
    without = firstmile("report", *dump).stderr.decode()
    kept = firstmile("report", *dump, "--out", folder / "out").stderr.decode()
    assert told.search(without).groups() == told.search(kept).groups(), (without, kept)
    assert "missing_id" in without and "--rejects FILE keeps them" in without, without
