"""What a folder, a pattern or a name leads to is read, or it is named and the run ends with 2."""

import contextlib
import gzip
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import zipfile

import pytest

from harness import BINARY, SAMPLE, assert_same, facts_of, firstmile, path_without_duckdb, report, running, sample_events

FLOW = "flow: small\nwindow: 24h\nsteps: [welcome]\n"


def lines(person):
    return json.dumps({"event": "onboarding_page_viewed", "user_id": person, "flow": "small",
                       "timestamp": "2026-01-05T10:00:00Z",
                       "properties": {"page_name": "welcome"}}) + "\n"


@pytest.fixture
def world(folder):
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "dumps/deep").mkdir(parents=True)
    (folder / "dumps/a.ndjson").write_text(lines("a"))
    (folder / "dumps/deep/b.ndjson").write_text(lines("b"))
    return folder


def raw(path):
    return os.fsencode(path) if isinstance(path, pathlib.Path) else path


def run(*words, cwd, **more):
    """Words may be bytes."""
    return subprocess.run([BINARY, *words], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True,
                          timeout=120, env=dict(os.environ, NO_COLOR="1"), **more)


def ways(world, *inputs):
    """Every command that reads dumps, each with its exit code and all that it said."""
    flow = ["--flow", "flow.yaml"]
    gate = world / "gate.yaml"
    gate.write_text("rules: [{metric: completion_rate, at_least: 0%}]\n")
    for words in (["report", *inputs, *flow], ["check", *inputs, *flow, "--gate", "gate.yaml"],
                  ["ingest", *inputs, *flow, "--store", "s.sqlite"], ["validate", *inputs, *flow],
                  ["flow", "init", *inputs], ["explain", "a", *inputs, *flow],
                  ["funnel", *inputs, *flow, "--steps", "a > b"]):
        yield words[0], run(*words, cwd=world)
    (world / "s.sqlite").unlink()


def persons(*inputs, cwd, expect=0):
    done = run("report", *inputs, "--flow", "flow.yaml", "--json", cwd=cwd)
    assert done.returncode == expect, (done.returncode, done.stderr)
    return json.loads(done.stdout)["provenance"]["lines"], done.stderr.decode()


NOT_UTF8 = b"caf\xe9.ndjson"


def test_names_that_are_no_utf_8_are_read(world):
    odd = os.fsencode(world / "dumps/deep") + b"/\xff\xfe"
    os.mkdir(odd)
    for place, person in ((os.fsencode(world / "dumps") + b"/" + NOT_UTF8, "c"),
                          (odd + b"/\x80.jsonl", "d")):
        with open(place, "w") as file:
            file.write(lines(person))
    assert persons("dumps", cwd=world)[0] == 4
    assert persons("dumps/*", cwd=world)[0] == 4
    assert persons("dumps/**/*", cwd=world)[0] == 4
    assert persons("dumps/caf?.ndjson", cwd=world)[0] == 1
    assert persons(b"dumps/" + NOT_UTF8, cwd=world)[0] == 1
    assert persons(b"dumps/deep/\xff\xfe", cwd=world)[0] == 1
    assert persons(b"dumps/deep/\xff?/*", cwd=world)[0] == 1
    for _ in range(2):
        done = run("ingest", "dumps", "--flow", "flow.yaml", "--store", "s.sqlite", cwd=world)
        assert done.returncode == 0, done.stderr
    assert b"0 files taken in" in done.stderr and b"4 passed over" in done.stderr, done.stderr
    told = run("store", "info", "s.sqlite", "--sources", cwd=world).stdout.decode()
    assert r"dumps/caf\xE9.ndjson" in told and r"\xFF\xFE/\x80.jsonl" in told, told


def test_words_that_are_no_utf_8_are_shown_escaped(world):
    for words in (["report", b"no\xe9.ndjson", "--flow", "flow.yaml"],
                  ["report", "dumps", "--flow", b"f\xe9.yaml"],
                  ["report", "dumps", "--flow", "flow.yaml", "--out", b"o\xe9"],
                  ["store", "info", b"s\xe9"], ["report", b"--f\xe9"]):
        done = run(*words, cwd=world)
        assert done.returncode == 2 and rb"\xE9" in done.stderr, done.stderr
        done.stderr.decode()
    assert sorted(os.listdir(world)) == ["dumps", "flow.yaml"]


def test_the_rest_of_a_run_knows_such_an_input_too(world):
    place = os.fsencode(world / "dumps") + b"/" + NOT_UTF8
    with open(place, "w") as file:
        file.write(lines("c"))
    os.link(place, world / "linked")
    done = run("report", "dumps", "--flow", "flow.yaml", "--rejects", "linked", cwd=world)
    assert done.returncode == 2 and b"would replace an input" in done.stderr, done.stderr


SPOILERS = {
    "a link that leads nowhere": (
        lambda dumps: (dumps / "gone.ndjson").symlink_to("nothing"),
        "dumps/gone.ndjson: is a link that leads nowhere"),
    "a link to a folder that is not there": (
        lambda dumps: (dumps / "archive").symlink_to("/no/such/archive"),
        "dumps/archive: is a link that leads nowhere"),
    "a circle of links": (
        lambda dumps: [(dumps / "one.ndjson").symlink_to("two"), (dumps / "two").symlink_to("one.ndjson")],
        "dumps/one.ndjson: can't be looked at: Too many levels of symbolic links"),
    "a pipe": (lambda dumps: os.mkfifo(dumps / "pipe.ndjson"),
               "dumps/pipe.ndjson: is no file but a pipe, socket or device"),
    "a link to a device": (lambda dumps: (dumps / "null.jsonl").symlink_to("/dev/null"),
                           "dumps/null.jsonl: is no file but a pipe, socket or device"),
}


@pytest.mark.parametrize("what", SPOILERS)
def test_what_cannot_be_read_is_named_by_every_command(world, what):
    spoil, words = SPOILERS[what]
    spoil(world / "dumps")
    for command, done in ways(world, "dumps"):
        assert done.returncode == 2, (command, done.returncode, done.stderr)
        assert words in done.stderr.decode(), (command, done.stderr)
    for pattern in ("dumps/*", "dumps/**", "dum*/"):
        assert words in persons(pattern, cwd=world, expect=2)[1], pattern
    # What could be read was counted.
    assert persons("dumps", cwd=world, expect=2)[0] == 2


def test_sockets_and_pipes_that_are_no_dumps_are_passed_over(world):
    os.mkfifo(world / "dumps/control")
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server, contextlib.chdir(world):
        server.bind("dumps/daemon.sock")
    (world / "dumps/.hidden").symlink_to("nothing")
    assert persons("dumps", cwd=world)[0] == 2


def test_rejected_lines_of_earlier_runs_are_passed_over_and_named(world):
    (world / "dumps/jan-rejects.ndjson").write_text("no event\n")
    (world / "dumps/deep/rejects.ndjson.gz").symlink_to(world / "flow.yaml")
    (world / "dumps/projects.txt").write_text("no dump\n")
    for command, done in ways(world, "dumps"):
        said = done.stderr.decode()
        for name in ("dumps/jan-rejects.ndjson", "dumps/deep/rejects.ndjson.gz"):
            assert said.count(f"firstmile: {name}: passed over") == 1, (command, said)
        assert "projects.txt: passed over" not in said and "dumps/projects.txt (no events)" in said, said
        assert done.returncode in (0, 4) or command == "funnel", (command, done.returncode, said)
    assert persons("dumps", cwd=world)[0] == 2
    # A file that is named is read.
    count, said = persons("dumps", "dumps/jan-rejects.ndjson", cwd=world, expect=4)
    assert count == 3 and "dumps/jan-rejects.ndjson: passed over" not in said, said
    assert said.count("deep/rejects.ndjson.gz: passed over") == 1, said


def test_links_to_folders_are_followed_once(world):
    away = world / "away"
    away.mkdir()
    (away / "c.ndjson").write_text(lines("c"))
    (away / "back").symlink_to(world / "dumps")
    (world / "dumps/a-link").symlink_to(away)
    (world / "dumps/deep/up").symlink_to("..")
    (world / "dumps/self").symlink_to(".")
    (world / "dumps/again.ndjson").symlink_to("a.ndjson")
    for inputs in (["dumps"], ["dumps/**"], ["dumps", "away"], ["dumps/**/*.ndjson"]):
        assert persons(*inputs, cwd=world)[0] == 3, inputs


def test_names_with_line_feeds_stay_on_one_line(world):
    (world / "dumps/two\nlines.ndjson").write_text(lines("c"))
    (world / "dumps/gone\nfirstmile: fine.ndjson").symlink_to("nothing")
    count, said = persons("dumps", cwd=world, expect=2)
    assert count == 3
    assert said == "firstmile: dumps/gone\\x0Afirstmile: fine.ndjson: is a link that leads nowhere\n"


def test_paths_longer_than_the_system_takes_are_named(world):
    before = os.getcwd()
    try:
        os.chdir(world / "dumps")
        for _ in range(30):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        pathlib.Path("c.ndjson").write_text(lines("c"))
    finally:
        os.chdir(before)
    try:
        count, said = persons("dumps", cwd=world, expect=2)
        assert count == 2 and "File name too long" in said, said[-300:]
    finally:
        subprocess.run(["rm", "-rf", world / "dumps"], check=True)


def as_nobody(*words, cwd):
    """Runs without the superuser's rights, to whom no folder is closed."""
    if os.geteuid() != 0:
        return run(*words, cwd=cwd)
    setpriv = shutil.which("setpriv")
    if not setpriv:
        pytest.skip("there is no setpriv command to give up the superuser's rights with")
    drop = [setpriv, "--reuid=65534", "--regid=65534", "--clear-groups"]
    if subprocess.run([*drop, BINARY, "--version"], capture_output=True).returncode != 0:
        pytest.skip(f"{BINARY} can't be run by another user")
    return subprocess.run([*drop, BINARY, *words], cwd=cwd, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=60)


@pytest.fixture
def open_world():
    """A world that every user can look into; pytest's own folders are private."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="firstmile-inputs-"))
    os.chmod(folder, 0o755)
    (folder / "flow.yaml").write_text(FLOW)
    for person, name in enumerate(("dumps/a.ndjson", "dumps/closed/b.ndjson", "dumps/z/c.ndjson")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(lines(f"u{person}"))
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("mode, words", [
    (0o000, "can't be listed: Permission denied"), (0o311, "can't be listed: Permission denied"),
    (0o644, "can't be looked at: Permission denied"),
])
@pytest.mark.parametrize("inputs", ["dumps", "dumps/*", "dumps/**", "dumps/**/*.ndjson",
                                    "dumps/*/*.ndjson", "dumps/closed/*.ndjson", "dumps/closed"])
def test_a_closed_folder_is_named(open_world, inputs, mode, words):
    os.chmod(open_world / "dumps/closed", mode)
    done = as_nobody("report", inputs, "--flow", "flow.yaml", "--json", cwd=open_world)
    said = done.stderr.decode()
    assert done.returncode == 2 and words in said and "dumps/closed" in said, (done.returncode, said)
    assert "no file matches" not in said and "no .ndjson" not in said, said
    if "closed" not in inputs:
        expected = 1 if inputs == "dumps/*/*.ndjson" else 2
        assert json.loads(done.stdout)["provenance"]["lines"] == expected, said


def test_a_watch_names_what_it_cannot_read_and_ends_with_2(world):
    (world / "dumps/gone.ndjson").symlink_to("nothing")
    words = ["watch", "dumps", "--flow", "flow.yaml", "--store", "s.sqlite", "--every", "0.01",
             "--settle", "0"]
    with running(*words, cwd=world) as process:
        said = [process.stderr.readline()]
        while b"gone.ndjson" not in said[-1]:
            said.append(process.stderr.readline())
            assert said[-1], said
        assert said[-1] == b"firstmile: dumps/gone.ndjson: is a link that leads nowhere\n"
        process.send_signal(signal.SIGTERM)
        rest = process.communicate(timeout=60)[1]
    assert process.returncode == 2, rest
    assert rest.endswith(b"firstmile: stopped; the store is whole, but 1 path in 'dumps' could not be "
                         b"read\n"), rest
    assert b"gone.ndjson" not in rest


def test_an_empty_landing_folder_is_no_problem(world):
    (world / "landing").mkdir()
    words = ["watch", "landing", "--flow", "flow.yaml", "--store", "s.sqlite", "--every", "0.01"]
    with running(*words, cwd=world) as process:
        assert process.stderr.readline().startswith(b"firstmile: watching landing for files called ")
        process.send_signal(signal.SIGTERM)
        rest = process.communicate(timeout=60)[1]
    assert process.returncode == 0 and rest == b"firstmile: stopped; the store is whole\n", rest


def test_what_is_named_and_not_there_says_why(world):
    (world / "loop").symlink_to("loop")
    done = firstmile("report", "dumps/a.ndjson/x", "missing", "loop", "dumps/a.ndjson", "--flow",
                     "flow.yaml", "--quiet", cwd=world, expect=2)
    said = done.stderr.decode()
    assert "dumps/a.ndjson/x: can't be looked at: Not a directory" in said, said
    assert "missing: no such file or folder" in said and "loop: can't be looked at: Too many" in said


def test_in_folders_the_content_decides(folder, monkeypatch):
    monkeypatch.setenv("PATH", path_without_duckdb())
    lines = sample_events()[:700]
    parts = [lines[start:start + 100] for start in range(0, 700, 100)]
    texts = ["".join(json.dumps(event) + "\n" for event in part).encode() for part in parts]
    dump = folder / "dump"
    (dump / "segment-logs/source/1770000000").mkdir(parents=True)
    (dump / "part-00000").write_bytes(texts[0])
    (dump / "events.json").write_text(json.dumps(parts[1], indent=1))
    (dump / "segment-logs/source/1770000000/file.gz").write_bytes(gzip.compress(texts[2]))
    (dump / "log.txt").write_bytes(texts[3])
    with zipfile.ZipFile(dump / "export.zip", "w") as archive:
        archive.writestr("1_2026#0.json.gz", gzip.compress(texts[4]))
    (dump / "results.json").write_text(json.dumps({"results": parts[5]}))
    (dump / "named.ndjson").write_bytes(texts[6])
    (dump / "notes.md").write_text("# Notes, and what they say\n")
    (dump / "metrics.csv").write_text("flow,metric,value\na,b,1\n")
    (dump / "copy.ndjson.part").write_bytes(texts[0])
    (dump / "table.parquet").write_bytes(b"PAR1" + bytes(600))
    (dump / "_SUCCESS").write_bytes(b"")
    (dump / ".hidden.json").write_bytes(texts[0])
    whole = folder / "whole.ndjson"
    whole.write_bytes(b"".join(texts))
    report([whole], folder / "one")
    said = report([dump], folder / "many").stderr.decode()
    assert_same(facts_of(folder / "one"), facts_of(folder / "many"), "a folder of any names")
    (line,) = [line for line in said.splitlines() if "passed over" in line]
    assert line.startswith("firstmile: 4 files passed over: ")
    for name in ("notes.md (no events)", "metrics.csv (no events)", "table.parquet (a Parquet file)",
                 "copy.ndjson.part (still being written, by its name)"):
        assert name in line, line


def test_in_folders_the_names_of_the_flow_file_count(folder):
    """Files whose events no format would recognise are read by the flow's own names."""
    events = [json.loads(lines(person)) for person in "abcde"]

    def write(path, renamed):
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(
            json.dumps({renamed.get(key, key): value for key, value in event.items()}) + "\n"
            for event in events))

    (folder / "flow.yaml").write_text(FLOW)
    (folder / "own.yaml").write_text(FLOW + "fields: {event: what, timestamp: at, user_id: who}\n")
    write(folder / "own/part-1.json", {"event": "what", "timestamp": "at", "user_id": "who"})
    (folder / "own/people.json").write_text('{"who": "u", "at": "2026-01-05T00:00:00Z", "plan": "x"}\n')
    for words in (["report", "own"], ["validate", "own"], ["ingest", "own", "--store", "s.sqlite"]):
        said = firstmile(*words, "--flow", "own.yaml", cwd=folder).stderr
        assert b"own/people.json (no events)" in said and b"part-1.json" not in said, said
    (folder / "flow.yaml").rename(folder / "usual.yaml")
    (folder / "own.yaml").rename(folder / "flow.yaml")
    assert persons("own", cwd=folder)[0] == 5
    (folder / "usual.yaml").rename(folder / "flow.yaml")
    # By other names nothing in it is an event; and a format that is asked for may have any file.
    assert run("report", "own", "--flow", "flow.yaml", cwd=folder).returncode == 2
    write(folder / "tables/part-1", {"event": "event_name"})
    said = run("report", "tables", "--flow", "flow.yaml", cwd=folder)
    # Flat lines whose columns are those of our events are a table, and read as one.
    assert said.returncode == 0 and b"no events" not in said.stderr, said.stderr
    write(folder / "foreign/part-1", {"event": "what_it_was"})
    said = run("report", "foreign", "--flow", "flow.yaml", cwd=folder)
    assert said.returncode == 2 and b"part-1 (no events)" in said.stderr, said.stderr
    for words in (["report", "--flow", "flow.yaml"], ["flow", "init"]):
        said = run(*words, "tables", "--format", "table", cwd=folder)
        assert said.returncode == 0 and b"no events" not in said.stderr, said.stderr


def test_a_file_of_a_folder_that_cannot_be_looked_into_is_named(folder):
    dump = folder / "dump"
    dump.mkdir()
    (dump / "events.ndjson").write_text(json.dumps(sample_events()[0]) + "\n")
    (dump / "export.json").write_text("{}")
    (dump / "export.json").chmod(0)
    if os.access(dump / "export.json", os.R_OK):
        pytest.skip("this user may read every file")
    said = report([dump], folder / "out", expect=2).stderr.decode()
    assert "export.json: can't be read" in said, said


def test_what_a_reader_left_beside_a_store_is_no_damage(open_world):
    if os.geteuid() == 0:
        os.chown(open_world, 65534, 65534)
    store = open_world / "s.sqlite"
    ingest = ["ingest", "dumps/a.ndjson", "--store", "s.sqlite", "--flow", "flow.yaml", "--quiet"]
    assert as_nobody(*ingest, cwd=open_world).returncode == 0
    # SQLite makes its log as writable as the file is, and a reader can't take it away.
    store.chmod(0o444)
    as_nobody("report", "--store", "s.sqlite", "--quiet", cwd=open_world)
    store.chmod(0o644)
    left = [file for file in open_world.glob("s.sqlite-*") if file.is_file()]
    assert left and all(file.stat().st_mode & 0o222 == 0 for file in left), left
    for command in (["ingest", "dumps/z/c.ndjson", *ingest[2:]], ["store", "compact", "s.sqlite"],
                    ["store", "forget", "s.sqlite", "u0"]):
        done = as_nobody(*command, cwd=open_world)
        said = done.stderr.decode()
        assert done.returncode == 2 and "damaged" not in said, (command, said)
        assert "can't be written to" in said and any(f"'{file.name}'" in said for file in left), said
    for file in left:
        file.chmod(0o644)
    assert as_nobody(*ingest, cwd=open_world).returncode == 0


@pytest.mark.parametrize("path", ["d", "é", "日", "/", "//", ".", "..", "d/", "d/e", "/d", "x*", "-x"])
def test_a_name_of_any_length_that_leads_nowhere_is_named(folder, path):
    """Foundation ends the program where it is asked for the folder of a path of one character."""
    (folder / "data.ndjson").write_text(
        '{"event":"onboarding_started","user_id":"u","timestamp":1767571200}\n')
    asked = [["validate", "--flow", SAMPLE], ["funnel", "--flow", SAMPLE, "--steps", "a > b"],
             ["ingest", "--flow", SAMPLE, "--store", "s.sqlite"],
             ["partition", "--flow", SAMPLE, "--partitions", "2", "--out", "segments", "--list"],
             ["report", "--flow", SAMPLE, "--quiet"], ["flow", "init"]]
    if path in ("/", "//", ".", ".."):
        # A folder: only what is looked for beside it.
        asked = [["report", "--quiet", "data.ndjson", "--flow"]]
    for words in asked:
        named = [*words, path] if words[-1] == "--flow" else [*words, "--", path]
        done = firstmile(*named, cwd=folder, expect=(2, 4))
        assert done.stderr.strip(), (words, path)
