"""`firstmile check`: data that are no measure are neither judged, accepted nor compared with; and a
period that is written holds whatever the rules are."""

import gzip
import json

import pytest

from harness import firstmile

FLOW = "flow: f\nsteps: [w]\nskip: never\nidentity: user\n"
DROP = "baseline: b.json\nrules: [{metric: completion_rate, not_worse_by: 2%}]\n"


def lines(first, days, finishing, people=50):
    """So many people begin on each day, of whom the first ones finish."""
    for day in range(first, first + days):
        for person in range(people):
            who, at = f"{day}-{person}", f"2026-01-{day:02d}T10:{person:02d}"
            yield {"event": "onboarding_started", "user_id": who, "timestamp": f"{at}:00Z"}
            if person < finishing:
                yield {"event": "onboarding_completed", "user_id": who, "timestamp": f"{at}:09Z"}


def write(path, events):
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return path


@pytest.fixture
def gates(folder):
    """A flow, a gate against a baseline of four weeks, and the week after them, in which less finish."""
    (folder / "f.yaml").write_text(FLOW)
    (folder / "drop.yaml").write_text(DROP)
    write(folder / "old.ndjson", lines(1, 24, 40))
    write(folder / "new.ndjson", lines(25, 7, 10))
    check(folder, "old.ndjson", "--gate", folder / "drop.yaml", "--accept", "--quiet",
          "--as-of", "2026-01-25")
    return folder


def check(folder, *arguments, expect=0):
    return firstmile("check", *arguments, "--flow", folder / "f.yaml", expect=expect, cwd=folder)


@pytest.mark.parametrize("rules, expect", [
    ("{metric: completion_rate, at_least: 50%}", 1), ("{metric: completion_rate, at_least: 5%}", 0)])
def test_since_baseline_holds_for_rules_that_are_held_against_none(gates, rules, expect):
    (gates / "bound.yaml").write_text(f"baseline: b.json\nperiod: since baseline\nrules: [{rules}]\n")
    said = check(gates, "old.ndjson", "new.ndjson", "--gate", gates / "bound.yaml",
                 expect=expect).stdout.decode()
    # The last day's people still have time.
    assert "50/250" in said and "2026-01-25" in said, said
    # As a rule that is not about a period says nothing of one.
    everyone = check(gates, "old.ndjson", "new.ndjson", "--gate", gates / "bound.yaml", "--period",
                     "everyone").stdout.decode()
    assert "50/250" not in everyone, everyone


def test_since_baseline_needs_a_baseline_file(gates):
    (gates / "bound.yaml").write_text("rules: [{metric: completion_rate, at_least: 5%}]\n")
    for more in ([], ["--against", "old.ndjson"]):
        said = check(gates, "new.ndjson", "--gate", gates / "bound.yaml", "--period", "since baseline",
                     *more, expect=2).stderr
        assert b"goes with a baseline file" in said, said


def cut(folder):
    """What is left of a file of which not all was copied."""
    whole = gzip.compress((folder / "old.ndjson").read_bytes(), mtime=0)
    (folder / "cut.ndjson.gz").write_bytes(whole[:len(whole) // 2])
    return ["cut.ndjson.gz"]


def rejected(folder):
    text = (folder / "old.ndjson").read_text().replace('"timestamp"', '"tmstmp"', 200)
    (folder / "rejected.ndjson").write_text(text)
    return ["rejected.ndjson"]


UNFIT = {
    "damaged": (cut, 4, b"damaged or unreadable inputs"), "rejects": (rejected, 4, b"rejected lines"),
    "missing": (lambda folder: ["old.ndjson", "missing.ndjson"], 2, b"not all of the input"),
    "nobody": (lambda folder: ["old.ndjson", "--from", "2027-01-01"], 4, b"nothing to judge"),
}


@pytest.mark.parametrize("name", UNFIT)
def test_unfit_data_are_not_accepted(gates, name):
    make, expect, words = UNFIT[name]
    before = (gates / "b.json").read_bytes()
    said = check(gates, *make(gates), "--gate", gates / "drop.yaml", "--accept", expect=expect).stderr
    assert words in said and b"no baseline was written" in said, said
    assert (gates / "b.json").read_bytes() == before


@pytest.mark.parametrize("make", [cut, rejected])
def test_unfit_data_are_not_compared_with(gates, make):
    done = check(gates, "new.ndjson", "--against", *make(gates), "--gate", gates / "drop.yaml", "--json",
                 expect=4)
    checks = json.loads(done.stdout)["checks"]
    assert [entry["verdict"] for entry in checks] == ["invalid"], checks
    assert b"--against" in done.stdout
    # A rule that is held against nothing goes on being judged.
    (gates / "bound.yaml").write_text("rules: [{metric: completion_rate, at_least: 5%}]\n")
    check(gates, "new.ndjson", "--against", *make(gates), "--gate", gates / "bound.yaml")


@pytest.mark.parametrize("option, words", [
    ("--as-of", "--as-of 2026-02-05 is 5 days after the last events"),
    ("--today", "The data end on 2026-01-31, 5 days before today")])
def test_a_feed_that_ended_is_named_in_every_output(gates, option, words):
    check(gates, "old.ndjson", "new.ndjson", "--gate", gates / "drop.yaml", option, "2026-02-05", "--json-file",
          gates / "c.json", "--summary", gates / "s.md", expect=1)
    assert words in " ".join(json.loads((gates / "c.json").read_text())["remarks"])
    assert words in (gates / "s.md").read_text()
    # A night after the data's last day is none.
    check(gates, "old.ndjson", "new.ndjson", "--gate", gates / "drop.yaml", "--today", "2026-02-01", "--json-file",
          gates / "c.json", expect=1)
    assert json.loads((gates / "c.json").read_text())["remarks"] == []


def test_variants_that_the_flow_does_not_declare_are_named(gates):
    """The rules go over the declared ones, whatever a new one does."""
    def with_variants(count):
        return [event | {"experiments": {"copy": "ABC"[int(event["user_id"].split("-")[1]) % count]}}
                for event in lines(1, 24, 40)]

    (gates / "f.yaml").write_text(FLOW + "experiments:\n  copy: {control: A, split: {A: 50%, B: 50%}}\n")
    (gates / "each.yaml").write_text("rules: [{metric: completion_rate, for_each: variant, at_least: 5%}]\n")
    for count, words in ((2, []), (3, ["32.0 % of the people have a variant of 'copy'"])):
        write(gates / "v.ndjson", with_variants(count))
        done = check(gates, "v.ndjson", "--gate", gates / "each.yaml", "--json")
        remarks = " ".join(json.loads(done.stdout)["remarks"])
        assert bool(remarks) == bool(words) and all(word in remarks for word in words), remarks


def test_a_plan_says_that_an_input_is_missing(gates):
    check(gates, "new.ndjson", "missing.ndjson", "--gate", gates / "drop.yaml", "--plan", expect=2)
