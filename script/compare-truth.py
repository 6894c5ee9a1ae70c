#!/usr/bin/env python3
"""Holds a report against what the simulator wrote down beforehand.

    firstmile report sample-events/aiq --flow aiq --all-slices --out /tmp/aiq
    script/compare-truth.py sample-events/aiq/truth.json /tmp/aiq

Every row of the truth must stand in metrics.csv with the same numerator and denominator (what is
about the data and not about a metric: in quality.csv), every percentile of a time with the same
value, and so must the counts of lines, of events and of broken lines by the reason that they were
broken for. The truth is made from the simulated persons' fates and never reads the dump, so the two
agree only if both are right.
Ends with 0 if they agree, 1 if not, 2 if a file can't be read.
"""

import csv
import json
import pathlib
import sys

SLICE = ("version", "experiment", "variant", "cohort", "breakdown")
SHOWN = 20
PERCENTS = (50, 75, 90, 95, 99)


def key(row, blank):
    """Metric, step and slice of a row; what a row leaves out is `blank`."""
    return tuple(row.get(name) or blank for name in ("metric", "step") + SLICE)


def read_table(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def metrics_by_key(folder):
    return {key(row, "all"): row for row in read_table(folder / "metrics.csv")}


def quality_by_item(folder):
    rows = read_table(folder / "quality.csv")
    return {(row["check"], row["item"]): int(row["count"]) for row in rows}


def quality_item(fact):
    """The row of quality.csv for a row of the truth about the data; `None` for all others."""
    if fact["metric"] == "implied_start":
        return ("implied_starts", "")
    # Over all variants of an experiment, by its name.
    if fact["metric"] in ("contaminated", "unassigned") and "variant" not in fact:
        return (fact["metric"], fact["experiment"])
    return None


def integer(text):
    return None if text in (None, "") else int(text)


def compare(truth, rows, quality):
    """What the report has differently, in words, and how much was compared."""
    wrong = []
    compared = 0
    for fact in truth["metrics"]:
        place = key(fact, "all")
        expected = (fact["numerator"], fact.get("denominator"))
        compared += 1
        item = quality_item(fact)
        if item:
            found = (quality.get(item), None)
        elif place in rows:
            row = rows[place]
            found = (integer(row["numerator"]), integer(row["denominator"]))
        else:
            found = (None, None)
            # A slice that nobody is in needs no rows, nor does a goal's value that nobody had.
            if expected[0] == 0 and (expected[1] in (0, None) or ":" in place[1]):
                continue
        if found != expected:
            wrong.append(
                f"{describe(place)}: {fraction(expected)}, the report says {fraction(found)}")
    for fact in truth["times"]:
        for place, expected in times(fact):
            compared += 1
            found = rows.get(place, {}).get("value", "nothing")
            if found != expected:
                wrong.append(f"{describe(place)}: {expected or 'never'}, the report says "
                             f"{found or 'never'}")
    lines = truth["lines"]
    counts = {("lines", ""): lines["written"], ("events", ""): lines["events"],
              ("misdated_facts", ""): lines["misdated"], ("facts_after_horizon", ""): 0}
    counts |= {("rejects_by_reason", reason): count
               for reason, count in lines["broken"].items() if count > 0}
    for item, expected in counts.items():
        compared += 1
        if quality.get(item) != expected:
            wrong.append(f"{' '.join(item)}: {expected}, the report says {quality.get(item)}")
    reasons = {item[1] for item in quality if item[0] == "rejects_by_reason"}
    for reason in sorted(reasons - lines["broken"].keys()):
        wrong.append(f"rejects_by_reason {reason}: no line was broken so")
    return wrong, compared


def times(fact):
    """The rows of metrics.csv for the times of a slice: how many persons, and the percentiles."""
    def place(suffix):
        return key(fact | {"metric": f"{fact['metric']}_{suffix}"}, "all")
    yield place("n"), str(fact["persons"])
    for percent, milliseconds in zip(PERCENTS, fact["milliseconds"], strict=True):
        # metrics.csv has six significant digits.
        yield place(f"p{percent}"), (
            "" if milliseconds is None else f"{float(f'{milliseconds / 1000:.6g}'):.12g}")


def describe(place):
    metric, step, *values = place
    cuts = [f"{name}={value}" for name, value in zip(SLICE, values) if value != "all"]
    name = metric if step == "all" else f"{metric}[{step}]"
    return name + (f" {{{', '.join(cuts)}}}" if cuts else "")


def fraction(pair):
    if pair[0] is None:
        return "nothing"
    return str(pair[0]) if pair[1] is None else f"{pair[0]}/{pair[1]}"


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        truth = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
        folder = pathlib.Path(sys.argv[2])
        wrong, compared = compare(truth, metrics_by_key(folder), quality_by_item(folder))
    except (OSError, ValueError, KeyError) as error:
        print(f"compare-truth: {error}", file=sys.stderr)
        return 2
    for line in wrong[:SHOWN]:
        print(line)
    if len(wrong) > SHOWN:
        print(f"… and {len(wrong) - SHOWN} more")
    print(f"{truth['flow']}: {compared - len(wrong)} of {compared} numbers of the truth hold")
    return 1 if wrong or not truth["metrics"] else 0


if __name__ == "__main__":
    sys.exit(main())
