"""Signals and failures in the middle of a run."""

import contextlib
import os
import pathlib
import re
import resource
import shutil
import signal
import sqlite3
import subprocess

import pytest

from harness import (
    BINARY, SAMPLE, assert_same, contents, facts_of, firstmile, interrupt, report, running,
    sample_files, sample_lines, wait_until,
)


def test_a_report_that_cannot_be_put_in_place_leaves_nothing_beside(folder):
    (folder / "out/report.html").mkdir(parents=True)
    done = firstmile("report", *sample_files(), "--flow", SAMPLE, "--out", folder / "out", expect=2)
    assert b"report.html' can't be replaced: it is a folder" in done.stderr, done.stderr
    left = [file.name for file in (folder / "out").iterdir()]
    assert left == ["report.html"], left


def has_written(code, said, out, new):
    """Whether a run that was sent a signal had put its reports in place, by what it says itself.

    Before it has a report in hand, and when it has none any more, it says nothing of reports: then
    the folder must be all of one or all of the other, which the caller compares.
    """
    if code in (130, 143) and said != "firstmile: interrupted\n":
        if said == "firstmile: interrupted; nothing was written\n":
            return False
        told = "firstmile: interrupted with 1 of 1 reports written; run the same command again\n"
        assert said.endswith(told), said
        return True
    if code == 0:
        return True
    assert code in (130, 143, -signal.SIGINT, -signal.SIGTERM), (code, said)
    return out.exists() and contents(out) == contents(new)


def test_an_interrupt_leaves_the_old_report_whole(folder):
    lines, pipe = sample_lines(), folder / "events.ndjson"
    os.mkfifo(pipe)
    out = folder / "reports" / "out"
    out.parent.mkdir()
    report([f"sample-events/{SAMPLE}"], out)
    before = contents(folder / "reports")
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        for share in (0, 0.5, 1):
            with running("report", pipe, "--flow", SAMPLE, "--out", out) as process:
                # The run waits for the rest of the pipe: no signal comes too late.
                with open(pipe, "wb", buffering=0) as writer:
                    writer.write(b"".join(line + b"\n" for line in lines[:int(len(lines) * share)]))
                    said = interrupt(process, number)
            assert process.returncode == code, (process.returncode, said)
            assert said == "firstmile: interrupted; nothing was written\n", said
            assert_same(before, contents(folder / "reports"), f"interrupted after {share} of the run")


def test_an_interrupt_while_reports_are_written_leaves_all_or_none(folder):
    sample_lines()
    dump = sample_files()
    report(dump[:1], folder / "old")
    report(dump, folder / "new")
    old, new = contents(folder / "old"), contents(folder / "new")
    out, stopped = folder / "out", 0
    for attempt in range(24):
        shutil.rmtree(out, ignore_errors=True)
        if attempt % 2:
            shutil.copytree(folder / "old", out)
        process = subprocess.Popen(
            [BINARY, "report", *dump, "--flow", SAMPLE, "--out", out, "--threads", "2"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None and not list(out.glob(".*.part")):
            pass
        process.send_signal((signal.SIGINT, signal.SIGTERM)[attempt // 2 % 2])
        said = process.communicate(timeout=60)[1].decode()
        stopped += process.returncode != 0
        left = contents(out) if out.exists() else {}
        if has_written(process.returncode, said, out, folder / "new"):
            assert_same(new, left, f"attempt {attempt}, which ended with its reports")
        else:
            assert_same(old if attempt % 2 else {}, left, f"attempt {attempt}")
            assert attempt % 2 or not out.exists(), "an empty folder stays"
    if not stopped:
        pytest.skip("each run ended before its interrupt")


def test_what_fails_while_an_interrupt_clears_away_is_not_told(folder):
    strace = shutil.which("strace")
    if not strace:
        pytest.skip("there is no strace command")
    if subprocess.run([strace, "-o", os.devnull, "true"], capture_output=True).returncode != 0:
        pytest.skip("strace may not look at processes here")
    dump = folder / "dump"
    dump.mkdir()
    lines = sample_lines()
    for number in range(300):
        text = b"no json\n" * 20 + b"\n".join(lines[number * 15:number * 15 + 200])
        (dump / f"{number}.ndjson").write_bytes(text)
    # Clearing away takes so long that workers meet what is gone.
    command = [strace, "-f", "-qq", "-o", os.devnull, "-e", "trace=rmdir",
               "-e", "inject=rmdir:delay_exit=300000", BINARY, "report", dump, "--flow",
               SAMPLE, "--out", folder / "out", "--quiet", "--rejects", folder / "rejects.ndjson"]
    stopped = 0
    for number in (signal.SIGINT, signal.SIGTERM) * 2:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        while process.poll() is None and not list(folder.glob("rejects.ndjson.parts-*/*")):
            pass
        children = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children")
        for child in children.read_text().split() if process.poll() is None else []:
            os.kill(int(child), number)
        said = process.communicate(timeout=60)[1].decode()
        told = [line for line in said.splitlines() if "strace: " not in line]
        if process.returncode == 4:
            continue
        assert process.returncode == 128 + number, (process.returncode, said)
        assert told == ["firstmile: interrupted; nothing was written"], said
        assert not list(folder.glob("rejects*")), list(folder.glob("rejects*"))
        stopped += 1
    if not stopped:
        pytest.skip("each run ended before its interrupt")


def test_an_interrupt_of_a_second_reading_clears_both_away(folder):
    lines = sample_lines()
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, not_worse_by: 3%}]\n")
    temporary, pipe = folder / "temporary", folder / "against.ndjson"
    temporary.mkdir()
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [BINARY, "check", *sample_files(), "--against", pipe, "--flow", SAMPLE, "--gate",
         folder / "gate.yaml", "--memory-limit", "1K"],
        env=dict(os.environ, TMPDIR=str(temporary)), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    # Opened for writing when the first dumps are read and the second are begun; it waits for more.
    with open(pipe, "wb", buffering=0) as writer:
        writer.write(b"\n".join(lines[:2000]) + b"\n")
        laid_aside = list(temporary.rglob("*"))
        process.send_signal(signal.SIGTERM)
        try:
            said = process.communicate(timeout=60)[1].decode()
        finally:
            process.kill()
    assert process.returncode == 143 and said == "firstmile: interrupted\n", (process.returncode, said)
    assert laid_aside, "nothing was beyond the memory limit"
    assert not list(temporary.iterdir()), list(temporary.rglob("*"))


def test_a_run_that_fails_leaves_no_rejects_behind(folder):
    firstmile("simulate", "--flow", SAMPLE, "--persons", 3000, "--files", 40, "--out", folder / "dump",
              "--quiet")
    (folder / "file").write_text("no folder")
    environment = dict(os.environ, TMPDIR=str(folder / "file"))
    for attempt in range(15):
        done = subprocess.run(
            [BINARY, "report", folder / "dump", "--flow", SAMPLE, "--out", folder / "out",
             "--quiet", "--memory-limit", "1K", "--threads", str(1 + attempt % 3)],
            env=environment, capture_output=True, stdin=subprocess.DEVNULL, timeout=60)
        assert done.returncode == 2, (done.returncode, done.stderr)
        left = sorted(path.name for path in folder.iterdir())
        assert left == ["dump", "file"], f"attempt {attempt}: {left}"


def sources_in(store):
    """How many sources a store holds, asked for while it is written."""
    try:
        with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as database:
            return database.execute("SELECT count(*) FROM sources").fetchone()[0]
    except sqlite3.Error:
        return 0


def test_an_interrupted_ingest_says_what_the_store_holds(folder):
    sample_lines()
    firstmile("simulate", "--flow", SAMPLE, "--persons", 40000, "--out", folder / "dump", "--files",
              40, "--quiet")
    # It is passed over with a message.
    (folder / "dump/truth.json").unlink()
    store = folder / "store.sqlite"
    ingest = ["ingest", folder / "dump", "--store", store, "--flow", SAMPLE, "--threads", 1]
    for number, code, least in ((signal.SIGINT, 130, 1), (signal.SIGTERM, 143, 3)):
        with running(*ingest) as process:
            assert wait_until(lambda: sources_in(store) >= least, process), "ended by itself"
            said = interrupt(process, number)
        assert process.returncode == code, (process.returncode, said)
        told = re.fullmatch(r"firstmile: interrupted; the store holds the (\d+) of 40 sources finished "
                            r"so far; run the same command again to go on\n", said)
        assert told, said
        # A source may be in that had not been reported yet.
        held = int(re.search(rb"sources +(\d+)", firstmile("store", "info", store).stdout).group(1))
        assert 0 <= held - int(told.group(1)) <= 1 and held < 40, (held, said)
    firstmile(*ingest)
    firstmile("store", "verify", store)
    report([folder / "dump"], folder / "read")
    firstmile("report", "--store", store, "--out", folder / "stored", "--quiet")
    assert facts_of(folder / "read") == facts_of(folder / "stored")


@pytest.mark.parametrize("flows", [[SAMPLE], [SAMPLE, "memoss"]])
def test_a_report_that_cannot_be_written_leaves_no_folder_that_it_made(folder, flows):
    done = subprocess.run(
        [BINARY, "report", *sample_files(), *(word for flow in flows for word in ("--flow", flow)),
         "--out", folder / "deep" / "er" / "out", "--rejects", folder / "rejects.ndjson", "--quiet"],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000)))
    assert done.returncode == 2, done.stderr
    assert b"reports can't be written to" in done.stderr, done.stderr
    assert not (folder / "deep").exists()
    (folder / "deep").mkdir()
    subprocess.run(done.args, stderr=subprocess.DEVNULL, preexec_fn=lambda: resource.setrlimit(
        resource.RLIMIT_FSIZE, (60_000, 60_000)))
    # What was there before stays.
    assert list((folder / "deep").iterdir()) == []


def test_an_input_that_is_not_there_leaves_no_folder_either(folder):
    firstmile("report", folder / "none.ndjson", "--flow", SAMPLE, "--out", folder / "deep/er/out", expect=2)
    assert not (folder / "deep").exists()
