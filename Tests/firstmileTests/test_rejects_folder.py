"""`STORE-rejects/` holds raw ids: only the store's owner may look into it."""

import fcntl
import os

import pytest

from harness import firstmile

FLOW = "flow: small\nwindow: 24h\nsteps: [welcome]\n"


@pytest.fixture
def world(folder):
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "dump.ndjson").write_text('{"secret": 1}\n')
    return folder


def ingest(world, **more):
    return firstmile("ingest", "dump.ndjson", "--flow", "flow.yaml", "--store", "s.sqlite", "--quiet",
                     "--max-reject-rate", "100%", cwd=world, **more)


@pytest.mark.parametrize("mode", [0o777, 0o755, 0o750, 0o1777])
def test_a_folder_that_others_can_read_is_made_private(world, mode):
    rejects = world / "s.sqlite-rejects"
    rejects.mkdir()
    os.chmod(rejects, mode)
    ingest(world)
    assert rejects.stat().st_mode & 0o777 == 0o700, oct(rejects.stat().st_mode)
    files = list(rejects.iterdir())
    assert len(files) == 1 and files[0].stat().st_mode & 0o777 == 0o600, files


def test_a_link_or_a_file_in_its_place_is_refused(world):
    elsewhere = world / "elsewhere"
    elsewhere.mkdir()
    rejects = world / "s.sqlite-rejects"
    for make in (lambda: rejects.symlink_to(elsewhere), lambda: rejects.write_text("")):
        make()
        said = ingest(world, expect=2).stderr.decode()
        assert "s.sqlite-rejects': it is no folder" in said and "only you may read" in said, said
        assert not list(elsewhere.iterdir())
        rejects.unlink()
    ingest(world)


def test_a_folder_of_another_user_is_refused(world):
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    rejects = world / "s.sqlite-rejects"
    rejects.mkdir(mode=0o700)
    os.chown(rejects, 65534, 65534)
    said = ingest(world, expect=2).stderr.decode()
    assert "the folder belongs to another user" in said, said
    assert not list(rejects.iterdir())
    # A store of that user's, to which root adds, keeps its rejected lines where it did.
    os.chown(world / "s.sqlite", 65534, 65534)
    ingest(world)
    assert len(list(rejects.iterdir())) == 1


@pytest.mark.parametrize("place", [".", "elsewhere"])
def test_forgetting_looks_where_the_store_really_lies(world, place):
    ingest(world)
    (world / "elsewhere").mkdir(exist_ok=True)
    link = world / place / "link.sqlite"
    link.symlink_to(world / "s.sqlite")
    (world / "dump.ndjson").write_text('{"user_id": "ada"}\n')
    firstmile("ingest", "dump.ndjson", "--flow", "flow.yaml", "--store", link, "--quiet",
              "--max-reject-rate", "100%", cwd=world)
    assert not list(world.rglob("link.sqlite-rejects"))
    assert len(list((world / "s.sqlite-rejects").iterdir())) == 2
    assert b" and 1 reject of" in firstmile("store", "forget", link, "ada").stdout
    assert b"ada" not in b"".join(path.read_bytes() for path in (world / "s.sqlite-rejects").iterdir())


def test_rejects_that_the_store_misses_are_no_success(world):
    (world / "dump.ndjson").write_text(
        '{"user_id": "ada"}\n{"event": "x", "timestamp": 1770000000, "user_id": "ada"}\n')
    ingest(world)
    (world / "s.sqlite").rename(world / "moved.sqlite")
    forget = ["store", "forget", "moved.sqlite", "ada"]
    done = firstmile(*forget, cwd=world, expect=2)
    assert b"erased 1 fact and 0 rejects" in done.stdout, done.stdout
    assert b"1 rejected line of 1 source should be in" in done.stderr, done.stderr
    assert b"moved.sqlite-rejects" in done.stderr and b"--rejects-gone" in done.stderr, done.stderr
    firstmile(*forget, "--rejects-gone", cwd=world)
    assert b"should be in" in firstmile("store", "forget", "moved.sqlite", "eve", cwd=world, expect=2).stderr
    (world / "s.sqlite-rejects").rename(world / "moved.sqlite-rejects")
    assert b"erased 0 facts and 1 reject " in firstmile(*forget, cwd=world).stdout
    # A file that has become empty is there, and so not missed.
    firstmile(*forget, cwd=world)
    ingest_again = ["ingest", "dump.ndjson", "--flow", "flow.yaml", "--store", "moved.sqlite", "--again"]
    firstmile(*ingest_again, "--quiet", "--max-reject-rate", "100%", cwd=world)
    firstmile(*forget, cwd=world)


@pytest.mark.parametrize("command", ["forget", "ingest", "compact", "verify"])
def test_what_a_killed_run_left_goes_with_the_next(world, command):
    ingest(world)
    rejects = world / "s.sqlite-rejects"
    # A folder of another run that still lives stays: this one holds its lock.
    (rejects / "reading-alive").mkdir()
    # The number in a name of old says nothing: process 1 is always there.
    (rejects / "reading-1-0.parts-abcdef").mkdir()
    (rejects / "reading-1-0.parts-abcdef/1").write_text("ada")
    (rejects / "reading-1-0").write_text("ada")
    (rejects / ".0-rejects.ndjson.firstmile.part").write_text("ada")
    (rejects / "reading-killed").mkdir()
    (rejects / "reading-killed/kept").write_text("ada")
    alive = os.open(rejects / "reading-alive", os.O_RDONLY)
    try:
        fcntl.flock(alive, fcntl.LOCK_EX)
        words = {"forget": ["store", "forget", "s.sqlite", "ada", "--yes"],
                 "ingest": ["ingest", "dump.ndjson", "--flow", "flow.yaml", "--store", "s.sqlite"],
                 "compact": ["store", "compact", "s.sqlite"], "verify": ["store", "verify", "s.sqlite"]}
        firstmile(*words[command], cwd=world)
        names = sorted(path.name for path in rejects.iterdir())
        assert len(names) == 2 and names[1] == "reading-alive", names
    finally:
        os.close(alive)
    firstmile(*words[command], cwd=world)
    assert len(list(rejects.iterdir())) == 1, list(rejects.iterdir())
