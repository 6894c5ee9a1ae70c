"""Runs FirstMile and its peers on the same files in turn, checks that all say the same, and prints
what each cost. Started by bench/compare."""
import argparse
import csv
import glob
import importlib.metadata
import json
import os
import statistics
import sys
import tempfile

from measure import Failed, measure, table

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "peers"))
from questions import STEPS  # noqa: E402

AS_OF = "2026-03-31"  # questions.HORIZON is its last millisecond.
PACKAGES = {"DuckDB": "duckdb", "ClickHouse (chdb)": "chdb-core", "polars": "polars",
            "orjson": "orjson", "isal": "isal"}


def flow_file(out):
    """The flow dequeue without people who had two variants: the peers leave them out."""
    with open(os.path.join(HERE, "..", "flows", "dequeue.yaml"), encoding="utf-8") as lines:
        text = lines.read()
    control = "    control: long\n"
    if text.count(control) != 1:
        sys.exit("compare: flows/dequeue.yaml has another experiment than the peers ask about")
    path = os.path.join(out, "dequeue.yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(control, control + "    contaminated: exclude\n"))
    return path


def contenders(arguments, data, out):
    """Name → command. FirstMile writes all standard reports, the peers print their few numbers."""
    files = sorted(glob.glob(os.path.join(data, "*.ndjson*")))
    python = os.path.join(HERE, ".venv", "bin", "python")
    floor = os.path.join(HERE, "out", "floor")

    def peer(name):
        return [python, os.path.join(HERE, "peers", f"query_{name}.py"), *files]

    flow = flow_file(out)

    def report(name):
        return [arguments.firstmile, "report", "--flow", flow, "--as-of", AS_OF, "--quiet",
                "--out", os.path.join(out, name), *files]

    every = {
        "FirstMile": report("two"),
        "FirstMile, 1 thread": [*report("one"), "--threads", "1"],
        "ClickHouse (chdb)": peer("chdb"),
        "DuckDB": peer("duckdb"),
        "polars": peer("polars"),
        "Python (orjson, isal)": peer("python"),
    }
    if files[0].endswith(".zst"):
        del every["Python (orjson, isal)"]
    if files[0].endswith(".gz"):
        every["inflate alone, 1 thread"] = [floor, "1", *files]
        every["inflate alone, all threads"] = [floor, str(os.cpu_count()), *files]
    if arguments.only:
        every = {name: c for name, c in every.items()
                 if any(word.lower() in name.lower() for word in arguments.only.split(","))}
    return every


def firstmile_answer(path):
    """The numbers of questions.answer out of metrics.csv. To the peers who skips has skipped, whatever
    comes later."""
    result = {}
    with open(path, newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if not row["flow"].startswith("#")]
    for row in rows:
        if (row["version"], row["cohort"], row["breakdown"]) != ("all", "all", "all"):
            continue
        variant = row["variant"]
        if variant not in ("all", "long", "three_screen"):
            continue
        values = result.setdefault(variant, {})
        metric, step = row["metric"], row["step"]
        if metric in ("entered", "persons", "finished"):
            values[metric] = int(row["numerator"])
        elif metric in ("skipped", "finished_after_skipping"):
            values["skipped"] = values.get("skipped", 0) + int(row["numerator"])
        elif metric == "step_reach" and step in STEPS:
            if variant == "long" or step not in STEPS[1:3]:
                values[f"reached {step}"] = int(row["numerator"])
        elif metric in ("retention_d1", "retention_d7"):
            day = f"day {metric[-1]}"
            values[day] = int(row["numerator"])
            values[f"of {day}"] = int(row["denominator"])
    return result


def differences(expected, found):
    return [
        f"{variant}, {field}: FirstMile {value}, here {found.get(variant, {}).get(field)}"
        for variant, values in sorted(expected.items())
        for field, value in sorted(values.items())
        if found.get(variant, {}).get(field) != value
    ]


def main():
    parser = argparse.ArgumentParser(prog="bench/compare", description=__doc__)
    parser.add_argument("--data", required=True)
    parser.add_argument("--firstmile", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", help="names, or parts of them, with commas")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as out:
        every = contenders(arguments, arguments.data, out)
        runs = {name: [] for name in every}
        answers = {}
        for round_number in range(arguments.rounds):
            for name, command in every.items():
                print(f"round {round_number + 1}: {name}", file=sys.stderr)
                try:
                    wall, cpu, peak, output = measure(command)
                except Failed as failure:
                    sys.exit(str(failure))
                runs[name].append((wall, cpu, peak))
                if name == "FirstMile":
                    answers[name] = firstmile_answer(os.path.join(out, "two", "metrics.csv"))
                elif not name.startswith(("FirstMile", "inflate")):
                    answers[name] = json.loads(output)
    disagree = False
    for name, answer in answers.items():
        for line in differences(answers.get("FirstMile", {}), answer):
            disagree = True
            print(f"{name}: {line}", file=sys.stderr)
    show(runs)
    if disagree:
        sys.exit("the tools disagree")
    numbers = sum(map(len, next(iter(answers.values()), {}).values()))
    print(f"{', '.join(answers)} agree on all {numbers} numbers")


def show(runs):
    medians = {name: [statistics.median(part) for part in zip(*values)]
               for name, values in runs.items()}
    base = medians.get("FirstMile", [1, 1, 1])
    rows = []
    for name, (wall, cpu, peak) in medians.items():
        rows.append([name, f"{wall:.2f}", f"{cpu:.2f}", f"{peak:.0f}", f"{wall / base[0]:.2f}",
                     f"{cpu / base[1]:.2f}", f"{peak / base[2]:.2f}"])
    header = ["tool", "wall s", "CPU s", "peak MB", "wall ÷ FirstMile", "CPU ÷", "memory ÷"]
    print(table(header, rows))
    print(f"\nmedians of {max(map(len, runs.values()))} rounds; load of the machine at the end: "
          + " ".join(f"{load:.1f}" for load in os.getloadavg()))
    print("versions: " + ", ".join(
        f"{name} {importlib.metadata.version(package)}" for name, package in PACKAGES.items()))


if __name__ == "__main__":
    main()
