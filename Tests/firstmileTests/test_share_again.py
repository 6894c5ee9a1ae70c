"""From a table of `share` and earlier ones of mostly the same people, no count of a few people can be worked out."""

import csv
import gzip
import io
import json

import pytest

from harness import SAMPLE, firstmile, json_objects
from partitioned import divide, tallied
from test_partition import refused
from test_share import HIDDEN, ends_of, steps_of, truth

MINIMUM = 5


class Bounds:
    """What follows from equations between counts, each by itself, until nothing more does.

    It knows nothing of the rule: a cell's bounds are those of the totals minus everything else.
    """

    def __init__(self):
        self.low, self.high, self.sums = {}, {}, []

    def count(self, name, most):
        self.low[name], self.high[name] = 0, most
        return name

    def equal(self, total, parts):
        """A count, or a number, is the sum of others."""
        if isinstance(total, int):
            name = ("number", len(self.sums))
            self.low[name] = self.high[name] = total
            total = name
        self.sums.append([(total, -1), *((part, 1) for part in parts)])

    def solve(self):
        changed = True
        while changed:
            changed = False
            for terms in self.sums:
                lows = [self.low[name] if sign > 0 else -self.high[name] for name, sign in terms]
                highs = [self.high[name] if sign > 0 else -self.low[name] for name, sign in terms]
                least, most = sum(lows), sum(highs)
                for place, (name, sign) in enumerate(terms):
                    low, high = highs[place] - most, lows[place] - least
                    low, high = (low, high) if sign > 0 else (-high, -low)
                    if low > self.low[name]:
                        self.low[name], changed = low, True
                    if high < self.high[name]:
                        self.high[name], changed = high, True
                assert least <= 0 <= most, terms


class Table:
    """What `share` printed."""

    def __init__(self, text):
        rows = list(csv.reader(io.StringIO(text)))
        self.categories, self.rows = rows[0][3:], rows[1:]

    def of(self, dimension):
        """(people, counts) by value, of rows that are of one value."""
        return {row[1]: (int(row[2]), [int(cell) for cell in row[3:]] if row[3] else None)
                for row in self.rows if row[0] == dimension and row[1] != HIDDEN}

    @property
    def everybody(self):
        return self.of("all")[""][1]


def groups_of(table, outcomes):
    return [range(first, last + 1) for first, last in ends_of(table.categories, outcomes)]


def attack(dimension, old, new, tables, outcomes):
    """Bounds of all that is hidden, and the truth of it; (found out, hidden) counts of few people.

    `old` and `new` are people by value and outcome. Outcomes are settled, but for people who are too recent,
    who are in the last one: everybody knows that.
    """
    before, after = tables
    shown = [groups_of(table, outcomes) for table in tables]
    # Outcomes that neither table shows separately.
    ends = sorted({group.stop for groups in shown for group in groups})
    finest = [range(start, end) for start, end in zip([0, *ends], ends)]
    last = len(finest) - 1
    values = sorted(set(old) | set(new))
    none = [0] * len(outcomes)

    def parts(group):
        return [number for number, one in enumerate(finest) if one[0] in group]

    def of(counts, group):
        return sum(counts[place] for place in group)

    true = {}
    for value in values:
        for place, group in enumerate(finest):
            count, later = of(old.get(value, none), group), of(new.get(value, none), group)
            true["old", value, place] = count
            true["changed", value, place] = later - (count if place != last else 0)
    if any(count < 0 for count in true.values()):
        return None
    # People without any value of the dimension.
    values.append(None)
    known = Bounds()
    most = sum(after.everybody) + sum(before.everybody)
    for value in values:
        for place in range(len(finest)):
            known.count(("old", value, place), most)
            known.count(("changed", value, place), most)
        known.count(("new", value), most)
        known.count(("new sum", value), most)
        known.equal(("new sum", value), [("changed", value, place) for place in range(len(finest))])
        known.equal(("new sum", value), [("new", value), ("old", value, last)])
        for place, group in enumerate(shown[0]):
            known.count(("before", value, place), most)
            known.equal(("before", value, place), [("old", value, part) for part in parts(group)])
        for place, group in enumerate(shown[1]):
            known.count(("all", value, place), most)
            known.count(("all changed", value, place), most)
            known.equal(("all changed", value, place), [("changed", value, part) for part in parts(group)])
            known.equal(("all", value, place), [("all changed", value, place)] + [
                ("old", value, part) for part in parts(group) if part != last])
            if value is not None:
                true["all changed", value, place] = sum(true["changed", value, part] for part in parts(group))
                true["all", value, place] = of(new.get(value, none), group)
        if value is not None:
            true["new", value] = sum(new.get(value, none)) - sum(old.get(value, none))
    for kind, table, groups in (("before", before, shown[0]), ("all", after, shown[1])):
        for place, total in enumerate(table.everybody):
            known.equal(total, [(kind, value, place) for value in values])
        for value, (people, counts) in table.of(dimension).items():
            known.equal(people, [(kind, value, place) for place in range(len(groups))])
            for place, count in enumerate(counts or []):
                known.equal(count, [(kind, value, place)])
    known.solve()
    found = hidden = 0
    for name, count in true.items():
        low, high = known.low[name], known.high[name]
        assert low <= count <= high, (dimension, name, count, low, high)
        if name[0] in ("all", "all changed", "new") and 0 < count < MINIMUM:
            hidden += 1
            found += not (high >= MINIMUM and high - low >= MINIMUM - 1)
    return found, hidden


def day_of(event):
    return str(event.get("timestamp"))[:10]


@pytest.fixture(scope="module")
def events(tmp_path_factory):
    folder = tmp_path_factory.mktemp("share")
    firstmile("simulate", "--flow", SAMPLE, "--persons", 1500, "--seed", 5, "--out", folder / "made", "--quiet")
    lines = [line for path in sorted((folder / "made").glob("*.gz"))
             for line in gzip.decompress(path.read_bytes()).splitlines()]
    return [event for event in json_objects(lines) if "2026-01-01" <= day_of(event) <= "2026-07-31"]


class Day:
    """What is published of the events up to a day."""

    def __init__(self, folder, events, day):
        self.folder = folder / day
        self.folder.mkdir()
        (self.folder / "dump.ndjson").write_text(
            "\n".join(json.dumps(event) for event in events if day_of(event) <= day) + "\n")
        divide([self.folder / "dump.ndjson"], 1, self.folder / "segments", flow=SAMPLE, expect=(0, 4))
        self.tallies = tallied(self.folder / "segments", self.folder, SAMPLE)

    def share(self, *published):
        words = ("--published", *published) if published else ()
        done = firstmile("share", self.tallies, "--flow", SAMPLE, "--min-cell", MINIMUM, *words)
        path = self.folder / f"shared-{len(published)}.csv"
        path.write_bytes(done.stdout)
        return path, Table(done.stdout.decode())


OUTCOMES = ["finished", "finished_after_skipping", "skipped", "abandoned_at_entry",
            *(f"abandoned_at_{step}" for step in steps_of(SAMPLE)), "too_recent"]


def attacked(days, tables):
    """(found out, hidden, shown rows) of all dimensions."""
    experiment = next((row[0] for row in tables[1].rows if row[0].startswith("variant:")), None)
    old, new = (truth(day.tallies, len(OUTCOMES) - 5, experiment) for day in days)
    found = hidden = shown = 0
    for dimension in sorted(set(new) - {"all", None}):
        known = attack(dimension, old.get(dimension, {}), new[dimension], tables, OUTCOMES)
        if known:
            found, hidden = found + known[0], hidden + known[1]
            shown += len(tables[1].of(dimension))
    return found, hidden, shown


PAIRS = [("2026-03-10", "2026-03-13"), ("2026-03-10", "2026-04-20"), ("2026-05-03", "2026-05-10")]


def test_two_days_give_nobody_away(events, folder):
    alone = 0
    for number, pair in enumerate(PAIRS):
        (folder / str(number)).mkdir()
        days = [Day(folder / str(number), events, day) for day in pair]
        path, before = days[0].share()
        alone += attacked(days, (before, days[1].share()[1]))[0]
        _, after = days[1].share(path)
        found, hidden, shown = attacked(days, (before, after))
        assert found == 0 and hidden > 0 and shown > 0, (pair, found, hidden, shown)
    # Each table is safe by itself, and two of them are not.
    assert alone > 0


def test_a_chain_of_tables_gives_nobody_away(events, folder):
    days = [Day(folder, events, day) for day in ("2026-03-10", "2026-03-24", "2026-04-20")]
    published, tables = [], []
    for day in days:
        path, table = day.share(*published)
        published.append(path)
        tables.append(table)
    for early in range(3):
        for late in range(early + 1, 3):
            assert attacked((days[early], days[late]), (tables[early], tables[late]))[0] == 0, (early, late)


def test_the_same_table_again_is_the_same(events, folder):
    day = Day(folder, events, "2026-03-10")
    path, _ = day.share()
    again, _ = day.share(path)
    assert again.read_bytes() == path.read_bytes()


def test_a_few_new_people_alone_are_not_shown(events, folder):
    day = Day(folder, events, "2026-03-10")
    path, _ = day.share()
    user = next(event["user_id"] for event in events if event.get("user_id") and "2026-02-01" < day_of(event))
    twin = [dict(event, user_id="twin", device_id="twin") for event in events if event.get("user_id") == user]
    (folder / "more").mkdir()
    more = Day(folder / "more", events + twin, "2026-03-10")
    done = firstmile("share", more.tallies, "--flow", SAMPLE, "--min-cell", MINIMUM, "--published", path)
    assert done.stdout == b"dimension,value,people\n" and b"are new or changed: nothing can be shared" in done.stderr


def test_other_files_are_refused(events, folder):
    day = Day(folder, events, "2026-03-10")
    path, table = day.share()

    def refuse(text, content):
        (folder / "other.csv").write_text(content)
        refused(text, "share", day.tallies, "--flow", SAMPLE, "--published", folder / "other.csv")

    whole = path.read_text()
    lines = whole.splitlines(keepends=True)
    refuse("is no table of `firstmile share`", "a,b\n1,2\n")
    refuse("is no table of `firstmile share`", "")
    refuse("don't fit the flow", whole.replace("finished", "fnished"))
    refuse("don't fit the flow", whole.replace("too_recent", "too_old"))
    refuse("is there twice", whole + lines[-1])
    refuse("there is no row of everybody", "".join(line for line in lines if not line.startswith("all,")))
    refuse("don't add up", whole.replace("all,,", "all,,1"))
    refuse("other cells than counts", whole + "os,x,30," + "1,x" + "," * (len(table.categories) - 2) + "\n")
    refuse("or no number of people", whole + "os,x\n")
    # 2^63 - 1 people.
    cells = lines[1].rstrip("\n").split(",")
    refuse("don't add up", lines[0] + ",".join([*cells[:3], str((1 << 63) - 1), *cells[4:]]) + "\n")
    # What is cut off would be taken for values that nobody had.
    for end in range(2, len(lines)):
        if lines[end].split(",")[0] == lines[end - 1].split(",")[0]:
            refuse("some are missing", "".join(lines[:end]))
            continue
        # It may also be a table of before there was this dimension.
        (folder / "other.csv").write_text("".join(lines[:end]))
        done = firstmile("share", day.tallies, "--flow", SAMPLE, "--min-cell", MINIMUM, "--published",
                         folder / "other.csv")
        assert f"'{lines[end].split(',')[0]}'".encode() in done.stderr and b"cut off" in done.stderr
    refused("can't be read", "share", day.tallies, "--flow", SAMPLE, "--published", folder / "gone.csv")
    # A table that shows nothing gives nothing away.
    (folder / "empty.csv").write_text("dimension,value,people\n")
    done = firstmile("share", day.tallies, "--flow", SAMPLE, "--min-cell", MINIMUM, "--published", folder / "empty.csv")
    assert done.stdout.decode() == whole
