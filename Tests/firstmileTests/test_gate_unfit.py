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
    "no window over": (lambda folder: ["new.ndjson", "--from", "2026-01-31"], 4, b"nobody's window is over"),
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


def with_experiments(of_lines, **days):
    """Events with the variant of each experiment on its days."""
    for event in of_lines:
        day, person = (int(part) for part in event["user_id"].split("-"))
        yield event | {"experiments": {
            name: "AB"[person % 2] for name, (first, last) in days.items() if first <= day <= last}}


def declared(*names):
    return FLOW + "experiments:\n" + "".join(
        f"  {name}: {{control: A, split: {{A: 50%, B: 50%}}}}\n" for name in names)


@pytest.mark.parametrize("period, expect", [("2026-01-02 to 2026-01-08", 0), ("2026-01-20 to 2026-01-26", 0)])
def test_an_experiment_that_had_not_begun_is_not_gone(gates, period, expect):
    (gates / "f.yaml").write_text(declared("copy"))
    (gates / "each.yaml").write_text("rules: [{metric: completion_rate, for_each: variant, at_least: 5%}]\n")
    write(gates / "v.ndjson", with_experiments(lines(1, 29, 40), copy=(15, 29)))
    check(gates, "v.ndjson", "--gate", gates / "each.yaml", "--period", period, expect=expect)


def test_of_several_experiments_one_that_is_gone_is_named(gates):
    (gates / "f.yaml").write_text(declared("copy", "colour"))
    (gates / "each.yaml").write_text("rules: [{metric: completion_rate, for_each: variant, at_least: 5%}]\n")
    write(gates / "v.ndjson", with_experiments(lines(1, 29, 40), copy=(1, 15), colour=(1, 29)))
    for period, expect in (("2026-01-05 to 2026-01-11", 0), ("2026-01-20 to 2026-01-26", 4)):
        done = check(gates, "v.ndjson", "--gate", gates / "each.yaml", "--period", period, "--json", expect=expect)
        reasons = [entry.get("reason", "") for entry in json.loads(done.stdout)["checks"]]
        assert any("is in a variant of 'copy'" in reason for reason in reasons) == bool(expect), reasons
        assert len(reasons) == (3 if expect else 4), reasons


def test_few_people_without_a_variant_are_chance(gates):
    """Of 5 % who are in the experiment, twenty people may well have nobody."""
    (gates / "f.yaml").write_text(declared("copy"))
    (gates / "each.yaml").write_text(
        "baseline: v.json\nrules: [{metric: completion_rate, for_each: variant, not_worse_by: 5%}]\n")
    some = [event if int(event["user_id"].split("-")[1]) < 3 else event | {"experiments": {}}
            for event in with_experiments(lines(1, 24, 40), copy=(1, 24))]
    write(gates / "old.ndjson", some)
    check(gates, "old.ndjson", "--gate", gates / "each.yaml", "--accept", "--quiet", "--as-of", "2026-01-25")
    write(gates / "few.ndjson", lines(25, 2, 15, people=20))
    write(gates / "many.ndjson", lines(25, 7, 40))
    # That nearly nobody is in it is reported for itself.
    for name, expect in (("few.ndjson", 0), ("many.ndjson", 4)):
        said = check(gates, name, "--gate", gates / "each.yaml", expect=expect).stdout.decode()
        assert ("is in a variant of 'copy'" in " ".join(said.split())) == (expect == 4), said


def test_a_plan_says_that_an_input_is_missing(gates):
    check(gates, "new.ndjson", "missing.ndjson", "--gate", gates / "drop.yaml", "--plan", expect=2)


def test_a_plan_of_nobody_is_no_plan(gates):
    write(gates / "others.ndjson", [
        {"event": "song_played", "user_id": "a", "timestamp": "2026-01-25T10:00:00Z"}])
    said = check(gates, "others.ndjson", "--gate", gates / "drop.yaml", "--plan", expect=4).stderr
    assert b"there is nothing to judge" in said, said


@pytest.mark.parametrize("missing, as_of, offers", [
    ([], "2026-01-31", True),
    # Who would have come back then did not.
    ([29], "2026-01-31", False),
    # Before the days that are judged.
    ([20], "2026-01-31", True),
    # Nothing has come since.
    ([], "2026-02-03", False),
])
def test_days_that_are_missing_are_no_level_to_accept(gates, missing, as_of, offers):
    write(gates / "all.ndjson", (
        event for event in (*lines(1, 24, 40), *lines(25, 7, 10))
        if int(event["timestamp"][8:10]) not in missing))
    said = check(gates, "all.ndjson", "--gate", gates / "drop.yaml", "--as-of", as_of,
                 expect=1).stdout.decode()
    assert ("--accept" in said) == offers, said
