"""`firstmile store` and what reads one."""

import contextlib
import csv
import gzip
import json
import re
import shutil
import sqlite3
import subprocess

import pytest
from harness import (
    BINARY, GATE, ROOT, SAMPLE, assert_same, facts_of, firstmile, json_objects, report, sample_files,
    sample_lines)


def test_a_store_that_was_cut_short_is_damaged(folder):
    store, cut = folder / "store.sqlite", folder / "cut.sqlite"
    firstmile("ingest", *sample_files(), "--store", store, "--flow", SAMPLE, "--quiet")
    whole = store.read_bytes()
    for share in (0.3, 0.6, 0.95):
        cut.write_bytes(whole[:int(len(whole) * share)])
        said = firstmile("store", "verify", cut, expect=4).stderr.decode()
        assert "damaged part" in said and "Error" not in said, said


def test_sources_that_lack_what_is_asked_for_are_told_a_few_at_a_time(folder):
    firstmile("simulate", "--flow", SAMPLE, "--persons", 300, "--files", 9, "--out", folder / "dump",
              "--quiet")
    firstmile("ingest", folder / "dump", "--store", folder / "s.sqlite", "--flow", SAMPLE, "--quiet")
    said = firstmile("report", "--store", folder / "s.sqlite", "--flow", "memoss", expect=2).stderr
    assert said.count(b"was not kept") >= 5 and b"and 4 more sources" in said, said


def test_a_store_that_is_filled_night_after_night_needs_no_compaction(folder):
    store, dump = folder / "s.sqlite", folder / "dump"
    firstmile("simulate", "--flow", SAMPLE, "--persons", 300, "--files", 20, "--out", dump, "--quiet")
    nights = sorted(dump.glob("*.ndjson.gz"))
    assert len(nights) == 20
    for night in nights:
        firstmile("ingest", night, "--store", store, "--flow", SAMPLE, "--quiet")
    said = firstmile("store", "info", store).stdout.decode()
    packs = int(re.search(r" segments, (\d+) packs", said).group(1))
    # Two of eight nights each, and four; of nights of other sizes fewer are together.
    assert packs < 14 and "compact" not in said, said
    firstmile("report", "--store", store, "--out", folder / "stored", "--quiet")
    report(nights, folder / "read")
    assert_same(facts_of(folder / "stored"), facts_of(folder / "read"), "night after night")


def test_sources_of_other_formats_are_merged_apart(folder):
    """A vendor's file has its values in other places: it makes no neighbour one to read again."""
    store = folder / "s.sqlite"
    for number, form in enumerate(["canonical", "segment"]):
        firstmile("simulate", "--flow", SAMPLE, "--persons", 90, "--files", 8, "--format", form, "--seed", number,
                  "--out", folder / form, "--quiet")
        firstmile("ingest", folder / form, "--store", store, "--flow", SAMPLE, "--quiet", expect=(0, 4))
    assert ", 2 packs" in firstmile("store", "info", store).stdout.decode()
    firstmile("store", "compact", store)
    assert ", 2 packs" in firstmile("store", "info", store).stdout.decode()


def test_a_store_exports_a_row_for_each_person(folder):
    store, out = folder / "store.sqlite", folder / "out"
    firstmile("ingest", *sample_files(), "--store", store, "--flow", SAMPLE, "--quiet")
    firstmile("store", "export", folder / "people.csv", "--store", store, "--flow", SAMPLE)
    report(sample_files(), out)
    with open(folder / "people.csv", newline="") as file:
        people = list(csv.DictReader(file))
    rows = {(row["metric"], row["step"]): row for row in csv.DictReader(
        (out / "metrics.csv").read_text().splitlines())
        if row["variant"] == row["version"] == row["cohort"] == row["breakdown"] == "all"}
    for outcome in ("finished", "finished_after_skipping", "skipped", "abandoned"):
        found = sum(person["outcome"] == outcome and person["mature"] == "1" for person in people)
        assert str(found) == rows[outcome, "all"]["numerator"], (outcome, found)


def test_store_info_tells_the_horizon_that_reports_have(folder):
    store, out = folder / "store.sqlite", folder / "out"
    firstmile("ingest", *sample_files(), "--store", store, "--flow", SAMPLE, "--quiet")
    firstmile("report", "--store", store, "--out", out, "--quiet")
    horizon = json.loads((out / "metrics.json").read_text())["horizon"]
    told = firstmile("store", "info", store).stdout.decode()
    found = re.search(r"horizon +(\S+),", told).group(1)
    assert found.replace(".000Z", "Z") == horizon, (found, horizon)
    # The sample has clocks that run months ahead: they are told, as what they are.
    last = re.search(r"last fact (\S+), as their clocks had it", told).group(1)
    assert last > found, told


def test_each_report_from_a_store_is_a_look_that_is_kept(folder):
    store = folder / "store.sqlite"
    for path in sample_files():
        firstmile("ingest", path, "--store", store, "--flow", SAMPLE, "--quiet")
        done = firstmile("report", "--store", store, "--flow", SAMPLE, "--full")
    assert done.stdout.count(b"Interim analyses of experiment") >= 1, done.stdout[-2000:].decode()


def damaged(store, copy, *statements):
    """A copy of a store in which somebody changed something."""
    shutil.copy(store, copy)
    with contextlib.closing(sqlite3.connect(copy, isolation_level=None)) as database:
        database.execute("PRAGMA ignore_check_constraints = ON")
        for statement in statements:
            database.execute(statement)
    return copy


READERS = {
    "verify": ["store", "verify", "STORE"], "info": ["store", "info", "STORE"],
    "report": ["report", "--store", "STORE", "--quiet"], "check": ["check", "--store", "STORE", "--gate", ROOT / GATE],
    "export": ["store", "export", "people.csv", "--store", "STORE"],
    "explain": ["explain", "ada", "--store", "STORE"], "forget": ["store", "forget", "STORE", "ada"],
    "compact": ["store", "compact", "STORE"],
    "ingest": ["ingest", "late.ndjson", "--store", "STORE", "--quiet"],
}


@pytest.mark.parametrize("damage", [
    "UPDATE sources SET lines = 'many'", "UPDATE sources SET path = x'00ff'",
    "UPDATE packs SET facts = -1", "UPDATE packs SET tables = 5", "DELETE FROM pack_sources",
    "UPDATE pack_sources SET is_superseded = 1", "UPDATE segments SET pack = 9223372036854775807",
    "UPDATE segments SET data = 1.5", "UPDATE layouts SET text = '{}'",
    "UPDATE identifier_key SET bytes = x'00'", "DELETE FROM ledger", "DROP TABLE aliases",
])
def test_every_command_tells_of_a_damaged_store(folder, damage):
    (folder / "late.ndjson").write_bytes(b"\n".join(sample_lines()[:5]))
    ingest = ["ingest", *sample_files()[:2], "--store", folder / "s.sqlite", "--flow", SAMPLE, "--quiet"]
    firstmile(*ingest)
    for name, words in READERS.items():
        store = damaged(folder / "s.sqlite", folder / "damaged.sqlite", damage)
        # What an ingest doesn't look at, the next report does.
        done = firstmile(*[store if word == "STORE" else word for word in words],
                         expect=(0, 4) if name == "ingest" else 4, cwd=folder)
        assert done.returncode == 0 or b"damaged" in done.stderr, (name, done.stderr)


def test_a_number_is_unknown_only_where_no_source_is_missing(folder):
    firstmile("ingest", *sample_files()[:2], "--store", folder / "s.sqlite", "--flow", SAMPLE, "--quiet")
    store = damaged(folder / "s.sqlite", folder / "damaged.sqlite", "DELETE FROM sources WHERE id = 1")
    assert b"damaged" in firstmile("store", "drop", store, "1", expect=4).stderr
    assert b"no source has the number 3" in firstmile("store", "drop", folder / "s.sqlite", "3", expect=2).stderr


def test_a_store_of_another_version_is_refused(folder):
    firstmile("ingest", *sample_files()[:1], "--store", folder / "s.sqlite", "--flow", SAMPLE, "--quiet")
    for version in (1, 2, 3, 9):
        store = damaged(folder / "s.sqlite", folder / "other.sqlite", f"PRAGMA user_version = {version}")
        said = firstmile("report", "--store", store, expect=2).stderr.decode()
        assert f"schema version {version}" in said, said


def test_an_unknown_person_is_not_forgotten_unasked_and_can_be_taken_back(folder):
    store = folder / "s.sqlite"
    lines = [b'{"event":"x","timestamp":1770000000,"user_id":"ada"}', b'{"event":"x","user_id":42.0}']
    (folder / "dump.ndjson").write_bytes(b"\n".join(lines))
    firstmile("ingest", folder / "dump.ndjson", "--store", store, "--flow", SAMPLE, "--quiet", expect=(0, 4))
    said = firstmile("store", "forget", store, "ADA", expect=2).stderr.decode()
    assert "neither a user nor a device" in said and "Did you mean 'ada'?" in said, said
    assert b"forgotten" not in firstmile("store", "info", store).stdout
    firstmile("store", "forget", store, "ADA", "--yes")
    assert b"forgotten" in firstmile("store", "info", store).stdout
    firstmile("store", "forget", store, "ADA", "--undo")
    assert b"forgotten" not in firstmile("store", "info", store).stdout
    assert b"erased 0 facts and 1 reject " in firstmile("store", "forget", store, "42").stdout
    assert b"erased 1 fact " in firstmile("store", "forget", store, "ada").stdout
    said = firstmile("store", "forget", store, "ada", "--undo", expect=2).stderr.decode()
    assert "stays kept out" in said, said


def test_erasures_at_once_wait_for_each_other(folder):
    store = folder / "store.sqlite"
    firstmile("ingest", *sample_files(), "--store", store, "--flow", SAMPLE, "--quiet")
    people = sorted({found.get("user_id") or "" for found in json_objects(sample_lines())} - {""})[:6]
    runs = [subprocess.Popen([BINARY, "store", "forget", store, person], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE) for person in people]
    for run in runs:
        _, said = run.communicate()
        assert run.returncode == 0, said
    firstmile("store", "verify", store)


def test_bytes_that_a_reader_holds_are_told_of(folder):
    store = folder / "s.sqlite"
    (folder / "dump.ndjson").write_bytes(b'{"event":"x","timestamp":1770000000,"user_id":"ada"}')
    firstmile("ingest", folder / "dump.ndjson", "--store", store, "--flow", SAMPLE, "--quiet")
    with contextlib.closing(sqlite3.connect(store, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM segments").fetchone()
        said = firstmile("store", "forget", store, "ada", "--wait", 0, expect=2)
        assert b"erased 1 fact " in said.stdout and b"bytes are still in" in said.stderr, said
        reader.execute("COMMIT")
    assert b"erased 0 facts" in firstmile("store", "forget", store, "ada").stdout


def test_a_damaged_header_is_not_taken_for_a_file_that_cannot_be_written_to(folder):
    firstmile("simulate", "--flow", SAMPLE, "--persons", 20, "--out", folder / "dump", "--quiet")
    store = folder / "s.sqlite"
    firstmile("ingest", folder / "dump", "--store", store, "--flow", SAMPLE, "--quiet")
    with contextlib.closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(store.read_bytes())
    assert data[18] == 2  # the write version: a log beside the file
    data[18] = 9
    store.write_bytes(data)
    for command in (["store", "forget", store, "u-1", "--yes"], ["store", "verify", store],
                    ["ingest", folder / "dump", "--store", store, "--flow", SAMPLE, "--again"]):
        said = firstmile(*command, expect=4).stderr.decode()
        assert "damaged" in said and "written to" not in said, (command, said)


def test_a_damaged_index_is_not_taken_for_a_full_disk(folder):
    firstmile("simulate", "--flow", SAMPLE, "--persons", 60, "--out", folder / "dump", "--quiet")
    store, broken = folder / "s.sqlite", folder / "broken.sqlite"
    firstmile("ingest", folder / "dump", "--store", store, "--flow", SAMPLE, "--quiet")
    firstmile("report", "--store", store, "--out", folder / "out", "--quiet")
    with contextlib.closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        size = database.execute("PRAGMA page_size").fetchone()[0]
    whole, broken_pages = store.read_bytes(), 0
    for start in range(size, len(whole), size):
        cells = int.from_bytes(whole[start + 3:start + 5], "big")
        if whole[start] != 0x0A or cells == 0:  # the leaf of an index
            continue
        data = bytearray(whole)
        places = [int.from_bytes(data[start + 8 + 2 * cell:][:2], "big") for cell in range(cells)]
        # Every key claims to go on in a page that no file has.
        first = start + min(places)
        data[first:start + size] = b"r" * (start + size - first)
        for place in places:
            data[start + place:start + place + 3] = b"\xbf\xff\x7f"
        broken.write_bytes(data)
        said = firstmile("store", "forget", broken, "u-1", "--yes", expect=4).stderr.decode()
        assert "damaged" in said and "space" not in said, (start // size + 1, said)
        broken_pages += 1
    assert broken_pages > 3


def test_a_limit_of_file_sizes_is_named(folder):
    store = folder / "s.sqlite"
    small = folder / "small.ndjson"
    small.write_bytes(b"\n".join(sample_lines()[:200]))
    firstmile("ingest", small, "--store", store, "--flow", SAMPLE, expect=(0, 4))
    limit = store.stat().st_size // 1024 + 64
    for arguments in (["ingest", *sample_files(), "--store", store, "--flow", SAMPLE],
                      ["store", "forget", store, "nobody-of-this-name", "--yes"]):
        if arguments[0] == "store":
            limit = 40
        done = subprocess.run(["bash", "-c", f'ulimit -f {limit}; exec "$@"', "bash", BINARY, *map(str, arguments)],
                              cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 2, done
        assert "(ulimit -f)" in done.stderr or "TMPDIR" in done.stderr, done.stderr
        assert "disk I/O error" not in done.stderr and "source at hand" not in done.stderr, done.stderr
        firstmile("store", "verify", store)


def test_people_are_exported_of_what_counts(folder):
    """A store of which nothing counts writes over nothing, and damage is named."""
    store, people = folder / "s.sqlite", folder / "people.csv"
    lines = b"\n".join(sample_lines())
    (folder / "a.ndjson").write_bytes(lines)
    firstmile("ingest", folder / "a.ndjson", "--store", store, "--flow", SAMPLE, "--quiet", expect=(0, 4))
    firstmile("store", "export", people, "--store", store)
    good = people.read_bytes()
    firstmile("store", "drop", store, "1")
    said = firstmile("store", "export", people, "--store", store, expect=4).stderr
    assert b"nothing was written" in said and people.read_bytes() == good, said
    whole = gzip.compress(lines, mtime=0)
    (folder / "b.ndjson.gz").write_bytes(whole[:len(whole) * 2 // 3])
    firstmile("ingest", folder / "b.ndjson.gz", "--store", store, "--flow", SAMPLE, "--quiet", expect=4)
    said = firstmile("store", "export", people, "--store", store, expect=4).stderr
    assert b"end in the middle of a member" in said and b"persons written to" in said, said
    assert b"\n" in people.read_bytes() and people.read_bytes() != good


def test_an_id_with_hidden_characters_is_shown_escaped(folder):
    store, person = folder / "store.sqlite", "u\x1b[31m1"
    (folder / "dump.ndjson").write_text(json.dumps(
        {"event": "onboarding_started", "timestamp": "2026-01-05T10:00:00Z", "user_id": person}) + "\n")
    firstmile("ingest", folder / "dump.ndjson", "--store", store, "--flow", SAMPLE)
    firstmile("store", "forget", store, "other\x1b[31m", "--yes")
    done = firstmile("store", "forget", store, "other\x1b[31m", "--undo")
    assert b"is kept again" in done.stdout and b"\x1b" not in done.stdout + done.stderr, done
