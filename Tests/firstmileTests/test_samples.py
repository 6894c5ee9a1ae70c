"""The shipped samples and the reports made of them."""

import csv
import json
import subprocess
import sys

import pytest

from harness import APPS, BINARY, ROOT, assert_same, contents, firstmile, report, sample_lines


def against_truth(truth, folder):
    """What the report has differently from the truth; empty if nothing."""
    done = subprocess.run([sys.executable, ROOT / "script/compare-truth.py", truth, folder],
                          capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stdout + done.stderr


def test_the_reports_of_the_samples_come_out_byte_for_byte(folder):
    if not APPS:
        pytest.skip("no sample-events; script/sample-events makes them")
    for app in APPS:
        if not (ROOT / "reports" / app).is_dir():
            pytest.skip(f"no reports/{app}; script/report makes it")
        report([f"sample-events/{app}"], folder / app, "--rejects", folder / "rejects", flow=app)
        assert_same(contents(ROOT / "reports" / app), contents(folder / app), f"reports/{app}")


def test_metrics_csv_has_the_rows_of_metrics_json():
    """Tests that compare numbers compare those in JSON: `harness.numbers`."""
    named = ("version", "experiment", "variant", "cohort", "breakdown", "step")
    for app in APPS:
        rows = json.loads((ROOT / "reports" / app / "metrics.json").read_text())["metrics"]["rows"]
        with open(ROOT / "reports" / app / "metrics.csv", newline="") as file:
            table = list(csv.DictReader(file))
        assert len(table) == len(rows) > 1000
        for line, row in zip(table, rows):
            wanted = {"flow": app, "unit": "rate", **dict.fromkeys(named, "all"), **row}
            if wanted["unit"] == "persons":
                wanted["value"] = row["numerator"]
            assert wanted.keys() <= line.keys(), row
            for name, text in line.items():
                value = wanted.get(name)
                if isinstance(value, (int, float)):
                    assert float(text) == value, (app, name, row)
                else:
                    assert text == (value or ""), (app, name, row)


def test_the_reports_say_what_the_simulator_wrote_down_before(folder):
    if not APPS:
        pytest.skip("no sample-events; script/sample-events makes them")
    wrong = ""
    for app in APPS:
        report([f"sample-events/{app}"], folder / app, "--all-slices", flow=app)
        wrong += against_truth(ROOT / "sample-events" / app / "truth.json", folder / app)
    assert not wrong, wrong


def test_other_seeds_hold_against_their_truth_too(folder):
    for app, seed in (("memoss", 7), ("dequeue", 11), ("trendy", 13)):
        firstmile("simulate", "--flow", app, "--persons", 3000, "--seed", seed, "--files", 3,
                  "--out", folder / app, "--quiet")
        report([folder / app], folder / f"{app}-report", "--all-slices", flow=app)
        wrong = against_truth(folder / app / "truth.json", folder / f"{app}-report")
        assert not wrong, wrong


def test_the_readme_shows_the_report_that_the_program_makes(folder):
    if "_The terminal report" in (ROOT / "README.md").read_text():
        pytest.skip("the README has no report yet; script/readme-report puts it there")
    sample_lines()
    done = subprocess.run([sys.executable, ROOT / "script/readme-report", "--check", BINARY],
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_sample_events_are_simulated_byte_for_byte(folder):
    for app in APPS:
        firstmile("simulate", "--flow", app, "--persons", 400, "--seed", 2026, "--files", 6,
                  "--out", folder / app, "--quiet", "--threads", 1)
        assert_same(contents(ROOT / "sample-events" / app), contents(folder / app), app)
