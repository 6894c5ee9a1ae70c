"""Dumps in whatever way they are compressed or put together, whole and broken."""

import bz2
import functools
import gzip
import io
import json
import lzma
import random
import subprocess
import tarfile
import zipfile

import brotli
import lz4.frame
import pytest

from harness import facts_of, numbers, sample_events


def zstd(content):
    return subprocess.run(["zstd", "-q", "-c"], input=content, capture_output=True, check=True).stdout


def small_blocks(content):
    """bzip2 with blocks of 100 KB: one that is cut holds nothing to read."""
    return bz2.compress(content, 1)


def twice(pack, content):
    half = len(content) // 2
    return pack(content[:half]) + pack(content[half:])


def light_brotli(content):
    return brotli.compress(content, quality=1)


def tar(content, pack=lambda part: part, ending="", kind=tarfile.PAX_FORMAT):
    """Three dumps in folders, and what macOS puts beside them."""
    out = io.BytesIO()
    lines = content.splitlines(keepends=True)
    third = len(lines) // 3
    parts = [lines[:third], lines[third:2 * third], lines[2 * third:]]
    # Longer than a name of the oldest kind may be.
    folders = "" if kind == tarfile.USTAR_FORMAT else "long" * 40 + "/"
    with tarfile.open(fileobj=out, mode="w", format=kind) as archive:
        folder = tarfile.TarInfo("dump")
        folder.type = tarfile.DIRTYPE
        archive.addfile(folder)
        for number, part in enumerate(parts):
            for name, text in ((f"dump/._{number}.ndjson", b"\0\1\2"),
                               (f"dump/{folders}{number}.ndjson{ending}", pack(b"".join(part)))):
                entry = tarfile.TarInfo(name)
                entry.size = len(text)
                archive.addfile(entry, io.BytesIO(text))
    return out.getvalue()


PACKED = {
    "dump.ndjson.bz2": small_blocks,
    "dump.ndjson.xz": lzma.compress,
    "dump.ndjson.lz4": lz4.frame.compress,
    "dump.ndjson.br": light_brotli,
    "dump.tar": tar,
    "old.tar": lambda content: tar(content, kind=tarfile.USTAR_FORMAT),
    "gnu.tar": lambda content: tar(content, kind=tarfile.GNU_FORMAT),
    "dump.tar.gz": lambda content: gzip.compress(tar(content)),
    "dump.tar.zst": lambda content: zstd(tar(content)),
    "dump.tar.xz": lambda content: lzma.compress(tar(content)),
    "dump.tar.bz2": lambda content: small_blocks(tar(content)),
    "dumps.tar": lambda content: tar(content, gzip.compress, ".gz"),
    "dumps of bzip2.tar": lambda content: tar(content, small_blocks, ".bz2"),
    "dumps of brotli.tar": lambda content: tar(content, light_brotli, ".br"),
    "two.bz2": lambda content: twice(bz2.compress, content),
    "dump.ndjson.lzma": lambda content: lzma.compress(content, lzma.FORMAT_ALONE),
    "dump.tar.lzma": lambda content: lzma.compress(tar(content), lzma.FORMAT_ALONE),
    "dump.ndjson.gz.gz": lambda content: gzip.compress(gzip.compress(content)),
    "a thrice packed one": lambda content: zstd(gzip.compress(lzma.compress(content))),
    "dump.tar.gz.gz": lambda content: gzip.compress(gzip.compress(tar(content))),
    "dumps of double gzip.tar": lambda content: tar(
        content, lambda part: gzip.compress(gzip.compress(part)), ".gz.gz"),
    "two.xz": lambda content: twice(lzma.compress, content),
}


@functools.cache
def plain():
    """The content of a dump that isn't packed."""
    return "".join(json.dumps(event) + "\n" for event in sample_events()[:1500]).encode()


@functools.cache
def packed(name):
    """It in one of these ways, which several tests look at."""
    return PACKED[name](plain())


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """What is counted in it, and the number of events."""
    folder = tmp_path_factory.mktemp("plain")
    (folder / "plain.ndjson").write_bytes(plain())
    numbers([folder / "plain.ndjson"], folder / "out", "--max-reject-rate", "100%")
    (source,) = json.loads((folder / "out/metrics.json").read_text())["provenance"]["sources"]
    return facts_of(folder / "out"), source["events"]


@pytest.fixture
def dump(counted):
    return plain(), counted[0]


@pytest.mark.parametrize("name", PACKED)
def test_what_is_inside_counts(dump, folder, name):
    _, wanted = dump
    (folder / name).write_bytes(packed(name))
    # As a file, and found in a folder by what is in it.
    for inputs, out in (([folder / name], "file"), ([folder], "folder")):
        numbers(inputs, folder / out, "--max-reject-rate", "100%")
        assert facts_of(folder / out) == wanted
    if not name.endswith(".br"):
        numbers(["-"], folder / "pipe", "--max-reject-rate", "100%",
               stdin=(folder / name).read_bytes())
        assert facts_of(folder / "pipe") == wanted


def zipped(content):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("dump.ndjson", content)
    return out.getvalue()


@pytest.mark.parametrize("pack", [tar, lambda content: gzip.compress(tar(content)), zipped,
                                  lambda content: small_blocks(tar(content))],
                         ids=["tar", "tar.gz", "zip", "tar.bz2"])
def test_archives_that_were_put_together_are_read_to_their_end(dump, folder, pack):
    content, wanted = dump
    lines = content.splitlines(keepends=True)
    half = len(lines) // 2
    (folder / "both").write_bytes(pack(b"".join(lines[:half])) + pack(b"".join(lines[half:])))
    numbers([folder / "both"], folder / "out", "--max-reject-rate", "100%")
    assert facts_of(folder / "out") == wanted


@pytest.mark.parametrize("pack", [tar, zipped], ids=["tar", "zip"])
def test_what_follows_an_archive_is_not_lost_in_silence(dump, folder, pack):
    content, _ = dump
    (folder / "dump").write_bytes(pack(content) + content)
    assert read(folder / "dump")[0].returncode == 4


def test_a_tar_without_its_end_is_damaged(dump, folder):
    content, _ = dump
    whole = tar(content).rstrip(b"\0")
    (folder / "cut.tar").write_bytes(whole + bytes(-len(whole) % 512))
    done, events = read(folder / "cut.tar")
    assert done.returncode == 4 and events > 0
    assert "the tar ends without its end mark" in done.stderr.decode()
    # Where the second header was, there are zeros.
    short = tar(content, kind=tarfile.USTAR_FORMAT)
    start = short.index(b"dump/1.ndjson")
    for size in (512, 1024):
        broken = bytearray(short)
        broken[start:start + size] = bytes(size)
        (folder / "cut.tar").write_bytes(broken)
        assert read(folder / "cut.tar")[0].returncode == 4


@pytest.mark.parametrize("outer", [tar, zipped], ids=["in a tar", "in a zip"])
@pytest.mark.parametrize("inner", [tar, lambda content: gzip.compress(tar(content))],
                         ids=["a tar", "a tar.gz"])
def test_a_tar_in_an_archive_is_named(dump, folder, inner, outer):
    packed = inner(dump[0])
    if outer is zipped:
        whole = zipped(packed)
    else:
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode="w") as archive:
            entry = tarfile.TarInfo("inner")
            entry.size = len(packed)
            archive.addfile(entry, io.BytesIO(packed))
        whole = out.getvalue()
    (folder / "outer").write_bytes(whole)
    done, events = read(folder / "outer")
    assert done.returncode == 4 and events == 0
    assert "a tar inside an archive is not opened" in done.stderr.decode()


def test_the_oldest_tars_have_no_mark(dump, folder):
    content, wanted = dump
    (folder / "dump.ndjson").write_bytes(content)
    subprocess.run(["tar", "--format=v7", "-cf", "old.tar", "dump.ndjson"], cwd=folder, check=True)
    numbers([folder / "old.tar"], folder / "out", "--max-reject-rate", "100%")
    assert facts_of(folder / "out") == wanted


@pytest.mark.parametrize("name", ["a.jsonl.bz2", "a.json.xz", "a.csv.gz", "a.tgz"])
def test_a_damaged_file_of_a_folder_is_told(dump, folder, name):
    content, _ = dump
    pack = {"bz2": bz2.compress, ".xz": lzma.compress}.get(name[-3:], lambda text: gzip.compress(tar(text)))
    broken = bytearray(pack(content))
    broken[22:40] = bytes(18)
    (folder / "dumps").mkdir()
    (folder / "dumps/good.ndjson").write_bytes(content)
    (folder / "dumps" / name).write_bytes(broken)
    done = numbers([folder / "dumps"], folder / "out", expect=4, flow="aiq")
    assert f"{name}: at byte" in done.stderr.decode()


def test_notes_may_stand_before_the_dumps_of_a_tar(dump, folder):
    content, wanted = dump
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, text in (("README", b"What is in here\n"), ("dump.ndjson", content)):
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    (folder / "dumps").mkdir()
    (folder / "dumps/all.tar").write_bytes(out.getvalue())
    numbers([folder / "dumps"], folder / "out", "--max-reject-rate", "100%")
    assert facts_of(folder / "out") == wanted


def read(path, *options):
    done = numbers([path], path.parent / "out", "--rejects", path.parent / "rejects", *options, expect=(0, 2, 4))
    sources = json.loads((path.parent / "out/metrics.json").read_text())["provenance"]["sources"]
    return done, sum(source["events"] for source in sources)


@pytest.mark.parametrize("name", PACKED)
def test_a_cut_file_is_damaged_and_keeps_what_came_before(counted, folder, name):
    # The whole one has all events: `test_what_is_inside_counts`.
    whole, (_, all_events) = packed(name), counted
    (folder / name).write_bytes(whole[:len(whole) * 2 // 3])
    done, events = read(folder / name)
    assert done.returncode == 4, done.stderr
    assert name in done.stderr.decode()
    assert 0 < events < all_events


@pytest.mark.parametrize("name", PACKED)
def test_a_file_with_wrong_bytes_is_never_read_as_if_it_were_whole(dump, folder, name):
    _, wanted = dump
    whole = packed(name)
    chance = random.Random(name)
    for _ in range(3):
        broken = bytearray(whole)
        place = chance.randrange(len(broken) // 4, len(broken) * 3 // 4)
        broken[place:place + 64] = bytes(chance.randrange(256) for _ in range(64))
        (folder / name).write_bytes(broken)
        done, _ = read(folder / name, "--max-reject-rate", "0%")
        same = facts_of(folder / "out") == wanted
        # A tar and brotli have no checksum of their contents, so bytes may change what events say.
        assert done.returncode == 4 or same or name.endswith((".tar", ".br")), (place, done.stderr)


def linked_tar(content, target):
    """A dump, and a hard link to a name."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        entry = tarfile.TarInfo("dump.ndjson")
        entry.size = len(content)
        archive.addfile(entry, io.BytesIO(content))
        link = tarfile.TarInfo("again.ndjson")
        link.type, link.linkname = tarfile.LNKTYPE, target
        archive.addfile(link)
    return out.getvalue()


def test_a_hard_link_in_a_tar_is_its_file_or_is_named(dump, folder):
    content, wanted = dump
    (folder / "dump.tar").write_bytes(linked_tar(content, "dump.ndjson"))
    done, events = read(folder / "dump.tar")
    assert done.returncode == 0 and facts_of(folder / "out") == wanted
    (folder / "dump.tar").write_bytes(linked_tar(content, "elsewhere.ndjson"))
    done, again = read(folder / "dump.tar")
    assert done.returncode == 4 and again == events
    said = done.stderr.decode()
    assert "'again.ndjson' is a hard link to 'elsewhere.ndjson', which the tar doesn't hold" in said


@pytest.mark.parametrize("kind", ["gnu", "pax"])
def test_holes_of_a_tar_cost_no_event(dump, folder, kind):
    content, wanted = dump
    with open(folder / "part.ndjson", "wb") as file:
        file.write(content)
        file.truncate(1 << 22)
    subprocess.run(["tar", "--sparse", f"--format={kind}", "-cf", "dump.tar", "part.ndjson"],
                   cwd=folder, check=True)
    assert (folder / "dump.tar").stat().st_size < 1 << 22
    read(folder / "dump.tar")
    assert facts_of(folder / "out") == wanted


def test_layers_without_end_are_named(dump, folder):
    content, wanted = dump
    for layers in range(1, 7):
        content = gzip.compress(content, 1)
        (folder / "dump.gz").write_bytes(content)
        done, events = read(folder / "dump.gz")
        if layers <= 4:
            assert done.returncode == 0 and facts_of(folder / "out") == wanted
        else:
            assert done.returncode == 4 and events == 0
            assert "more than 4 layers of compression are not opened" in done.stderr.decode()
