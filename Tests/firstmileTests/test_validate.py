"""`firstmile validate`."""

import json

from harness import SAMPLE, firstmile


def test_a_dump_is_graded_and_the_grade_can_fail(folder):
    dump = folder / "dump"
    firstmile("simulate", "--flow", SAMPLE, "--persons", 200, "--out", dump, "--files", 9, "--tidy",
              "--quiet")
    fine = json.loads(firstmile("validate", dump, "--flow", SAMPLE, "--output", "json").stdout)
    assert fine["grade"] in "AB", fine["reasons"]
    (dump / "broken.ndjson").write_text("no json\n" * 400)
    firstmile("validate", dump, "--flow", SAMPLE)
    firstmile("validate", dump, "--flow", SAMPLE, "--at-least", "B", expect=4)
    other = firstmile("validate", dump, "--flow", "trendy", expect=4).stdout.decode()
    assert other.startswith("Trust grade F") or " F" in other.splitlines()[0], other[:200]


def test_no_grade_is_better_than_the_reports(folder):
    dump = folder / "dump"
    firstmile("simulate", "--flow", SAMPLE, "--persons", 200, "--out", dump, "--files", 2, "--tidy",
              "--quiet")
    (folder / "guessed.yaml").write_text(
        firstmile("flow", "show", SAMPLE).stdout.decode() + "\nguessed: [steps]\n")
    assert b"data quality C" in firstmile("report", dump, "--flow", folder / "guessed.yaml").stdout
    done = firstmile("validate", dump, "--flow", folder / "guessed.yaml", "--output", "json")
    assert json.loads(done.stdout)["grade"] == "C", done.stdout
    firstmile("validate", dump, "--flow", folder / "guessed.yaml", "--at-least", "B", expect=4)
