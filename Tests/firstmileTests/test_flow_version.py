"""`firstmile report --flow-version`: one version of the flow alone."""

import csv
import json

from harness import ROOT, firstmile

FLOW = "trendy"


def rows(out, *options):
    firstmile("report", ROOT / "sample-events" / FLOW, "--flow", FLOW, "--out", out, "--quiet",
              *options, expect=(0, 4))
    metrics = json.loads((out / "metrics.json").read_text())
    return metrics["options"], {
        (row.get("version", "all"), row["metric"], row.get("step", "all")): row
        for row in metrics["metrics"]["rows"]
        if not row.keys() & {"experiment", "variant", "cohort", "breakdown"}}


def test_one_version_is_what_its_slice_says(folder):
    _, everyone = rows(folder / "all")
    for version in ("1", "2"):
        options, alone = rows(folder / version, "--flow-version", version)
        assert options["flow_version"] == version
        names = [name for name in everyone if name[0] == version and name[1] in (
            "entered", "persons", "finished", "completion_rate", "step_drop_off", "goal_rate")]
        assert len(names) > 5, f"the sample has no version {version}"
        for _, metric, step in names:
            one, other = everyone[version, metric, step], alone["all", metric, step]
            for field in ("numerator", "denominator", "value"):
                assert one.get(field) == other.get(field), (metric, step, one, other)
        assert alone["all", "entered", "all"]["numerator"] < (
            everyone["all", "entered", "all"]["numerator"])


def test_a_version_that_nobody_has_is_said(folder):
    said = firstmile("report", ROOT / "sample-events" / FLOW, "--flow", FLOW, "--flow-version=99",
                     expect=(0, 4)).stderr.decode()
    assert "Nobody met version '99'" in said, said


def test_the_list_of_people_is_of_that_version(folder):
    people = folder / "people.csv"
    for version in ("1", "2"):
        _, alone = rows(folder / version, "--flow-version", version, "--people", people)
        with people.open(newline="") as file:
            listed = [row["version"] for row in csv.DictReader(file)]
        assert listed == [version] * alone["all", "entered", "all"]["numerator"]
