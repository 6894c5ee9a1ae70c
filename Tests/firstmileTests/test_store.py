"""`firstmile store` and what reads one."""

import csv
import json
import re

from harness import SAMPLE, firstmile, report, sample_files


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
    for outcome in ("finished", "skipped", "abandoned"):
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
        done = firstmile("report", "--store", store, "--flow", SAMPLE)
    assert done.stdout.count(b"Looks at experiment") >= 1, done.stdout[-2000:].decode()
