"""What reports say beside numbers of people who were exposed to an experiment."""

import html
import re

from harness import firstmile
from test_gate_experiments import world


def page(folder, *options):
    firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--as-of", "2026-06-01", "--out",
              "out", *options, cwd=folder)
    text = (folder / "out/report.html").read_text()
    body = re.sub(r"<(script|style)\b.*?</\1>", " ", text, flags=re.S)
    body = html.unescape(re.sub(r"<[^>]+>", "", body))
    return re.sub(r"[\s\u00a0\u202f\u2009]+", " ", body), (folder / "out/report.md").read_text()


def test_people_in_no_column_are_counted_by_why(folder):
    groups = [(500, "A", 0, 200, "paywall"), (500, "B", 0, 210, "paywall"), (90, "A", 0, 30),
              (1, "B", 0, 1), (40, "", 0, 20)]
    world(folder, groups, "variants: [A, B], exposure: {event: paywall}")
    said, _ = page(folder)
    assert "; of the other 131, 91 were not exposed to it and 40 have no variant" in said
    assert "Each metric over everyone exposed" in said and "over everyone assigned" not in said
    assert "are of the people who were exposed to the experiment" in said


def test_without_an_exposure_everyone_assigned_is_compared(folder):
    world(folder, [(500, "A", 0, 200), (500, "B", 0, 210), (40, "", 0, 20)], "variants: [A, B]")
    said, _ = page(folder)
    assert "; the other 40 have no variant" in said
    assert "Each metric over everyone assigned" in said and "exposed" not in said


def test_variants_without_a_colour_are_others_too(folder):
    world(folder, [(500, "A", 0, 200), (500, "B", 0, 210), (400, "C", 0, 200), (1, "", 0, 0)],
          "variants: [A, B, C]")
    said, _ = page(folder)
    assert "; of the other 401, 400 have another variant and 1 has no variant" in said


def test_a_plan_that_takes_years_is_not_waited_for(folder):
    # 1,200 people on one day of five months: a lift of 5 % of a fiftieth takes 100,000s of people.
    groups = [(1, variant, day, day % 25 == 0) for day in range(0, 148) for variant in "AB"]
    world(folder, groups, "variants: [A, B], primary: completion")
    _, said = page(folder)
    assert "Keep running: B against A" in said, said
    assert "more than three years at the pace of" in said and "Waiting won’t settle this" in said
