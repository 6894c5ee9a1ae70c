"""Broken files of JSON: lines that look like containers, and containers with a broken item."""

import functools
import json
import pathlib
import tempfile

import pytest

from harness import SAMPLE, combinations, facts_of, numbers

COUNT = 40


def events():
    return [{"event": "onboarding_started", "timestamp": 1_770_000_000 + place, "flow": SAMPLE,
             "user_id": f"u{place}", "properties": {"page_name": "welcome", "tags": ["a", "b"]}}
            for place in range(COUNT)]


def rows():
    return [json.dumps(event) for event in events()]


def read(folder, text, expect=(0, 4)):
    """The counts of events and rejects, what was said, and the metrics."""
    (folder / "dump.json").write_text(text)
    done = numbers([folder / "dump.json"], folder / "out", "--rejects", folder / "rejects",
                  "--max-reject-rate", "100%", expect=expect)
    (source,) = json.loads((folder / "out" / "metrics.json").read_text())["provenance"]["sources"]
    return (source["events"], source["rejects"]), done.stderr.decode(), facts_of(folder / "out")


@functools.cache
def facts_without(*places):
    """The metrics of the dump with some lines left out."""
    kept = [row for place, row in enumerate(rows()) if place not in places]
    with tempfile.TemporaryDirectory() as folder:
        found, _, facts = read(pathlib.Path(folder), "\n".join(kept) + "\n", expect=0)
    assert found == (len(kept), 0)
    return facts


# Each makes a broken line of a good one.
BROKEN = {
    "cut in the middle": lambda row: row[:len(row) // 2],
    "opening brace lost": lambda row: row[1:],
    "closing brace lost": lambda row: row[:-1],
    "inner closing brace lost": lambda row: row.replace("}", "", 1),
    "an opening brace only": lambda row: "{",
    "an opening bracket only": lambda row: "[",
    "an opening bracket too many": lambda row: "[" + row,
    "an array of its own": lambda row: "[" + row + "]",
    "a string that never closes": lambda row: row.replace(f'"{SAMPLE}"', f'"{SAMPLE}', 1),
    "a comma behind it": lambda row: row + ",",
    "two events on one line": lambda row: row + row,
    "the beginning of a wrapper": lambda row: '{"results": [',
    "a wrapper that never closes": lambda row: '{"results": [' + row,
}


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("name", BROKEN)
def test_broken_first_lines_make_no_container_of_lines(folder, name, count):
    lines = rows()
    lines[:count] = [BROKEN[name](row) for row in lines[:count]]
    found, _, facts = read(folder, "\n".join(lines) + "\n", expect=0)
    # A list on a line is its events.
    lost = 0 if name == "an array of its own" else count
    assert found == (COUNT - lost, lost)
    assert facts == facts_without(*range(lost))


@pytest.mark.parametrize("first", ["closing brace lost", "inner closing brace lost", "cut in the middle"])
@pytest.mark.parametrize("second", ["opening brace lost", "two events on one line"])
def test_two_broken_lines_that_fit_each_other_make_no_container(folder, first, second):
    lines = rows()
    lines[:2] = [BROKEN[first](lines[0]), BROKEN[second](lines[1])]
    assert read(folder, "\n".join(lines) + "\n", expect=0)[0] == (COUNT - 2, 2)


def test_envelopes_behind_a_broken_first_line_are_opened(folder):
    lines = [json.dumps({"results": events()[start:start + 4]}) for start in range(0, COUNT, 4)]
    lines[0] = lines[0][:-2]
    found, said, _ = read(folder, "\n".join(lines) + "\n", expect=4)
    assert found == (COUNT, 0)
    assert "a line ends inside its JSON, before the last bracket is closed" in said, said


# Containers with one item on each line.
PACKED = {
    "array": lambda lines: "[\n" + ",\n".join(lines) + "\n]\n",
    "indented array": lambda lines: "[\n\t" + ",\n\t".join(lines) + "\n]\n",
    "array from its first line on": lambda lines: "[" + ", \n ".join(lines) + "]",
    "array with leading commas": lambda lines: "[" + "\n,".join(lines) + "]",
    "wrapper": lambda lines: '{"results": [\n' + ",\n".join(lines) + "\n]}\n",
    "indented wrapper": lambda lines: (
        '{"n": 1,\n "results": [\n  ' + ",\n  ".join(lines) + '\n ],\n "next": null}\n'),
    "two lists": lambda lines: (
        '{"results": [\n' + ",\n".join(lines[:20]) + '\n], "events": [\n' + ",\n".join(lines[20:])
        + "\n]}\n"),
}
UNCLOSED = ("cut in the middle", "closing brace lost", "inner closing brace lost",
            "a string that never closes")


@pytest.mark.parametrize("packed", PACKED)
def test_a_container_of_lines_is_read_whole(folder, packed):
    found, _, facts = read(folder, PACKED[packed](rows()), expect=0)
    assert found == (COUNT, 0)
    assert facts == facts_without()


@pytest.mark.parametrize("packed, name, place",
                         combinations(PACKED, UNCLOSED, [0, 1, 17, COUNT - 2]))
def test_a_broken_item_on_its_line_costs_no_other(folder, packed, name, place):
    lines = rows()
    lines[place] = BROKEN[name](lines[place])
    found, said, facts = read(folder, PACKED[packed](lines), expect=4)
    assert found == (COUNT - 1, 1)
    assert "dump.json: at byte " in said and "an item lacks a quote or a bracket" in said, said
    assert facts == facts_without(place)


@pytest.mark.parametrize("pack", [
    lambda indent: json.dumps(events(), indent=indent),
    lambda indent: "\n".join(json.dumps(event, indent=indent) for event in events())],
    ids=["array", "objects"])
@pytest.mark.parametrize("indent", [0, 2, "\t"])
@pytest.mark.parametrize("place", [0, 1, 17])
def test_a_broken_item_over_several_lines_costs_no_other(folder, pack, indent, place):
    text = pack(indent)
    assert read(folder, text, expect=0)[0] == (COUNT, 0)
    quote = text.replace(f'"user_id": "u{place}"', f'"user_id": "u{place}', 1)
    item = text.index(f'"u{place}"')
    bracket = text.index("]", item)
    for broken in (quote, text[:bracket] + text[bracket + 1:]):
        found, said, _ = read(folder, broken, expect=4)
        assert found == (COUNT - 1, 1) and "an item lacks a quote or a bracket" in said, said


def test_broken_items_are_cut_off_wherever_the_bytes_are_read(folder):
    # Larger than what is read at once, so that items lie across its ends.
    lines = [json.dumps({**event, "user_id": f"u{number}-{event['user_id']}"})
             for number in range(40) for event in events()]
    for place in range(3, len(lines), 7):
        lines[place] = lines[place].replace(f'"{SAMPLE}"', f'"{SAMPLE}', 1)
    broken = len(range(3, len(lines), 7))
    assert read(folder, PACKED["array"](lines), expect=4)[0] == (len(lines) - broken, broken)


def test_items_that_lack_their_first_bracket_are_one_reject_each(folder):
    lines = rows()
    for place in (5, 6, 20):
        lines[place] = lines[place][1:]
    found, said, _ = read(folder, PACKED["array"](lines), expect=4)
    assert found == (COUNT - 3, 3) and "3 items lack a quote or a bracket" in said, said
