"""From what `share` prints, no count of a few people can be worked out."""

import csv
import gzip
import io
import json
import random

import pytest

from harness import ROOT, SAMPLE, firstmile, json_objects
from partitioned import divide, tallied
from sealed_files import unsealed

# Where a cell of a tally has what `share` counts (CounterLayout): of people, and of each step.
ENTERED, PERSONS, FINISHED, FINISHED_AFTER_SKIPPING, SKIPPED = 0, 1, 2, 3, 4
ABANDONED_AT_ENTRY, STEPS, STEP_WIDTH, ABANDONED_HERE = 13, 15, 13, 4


LABELS = {"unassigned": "(unassigned)", "outside": "(outside)", "notExposed": "(not exposed)",
          "contaminated": "(contaminated)"}


def cells_of(tallies):
    """(cell, its group) of all tallies."""
    for path in sorted(tallies.glob("*.tally")):
        inner = unsealed(path.read_bytes())["tally"]
        for cell in inner["cells"]:
            yield cell, inner["groups"][cell["group"]]


def truth(tallies, steps, experiment):
    """People by dimension, value and outcome, from the tallies themselves."""
    tables = {}

    def add(dimension, value, counts):
        known = tables.setdefault(dimension, {}).setdefault(value, [0] * len(counts))
        tables[dimension][value] = [one + other for one, other in zip(known, counts)]

    for cell, group in cells_of(tallies):
        row = cell["counts"]
        counts = [row[FINISHED], row[FINISHED_AFTER_SKIPPING], row[SKIPPED], row[ABANDONED_AT_ENTRY]]
        counts += [row[STEPS + step * STEP_WIDTH + ABANDONED_HERE] for step in range(steps)]
        counts.append(row[ENTERED] - row[PERSONS])
        assert sum(counts) == row[ENTERED]
        if cell["dimension"] not in ("used_skip", "outcome"):
            add(cell["dimension"], cell["value"], counts)
        if cell["dimension"] == "all":
            add("version", group["version"], counts)
            for variant in group["variants"]:
                add(experiment, LABELS.get(variant["state"], variant.get("name")), counts)
    return tables


def shared(tallies, flow, minimum):
    done = firstmile("share", tallies, "--flow", flow, "--min-cell", minimum)
    rows = list(csv.reader(io.StringIO(done.stdout.decode())))
    return rows[0][3:], rows[1:]


def narrowed(unknown, sums):
    """What every unknown count can be, from sums of them that are known: by going round the sums."""
    low, high = dict.fromkeys(unknown, 0), dict.fromkeys(unknown, float("inf"))
    moved = True
    while moved:
        moved = False
        for names, total in sums:
            floor, ceiling = sum(low[name] for name in names), sum(high[name] for name in names)
            for name in names:
                most = total - (floor - low[name])
                rest = sum(high[other] for other in names if other != name) if ceiling == float("inf") \
                    else ceiling - high[name]
                least = total - rest
                if most < high[name] or least > low[name]:
                    high[name], low[name] = min(most, high[name]), max(least, low[name])
                    moved = True
    return low, high


def attack(dimension, values, categories, rows, groups, minimum):
    """Works out what is hidden of a dimension, and compares it with the truth; how much that is."""
    everyone = next(row for row in rows if row[0] == "all")
    total = [int(count) for count in everyone[3:]]
    shown = {row[1]: row for row in rows if row[0] == dimension}
    # People in no row of a dimension are like a hidden value.
    names = [*values, None]
    unknown, sums = [(value, place) for value in names for place in range(len(groups))], []
    for place, count in enumerate(total):
        sums.append(([(value, place) for value in names], count))
    for value in values:
        row = shown.get(value)
        if row:
            sums.append(([(value, place) for place in range(len(groups))], int(row[2])))
            if row[3] or any(row[3:]):
                sums += [([(value, place)], int(count)) for place, count in enumerate(row[3:])]
    low, high = narrowed(unknown, sums)
    hidden = 0
    for value, counts in values.items():
        for place, group in enumerate(groups):
            true = sum(counts[one] for one in group)
            at = (value, place)
            assert low[at] <= true <= high[at], (dimension, at, true, low[at], high[at])
            if 0 < true < minimum:
                hidden += 1
                assert high[at] >= minimum, (dimension, at, true, low[at], high[at], categories[place])
        people = sum(counts)
        if value in shown:
            assert int(shown[value][2]) == people and not 0 < people < minimum
    return hidden


def steps_of(flow):
    """The flow's steps in their order, as its report lists them."""
    with open(ROOT / f"reports/{flow}/steps.csv", newline="") as file:
        return [row["step"] for row in csv.DictReader(file)
                if row["step"] != "(entry)" and
                {row[name] for name in ("version", "experiment", "variant", "cohort", "breakdown")} == {"all"}]


def check(tallies, flow, minimum):
    """Attacks what is shown of tallies; how many counts of few people it hides, and how many rows it shows."""
    categories, rows = shared(tallies, flow, minimum)
    if not rows:
        everyone = sum(cell["counts"][ENTERED] for cell, _ in cells_of(tallies) if cell["dimension"] == "all")
        assert everyone < minimum
        return 0, 0
    outcomes = ["finished", "finished_after_skipping", "skipped", "abandoned_at_entry",
                *(f"abandoned_at_{step}" for step in steps_of(flow)), "too_recent"]
    ends = [[outcomes.index(name) for name in (*category.split(".."), category.split("..")[-1])]
            for category in categories]
    groups = [range(first, last + 1) for first, last, *_ in ends]
    assert [place for group in groups for place in group] == list(range(len(outcomes)))
    experiment = next((row[0] for row in rows if row[0].startswith("variant:")), None)
    hidden = 0
    for dimension, values in truth(tallies, len(outcomes) - 5, experiment).items():
        shown = [int(count) for row in rows if row[0] == dimension for count in row[2:] if count]
        assert all(count == 0 or count >= minimum for count in shown), dimension
        if dimension not in ("all", None):
            hidden += attack(dimension, values, categories, rows, groups, minimum)
    return hidden, sum(bool(row[-1]) for row in rows)


@pytest.fixture(scope="module")
def people():
    """The sample's events by person."""
    found = {}
    for path in sorted(ROOT.glob(f"sample-events/{SAMPLE}/*.gz")):
        for event in json_objects(gzip.decompress(path.read_bytes()).splitlines()):
            if event.get("user_id"):
                found.setdefault(event["user_id"], []).append(event)
    return [found[name] for name in sorted(found)]


@pytest.mark.parametrize("size", [3, 12, 40, 150, 1000])
def test_counts_of_few_people_cannot_be_worked_out(people, size, folder):
    chance = random.Random(size)
    hidden = shown = 0
    for number in range(2):
        chosen = chance.sample(people, min(size, len(people)))
        lines = [json.dumps(event) for person in chosen for event in person]
        place = folder / str(number)
        place.mkdir()
        (place / "dump.ndjson").write_text("\n".join(lines) + "\n")
        divide([place / "dump.ndjson"], 2, place / "segments", flow=SAMPLE)
        tallies = tallied(place / "segments", place, SAMPLE)
        for minimum in (2, 3, 5, 10, 25):
            found = check(tallies, SAMPLE, minimum)
            hidden, shown = hidden + found[0], shown + found[1]
    assert hidden > 0 and (shown > 0 or size < 10)


def test_what_is_shared_is_said(people, folder):
    (folder / "dump.ndjson").write_text(
        "\n".join(json.dumps(event) for person in people[:60] for event in person) + "\n")
    divide([folder / "dump.ndjson"], 1, folder / "segments", flow=SAMPLE)
    tallies = tallied(folder / "segments", folder, SAMPLE)
    done = firstmile("share", tallies, "--flow", SAMPLE, "--min-cell", 5, "--out", folder / "shared.csv")
    assert done.stdout == b"" and b"(--min-cell 5)" in done.stderr
    printed = firstmile("share", tallies, "--flow", SAMPLE, "--min-cell", 5)
    assert printed.stdout == (folder / "shared.csv").read_bytes()
    assert b"\n" + b"cohort,(small values)," in printed.stdout
    few = firstmile("share", tallies, "--flow", SAMPLE, "--min-cell", 500)
    assert few.stdout == b"dimension,value,people\n" and b"nothing can be shared" in few.stderr
    refused = firstmile("share", tallies, "--flow", SAMPLE, "--min-cell", 1, expect=2)
    assert b"--min-cell must be from 2" in refused.stderr
