#!/usr/bin/env python3
"""Holds a report against what the simulator wrote down beforehand.

    script/compare-truth.py sample-events/aiq/truth.json reports/aiq

Every row of the truth must stand in metrics.csv with the same numerator and denominator, and the
broken lines in metrics.json by the reasons that they were broken for. The truth is told from the
simulated persons' fates and never reads the dump, so the two agree only if both are right.
Ends with 0 if they agree, 1 if not, 2 if a file can't be read.
"""

import csv
import json
import pathlib
import sys

SLICE = ("version", "experiment", "variant", "cohort", "breakdown")
SHOWN = 20


def key(row, blank):
    """Metric, step and slice of a row; what a row leaves out is `blank`."""
    return tuple(row.get(name) or blank for name in ("metric", "step") + SLICE)


def metrics_by_key(folder, flow):
    rows = {}
    for name in ("metrics.csv", "quality.csv"):
        path = folder / name
        if not path.exists():
            continue
        with open(path, encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                if row.get("flow", flow) != flow or "metric" not in row:
                    continue
                rows.setdefault(key(row, "all"), row)
    return rows


def integer(text):
    return None if text in (None, "") else int(text)


def compare(truth, rows):
    """The truth's rows that the report has differently, in words."""
    wrong = []
    for fact in truth["metrics"]:
        place = key(fact, "all")
        expected = (fact["numerator"], fact.get("denominator"))
        row = rows.get(place)
        if row is None:
            # A slice that nobody is in needs no rows.
            if expected[0] == 0 and expected[1] in (0, None):
                continue
            wrong.append(f"{describe(place)}: {fraction(expected)}, and the report has no such row")
            continue
        found = (integer(row["numerator"]), integer(row["denominator"]))
        if found != expected:
            wrong.append(
                f"{describe(place)}: {fraction(expected)}, the report says {fraction(found)}")
    return wrong


def describe(place):
    metric, step, *values = place
    cuts = [f"{name}={value}" for name, value in zip(SLICE, values) if value != "all"]
    name = metric if step == "all" else f"{metric}[{step}]"
    return name + (f" {{{', '.join(cuts)}}}" if cuts else "")


def fraction(pair):
    return str(pair[0]) if pair[1] is None else f"{pair[0]}/{pair[1]}"


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        truth = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
        rows = metrics_by_key(pathlib.Path(sys.argv[2]), truth["flow"])
    except (OSError, ValueError, KeyError) as error:
        print(f"compare-truth: {error}", file=sys.stderr)
        return 2
    wrong = compare(truth, rows)
    for line in wrong[:SHOWN]:
        print(line)
    if len(wrong) > SHOWN:
        print(f"… and {len(wrong) - SHOWN} more")
    print(f"{truth['flow']}: {len(truth['metrics']) - len(wrong)} of {len(truth['metrics'])} "
          "rows of the truth hold")
    return 1 if wrong or not truth["metrics"] else 0


if __name__ == "__main__":
    sys.exit(main())
