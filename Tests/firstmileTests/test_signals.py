"""Signals that end a run leave no raw id on disk; those that were ignored stay ignored."""

import contextlib
import json
import os
import pathlib
import resource
import signal
import sqlite3
import subprocess

import pytest

from harness import BINARY, SAMPLE, contents, firstmile, interrupt, running, wait_until

ENDING = [signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGXCPU]
FLOW = "flow: small\nwindow: 24h\nsteps: [welcome]\n"
LINES = b"".join(
    b'%s\n{"rejected": "secret-%d"}\n' % (json.dumps({
        "event": "onboarding_page_viewed", "user_id": f"u{number}", "flow": "small",
        "timestamp": "2026-01-05T10:00:00Z", "properties": {"page_name": "welcome"}}).encode(), number)
    for number in range(20_000))


@pytest.fixture
def world(folder):
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "tmp").mkdir()
    os.mkfifo(folder / "pipe.ndjson")
    return folder


def environment(folder):
    return dict(os.environ, NO_COLOR="1", TMPDIR=str(folder / "tmp"))


def left(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_a_report_that_a_signal_ends_leaves_nothing(world, number):
    before = left(world)
    words = ["report", "pipe.ndjson", "--flow", "flow.yaml", "--out", "out", "--quiet", "--threads",
             "1", "--memory-limit", "1K"]
    with running(*words, cwd=world, env=environment(world)) as process:
        with open(world / "pipe.ndjson", "wb", buffering=0) as pipe:
            pipe.write(LINES)
            assert wait_until(lambda: list(world.glob("out-rejects.ndjson.parts-*/*"))
                              and list((world / "tmp").glob("firstmile-*/*")), process)
            said = interrupt(process, number)
    assert process.returncode == 128 + number, (process.returncode, said)
    assert said == "firstmile: interrupted; nothing was written\n", said
    assert left(world) == before


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_an_ingest_that_a_signal_ends_leaves_no_rejected_line(world, number):
    words = ["ingest", "pipe.ndjson", "--flow", "flow.yaml", "--store", "store.sqlite"]
    rejects = world / "store.sqlite-rejects"
    with running(*words, cwd=world, env=environment(world)) as process:
        with open(world / "pipe.ndjson", "wb", buffering=0) as pipe:
            pipe.write(LINES)
            assert wait_until(lambda: list(rejects.glob("reading-*/*/*")), process)
            said = interrupt(process, number)
    assert process.returncode == 128 + number, (process.returncode, said)
    assert "the store holds the 0 of 1 sources" in said, said
    assert not list(rejects.iterdir()), left(world)


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_a_watch_ends_in_good_order(world, number):
    (world / "landing").mkdir()
    words = ["watch", "landing", "--flow", "flow.yaml", "--store", "store.sqlite"]
    with running(*words, cwd=world, env=environment(world)) as process:
        assert process.stderr.readline().startswith(b"firstmile: watching landing for files called ")
        said = interrupt(process, number)
    assert process.returncode == 0 and said == "firstmile: stopped; the store is whole\n", said


def minds(process, number):
    """Whether a process no longer leaves a signal to the system."""
    try:
        lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    except OSError:
        return False
    masks = [int(line.split()[1], 16) for line in lines if line.startswith(("SigIgn:", "SigCgt:"))]
    return any(mask >> (number - 1) & 1 for mask in masks)


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
def test_the_earliest_signal_that_does_not_kill_ends_a_watch(world, number):
    if not pathlib.Path("/proc/self/status").exists():
        pytest.skip("there is no /proc")
    (world / "landing").mkdir()
    words = ["watch", "landing", "--flow", "flow.yaml", "--store", "store.sqlite"]
    for _ in range(5):
        with running(*words, cwd=world, env=environment(world)) as process:
            # Of SIGTERM the runtime knows nothing, so that it shows when the program begins to mind.
            assert wait_until(lambda: minds(process, signal.SIGTERM), process)
            assert wait_until(lambda: minds(process, number), process)
            said = interrupt(process, number)
        assert process.returncode in (0, 128 + number), (process.returncode, said)
        assert "acktrace" not in said, said


@pytest.mark.parametrize("number", ENDING, ids=lambda number: number.name)
@pytest.mark.parametrize("command", ["forget", "compact"])
def test_a_store_command_that_waits_ends_with_the_signal(world, command, number):
    (world / "dump.ndjson").write_bytes(LINES[:2000])
    firstmile("ingest", "dump.ndjson", "--flow", "flow.yaml", "--store", "s.sqlite", "--quiet", cwd=world,
              expect=(0, 4))
    words = ["store", command, "s.sqlite", *(["u1"] if command == "forget" else [])]
    with contextlib.closing(sqlite3.connect(world / "s.sqlite", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with running(*words, cwd=world, env=environment(world)) as process:
            assert b"another process is at work" in process.stderr.readline()
            said = interrupt(process, number)
    assert process.returncode == 128 + number, (process.returncode, said)
    assert said.startswith("firstmile: interrupted; ") and said.count("\n") == 1, said
    firstmile("store", "verify", "s.sqlite", cwd=world)


def test_an_export_that_a_signal_ends_leaves_no_part(world):
    firstmile("simulate", "--flow", SAMPLE, "--persons", 500, "--out", "dump", "--quiet", cwd=world)
    firstmile("ingest", "dump", "--flow", SAMPLE, "--store", "s.sqlite", "--quiet", cwd=world)
    stopped = 0
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        with running("store", "export", "people.csv", "--store", "s.sqlite", cwd=world,
                     env=environment(world)) as process:
            assert wait_until(lambda: list(world.glob(".people.csv*")), process) or (
                process.returncode == 0)
            said = interrupt(process, number)
        assert process.returncode in (0, 128 + number), (process.returncode, said)
        assert not list(world.glob(".people.csv*")), left(world)
        stopped += process.returncode != 0
    if not stopped:
        pytest.skip("each export ended before its signal")


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGQUIT], ids=lambda number: number.name)
def test_a_signal_that_was_ignored_at_the_start_stays_ignored(world, number):
    words = ["report", "pipe.ndjson", "--flow", "flow.yaml", "--out", "out", "--quiet",
             "--max-reject-rate", "100%"]
    with running(*words, cwd=world, env=environment(world),
                 preexec_fn=lambda: signal.signal(number, signal.SIG_IGN)) as process:
        with open(world / "pipe.ndjson", "wb", buffering=0) as pipe:
            pipe.write(LINES)
            assert wait_until(lambda: list(world.glob("out-rejects.ndjson.parts-*/*")), process)
            process.send_signal(number)
        said = process.communicate(timeout=60)[1].decode()
    assert process.returncode == 0, (process.returncode, said)
    assert (world / "out/report.html").exists() and (world / "out-rejects.ndjson").exists()


def test_a_file_that_may_not_grow_is_an_error_like_any_other(world):
    (world / "dump.ndjson").write_bytes(LINES)
    before = contents(world / "tmp")
    done = subprocess.run(
        [BINARY, "report", "dump.ndjson", "--flow", "flow.yaml", "--out", "out", "--quiet"], cwd=world,
        env=environment(world), stdin=subprocess.DEVNULL, capture_output=True, timeout=60,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096)))
    assert done.returncode == 2 and b"File too large" in done.stderr, (done.returncode, done.stderr)
    assert contents(world / "tmp") == before
    assert not list(world.glob("*.parts-*")) and not (world / "out").exists(), left(world)


def test_a_closed_pipe_is_no_error(world):
    for words in (["flow", "show", "aiq"], ["--help"]):
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([BINARY, *words], stdout=writer, stderr=subprocess.PIPE, timeout=60)
        os.close(writer)
        assert done.returncode == 0 and not done.stderr, (done.returncode, done.stderr)
    assert firstmile("flow", "show", "aiq").stdout
