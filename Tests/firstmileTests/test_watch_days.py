"""Each complete day is reported once, in order, however a watch ended before."""

import contextlib
import shutil
import signal

import pytest

from harness import firstmile, running
from test_index import dump, event, history, listed, two_flows

LATE = [event(f"late-{number}", "2026-03-01T09:00:00Z", "app_opened") for number in range(9)]


def land(folder, name, text):
    """Writes aside and renames into place, as a careful writer does."""
    (folder / "landing").mkdir(exist_ok=True)
    (folder / f"landing/.{name}.part").write_text(text)
    (folder / f"landing/.{name}.part").rename(folder / f"landing/{name}.ndjson")


@contextlib.contextmanager
def watching(folder, *options, out=True):
    (folder / "landing").mkdir(exist_ok=True)
    more = ["--out", folder / "days"] if out else []
    with running("watch", folder / "landing", "--store", folder / "s.sqlite", "--flow",
                 folder / "easy.yaml", "--settle", "0", "--every", "0.05", *more,
                 *options) as process:
        yield process


def lines_until(process, words):
    said = []
    while not said or words not in said[-1]:
        said.append(process.stderr.readline().decode())
        assert said[-1], f"the watch ended by itself: {said}"
    return said


def one_watch(folder, *options, out=True, number=0):
    """A watch that has looked at what the store has, and then at one new line; what it said."""
    with watching(folder, *options, out=out) as process:
        land(folder, f"news-{number}", LATE[number])
        said = lines_until(process, f"news-{number}.ndjson")
        process.send_signal(signal.SIGTERM)
        said.append(process.communicate(timeout=60)[1].decode())
        assert process.returncode == 0, said
    return "".join(said)


def days(*numbers):
    return [f"2026-03-{number:02}" for number in numbers]


def complete(said):
    return [line.split()[2] for line in said.splitlines() if " is complete" in line]


def assert_kept(folder, *numbers):
    """These days have a whole report, a row in the index, and the last of them the link."""
    there = sorted(path.parent.name for path in folder.glob("days/easy/2*/report.html"))
    assert there == days(*numbers)
    for day in there:
        assert (folder / "days/easy" / day / "metrics.json").exists()
    assert listed(folder / "days") == [f"easy/{day}" for day in there]
    assert f"url={there[-1]}/report.html" in (folder / "days/easy/latest.html").read_text()
    assert not [path for path in (folder / "days").rglob(".*")]


def ingest(folder, name, numbers):
    (folder / f"{name}.ndjson").write_text(dump(numbers))
    firstmile("ingest", folder / f"{name}.ndjson", "--store", folder / "s.sqlite", "--flow",
              folder / "easy.yaml")


def test_what_was_taken_in_before_the_watch_is_reported(folder):
    two_flows(folder)
    ingest(folder, "first", [1, 2, 3, 4])
    # Of a store that was filled before, the newest day is the first that has a folder.
    said = one_watch(folder)
    assert complete(said) == days(3), said
    assert "2 earlier days added to the history, 2026-03-01 to 2026-03-02" in said
    assert_kept(folder, 3)
    assert complete(one_watch(folder, number=1)) == []
    # From there on each day has one, also where several become complete at once.
    ingest(folder, "second", [5, 6, 7])
    assert complete(one_watch(folder, number=2)) == days(4, 5, 6)
    assert_kept(folder, 3, 4, 5, 6)
    assert history(folder)[:6] == days(1, 2, 3, 4, 5, 6)
    assert complete(one_watch(folder, number=3)) == []
    assert_kept(folder, 3, 4, 5, 6)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_watch_that_is_ended_when_a_day_was_taken_in_reports_it_when_it_is_started_again(
        folder, number):
    two_flows(folder)
    for attempt in range(3):
        first = 3 * attempt + 1
        with watching(folder) as process:
            land(folder, f"a{attempt}", dump([first, first + 1, first + 2]))
            lines_until(process, "taken in")
            process.send_signal(number)
            process.communicate(timeout=60)
        one_watch(folder, number=attempt)
        newest = first + 1
        assert_kept(folder, *range(2, newest + 1))
        assert set(days(*range(1, newest + 1))) <= set(history(folder))


def test_a_day_that_others_take_in_while_the_watch_runs_is_reported(folder):
    two_flows(folder)
    with watching(folder) as process:
        lines_until(process, "watching")
        ingest(folder, "elsewhere", [1, 2])
        # Equal bytes: there is nothing to take in.
        land(folder, "same", (folder / "elsewhere.ndjson").read_text())
        assert "2026-03-01" in lines_until(process, "is complete; reported")[-1]


def test_folders_that_a_killed_run_left_are_no_reports(folder):
    two_flows(folder)
    ingest(folder, "first", [1, 2])
    one_watch(folder)
    ingest(folder, "second", [3, 4, 5])
    one_watch(folder, number=1)
    assert_kept(folder, 1, 2, 3, 4)
    # Before anything was written, in the midst of writing, and while it was put in place.
    for path in (folder / "days/easy/2026-03-02").iterdir():
        path.unlink()
    for path in list((folder / "days/easy/2026-03-03").iterdir()):
        path.rename(path.with_name(f".{path.name}.firstmile.part"))
    for name in ("report.html", "steps.csv"):
        path = folder / "days/easy/2026-03-04" / name
        path.rename(path.with_name(f".{path.name}.firstmile.part"))
    assert complete(one_watch(folder, number=2)) == days(2, 3, 4)
    assert_kept(folder, 1, 2, 3, 4)
    # A folder that somebody has taken away isn't made again.
    shutil.rmtree(folder / "days/easy/2026-03-02")
    assert complete(one_watch(folder, number=3)) == []


def test_an_empty_folder_of_the_newest_day_is_no_report(folder):
    two_flows(folder)
    ingest(folder, "first", [1, 2])
    (folder / "days/easy/2026-03-01").mkdir(parents=True)
    assert complete(one_watch(folder)) == days(1)
    assert_kept(folder, 1)


def test_a_report_that_a_killed_run_did_not_list_is_listed(folder):
    two_flows(folder)
    ingest(folder, "first", [1, 2])
    one_watch(folder)
    before = {path: path.read_bytes() for path in (
        folder / "days/index.html", folder / "days/index.json", folder / "days/easy/latest.html")}
    ingest(folder, "second", [3])
    one_watch(folder, number=1)
    assert_kept(folder, 1, 2)
    for path, content in before.items():
        path.write_bytes(content)
    assert complete(one_watch(folder, number=2)) == days(2)
    assert_kept(folder, 1, 2)


def test_a_report_with_other_options_is_not_taken_for_that_of_the_watch(folder):
    two_flows(folder)
    ingest(folder, "first", [1, 2])
    firstmile("report", "--store", folder / "s.sqlite", "--as-of", "2026-03-01", "--quiet",
              "--from", "2026-03-01", "--out", folder / "days/easy/2026-03-01")
    assert complete(one_watch(folder)) == days(1)
    assert_kept(folder, 1)


def test_without_folders_a_day_is_reported_when_the_watch_is_started_again(folder):
    two_flows(folder)
    ingest(folder, "first", [1, 2, 3])
    firstmile("report", "--store", folder / "s.sqlite", "--as-of", "2026-03-02", "--quiet",
              "--from", "2026-03-02")
    assert complete(one_watch(folder, out=False)) == days(2)
    assert complete(one_watch(folder, out=False, number=1)) == []
    ingest(folder, "second", [4, 5])
    said = one_watch(folder, out=False, number=2)
    assert complete(said) == days(4)
    assert "1 earlier day added to the history, 2026-03-03 to 2026-03-03" in said
    # Folders that are asked for later begin with the newest day.
    assert complete(one_watch(folder, number=3)) == days(4)
    assert_kept(folder, 4)


def test_days_before_the_backlog_are_left_out(folder):
    two_flows(folder)
    ingest(folder, "first", [1, 2])
    one_watch(folder)
    ingest(folder, "second", range(3, 15))
    assert complete(one_watch(folder, "--backlog", "1", number=1)) == days(12, 13)
    assert_kept(folder, 1, 12, 13)
