"""`firstmile report --people`: who dropped where, one row per person."""

import collections
import csv
import datetime
import gzip
import json
import os
import pty
import random
import stat
import subprocess

import pytest

from harness import BINARY, FORMATS, contents, firstmile

FLOW = """flow: list
window: 24h
identity: user
skip: ends
steps: [welcome, goals, plan, done]
experiments:
  copy: {control: A, split: {A: 50%, B: 50%}}
"""
START = datetime.datetime(2026, 1, 5, tzinfo=datetime.timezone.utc)
STEPS = ["welcome", "goals", "plan", "done"]


def text(milliseconds):
    moment = START + datetime.timedelta(milliseconds=milliseconds)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"


def made_events(people):
    """Events of some people, each with a fate of their own; no two of a person at one moment."""
    chance = random.Random(5)
    events = []
    for number in range(people):
        user, variant = f"user-{number:03d}", chance.choice("AB")
        at = chance.randrange(20 * 86_400_000)
        version = chance.choice(["1", "2"])

        def add(name, **properties):
            events.append({
                "event": name, "user_id": user, "timestamp": text(at), "flow": "list",
                "flow_version": version, "experiments": {"copy": variant},
                "properties": properties})

        add("onboarding_started")
        fate = chance.choice(["finish", "skip", "leave", "leave", "late", "bare"])
        for page in STEPS[:0 if fate == "bare" else chance.randint(1, 4)]:
            at += chance.randrange(1, 90_000)
            add("onboarding_page_viewed", page_name=page)
            if chance.random() < 0.2:
                at += chance.randrange(1, 9000)
                add("onboarding_page_viewed", page_name="welcome")
        at += chance.randrange(1, 60_000) + (2 * 86_400_000 if fate == "late" else 0)
        if fate == "skip":
            add("onboarding_skipped", skipped_at_page=page)
        elif fate in ("finish", "late"):
            add("onboarding_completed", completion_method="finished")
        for _ in range(chance.randrange(3)):
            at += chance.randrange(1, 4 * 86_400_000)
            add("item_added")
    return events


def recount(events, horizon):
    """What each row should say, counted by hand from the events."""
    rows = {}
    for user in {event["user_id"] for event in events}:
        own = sorted((e for e in events if e["user_id"] == user), key=lambda e: e["timestamp"])
        entry = own[0]
        over = datetime.datetime.fromisoformat(entry["timestamp"]) + datetime.timedelta(days=1)
        inside = [e for e in own if datetime.datetime.fromisoformat(e["timestamp"]) <= over]
        ends = {"onboarding_completed": "finished", "onboarding_skipped": "skipped"}
        end = next((e for e in inside if e["event"] in ends), None)
        until = [e for e in inside if end is None or e["timestamp"] <= end["timestamp"]]
        views = [e for e in until if e["event"] == "onboarding_page_viewed"]
        furthest = max((STEPS.index(e["properties"]["page_name"]) for e in views), default=None)
        seen = next((e["timestamp"] for e in views
                     if STEPS.index(e["properties"]["page_name"]) == furthest), "")
        mature = over <= horizon
        outcome = ends[end["event"]] if end else "abandoned" if mature else "(open)"
        skip = end if end and end["event"] == "onboarding_skipped" else None
        rows[user] = {
            "entered_at": entry["timestamp"], "mature": str(int(mature)),
            "version": entry["flow_version"], "variant_copy": entry["experiments"]["copy"],
            "outcome": outcome, "furthest_step": "" if furthest is None else STEPS[furthest],
            "furthest_step_at": seen, "used_skip": str(int(skip is not None)),
            "skipped_at_step": skip["properties"]["skipped_at_page"] if skip else "",
            "last_event": own[-1]["event"], "last_event_at": own[-1]["timestamp"]}
    return rows


@pytest.fixture
def world(folder):
    (folder / "flow.yaml").write_text(FLOW)
    events = made_events(240)
    halves = [events[::2], events[1::2]]
    for number, half in enumerate(halves):
        (folder / f"dump{number}.ndjson").write_text("".join(json.dumps(e) + "\n" for e in half))
    return folder, events


DUMP = ["report", "dump0.ndjson", "dump1.ndjson", "--flow", "flow.yaml", "--quiet"]
AS_OF = ["--as-of", "2026-01-24"]


def listed(path):
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_the_list_is_what_a_plain_recount_finds(world):
    folder, events = world
    horizon = datetime.datetime(2026, 1, 25, tzinfo=datetime.timezone.utc)
    known = [e for e in events if datetime.datetime.fromisoformat(e["timestamp"]) < horizon]
    said = firstmile(*DUMP, *AS_OF, "--people", "people.csv", "--raw-ids", "--yes-raw-ids",
                     cwd=folder).stderr.decode()
    rows = listed(folder / "people.csv")
    assert f"{len(rows)} persons written to people.csv, with raw ids" in said, said
    wanted = recount(known, horizon)
    assert {row["outcome"] for row in rows} == {"finished", "skipped", "abandoned", "(open)"}
    assert {row["id"] for row in rows} == set(wanted) and len(rows) == len(wanted)
    for row in rows:
        found = {name: row[name] for name in wanted[row["id"]]}
        assert found == wanted[row["id"]], row["id"]
        assert row["person"].startswith("#") and len(row["person"]) == 33


def test_the_list_says_who_denied_and_who_came_back(folder):
    """Counted from the list, answers and returns are the numbers of the report."""
    firstmile("report", "sample-events/memoss", "--flow", "memoss", "--quiet", "--out", folder / "made",
              "--people", folder / "people.csv")
    rows = {(row["metric"], row.get("step", "all")): row for row in
            json.loads((folder / "made/metrics.json").read_text())["metrics"]["rows"]
            if not row.keys() & {"version", "experiment", "variant", "breakdown", "cohort"}}
    people = [row for row in listed(folder / "people.csv") if row["mature"] == "1"]
    answers = collections.Counter(row["permission_notifications"] for row in people)
    assert answers["denied"] > 50 and answers["granted"] > 100, answers
    for answer, count in answers.items():
        assert rows[f"permission_class_{answer}", "notifications"]["numerator"] == count, answer
    for measure in ("d7", "d30"):
        came = [row[f"retention_{measure}"] for row in people]
        rate = rows[f"retention_{measure}", "all"]
        assert set(came) == {"", "0", "1"}
        assert (came.count("1"), len(came) - came.count("")) == (rate["numerator"], rate["denominator"])


def test_ids_are_hashes_that_explain_takes_and_the_file_is_the_owners(world):
    folder, _ = world
    (folder / "people.csv").write_text("from before\n")
    (folder / "people.csv").chmod(0o644)
    firstmile(*DUMP, *AS_OF, "--people", "people.csv", cwd=folder)
    assert mode(folder / "people.csv") == 0o600
    assert "user-" not in (folder / "people.csv").read_text()
    row = next(row for row in listed(folder / "people.csv") if row["outcome"] == "abandoned"
               and row["furthest_step"] == "goals")
    said = firstmile("explain", row["person"], "dump0.ndjson", "dump1.ndjson", "--flow",
                     "flow.yaml", *AS_OF, cwd=folder).stdout.decode()
    assert "abandoned: no completion" in said and "step goals: viewed, left here" in said, said


def test_a_store_lists_the_same_people_and_keeps_no_raw_ids(world):
    folder, _ = world
    firstmile("ingest", "dump0.ndjson", "dump1.ndjson", "--flow", "flow.yaml", "--store",
              "store.sqlite", "--quiet", cwd=folder)
    firstmile("report", "--store", "store.sqlite", "--quiet", *AS_OF, "--people", "stored.csv",
              cwd=folder)
    firstmile(*DUMP, *AS_OF, "--people", "people.csv", cwd=folder)

    def without_hashes(name):
        # A store has a key of its own.
        return sorted(sorted((k, v) for k, v in row.items() if k != "person")
                      for row in listed(folder / name))

    assert without_hashes("stored.csv") == without_hashes("people.csv")
    assert mode(folder / "stored.csv") == 0o600
    before = contents(folder)
    said = firstmile("report", "--store", "store.sqlite", "--quiet", "--people", "raw.csv",
                     "--raw-ids", "--yes-raw-ids", cwd=folder, expect=2).stderr.decode()
    assert "a store keeps no raw ids" in said and contents(folder) == before, said


def test_threads_and_files_do_not_matter(world):
    folder, _ = world
    for name, threads in (("one.csv", 1), ("four.csv", 4)):
        firstmile(*DUMP, "--threads", threads, "--people", name, "--raw-ids", "--yes-raw-ids",
                  cwd=folder)
    assert (folder / "one.csv").read_bytes() == (folder / "four.csv").read_bytes()


def test_raw_ids_are_asked_for_twice(world):
    folder, _ = world
    before = contents(folder)
    for words, said in (
            (["--people", "p.csv", "--raw-ids"], "confirm it with --yes-raw-ids"),
            (["--raw-ids", "--yes-raw-ids"], "--raw-ids needs --people FILE"),
            (["--people", "p.csv", "--yes-raw-ids"], "confirms --raw-ids, which is not given")):
        error = firstmile(*DUMP, *words, cwd=folder, expect=2).stderr.decode()
        assert said in error, error
    assert contents(folder) == before


@pytest.mark.parametrize("answer, code", [("yes", 0), ("y", 2), ("", 2)])
def test_a_terminal_is_asked(world, answer, code):
    folder, _ = world
    head, tail = pty.openpty()
    run = subprocess.Popen(
        [str(BINARY), *DUMP, "--people", "p.csv", "--raw-ids"], cwd=folder, stdin=tail,
        stdout=subprocess.DEVNULL, stderr=tail)
    os.close(tail)
    os.write(head, f"{answer}\n".encode())
    assert run.wait(120) == code
    os.close(head)
    assert (folder / "p.csv").exists() == (code == 0)


def test_the_ids_of_devices_and_of_united_users_are_found(folder):
    (folder / "flow.yaml").write_text(FLOW.replace("identity: user", "identity: stitched"))
    events = [
        {"event": "onboarding_started", "device_id": "phone-1", "timestamp": text(0)},
        {"event": "onboarding_started", "device_id": "phone-2", "timestamp": text(0)},
        {"event": "home", "device_id": "phone-2", "user_id": "=late", "timestamp": text(5000)},
        {"event": "onboarding_started", "user_id": "zed", "timestamp": text(0)},
        {"event": "alias", "user_id": "zed", "previous_id": "abe", "timestamp": text(9000)},
        {"event": "home", "user_id": "abe", "timestamp": text(9000)},
    ]
    lines = [json.dumps({"flow": "list", **event}) + "\n" for event in events]
    (folder / "dump.ndjson").write_text("".join(lines))
    firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--quiet", "--people", "p.csv",
              "--raw-ids", "--yes-raw-ids", cwd=folder)
    # A cell must not begin a formula.
    assert sorted(row["id"] for row in listed(folder / "p.csv")) == ["'=late", "abe", "phone-1"]


def test_what_comes_through_a_pipe_cannot_be_read_again(world):
    folder, _ = world
    said = firstmile("report", "-", "--flow", "flow.yaml", "--quiet", "--people", "p.csv",
                     "--raw-ids", "--yes-raw-ids", cwd=folder, expect=2,
                     stdin=(folder / "dump0.ndjson").read_bytes()).stderr.decode()
    assert "reads the input twice" in said and not (folder / "p.csv").exists(), said
    firstmile("report", "-", "--flow", "flow.yaml", "--quiet", "--people", "p.csv", cwd=folder,
              stdin=(folder / "dump0.ndjson").read_bytes())


def test_one_flow_at_a_time(world):
    folder, _ = world
    said = firstmile(*DUMP, "--flow", "aiq", "--people", "p.csv", cwd=folder,
                     expect=2).stderr.decode()
    assert "--people lists the people of one flow, and 2 are given" in said, said
    assert not (folder / "p.csv").exists()


@pytest.mark.parametrize("form", FORMATS)
def test_ids_are_found_in_every_format(folder, form):
    firstmile("simulate", "--flow", "aiq", "--persons", 25, "--seed", 4, "--format", form, "--out",
              folder / "dump")
    firstmile("report", folder / "dump", "--flow", "aiq", "--quiet", "--max-reject-rate", "100%",
              "--people", folder / "p.csv", "--raw-ids", "--yes-raw-ids", expect=(0, 4))
    dump = b"\n".join(gzip.decompress(path.read_bytes()) if path.suffix == ".gz"
                      else path.read_bytes() for path in (folder / "dump").rglob("*.*"))
    rows = listed(folder / "p.csv")
    assert len(rows) >= 20
    for row in rows:
        assert row["id"] and f'"{row["id"]}"'.encode() in dump, row
