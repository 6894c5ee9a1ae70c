"""An id that is one person's user id and the id of another's device names nobody by itself."""

import contextlib
import json
import sqlite3

import pytest

from harness import firstmile

FLOW = "flow: ex\nwindow: 24h\nsteps: [a, b]\n"


def event(user, device, second):
    ids = {"user_id": user, "device_id": device}
    return {"event": "onboarding_started" if second == 0 else "opened",
            "timestamp": f"2026-01-05T02:00:{second:02}Z",
            **{name: id for name, id in ids.items() if id is not None}}


@pytest.fixture
def store(folder):
    """User 42 on the device 100 and 7 on the device 42; 8 and 9 on the device 43, nobody on the device 44."""
    (folder / "flow.yaml").write_text(FLOW)
    events = [event(user, device, second) for user, device in
              ((42, 100), (7, 42), (43, 101), (8, 43), (9, 43), (44, 102), (None, 44))
              for second in range(3)]
    (folder / "dump.ndjson").write_text("".join(json.dumps(one) + "\n" for one in events))
    firstmile("ingest", folder / "dump.ndjson", "--store", folder / "s.sqlite", "--flow",
              folder / "flow.yaml", "--quiet")
    return folder / "s.sqlite"


def forget(store, *words, **more):
    return firstmile("store", "forget", store, *words, **more)


def is_there(store, user):
    return firstmile("explain", str(user), "--store", store, expect=(0, 2)).returncode == 0


def test_it_is_asked_which_is_meant(store):
    for id, others in (("42", "1 other user"), ("43", "2 other users"), ("44", "no user")):
        said = forget(store, id, expect=2).stderr.decode()
        assert f"'{id}' is a user's id, and the id of a device on which {others} was seen. Say" in said
        assert "--as user" in said and "Nothing was erased" in said
        assert forget(store, id, "--yes", expect=2).stderr.decode() == said
    assert all(is_there(store, user) for user in (42, 7, 43, 8, 9))


def test_the_user_is_erased_and_the_others_device_stays(store):
    for user in (42, 43):
        said = forget(store, str(user), "--as", "user").stdout.decode()
        assert said.startswith("erased 3 facts and 0 rejects of 1 user id and 1 device;"), said
    assert [id for id in (100, 7, 101, 8, 9) if is_there(store, id)] == [7, 8, 9]
    # What comes later is kept out, and theirs is not.
    late = store.with_name("late.ndjson")
    late.write_text("".join(json.dumps(event(user, device, 9)) + "\n"
                            for user, device in ((42, 100), (42, None), (7, 42), (8, 43))))
    firstmile("ingest", late, "--store", store, "--quiet")
    assert [id for id in (100, 7, 101, 8, 9) if is_there(store, id)] == [7, 8, 9]
    assert firstmile("explain", "7", "--store", store).stdout.count(b"opened") == 3


def test_the_device_is_erased_with_its_user(store):
    said = forget(store, "42", "--as", "device").stdout.decode()
    assert said.startswith("erased 3 facts and 0 rejects of 1 user id and 1 device;"), said
    assert [user for user in (42, 7, 43, 8, 9) if is_there(store, user)] == [42, 43, 8, 9]
    said = forget(store, "43", "--as", "device", expect=2).stderr.decode()
    assert "the device was used by 2 users" in said
    assert [user for user in (42, 7, 43, 8, 9) if is_there(store, user)] == [42, 43, 8, 9]


def test_an_anonymous_device_is_erased_without_the_user_of_that_id(store):
    assert forget(store, "44", "--as", "device").stdout.startswith(b"erased 3 facts and 0 rejects of 0 user ids")
    assert is_there(store, 102)
    said = forget(store, "9", "--as", "device", expect=2).stderr.decode()
    assert "nothing in the store has the id '9', as a device" in said, said
    assert is_there(store, 9)
    said = forget(store, "102", "--as", "user", expect=2).stderr.decode()
    assert "nothing in the store has the id '102', as a user" in said, said
    assert is_there(store, 102)
    # Where nobody is meant but one, nobody is asked.
    forget(store, "102")
    assert not is_there(store, 102)


def visits(folder, *more):
    """Ada at ten on a device on which Bob signs in at two, and what was seen there in between."""
    def seen(clock, user, **fields):
        ids = {"device_id": "shared"} if user is None else {"user_id": user, "device_id": "shared"}
        return {"timestamp": f"2026-01-05T{clock}:00Z", **ids, **fields}

    views = [seen(clock, None, event="onboarding_page_viewed", properties={"page_name": "a"})
             for clock in ("10:30", "13:30", *more)]
    events = [seen("10:00", "ada", event="onboarding_started"), *views,
              seen("14:00", "bob", event="onboarding_started")]
    (folder / "shared.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    return folder / "shared.ndjson"


@pytest.mark.parametrize("limit", [None, "1h", "6h"])
def test_what_any_flow_of_the_store_gives_to_a_user_is_erased(folder, limit):
    """With a limit of an hour Ada's is what was seen at half past ten, else it is Bob's."""
    store = folder / "s.sqlite"
    (folder / "flow.yaml").write_text(FLOW + (f"stitch_within: {limit}\n" if limit else ""))
    firstmile("ingest", visits(folder), "--store", store, "--flow", folder / "flow.yaml", "--quiet")
    # The flow as it was at any time counts, and so does one of another name.
    (folder / "later.yaml").write_text(FLOW.replace("ex", "later", 1))
    firstmile("ingest", folder / "shared.ndjson", "--again", "--store", store, "--flow", folder / "later.yaml",
              "--quiet")
    hers = firstmile("explain", "ada", "--store", store, "--flow", folder / "flow.yaml").stdout.count(b"page_viewed")
    assert hers == (1 if limit == "1h" else 0)
    said = forget(store, "ada").stdout.decode()
    facts = "2 facts" if hers else "1 fact"
    assert said.startswith(f"erased {facts} and 0 rejects of 1 user id and 0 devices;"), said
    # What comes late is kept out as well, and Bob's is not.
    firstmile("ingest", visits(folder, "10:45", "13:45"), "--store", store, "--quiet", "--flow", folder / "flow.yaml")
    left = firstmile("explain", "shared", "--store", store, "--flow", folder / "flow.yaml").stdout.decode()
    clocks = ("10:30", "10:45", "13:30", "13:45") if limit != "1h" else ("13:30", "13:45")
    assert [clock for clock in ("10:30", "10:45", "13:30", "13:45") if f" {clock}:00" in left] == list(clocks), left


def test_a_device_that_changes_hands_has_one_span_for_each_time(folder):
    """A row for each sighting made erasing slow, and whatever came from the device later, too."""
    events = [{"event": "opened", "timestamp": f"2026-01-05T{hour:02}:{minute:02}:00Z", "device_id": "shared",
               **({} if minute % 3 == 2 else {"user_id": ("ada", "bob")[hour % 2]})}
              for hour in range(6) for minute in range(60)]
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "dump.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    store = folder / "s.sqlite"
    ingest = ["ingest", folder / "dump.ndjson", "--store", store, "--flow", folder / "flow.yaml", "--quiet"]
    firstmile(*ingest)
    # The last view of Ada's last hour is that of Bob, who is seen next, and so it is each time.
    assert forget(store, "ada").stdout.startswith(b"erased 179 facts and 0 rejects of 1 user id and 0 devices;")
    with contextlib.closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as tables:
        spans = tables.execute("SELECT count(*) FROM tombstones WHERE kind = 'device'").fetchone()
    assert spans == (3,)
    assert b"forgotten   2 ids\n" in firstmile("store", "info", store).stdout
    # What is read again is left out as it was erased.
    firstmile(*ingest, "--again")
    assert b", 181 facts," in firstmile("store", "info", store, "--sources").stdout


def test_facts_of_others_on_a_shared_device_stay(folder):
    """What is closer than `stitch_within` to nobody is the device's, what is to Ada hers, whenever Bob comes."""
    def seen(day, user, event="opened"):
        ids = {"device_id": "shared"} if user is None else {"user_id": user, "device_id": "shared"}
        return {"event": event, "timestamp": f"{day}T10:00:00Z", **ids}

    others = [{"event": "onboarding_started", "timestamp": f"2026-0{month}-{day:02}T09:00:00Z",
               "user_id": f"{month}-{day}"} for month in (1, 2, 3, 4, 5) for day in range(1, 29)]
    for name, limit, rest, bobs in (
            ("short", "stitch_within: 3d\n",
             [seen("2026-01-10", "ada", "onboarding_started"), seen("2026-01-12", None), seen("2026-01-24", None)],
             [seen("2026-01-18", None), seen("2026-01-19", "bob"), seen("2026-01-21", None)]),
            ("default", "",
             [seen("2026-01-06", "ada", "onboarding_started"), seen("2026-01-07", None)],
             [seen("2026-03-25", None), seen("2026-04-25", "bob")])):
        place = folder / name
        place.mkdir()
        (place / "flow.yaml").write_text(FLOW + limit)
        for dump, events in (("all", rest + bobs + others), ("rest", rest + others)):
            (place / f"{dump}.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
            firstmile("ingest", place / f"{dump}.ndjson", "--store", place / f"{dump}.sqlite", "--flow",
                      place / "flow.yaml", "--quiet")
        assert forget(place / "all.sqlite", "bob").stdout.startswith(b"erased %d facts" % len(bobs)), name
        # Read again, nothing more is left out.
        firstmile("ingest", place / "all.ndjson", "--again", "--store", place / "all.sqlite", "--flow",
                  place / "flow.yaml", "--quiet")
        for dump in ("all", "rest"):
            firstmile("report", "--store", place / f"{dump}.sqlite", "--flow", place / "flow.yaml", "--out",
                      place / dump, "--as-of", "2026-05-28", "--quiet")
        for file in ("metrics.csv", "goals.csv", "next_events.csv"):
            assert (place / "all" / file).read_bytes() == (place / "rest" / file).read_bytes(), (name, file)


def test_an_event_that_names_a_forgotten_user_makes_them_no_device(folder):
    """Without a device of its own, it would have the forgotten id for one."""
    (folder / "flow.yaml").write_text(FLOW)
    day = "2026-01-05T10:00"
    dumps = {
        "first": [{"event": "onboarding_started", "user_id": f"ok{number}", "device_id": f"okd{number}",
                   "timestamp": f"{day}:{number:02}Z"} for number in range(20)],
        "later": [{"event": "login", "user_id": "ok3", "previous_id": "ok1", "timestamp": f"{day}:30Z"}],
        "segment": [{"type": "alias", "messageId": "m9", "userId": "ok4", "previousId": "ok1",
                     "timestamp": f"{day}:31Z", "context": {}}]}
    store = folder / "s.sqlite"
    for name, events in dumps.items():
        (folder / f"{name}.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
        firstmile("ingest", folder / f"{name}.ndjson", "--store", store, "--flow", folder / "flow.yaml", "--quiet")
        if name == "first":
            forget(store, "ok1")
    assert not is_there(store, "ok1") and is_there(store, "ok3") and is_there(store, "ok4")
    assert b"erased 0 facts" in forget(store, "ok1").stdout
    assert is_there(store, "ok3") and is_there(store, "ok4")


def test_a_format_needs_no_flow_where_the_store_has_some(store, folder):
    firstmile("ingest", folder / "dump.ndjson", "--again", "--store", store, "--format", "canonical", "--quiet")
    assert is_there(store, 42)
    said = firstmile("ingest", folder / "dump.ndjson", "--store", folder / "new.sqlite", "--format", "canonical",
                     expect=2).stderr.decode()
    assert "new.sqlite" in said and not (folder / "new.sqlite").exists(), said


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
@pytest.mark.parametrize("broken", [False, True])
def test_a_rejected_line_in_another_encoding_goes_too(store, encoding, broken):
    """An old client writes Latin-1, which no JSON is in."""
    lines = [json.dumps(event(user, None, 1), ensure_ascii=False) for user in ("Jörg-7", "Jürg-8")]
    lines = [(line[:-1] if broken else line).encode(encoding) for line in lines]
    good = [json.dumps(event("Jörg-7", None, 0), ensure_ascii=False).encode()]
    dump = store.with_name("late.ndjson")
    dump.write_bytes(b"\n".join(good + lines) + b"\n")
    firstmile("ingest", dump, "--store", store, "--max-reject-rate", "100%", "--quiet")
    rejects = 1 if encoding == "latin-1" or broken else 0
    said = forget(store, "Jörg-7").stdout.decode()
    assert f" and {rejects} rejects of 1 user id" in said.replace("1 reject ", "1 rejects "), said
    # Another's line stays.
    assert is_there(store, "Jürg-8") == (rejects == 0)
