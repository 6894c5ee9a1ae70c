"""Where the system grants too little, a run says what and why, and does not wait."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest

from harness import BINARY

FLOW = "flow: small\nwindow: 24h\nsteps: [welcome]\n"
LINE = json.dumps({"event": "onboarding_page_viewed", "user_id": "u", "flow": "small",
                   "timestamp": "2026-01-05T10:00:00Z", "properties": {"page_name": "welcome"}})
COMMANDS = {
    "report": ["report", "dumps", "--flow", "flow.yaml", "--quiet"],
    "report from a store": ["report", "--store", "s.sqlite", "--quiet"],
    "ingest": ["ingest", "dumps", "--flow", "flow.yaml", "--store", "new.sqlite"],
    "check": ["check", "dumps", "--flow", "flow.yaml", "--gate", "gate.yaml", "--as-of",
              "2026-01-08"],
    "flow init": ["flow", "init", "dumps"],
    "simulate": ["simulate", "--flow", "flow.yaml", "--persons", "9", "--out", "simulated"],
    "store info": ["store", "info", "s.sqlite"],
}


@pytest.fixture
def world():
    """A folder that every user can write to; pytest's own folders are private."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="firstmile-limits-"))
    (folder / "dumps/deep").mkdir(parents=True)
    (folder / "dumps/deep/a.ndjson").write_text(LINE + "\n")
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, at_least: 0%}]\n")
    subprocess.run([BINARY, *COMMANDS["ingest"][:-1], "s.sqlite"], cwd=folder, check=True,
                   capture_output=True)
    for path in [folder, *folder.rglob("*")]:
        os.chmod(path, 0o777 if path.is_dir() else 0o666)
    if os.geteuid() == 0:
        os.chown(folder / "s.sqlite-rejects", 65534, 65534)
    yield folder
    shutil.rmtree(folder)


def run(before, words, world, **more):
    # A run that waits for ever fails here.
    return subprocess.run([*before, BINARY, *words], cwd=world, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60, **more)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("limit", [1, 3, 5])
def test_without_threads_a_run_ends_with_the_reason(world, command, limit):
    drop = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if os.geteuid() != 0 or not shutil.which("setpriv"):
        pytest.skip("only root can become another user, whose processes are counted anew")
    before = [*drop, "prlimit", f"--nproc={limit}:{limit}"]
    if subprocess.run([*drop, BINARY, "--version"], capture_output=True).returncode != 0:
        pytest.skip(f"{BINARY} can't be run by another user")
    done = run(before, COMMANDS[command], world)
    said = done.stderr.decode()
    assert done.returncode == 2, (done.returncode, said)
    assert "threads are needed" in said and "Resource temporarily unavailable" in said, said
    assert not (world / "new.sqlite").exists() and not (world / "simulated").exists()


def test_a_container_without_threads_is_told_the_same(world):
    group = pathlib.Path(f"/sys/fs/cgroup/pids/firstmile-test-{os.getpid()}")
    if not group.parent.is_dir():
        group = pathlib.Path(f"/sys/fs/cgroup/firstmile-test-{os.getpid()}")
    try:
        group.mkdir()
        (group / "pids.max").write_text("2")
    except OSError as error:
        if group.is_dir():
            group.rmdir()
        pytest.skip(f"no group of processes can be made here: {error}")
    try:
        done = run([], COMMANDS["report"], world,
                   preexec_fn=lambda: (group / "cgroup.procs").write_text(str(os.getpid())))
        assert done.returncode == 2 and b"threads are needed" in done.stderr, done.stderr
    finally:
        group.rmdir()


@pytest.mark.parametrize("command", COMMANDS)
def test_too_few_descriptors_are_told_as_that(world, command):
    if not shutil.which("prlimit"):
        pytest.skip("there is no prlimit command")
    for limit in (3, 4, 5, 8, 12, 16, 20, 22, 24, 28, 32):
        shutil.rmtree(world / "simulated", ignore_errors=True)
        done = run(["prlimit", f"--nofile={limit}:{limit}"], COMMANDS[command], world)
        said = done.stderr.decode()
        if b"error while loading shared libraries" in done.stderr:
            continue
        assert done.returncode in (0, 2), (limit, done.returncode, said)
        assert done.returncode == 0 or "Too many open files" in said, (limit, said)
    assert done.returncode == 0, (limit, said)


@pytest.mark.parametrize("closed", [(0,), (1,), (2,), (0, 1, 2)])
def test_no_file_takes_the_place_of_a_closed_stream(world, closed):
    def close():
        for descriptor in closed:
            os.close(descriptor)

    (world / "dumps/deep/a.ndjson").write_text(f"{LINE}\nno json\n")
    words = ["report", "dumps", "--flow", "flow.yaml", "--out", "out", "--memory-limit", "1K",
             "--max-reject-rate", "100%"]
    done = run([], words, world, preexec_fn=close)
    assert done.returncode == (2 if 1 in closed else 0), (done.returncode, done.stderr)
    kept = (world / "out-rejects.ndjson").read_bytes()
    assert kept.count(b"\n") == 1 and b"firstmile:" not in kept, kept
    for path in (world / "out").iterdir():
        text = path.read_bytes()
        assert b"firstmile: 1 of 2" not in text and text[:1] in (b"#", b"<", b"{") or (
            path.suffix in (".csv", ".txt")), path
