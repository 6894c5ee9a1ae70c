"""What a night's job says of files that give nothing, give too little, or may count twice."""

import json
import signal
import subprocess

import pytest

from harness import BINARY, facts_of, firstmile

FLOW = "flow: nights\nsteps: [welcome, plan]\nwindow: 24h\n"


def lines(day, people=40, name="timestamp"):
    """People who begin on a day of January 2026 and finish."""
    events = [{"event": event, "user_id": f"u{day}-{person}", name: f"2026-01-{day:02}T{person % 24:02}:00:{second:02}Z",
               "properties": {"page_name": "welcome"}}
              for person in range(people)
              for second, event in enumerate(("onboarding_started", "onboarding_page_viewed", "onboarding_completed"))]
    return "".join(json.dumps(event) + "\n" for event in events)


@pytest.fixture
def world(folder):
    (folder / "flow.yaml").write_text(FLOW)
    for day in (1, 2, 3):
        (folder / f"day{day}.ndjson").write_text(lines(day))
    (folder / "bad.ndjson").write_text(lines(4, name="tmstmp"))
    return folder


def ingest(world, *words, expect=0, flow="flow.yaml"):
    done = firstmile("ingest", *words, "--store", "s.sqlite", "--flow", flow, expect=expect, cwd=world)
    return done.stderr.decode()


def test_a_misspelt_file_makes_no_store_and_gives_none_a_flow(world):
    said = ingest(world, "day1.ndjsn", expect=2)
    assert "day1.ndjsn: no such file or folder; did you mean 'day1.ndjson'?" in said, said
    (world / "empty").mkdir()
    assert "no file with events in this folder" in ingest(world, "empty", expect=2)
    assert not list(world.glob("s.sqlite*"))
    ingest(world, "day1.ndjson")
    (world / "other.yaml").write_text(FLOW.replace("nights", "other"))
    ingest(world, "day2.ndjsn", flow="other.yaml", expect=2)
    assert b"other" not in firstmile("store", "info", "s.sqlite", cwd=world).stdout
    # What can be read is taken in, as ever.
    assert "1 file taken in" in ingest(world, "day2.ndjson", "day3.ndjsn", expect=2)


@pytest.mark.parametrize("name", [":memory:", "file:a.sqlite", "file:b.sqlite?mode=memory", "c?d=e#f%20.sqlite"])
def test_a_store_is_a_file_of_the_name_that_was_given(world, name):
    firstmile("ingest", "day1.ndjson", "--store", name, "--flow", "flow.yaml", "--quiet", cwd=world)
    assert (world / name).is_file()
    assert b"1, 120 lines, 0 rejects" in firstmile("store", "info", name, cwd=world).stdout
    firstmile("store", "verify", name, cwd=world)


def test_a_store_is_no_device_and_no_folder(world):
    for name, words in (("/dev/null", "it is no file; name one"), (".", "it is a folder; name a file")):
        said = firstmile("ingest", "day1.ndjson", "--store", name, "--flow", "flow.yaml", expect=2, cwd=world)
        assert f"the store '{name}' can't be opened: {words}" in said.stderr.decode()
    assert b"it is a folder" in firstmile("store", "info", ".", expect=2, cwd=world).stderr


def test_a_report_names_the_sources_whose_lines_were_refused(world):
    ingest(world, "day1.ndjson", "day2.ndjson", "bad.ndjson", expect=4)
    report = ["report", "--store", "s.sqlite", "--quiet"]
    said = firstmile(*report, expect=4, cwd=world).stderr.decode()
    number = next(row.split()[0] for row in firstmile(
        "store", "info", "s.sqlite", "--sources", cwd=world).stdout.decode().splitlines() if "bad.ndjson" in row)
    assert f"'bad.ndjson' (source {number}), 120 of 120 lines." in said, said
    assert f"`firstmile store drop s.sqlite {number}`" in said and "'day1" not in said, said
    assert b"(source" not in firstmile(*report, "--max-reject-rate", "50%", cwd=world).stderr
    firstmile("store", "drop", "s.sqlite", number, cwd=world)
    firstmile(*report, cwd=world)


def test_a_file_of_which_no_line_could_be_used_is_not_passed_over_in_silence(world):
    refused = "passed over, though no line of it could be used: 'bad.ndjson'; `firstmile ingest --again`"
    assert "passed over," not in ingest(world, "bad.ndjson", "day1.ndjson", expect=4)
    (world / "mended.yaml").write_text(FLOW + "fields: {timestamp: tmstmp}\n")
    assert refused in ingest(world, "bad.ndjson", "day1.ndjson", flow="mended.yaml")
    assert "120 facts), 0 passed over" in ingest(world, "bad.ndjson", "--again", flow="mended.yaml")
    assert "passed over," not in ingest(world, "bad.ndjson", flow="mended.yaml")


def watch(world, until):
    process = subprocess.Popen(
        [BINARY, "watch", "landing", "--store", "s.sqlite", "--flow", "flow.yaml", "--settle", "0", "--every", "0.05"],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=world)
    said = b""
    try:
        while until not in said:
            line = process.stderr.readline()
            assert line, said
            said += line
    finally:
        process.send_signal(signal.SIGTERM)
        # Not `communicate`, which knows nothing of what was read ahead.
        said += process.stderr.read()
        process.stderr.close()
        process.wait(timeout=60)
    return said.decode()


def test_a_watch_says_which_lines_could_not_be_used(world):
    (world / "landing").mkdir()
    (world / "landing" / "bad.ndjson").write_text((world / "bad.ndjson").read_text())
    said = watch(world, b"0 facts taken in\n")
    assert f"bad.ndjson: 120 of 120 lines could not be used; they are in {world}/s.sqlite-rejects" in said, said


def test_a_watch_says_what_is_passed_over_though_it_no_longer_counts(world):
    ingest(world, "day1.ndjson")
    firstmile("store", "drop", "s.sqlite", 1, cwd=world)
    (world / "landing").mkdir()
    for day in (1, 2):
        (world / "landing" / f"day{day}.ndjson").write_text(lines(day))
    said = watch(world, b"day2.ndjson: 120 lines, 120 facts taken in\n")
    assert "passed over, though nothing of it counts any more: 'day1.ndjson'" in said, said


def test_a_watch_speaks_of_days_and_not_of_an_option(world):
    ingest(world, "day1.ndjson")
    (world / "landing").mkdir()
    (world / "landing" / "day5.ndjson").write_text(lines(5))
    said = watch(world, b"2026-01-04 is complete\n")
    assert "2026-01-04 is 3 days after the last events of more than a few people" in said, said
    assert "--as-of" not in said, said


def corrected(world):
    """The first day's file, in which every third person did not finish."""
    return "".join(line for number, line in enumerate((world / "day1.ndjson").read_text().splitlines(True))
                   if number % 9 != 2)


@pytest.mark.parametrize("kind", ["a copy that was passed over", "a file that was moved"])
def test_a_correction_under_another_path_is_said(world, kind):
    # Of the same times, by other people.
    (world / "others.ndjson").write_text(lines(1).replace('"u1-', '"v1-'))
    if kind.startswith("a copy"):
        (world / "copy.ndjson").write_text(lines(1))
        assert "3 files taken in (360 lines, 360 facts), 1 passed over" in ingest(
            world, "day1.ndjson", "day2.ndjson", "others.ndjson", "copy.ndjson")
    else:
        ingest(world, "day1.ndjson", "day2.ndjson", "others.ndjson")
        (world / "day1.ndjson").rename(world / "copy.ndjson")
        (world / "day1.ndjson").write_text(lines(1))
    rows = firstmile("store", "info", "s.sqlite", "--sources", cwd=world).stdout.decode().splitlines()
    number = next(row.split()[0] for row in rows if "day1.ndjson" in row)
    (world / "copy.ndjson").write_text(corrected(world))
    said = ingest(world, "--again", "copy.ndjson")
    assert (f"'copy.ndjson' was not in by this path, and has what 'day1.ndjson' (source {number}) gave: both count. "
            f"If it is to take its place, `firstmile store drop STORE {number}` takes that out") in said, said
    firstmile("store", "drop", "s.sqlite", number, cwd=world)
    firstmile("report", "--store", "s.sqlite", "--out", "a", "--quiet", cwd=world)
    firstmile("report", "copy.ndjson", "day2.ndjson", "others.ndjson", "--flow", "flow.yaml", "--out", "b", "--quiet",
              cwd=world)
    assert facts_of(world / "a") == facts_of(world / "b")
    # The same once more, and other days, are no reason to say anything.
    assert "was not in" not in ingest(world, "--again", "copy.ndjson", "day2.ndjson", "day3.ndjson", "others.ndjson")


def test_files_of_the_last_days_of_each_night_are_no_corrections(world):
    for night in range(3, 9):
        (world / f"night{night}.ndjson").write_text("".join(lines(day) for day in range(night - 2, night + 1)))
        said = ingest(world, "--again", f"night{night}.ndjson")
        assert "both count" not in said and "take" not in said.replace("taken in", ""), said


def test_a_closed_output_is_called_closed(world):
    ingest(world, "day1.ndjson")
    done = subprocess.run(["sh", "-c", '"$0" store verify s.sqlite >&-', BINARY], cwd=world, capture_output=True)
    assert done.returncode == 2 and done.stderr == b"firstmile: standard output can't be written to: it is closed\n"
