"""`firstmile simulate`."""

import signal

import csv
import json

from harness import SAMPLE, firstmile, interrupt, running, wait_until

FLOW = """flow: f
steps: [welcome, plan, done]
skip: ends
"""


def test_what_an_experiment_has_and_a_simulation_has_not_is_named(folder):
    whole = "  plain: {control: A, variants: [A, B]}\n"
    parts = ("  split: {control: A, splits: [{from: 2026-01-01, A: 50%, B: 50%}, {from: 2026-01-20, A: 80%, B: 20%}]}\n"
             "  short: {control: A, variants: [A, B], end: 2026-01-20}\n"
             "  seen: {control: A, variants: [A, B], exposure: {event: paywall_viewed}}\n")
    (folder / "f.yaml").write_text(FLOW + "experiments:\n" + whole + parts)
    firstmile("simulate", "--flow", folder / "f.yaml", "--persons", 50, "--out", folder / "dump", "--quiet")
    truth = json.loads((folder / "dump/truth.json").read_text())
    assert truth["notSimulated"] == ["experiment:split", "experiment:short", "experiment:seen"], truth["notSimulated"]


def test_skips_have_the_numbers_that_the_flow_says(folder):
    (folder / "f.yaml").write_text(FLOW + "counts_from: 1\nskips_count_from: 0\n")
    firstmile("simulate", "--flow", folder / "f.yaml", "--persons", 4000, "--out", folder / "dump", "--quiet")
    truth = {row["step"]: str(row["numerator"])
             for row in json.loads((folder / "dump/truth.json").read_text())["metrics"]
             if row["metric"] == "skip_share" and row.keys() <= {"metric", "step", "numerator", "denominator"}}
    firstmile("report", folder / "dump", "--flow", folder / "f.yaml", "--out", folder / "out", "--quiet", expect=(0, 4))
    with open(folder / "out/metrics.csv", newline="") as file:
        found = {row["step"]: row["numerator"] for row in csv.DictReader(file)
                 if row["metric"] == "skip_share" and row["version"] == row["experiment"] == row["breakdown"] == "all"
                 and row["cohort"] == "all"}
    # Someone may skip before the first page.
    assert {step: found[step] for step in truth} == truth and len(truth) >= 3, (found, truth)


def test_an_interrupted_simulation_says_what_is_left(folder):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        out = folder / str(code)
        with running("simulate", "--flow", SAMPLE, "--persons", 100000, "--out", out) as process:
            assert wait_until(lambda: out.exists() and any(out.iterdir()), process), "ended by itself"
            said = interrupt(process, number)
        assert process.returncode == code and "truth.json" in said, (process.returncode, said)
        assert not (out / "truth.json").exists()
