"""`firstmile watch`."""

import json
import shutil
import signal
import subprocess

import pytest

from harness import BINARY, SAMPLE, firstmile, report, sample_files


def test_files_are_taken_in_as_they_land_and_a_signal_leaves_the_store_whole(folder):
    landing, store = folder / "landing", folder / "store.sqlite"
    landing.mkdir()
    process = subprocess.Popen(
        [BINARY, "watch", str(landing), "--store", str(store), "--flow", SAMPLE,
         "--out", str(folder / "days"), "--settle", "0", "--every", "0.05", "--backlog", "2"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        assert b"watching" in process.stderr.readline()
        for path in sample_files():
            # Written aside and renamed into place, as a careful writer does.
            shutil.copy(path, landing / f".{path.name}.part")
            (landing / f".{path.name}.part").rename(landing / path.name)
            said = b""
            while b"taken in" not in said:
                said = process.stderr.readline()
                assert said, "watch ended by itself"
    finally:
        process.send_signal(signal.SIGTERM)
    rest = process.communicate(timeout=60)[1]
    assert b"the store is whole" in rest, rest
    firstmile("store", "verify", store)
    firstmile("report", "--store", store, "--flow", SAMPLE, "--out", folder / "stored", "--quiet")
    report(sample_files(), folder / "read")
    # Not report.md: that of a store tells of the reports before it.
    for name in ("metrics.csv", "steps.csv", "retention.csv"):
        assert (folder / "stored" / name).read_bytes() == (folder / "read" / name).read_bytes(), name
    assert list((folder / "days").rglob("metrics.csv")), "no complete day was reported"


def test_a_damaged_file_does_not_end_a_watch(folder):
    landing, store = folder / "landing", folder / "store.sqlite"
    landing.mkdir()
    process = subprocess.Popen(
        [BINARY, "watch", str(landing), "--store", str(store), "--flow", SAMPLE,
         "--out", str(folder / "days"), "--settle", "0", "--every", "0.05", "--backlog", "0"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    cut, *whole = sample_files()
    try:
        assert b"watching" in process.stderr.readline()
        for path in (cut, *whole):
            bytes_of = path.read_bytes()
            (landing / f".{path.name}.part").write_bytes(
                bytes_of[:len(bytes_of) // 2] if path == cut else bytes_of)
            (landing / f".{path.name}.part").rename(landing / path.name)
            said = b""
            while b"is complete; reported" not in said:
                said = process.stderr.readline()
                assert said, "watch ended by itself"
    finally:
        process.send_signal(signal.SIGTERM)
    rest = process.communicate(timeout=60)[1]
    assert process.returncode == 0 and b"the store is whole" in rest, (process.returncode, rest)
    assert len(list((folder / "days").rglob("metrics.csv"))) == len(sample_files())


def test_a_second_signal_to_a_watch_leaves_no_parts(folder):
    stopped = 0
    for attempt in range(6):
        landing, days = folder / f"landing-{attempt}", folder / f"days-{attempt}"
        landing.mkdir()
        for path in sample_files()[:1 + attempt % 2]:
            shutil.copy(path, landing / path.name)
        process = subprocess.Popen(
            [BINARY, "watch", str(landing), "--store", folder / f"{attempt}.sqlite",
             "--flow", SAMPLE, "--out", str(days), "--settle", "0", "--every", "0.05",
             "--backlog", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        # Or the report is there already: then a signal finds nothing to clear away.
        while process.poll() is None and not (
                list(days.rglob(".*.part")) or list(days.rglob("metrics.csv"))):
            pass
        # Of one kind, two that wait at a time would count as one.
        for number in (signal.SIGTERM, signal.SIGINT):
            process.send_signal(number)
        said = process.communicate(timeout=60)[1].decode()
        stopped += process.returncode != 0
        assert process.returncode in (0, 130, 143), (process.returncode, said)
        assert not list(days.rglob(".*.part")), f"attempt {attempt}: {said}"
    if not stopped:
        pytest.skip("each report was written before the second signal")


def test_wrong_clocks_do_not_end_a_watch(folder):
    """Three people in 2099 on one day, in the first of three files; and each day is reported once."""
    landing, store = folder / "landing", folder / "store.sqlite"
    landing.mkdir()
    def event(user, moment, name="onboarding_started"):
        return json.dumps({"event": name, "user_id": user, "timestamp": moment, "flow": SAMPLE})
    clocks = [event(f"u{number}", "2099-12-31T10:00:00Z", "app_opened") for number in range(3)]
    files = [[event(f"u{day}-{number}", f"2026-03-{day:02}T1{number}:00:00Z")
              for number in range(6) for day in (first, first + 1)] for first in (1, 3, 5)]
    files[0] += clocks
    process = subprocess.Popen(
        [BINARY, "watch", str(landing), "--store", str(store), "--flow", SAMPLE,
         "--settle", "0", "--every", "0.05"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    complete = []
    try:
        for number, lines in enumerate(files):
            (landing / f".{number}.part").write_text("\n".join(lines) + "\n")
            (landing / f".{number}.part").rename(landing / f"{number}.ndjson")
            said = b""
            while b"is complete" not in said:
                said = process.stderr.readline()
                assert said, "watch ended by itself"
            complete.append(said.decode().split()[-3])
    finally:
        process.send_signal(signal.SIGTERM)
    process.communicate(timeout=60)
    assert complete == ["2026-03-01", "2026-03-03", "2026-03-05"]
    assert "3 person-days misdated" in firstmile("store", "info", store).stdout.decode()
