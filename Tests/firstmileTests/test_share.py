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


HIDDEN = "(small values)"
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


def sums_of(columns):
    """Neighbouring columns that a reader may add up: outcomes, and who got as far as a step."""
    return [range(first, end) for first in range(columns) for end in range(first + 1, columns + 1)]


def bounds(known, left, names, value, columns):
    """The least and the most people that a value can have in some columns, for all that is shown.

    Rows with all counts are subtracted from the total; then each person is in one of the other rows and
    in one column, so any table with these margins is possible, and its cells are bounded as Fréchet's.
    """
    inside, everyone = sum(left[place] for place in columns), sum(left)
    row = known.get(value)
    if row is not None:
        return max(0, row - (everyone - inside)), min(row, inside)
    hidden = everyone - sum(known.values())
    # A reader who knows the names knows that somebody is in each.
    others = sum(name not in known for name in names) - 1
    return 0, min(inside, hidden - others)


def attack(dimension, values, rows, groups, minimum):
    """Works out what is hidden of a dimension, and compares it with the truth; how much that is."""
    total = [int(count) for count in next(row for row in rows if row[0] == "all")[3:]]
    shown = {row[1]: row for row in rows if row[0] == dimension and row[1] != HIDDEN}
    if not shown:
        return 0
    whole = {value: [int(count) for count in row[3:]] for value, row in shown.items() if any(row[3:])}
    left = [count - sum(row[place] for row in whole.values()) for place, count in enumerate(total)]
    known = {value: int(row[2]) for value, row in shown.items() if value not in whole}
    names = [value for value in values if value not in whole]
    hidden = 0
    for value, counts in values.items():
        people = [sum(counts[one] for one in group) for group in groups]
        if value in shown:
            assert int(shown[value][2]) == sum(people) and not 0 < sum(people) < minimum
        if value in whole:
            assert whole[value] == people
            continue
        for columns in sums_of(len(groups)):
            true = sum(people[place] for place in columns)
            low, high = bounds(known, left, names, value, columns)
            at = (dimension, value, columns, true, low, high)
            assert low <= true <= high, at
            if 0 < true < minimum:
                hidden += 1
                # It may be a count of many, and as many counts are possible as are too few to show.
                assert high >= minimum and high - low >= minimum - 1, at
    return hidden


def is_worked_out(coarse, fine):
    """Whether what is shown for more people follows from what is shown for fewer."""
    (categories, rows), (finer, others) = coarse, fine
    known = {(row[0], row[1]): row for row in others}
    places = [[place for place, name in enumerate(finer) if first <= place <= last]
              for first, last in ends_of(categories, finer)] if rows else []
    for row in rows:
        if row[1] == HIDDEN:
            continue
        same = known[row[0], row[1]]
        assert same[2] == row[2]
        if any(row[3:]):
            sums = [sum(int(same[3 + place]) for place in group) for group in places]
            assert [int(count) for count in row[3:]] == sums
    return True


def ends_of(categories, finer):
    """The first and last of finer categories that each one is made of."""
    first = {name.split("..")[0]: place for place, name in enumerate(finer)}
    last = {name.split("..")[-1]: place for place, name in enumerate(finer)}
    return [(first[name.split("..")[0]], last[name.split("..")[-1]]) for name in categories]


def steps_of(flow):
    """The flow's steps in their order, as its report lists them."""
    with open(ROOT / f"reports/{flow}/steps.csv", newline="") as file:
        return [row["step"] for row in csv.DictReader(file)
                if row["step"] != "(entry)" and
                {row[name] for name in ("version", "experiment", "variant", "cohort", "breakdown")} == {"all"}]


def check(tallies, flow, minimum, table):
    """Attacks what is shown of tallies; how many counts of few people it hides, and how many rows it shows."""
    categories, rows = table
    if not rows:
        everyone = sum(cell["counts"][ENTERED] for cell, _ in cells_of(tallies) if cell["dimension"] == "all")
        assert everyone < minimum
        return 0, 0
    outcomes = ["finished", "finished_after_skipping", "skipped", "abandoned_at_entry",
                *(f"abandoned_at_{step}" for step in steps_of(flow)), "too_recent"]
    groups = [range(first, last + 1) for first, last in ends_of(categories, outcomes)]
    assert [place for group in groups for place in group] == list(range(len(outcomes)))
    experiment = next((row[0] for row in rows if row[0].startswith("variant:")), None)
    hidden = 0
    for dimension, values in truth(tallies, len(outcomes) - 5, experiment).items():
        shown = [int(count) for row in rows if row[0] == dimension for count in row[2:] if count]
        assert all(count == 0 or count >= minimum for count in shown), dimension
        if dimension not in ("all", None):
            hidden += attack(dimension, values, rows, groups, minimum)
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
        finer = None
        for minimum in (2, 3, 5, 10, 25):
            table = shared(tallies, SAMPLE, minimum)
            found = check(tallies, SAMPLE, minimum, table)
            hidden, shown = hidden + found[0], shown + found[1]
            # So two tables of different limits show no more than that of the smaller one.
            assert finer is None or is_worked_out(table, finer)
            finer = table
    assert size < 10 or (hidden > 0 and shown > 0)


def line(person, event, at, **more):
    return json.dumps({"event": event, "user_id": person, "timestamp": at, "flow": "t", **more}) + "\n"


def share_of(folder, flow, lines, *, as_of, minimum=10, options=()):
    """The head of the shared table, and its rows by dimension and value."""
    (folder / "f.yaml").write_text("flow: t\nwindow: 1h\n" + flow)
    (folder / "dump.ndjson").write_text("".join(lines))
    divide([folder / "dump.ndjson"], 1, folder / "segments", flow=folder / "f.yaml")
    tallies = tallied(folder / "segments", folder, folder / "f.yaml", as_of=["--as-of", as_of], options=options)
    head, rows = shared(tallies, folder / "f.yaml", minimum)
    return head, {(row[0], row[1]): [int(count) if count else None for count in row[2:]] for row in rows}


DAY_ONE = 1_767_261_600  # 2026-01-01T10:00:00Z


def left_at(tag, count, page, ends, **more):
    """People who see a page and leave, or finish; on seven days in turn."""
    for number in range(count):
        at = DAY_ONE + number % 7 * 86_400 + number
        yield line(f"{tag}{number}", "onboarding_started", at, **more)
        yield line(f"{tag}{number}", "onboarding_page_viewed", at + 1, properties={"page_name": page}, **more)
        if ends:
            yield line(f"{tag}{number}", "onboarding_completed", at + 2, **more)


@pytest.mark.parametrize("cut", ["versions", "variants"])
def test_a_step_of_some_does_not_show_what_became_of_their_others(folder, cut):
    """Everybody who left at p or q is of version 2, and at b of the long variant: what is left of them is known."""
    if cut == "versions":
        flow = 'steps: [p, q]\nversion: "2"\nversions:\n  "1": [{id: a}, {id: b}]\n'
        groups = [("b", 200, True, "1"), ("a", 60, False, "1"), ("b", 50, False, "1"), ("p", 40, False, "2"),
                  ("q", 45, False, "2"), ("q", 5, True, "2")]
        lists = {("version", "1"): {"a", "b"}, ("version", "2"): {"p", "q"}}
    else:
        flow = "steps: [a, b, c]\nexperiments:\n  x: {control: long, split: {long: 50%, short: 50%}, steps: {short: [a, c]}}\n"
        groups = [("c", 100, True, "short"), ("c", 8, True, "long"), ("b", 60, False, "long")]
        lists = {("variant:x", "short"): {"a", "c"}, ("variant:x", "long"): {"a", "b", "c"}}
    lines = [text for place, (page, count, ends, name) in enumerate(groups)
             for text in left_at(f"p{place}-", count, page, ends, **(
                 {"flow_version": name} if cut == "versions" else {"experiment": "x", "variant": name}))]
    head, rows = share_of(folder, flow, lines, as_of="2026-02-01")
    everybody = dict(zip(head, rows["all", ""][1:]))
    for place, steps in lists.items():
        if place not in rows or rows[place][1] is not None:
            continue
        # What nobody else can have is theirs, and the rest of them is known.
        others = set().union(*(own for other, own in lists.items() if other != place))
        own = [name for name in head if name.startswith("abandoned_at_") and name != "abandoned_at_entry"
               and not any(step in others for step in steps_in(name, flow))]
        left = rows[place][0] - sum(everybody[name] for name in own)
        assert left == 0 or left >= 10, (place, left, own, rows)


def steps_in(category, flow):
    """The steps that a category joins, in the flow's order."""
    order = ["p", "q", "a", "b"] if "versions" in flow else ["a", "b", "c"]
    first, _, last = category.partition("..")
    ends = [order.index(name.removeprefix("abandoned_at_")) if name.removeprefix("abandoned_at_") in order else None
            for name in (first, last or first)]
    begin = 0 if ends[0] is None else ends[0]
    return order[begin:len(order) if ends[1] is None else ends[1] + 1]


@pytest.mark.parametrize("people", range(34, 46))
def test_who_began_too_recently_does_not_show_how_many_of_a_cohort_are_settled(folder, people):
    """Only the last day's people can be too recent: the rest of them is known."""
    lines = []
    for day in range(7):
        for number in range(people if day < 6 else 20):
            # On the last day twelve begin within an hour of the end.
            at = DAY_ONE + day * 86_400 + (13 * 3600 if day == 6 and number < 12 else 0)
            person = f"p{day}-{number}"
            lines.append(line(person, "onboarding_started", at))
            if (number + day) % 2 and at < DAY_ONE + 6 * 86_400 + 3600:
                lines.append(line(person, "onboarding_completed", at + 5))
    head, rows = share_of(folder, "steps: [a]\n", lines, as_of="2026-01-07T23:30:00Z", options=["--cohorts", "day"])
    recent = rows["all", ""][1 + head.index("too_recent")] if "too_recent" in head else 0
    for (dimension, value), counts in rows.items():
        if dimension == "cohort" and value != HIDDEN and counts[1] is None:
            left = counts[0] - recent
            assert left <= 0 or left >= 10, (value, rows)
    hidden = rows.get(("cohort", HIDDEN))
    assert recent in (0, 12) and (hidden is None or hidden[0] - recent >= 10 or recent == 0), rows


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


def test_attempts_are_no_people(folder):
    """One person of many attempts is not shown as many people."""
    (folder / "f.yaml").write_text(
        "flow: f\nsteps: [w]\nwindow: 1h\nnew_attempt_after: 2h\ncount: attempts\nidentity: user\n")
    with open(folder / "dump.ndjson", "w") as file:
        for number in range(60):
            day, hour = divmod(number * 4, 24)
            file.write(json.dumps({
                "event": "onboarding_started", "user_id": "one",
                "timestamp": f"2026-01-{day + 1:02d}T{hour:02d}:00:00Z"}) + "\n")
    divide([folder / "dump.ndjson"], 2, folder / "segments", flow=folder / "f.yaml")
    tallies = tallied(folder / "segments", folder, folder / "f.yaml")
    said = firstmile("share", tallies, "--flow", folder / "f.yaml", expect=2)
    assert b"counts attempts" in said.stderr and said.stdout == b"", said


def test_a_table_of_incomplete_inputs_says_so(folder):
    """As a report of these tallies would."""
    lines = b"".join(json.dumps({
        "event": name, "user_id": f"u{number}", "timestamp": 1_767_571_200 + number * 60 + second,
        "flow": SAMPLE}).encode() + b"\n" for number in range(400)
        for second, name in enumerate(["onboarding_started", "onboarding_completed"]))
    whole = gzip.compress(lines)
    (folder / "whole.ndjson").write_bytes(lines)
    (folder / "cut.ndjson.gz").write_bytes(whole[:-len(whole) // 3])
    (folder / "mixed.ndjson").write_bytes(lines + b'{"event":\n' * 200)
    for name, code, words in (
            ("whole.ndjson", 0, b""), ("cut.ndjson.gz", 4, b"part of the input is damaged"),
            ("mixed.ndjson", 4, b"more than the accepted share of lines are rejects")):
        own = folder / name.split(".")[0]
        divide([folder / name], 2, own / "segments", flow=SAMPLE, expect=(0, 4))
        tallies = tallied(own / "segments", own, SAMPLE)
        done = firstmile("share", tallies, "--flow", SAMPLE, expect=code)
        assert words in done.stderr and done.stdout.startswith(b"dimension,"), (name, done.stderr)
        assert (b"input" in done.stderr or b"rejects" in done.stderr) == (code == 4), done.stderr
    firstmile("share", folder / "mixed/tallies", "--flow", SAMPLE, "--max-reject-rate", "50%")
