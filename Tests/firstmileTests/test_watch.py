"""`firstmile watch`."""

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
         "--out", str(folder / "days"), "--settle", "0", "--every", "0.05"],
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
         "--out", str(folder / "days"), "--settle", "0", "--every", "0.05"],
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
             "--flow", SAMPLE, "--out", str(days), "--settle", "0", "--every", "0.05"],
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
