"""What counts no longer in a store decides nothing: whom to forget, what a file takes the place of, what is said."""

import gzip
import json
import os

import pytest

from harness import firstmile

FLOW = "flow: f\nsteps: [a, b]\n"
LATER = ["--as-of", "2026-02-01"]


def line(user, day, second, name, device=None, **properties):
    event = {"event": name, "timestamp": f"2026-01-{day:02d}T11:00:{second:02d}Z", "properties": properties}
    event.update({key: value for key, value in (("user_id", user), ("device_id", device)) if value})
    return json.dumps(event)


def write(path, lines):
    data = ("\n".join(lines) + "\n").encode()
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(gzip.compress(data, mtime=0) if path.suffix == ".gz" else data)
    return path


@pytest.fixture
def store(folder):
    (folder / "flow.yaml").write_text(FLOW)
    return folder / "s.sqlite"


def ingest(store, *paths, expect=0, cwd=None):
    return firstmile("ingest", *paths, "--store", store, "--flow", store.parent / "flow.yaml", expect=expect,
                     **({"cwd": cwd} if cwd else {})).stderr.decode()


def people(store, *options, expect=0):
    """How many people began and how many of them finished, as the store's report has it."""
    out = store.parent / "out"
    firstmile("report", "--store", store, "--out", out, "--quiet", *LATER, *options, expect=expect)
    rows = json.loads((out / "metrics.json").read_text())["metrics"]["rows"]
    found = {row["metric"]: row["numerator"] for row in rows
             if not row.keys() & {"version", "experiment", "variant", "cohort", "breakdown"}
             and row["metric"] in ("entered", "finished")}
    return found["entered"], found["finished"]


def forget(store, who):
    return firstmile("store", "forget", store, who, expect=(0, 2)).stdout.decode()


def test_a_dropped_file_says_nothing_of_whose_a_device_is(store):
    """Anna was on Bert's device in a file that was dropped; forgetting her takes nothing of his."""
    folder = store.parent
    ingest(store, write(folder / "a.ndjson", [line("anna", 4, 0, "home", "d")]),
           write(folder / "b.ndjson", [
               line("bert", 1, 0, "signed_in", "d"), line("bert", 1, 1, "onboarding_started", "d"),
               line(None, 1, 30, "onboarding_completed", "d"), line("bert", 6, 0, "home", "d")]))
    firstmile("store", "compact", store)
    anna = firstmile("store", "info", store, "--sources").stdout.decode()
    number = next(row.split()[0] for row in anna.splitlines() if "a.ndjson" in row)
    firstmile("store", "drop", store, number)
    assert people(store) == (1, 1)
    forget(store, "anna")
    assert people(store) == (1, 1)
    # What was dropped is gone from the file as well.
    assert "4 with repetitions" in firstmile("store", "info", store).stdout.decode()


def test_a_corrected_file_alone_says_whose_a_device_is(store):
    """The wrong export had Bert on Anna's device; what is hers is all of it once the right one is in."""
    folder = store.parent

    def day(first):
        return [line(None, 1, 0, "onboarding_started", "d"), line(None, 1, 1, "onboarding_page_viewed", "d",
                                                                  page_name="a"),
                line(first, 1, 2, "home", "d"), line("anna", 1, 3, "home", "d"),
                line("anna", 1, 4, "onboarding_completed", "d"), line("anna", 2, 5, "home", "d")]

    others = [line(f"u{number}", 1, number, "onboarding_started", f"d{number}") for number in range(6)]
    ingest(store, write(folder / "day.ndjson", day("bert")), write(folder / "others.ndjson", others))
    firstmile("store", "compact", store)
    said = ingest(store, "--again", write(folder / "day.ndjson", day("anna")))
    assert "takes the place" in said, said
    assert people(store) == (7, 1)
    assert "6 facts" in forget(store, "anna")
    assert people(store) == (6, 0)


def runs(finishing):
    """Twenty people over five days, of whom some finish, and who all come back."""
    lines = []
    for number in range(20):
        who, day = f"u{number}", 1 + number % 5
        lines += [line(who, day, 0, "onboarding_started"), line(who, day, 2, "onboarding_page_viewed", page_name="a"),
                  line(who, day, 4, "onboarding_page_viewed", page_name="b"), line(who, 8, number, "home"),
                  line(who, 9, number, "home")]
        if number in finishing:
            lines.append(line(who, day, 9, "onboarding_completed"))
    return lines


def with_a_damaged_start(store, path="day.ndjson.gz"):
    """A file that first came cut, then whole."""
    place = store.parent / path
    whole = write(place, runs(range(20))).read_bytes()
    place.write_bytes(whole[:len(whole) * 97 // 100])
    ingest(store, path, expect=4, cwd=store.parent)
    place.write_bytes(whole)
    ingest(store, path, cwd=store.parent)
    assert people(store) == (20, 20)
    return place


def test_a_correction_takes_the_place_of_what_came_damaged_before_it_too(store):
    place = with_a_damaged_start(store)
    said = ingest(store, "--again", write(place, runs(range(0, 20, 2))))
    assert "takes the place" in said, said
    assert people(store) == (20, 10)


def test_dropping_the_whole_file_drops_its_damaged_beginning(store):
    with_a_damaged_start(store)
    ingest(store, write(store.parent / "other.ndjson", [line("x", 1, 0, "onboarding_started")]))
    said = firstmile("store", "drop", store, 2).stdout.decode()
    assert said.count("dropped") == 2, said
    assert people(store) == (1, 0)
    # Asked for, it comes back.
    ingest(store, "--again", "day.ndjson.gz", cwd=store.parent)
    assert people(store) == (21, 20)


def test_a_damaged_beginning_can_be_dropped_by_itself(store):
    with_a_damaged_start(store)
    firstmile("store", "drop", store, 1)
    firstmile("store", "drop", store, 1, expect=2)
    assert people(store) == (20, 20)


@pytest.mark.parametrize("another", [False, True])
def test_a_beginning_of_which_nothing_could_be_read_is_known_by_its_bytes(store, another):
    """A path that each night's file has: only what begins with the same bytes is the same file."""
    place = store.parent / "day.ndjson.gz"
    whole = write(place, runs(range(20))).read_bytes()
    place.write_bytes(whole[:40])
    ingest(store, place, expect=4)
    if another:
        write(place, runs(range(0, 20, 2)))
    else:
        place.write_bytes(whole)
    ingest(store, place)
    assert people(store, expect=4 if another else 0) == (20, 10 if another else 20)


@pytest.mark.parametrize("absolute", [True, False])
def test_a_file_is_known_from_wherever_it_is_named(store, absolute):
    data = store.parent / "data"
    write(data / "day.ndjson.gz", runs(range(20)))
    ingest(store, "data/day.ndjson.gz", cwd=store.parent)
    write(data / "day.ndjson.gz", runs(range(0, 20, 2)))
    said = ingest(store, "--again", data / "day.ndjson.gz" if absolute else "day.ndjson.gz", cwd=data)
    assert "takes the place" in said, said
    assert people(store) == (20, 10)


def test_a_copy_in_another_folder_is_another_file(store):
    folder = store.parent
    write(folder / "day.ndjson", runs(range(20)))
    ingest(store, "day.ndjson", cwd=folder)
    write(folder / "backup" / "day.ndjson", runs(range(0, 20, 2))[:40])
    said = ingest(store, "--again", "backup/day.ndjson", cwd=folder)
    assert "takes the place" not in said, said
    assert people(store) == (20, 20)


def test_a_file_without_facts_gives_way_to_no_other(store):
    folder = store.parent
    write(folder / "eu" / "day.ndjson", ['{"event":"home","user_id":"e"}'] * 30)
    ingest(store, "day.ndjson", cwd=folder / "eu", expect=4)
    said = ingest(store, "--again", write(folder / "us" / "day.ndjson", runs(range(20))), cwd=folder)
    assert "takes the place" not in said, said
    people(store, expect=4)


def test_a_drop_that_is_refused_leaves_everything(store):
    with_a_damaged_start(store)
    rejects = {path: path.read_bytes() for path in (store.parent / "s.sqlite-rejects").glob("*")}
    firstmile("store", "drop", store, 1, 99, expect=2)
    assert {path: path.read_bytes() for path in (store.parent / "s.sqlite-rejects").glob("*")} == rejects
    assert people(store) == (20, 20)
    # Who names both means both.
    assert firstmile("store", "drop", store, 2, 1).stdout.count(b"dropped") == 2


def test_a_file_of_the_same_name_elsewhere_is_another_one(store):
    folder = store.parent
    write(folder / "one" / "day.ndjson", runs(range(20)))
    ingest(store, "day.ndjson", cwd=folder / "one")
    other = [text.replace('": "u', '": "v').replace("2026-01", "2026-02") for text in runs(range(20))]
    said = ingest(store, "--again", write(folder / "two" / "day.ndjson", other), cwd=folder)
    assert "place" not in said and "both count" not in said, said
    assert people(store, "--as-of", "2026-03-01") == (40, 40)


def test_a_store_of_which_nothing_counts_says_so(store):
    ingest(store, write(store.parent / "a.ndjson", [line("x", 1, 0, "onboarding_started")]))
    firstmile("store", "drop", store, 1)
    (store.parent / "gate.yaml").write_text("rules: [{metric: completion_rate, at_least: 5%}]\n")
    for command in (["report"], ["check", "--gate", store.parent / "gate.yaml"]):
        done = firstmile(*command, "--store", store, expect=4)
        assert b"firstmile: " in done.stderr, done


def test_rejects_of_a_replaced_file_go_with_it(store):
    folder = store.parent
    good = runs(range(20))
    ingest(store, write(folder / "day.ndjson", good + ['{"event":"home","user_id":"secret-7"}']), expect=(0, 4))
    kept = folder / "s.sqlite-rejects"
    assert any(b"secret-7" in file.read_bytes() for file in kept.iterdir())
    ingest(store, "--again", write(folder / "day.ndjson", good))
    assert not any(b"secret-7" in file.read_bytes() for file in kept.iterdir())
    assert "erased" in firstmile("store", "forget", store, "u1").stdout.decode()


def test_a_drop_that_was_killed_is_completed_by_the_same_command(store):
    folder = store.parent
    ingest(store, write(folder / "day.ndjson", runs(range(20)) + ['{"event":"home","user_id":"secret-7"}']),
           expect=(0, 4))
    kept = folder / "s.sqlite-rejects"
    rejects = next(kept.iterdir())
    copy = rejects.read_bytes()
    firstmile("store", "drop", store, 1)
    assert not rejects.exists()
    # As it lies where the process ended between the two.
    with os.fdopen(os.open(rejects, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
        file.write(copy)
    firstmile("store", "drop", store, 1, expect=2)
    assert not rejects.exists()
