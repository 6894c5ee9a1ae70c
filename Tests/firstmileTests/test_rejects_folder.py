"""`STORE-rejects/` holds raw ids: only the store's owner may look into it."""

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
