"""An id that is one person's user id and the id of another's device names nobody by itself."""

import json

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
