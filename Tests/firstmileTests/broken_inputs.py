"""Makes each kind of broken input that docs/broken-input.md promises an answer for.

A recipe takes a folder of its own and returns the command to run there. `aiq.ndjson` is a small
whole dump, `flow.yaml` and `gate.yaml` are whole files: a recipe breaks what it is about.
"""

import contextlib
import gzip
import json
import shutil
import sqlite3
import subprocess
import zipfile

import pytest

from harness import BINARY, ROOT, SAMPLE, sample_lines

RECIPES = {}
REPORT = ["report", "dump.ndjson", "--flow", SAMPLE, "--out", "out"]


def recipe(kind):
    def keep(function):
        assert kind not in RECIPES, kind
        RECIPES[kind] = function
        return function
    return keep


def whole():
    return [line for line in sample_lines()[:400] if line.startswith(b"{") and line.endswith(b"}")]


def dump(folder, *lines, name="dump.ndjson", before=b"", after=b""):
    """A whole dump with lines of the recipe's own in the middle."""
    text = whole()
    middle = [*text[:200], *lines, *text[200:]]
    (folder / name).write_bytes(before + b"\n".join(middle) + b"\n" + after)
    return REPORT


def event(**changes):
    body = {"event": "onboarding_started", "user_id": "u-1", "flow": SAMPLE,
            "timestamp": "2026-02-01T10:00:00Z", **changes}
    return json.dumps({key: value for key, value in body.items() if value is not ...}).encode()


def line_recipe(kind, *lines):
    RECIPES[kind] = lambda folder: dump(folder, *lines)


line_recipe("a line that is no JSON", b"no json")
line_recipe("a line cut off in the middle", whole()[0][:60] if whole() else b"{")
line_recipe("an array as a line", b'["event","a"]')
line_recipe("a number as a line", b"17")
line_recipe("a line of NUL bytes", b"\0" * 40)
line_recipe("a line that is not UTF-8", event()[:-2] + b'\xff\xfe"}')
line_recipe("a control character inside a string", b'{"event":"a\x01b","user_id":"u"}')
line_recipe("a lone surrogate", event(user_id="u")[:-1] + b',"note":"\\ud800"}')
line_recipe("nesting without end", b'{"a":' * 100_000)
line_recipe("a line of two megabytes", b'{"event":"' + b"a" * 2_000_000 + b'"}')
line_recipe("no event name", event(event=...))
line_recipe("an event name that is a number", event(event=7))
line_recipe("no time", event(timestamp=...))
line_recipe("a time that is none", event(timestamp="yesterday"))
line_recipe("a date that does not exist", event(timestamp="2026-02-30T10:00:00Z"))
line_recipe("a time that a spreadsheet has rounded", event(timestamp="1.76761E+12"))
line_recipe("neither user nor device", event(user_id=...))
line_recipe("an id of zeros", event(user_id="00000000-0000-0000-0000-000000000000"))
line_recipe("a word for no id", event(user_id="undefined"))


@recipe("more broken lines than 1 %")
def _(folder):
    return dump(folder, *[b"broken"] * 20)


@recipe("the last line cut off")
def _(folder):
    return dump(folder, after=b'{"event":"onboarding_sta')


@recipe("a byte-order mark and CRLF")
def _(folder):
    (folder / "dump.ndjson").write_bytes(b"\xef\xbb\xbf" + b"\r\n".join(whole()) + b"\r\n")
    return REPORT


@recipe("an empty file")
def _(folder):
    (folder / "dump.ndjson").write_bytes(b"")
    return REPORT


@recipe("blank lines only")
def _(folder):
    (folder / "dump.ndjson").write_bytes(b"\n \n\t\n")
    return REPORT


@recipe("UTF-16 text")
def _(folder):
    (folder / "dump.ndjson").write_bytes(b"\n".join(whole()).decode().encode("utf-16"))
    return REPORT


# Compressed files


def compressed(folder, name, data):
    (folder / name).write_bytes(data)
    return ["report", name, "--flow", SAMPLE, "--out", "out"]


def text():
    return b"\n".join(whole()) + b"\n"


def zstd(data):
    if not shutil.which("zstd"):
        pytest.skip("there is no zstd command; script/setup --tests installs it")
    return subprocess.run(["zstd", "-q", "--check", "-c"], input=data, capture_output=True,
                          check=True).stdout


def flipped(data, place):
    return data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1:]


@recipe("gzip cut off")
def _(folder):
    return compressed(folder, "dump.ndjson.gz", gzip.compress(text(), mtime=0)[:-400])


@recipe("gzip with a flipped bit")
def _(folder):
    data = gzip.compress(text(), mtime=0)
    return compressed(folder, "dump.ndjson.gz", flipped(data, len(data) // 2))


@recipe("gzip with a wrong checksum")
def _(folder):
    data = gzip.compress(text(), mtime=0)
    return compressed(folder, "dump.ndjson.gz", data[:-8] + b"\0\0\0\0" + data[-4:])


@recipe("gzip with rubbish behind it")
def _(folder):
    return compressed(folder, "dump.ndjson.gz", gzip.compress(text(), mtime=0) + b"rubbish" * 9)


@recipe("a .gz that is plain text")
def _(folder):
    return compressed(folder, "dump.ndjson.gz", text())


@recipe("a .ndjson that is gzip")
def _(folder):
    return compressed(folder, "dump.ndjson", gzip.compress(text(), mtime=0))


@recipe("zstd cut off")
def _(folder):
    return compressed(folder, "dump.ndjson.zst", zstd(text())[:-200])


@recipe("zstd with a flipped bit")
def _(folder):
    data = zstd(text())
    return compressed(folder, "dump.ndjson.zst", flipped(data, len(data) // 2))


def zipped(folder, name="dump.ndjson"):
    with zipfile.ZipFile(folder / "whole.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(name), text())
    data = (folder / "whole.zip").read_bytes()
    (folder / "whole.zip").unlink()
    return data


@recipe("zip cut off")
def _(folder):
    return compressed(folder, "dump.zip", zipped(folder)[:-500])


@recipe("zip with a flipped bit")
def _(folder):
    data = zipped(folder)
    return compressed(folder, "dump.zip", flipped(data, len(data) // 2))


@recipe("zip with a password")
def _(folder):
    data = bytearray(zipped(folder))
    data[6] |= 1
    place = data.index(b"PK\x01\x02")
    data[place + 8] |= 1
    return compressed(folder, "dump.zip", bytes(data))


@recipe("zip without a dump in it")
def _(folder):
    with zipfile.ZipFile(folder / "dump.zip", "w") as archive:
        archive.writestr("picture.png", b"\x89PNG")
    return ["report", "dump.zip", "--flow", SAMPLE, "--out", "out"]


def in_database(path, statement):
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute(statement)
        database.commit()


# Files that are something else, or are not there


@recipe("a missing file")
def _(folder):
    return REPORT


@recipe("a folder without a dump")
def _(folder):
    (folder / "dumps").mkdir()
    (folder / "dumps/readme.txt").write_text("hello")
    return ["report", "dumps", "--flow", SAMPLE, "--out", "out"]


@recipe("a pattern that matches nothing")
def _(folder):
    return ["report", "dumps/*.gz", "--flow", SAMPLE, "--out", "out"]


def address_recipe(kind, *command):
    RECIPES[kind] = lambda folder: [*command, "--flow", SAMPLE]


address_recipe("an address of a kind that isn't read", "report", "ftp://host/x", "--out", "out")
address_recipe("an address without encryption", "report", "http://example.com/x", "--out", "out")
address_recipe("an address in Google's spelling", "report", "gs://bucket/x", "--out", "out")
address_recipe("an address without a bucket", "report", "s3:///x", "--out", "out")
address_recipe("an address to watch", "watch", "s3://bucket/x", "--store", "s.sqlite")


@recipe("a pattern that matches folders without a dump")
def _(folder):
    (folder / "dumps-1").mkdir()
    return ["report", "dumps-*", "--flow", SAMPLE, "--out", "out"]


@recipe("a dangling link in a folder")
def _(folder):
    (folder / "dumps").mkdir()
    (folder / "dumps/a.ndjson").write_bytes(text())
    (folder / "dumps/b.ndjson").symlink_to("gone.ndjson")
    return ["report", "dumps", "--flow", SAMPLE, "--out", "out"]


@recipe("a link to itself")
def _(folder):
    (folder / "dump.ndjson").symlink_to("dump.ndjson")
    return REPORT


@recipe("an SQLite database as a dump")
def _(folder):
    in_database(folder / "dump.ndjson", "CREATE TABLE t (a)")
    return REPORT


@recipe("a Parquet file as a dump")
def _(folder):
    (folder / "dump.ndjson").write_bytes(b"PAR1" + bytes(range(256)) * 20 + b"PAR1")
    return REPORT


@recipe("an Excel workbook as a dump")
def _(folder):
    with zipfile.ZipFile(folder / "dump.ndjson", "w") as parts:
        parts.writestr("[Content_Types].xml", "<Types/>")
        parts.writestr("xl/workbook.xml", "<workbook/>")
    return REPORT


@recipe("a table cut into parts, with one header")
def _(folder):
    (folder / "dumps").mkdir()
    row = "onboarding_started,2026-01-21T10:00:00Z,u1\n"
    (folder / "dumps/a.csv").write_text("event,timestamp,user_id\n" + row)
    (folder / "dumps/b.csv").write_text(row)
    return ["report", "dumps", "--flow", SAMPLE, "--out", "out"]


@recipe("a report's folder that is a file")
def _(folder):
    (folder / "dump.ndjson").write_bytes(text())
    (folder / "out").write_text("mine")
    return REPORT


@recipe("an output that is an input")
def _(folder):
    (folder / "dump.ndjson").write_bytes(text())
    return ["report", "dump.ndjson", "--flow", SAMPLE, "--rejects", "dump.ndjson"]


# Flow files


def flow_recipe(kind, content):
    def make(folder):
        data = content() if callable(content) else content
        (folder / "flow.yaml").write_bytes(data if isinstance(data, bytes) else data.encode())
        return ["flow", "check", "flow.yaml"]
    RECIPES[kind] = make


flow_recipe("an empty flow file", "")
flow_recipe("a flow file that is no YAML", "flow: [aiq\nsteps: }")
flow_recipe("a flow file with tabs", "flow: aiq\nsteps:\n\t- a\n")
flow_recipe("a flow file without steps", "flow: aiq\n")
flow_recipe("an unknown key in a flow file", "flow: aiq\nstpes: [a]\nsteps: [a]\n")
flow_recipe("a key that stands twice", "flow: aiq\nsteps: [a]\nflow: other\n")
flow_recipe("a step that stands twice", "flow: aiq\nsteps: [a, a]\n")
flow_recipe("a flow file that is a list", "- a\n- b\n")
flow_recipe("a flow file in UTF-16", lambda: "flow: aiq\nsteps: [a]\n".encode("utf-16"))
flow_recipe("a flow file with NUL bytes", b"flow: a\0b\nsteps: [a]\n")
flow_recipe("a flow file of two megabytes", lambda: "flow: a\nsteps: [a]\n" + "# x\n" * 500_000)
flow_recipe("aliases that multiply", lambda: "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [{','.join(['*' + chr(97 + n)] * 9)}]\n" for n in range(9)))
flow_recipe("a flow's id that is a path", "flow: ../../escaped\nsteps: [a]\n")
flow_recipe("a window that is no duration", "flow: aiq\nwindow: 1h30m\nsteps: [a]\n")
flow_recipe("shares that do not add up",
            "flow: a\nsteps: [a]\nexperiments: {x: {control: A, split: {A: 50%, B: 60%}}}\n")
flow_recipe("a goal anchored on itself",
            "flow: a\nsteps: [a]\ngoals: [{id: g, event: e, anchor: {goal: g}}]\n")
flow_recipe("a time zone that is none", "flow: a\nsteps: [a]\ntime_zone: Mars/Olympus\n")


@recipe("a flow file that is a folder")
def _(folder):
    (folder / "flow.yaml").mkdir()
    return ["flow", "check", "./flow.yaml"]


@recipe("a flow that is not built in")
def _(folder):
    (folder / "dump.ndjson").write_bytes(text())
    return ["report", "dump.ndjson", "--flow", "aiqq"]


# The gate


def gate_recipe(kind, content, baseline=None):
    def make(folder):
        (folder / "dump.ndjson").write_bytes(text())
        (folder / "gate.yaml").write_text(content)
        if baseline is not None:
            (folder / "baseline.json").write_bytes(baseline)
        return ["check", "dump.ndjson", "--flow", SAMPLE, "--gate", "gate.yaml"]
    RECIPES[kind] = make


AGAINST = "baseline: baseline.json\nrules: [{metric: completion_rate, not_worse_by: 2%}]\n"
gate_recipe("an empty gate file", "")
gate_recipe("a gate without rules", "rules: []\n")
gate_recipe("a metric that does not exist", "rules: [{metric: completion_ratio, at_least: 5%}]\n")
gate_recipe("a rule without a bound", "rules: [{metric: completion_rate}]\n")
gate_recipe("a missing baseline", AGAINST)
gate_recipe("a baseline that is no JSON", AGAINST, b"{")
gate_recipe("a baseline that is something else", AGAINST, b'{"hello": 1}')


# Two reports


@recipe("a comparison with no report")
def _(folder):
    (folder / "a.json").write_text("{}")
    shutil.copy(ROOT / f"reports/{SAMPLE}/metrics.json", folder / "b.json")
    return ["compare", "a.json", "b.json"]


@recipe("a comparison with half a report")
def _(folder):
    whole = (ROOT / f"reports/{SAMPLE}/metrics.json").read_bytes()
    (folder / "a.json").write_bytes(whole[:len(whole) // 2])
    (folder / "b.json").write_bytes(whole)
    return ["compare", "a.json", "b.json"]


# Stores


def store(folder):
    (folder / "dump.ndjson").write_bytes(text())
    subprocess.run([BINARY, "ingest", "dump.ndjson", "--store", "s.sqlite", "--flow", SAMPLE,
                    "--quiet"], cwd=folder, check=True, capture_output=True)
    return folder / "s.sqlite"


READ = ["report", "--store", "s.sqlite", "--flow", SAMPLE]


@recipe("a missing store")
def _(folder):
    return READ


@recipe("an empty file as a store")
def _(folder):
    (folder / "s.sqlite").write_bytes(b"")
    return READ


@recipe("a text as a store")
def _(folder):
    (folder / "s.sqlite").write_text("hello " * 1000)
    return READ


@recipe("another program's database as a store")
def _(folder):
    in_database(folder / "s.sqlite", "CREATE TABLE t (a)")
    return READ


@recipe("a store cut off")
def _(folder):
    path = store(folder)
    path.write_bytes(path.read_bytes()[:path.stat().st_size // 2])
    return READ


@recipe("a store of a later version")
def _(folder):
    in_database(store(folder), "PRAGMA user_version = 99")
    return READ


@recipe("a value of the wrong type in a store")
def _(folder):
    in_database(store(folder), "UPDATE packs SET facts = 'many'")
    return READ


# The command line


def usage_recipe(kind, *arguments):
    def make(folder):
        (folder / "dump.ndjson").write_bytes(text())
        return ["report", "dump.ndjson", "--flow", SAMPLE, *arguments]
    RECIPES[kind] = make


usage_recipe("an unknown option", "--colour")
usage_recipe("a date that is none", "--from", "2026-13-01")
usage_recipe("dates the wrong way round", "--from", "2026-03-01", "--to", "2026-02-01")
usage_recipe("no thread", "--threads", "0")
usage_recipe("a share above all", "--max-reject-rate", "150%")
usage_recipe("a memory limit of nothing", "--memory-limit", "0")


@recipe("nothing to read")
def _(folder):
    return ["report", "--flow", SAMPLE]


@recipe("nothing on standard input")
def _(folder):
    return ["report", "-", "--flow", SAMPLE]
