"""`firstmile start` on experiments as tools' own events and flags name them."""

import csv

import pytest

from harness import firstmile
from test_start import DAY, START
from test_start_foreign import Dump, findings, flow, start

EXPOSURES = {
    "mixpanel": ("$experiment_started", "Experiment name", "Variant name"),
    "segment": ("Experiment Viewed", "experiment_name", "variation_name"),
    "segment, by GrowthBook": ("Experiment Viewed", "experimentId", "variationId"),
    "segment, by Optimizely": ("Experiment Viewed", "experimentName", "variationName"),
    "segment, by Statsig": ("statsig::experiment_exposure", "config", "group"),
    "amplitude": ("$exposure", "flag_key", "variant"),
    "amplitude, by itself": ("[Experiment] Exposure", "[Experiment] Flag Key", "[Experiment] Variant"),
    "posthog": ("$feature_flag_called", "$feature_flag", "$feature_flag_response"),
}
ARMS = {"copy": ["control", "treatment"], "paywall": ["0", "1", "2"]}


def exposed(tool, names, turned=0.0):
    """People in some experiments at once; how many have each variant, and how many of these finish. A share of them
    sees the first experiment's other variant, too."""
    event, experiment, variant = EXPOSURES[tool]
    dump = Dump(tool.split(",")[0])
    truth = {}
    for number in range(300):
        person, at = f"p{number}", START + dump.draw.randrange(20 * DAY)
        own = {name: dump.draw.choice(ARMS[name]) for name in names}
        for name, arm in own.items():
            dump.send(person, at, event, **{experiment: name, variant: arm})
            at += 1
        is_turned = dump.draw.random() < turned
        if is_turned:
            other = next(arm for arm in ARMS[names[0]] if arm != own[names[0]])
            dump.send(person, at + 1, event, **{experiment: names[0], variant: other})
        for place, step in enumerate(("Tour Started", "Name Given", "Plan Chosen", "Tour Finished")):
            dump.send(person, at + 2, step)
            at += dump.draw.randrange(5, 60)
            if place and dump.draw.random() < (0.1 if own[names[0]] == "control" else 0.2):
                break
        for name, arm in own.items():
            if not (is_turned and name == names[0]):
                people, finished = truth.get((name, arm), (0, 0))
                truth[name, arm] = people + 1, finished + (step == "Tour Finished")
    dump.later(START + 30 * DAY)
    return dump, truth


def overview(folder):
    with open(folder / "reports/my_app/overview.csv", newline="") as file:
        return {(row["experiment"], row["variant"]): (int(row["people"]), int(row["finished"]))
                for row in csv.DictReader(file)}


@pytest.mark.parametrize("names", [["copy"], ["copy", "paywall"]], ids=["one", "two"])
@pytest.mark.parametrize("tool", EXPOSURES)
def test_all_experiments_of_a_tools_events_are_drafted(folder, tool, names):
    dump, truth = exposed(tool, names)
    dump.write(folder)
    said = start(folder)
    assert '"Tour Started": onboarding_started' in flow(folder), flow(folder)
    assert '  - "Name Given"' in flow(folder) and '  - "Plan Chosen"' in flow(folder)
    found = overview(folder)
    for arm, counts in truth.items():
        assert found[arm] == counts, (arm, found, truth)
    assert "equal shares are assumed" in said


def test_who_saw_both_variants_is_no_reason_to_draft_nothing(folder):
    dump, truth = exposed("segment", ["copy"], turned=0.08)
    dump.write(folder)
    start(folder)
    assert "\nexperiments:" in flow(folder)
    # The report names them: each counts for the variant that the flow says.
    assert sum(people for people, _ in overview(folder).values()) >= 300


def test_a_flag_that_is_called_on_one_system_is_no_experiment(folder):
    dump = Dump("posthog")
    for number in range(400):
        at = START + dump.draw.randrange(20 * DAY)
        system = dump.draw.choice(["iOS", "Android"])
        dump.send(f"p{number}", at, "$feature_flag_called",
                  **{"$feature_flag": "glass", "$feature_flag_response": system == "iOS", "$os": system})
        for name in ("Tour Started", "Tour Read", "Tour Finished"):
            at += dump.draw.randrange(5, 60)
            dump.send(f"p{number}", at, name, **{"$os": system})
            if dump.draw.random() < 0.2:
                break
    dump.write(folder)
    said = start(folder)
    assert "\nexperiments:" not in flow(folder)
    assert "whether 'glass' is an experiment: its shares differ between people with and without" in said


def flags(names, shares=(1, 1)):
    dump = Dump("posthog")
    for number in range(400):
        at = START + dump.draw.randrange(20 * DAY)
        own = {f"$feature/{name}": dump.draw.choices(arms, shares)[0] for name, arms in names.items()}
        for name in ("Tour Started", "Tour Read", "Tour Finished"):
            dump.send(f"p{number}", at, name, **own)
            at += dump.draw.randrange(5, 60)
            if dump.draw.random() < 0.2:
                break
    return dump.later(START + 30 * DAY)


def test_nobody_declared_a_split_that_is_assumed(folder):
    """Seven of ten people were meant to have the one variant."""
    flags({"copy": ["control", "test"]}, (7, 3)).write(folder)
    said = start(folder)
    assert "equal shares are assumed" in said
    assert "experiment" in next(line for line in flow(folder).splitlines() if line.startswith("guessed:"))
    assert "not the declared one" not in findings(folder)


def test_flags_that_are_not_drafted_are_named(folder):
    """A flag with a control comes before those that turn something on, wherever the alphabet has it."""
    names = {f"flag-{number:02}": [True, False] for number in range(14)} | {"onboarding-copy": ["control", "test"]}
    flags(names).write(folder)
    said = start(folder)
    assert '"onboarding-copy":  #' in flow(folder)
    left = [name for name in names if f'\n  "{name}":  #' not in flow(folder)]
    assert len(left) == 3
    assert f"whether {', '.join(repr(name) for name in left)} are experiments, too" in said


def test_a_flag_beside_an_experiment_hides_nothing(folder):
    """Events name a flag that is turned on step by step; another event exposes people to an experiment."""
    dump, truth = exposed("mixpanel", ["copy"])
    last = max(event[0] for event in dump.events[:-20])
    dump.events = [
        (at, person, name, properties | {"experiments": {
            "editor": "on" if dump.draw.random() < (at - START) / (last - START) else "off"}} if name != "Song Played" else properties)
        for at, person, name, properties in dump.events]
    dump.write(folder)
    said = start(folder)
    assert all(overview(folder)[arm] == counts for arm, counts in truth.items()), overview(folder)
    assert "whether 'editor' is an experiment" in said


def test_a_second_property_that_may_be_an_experiment_is_named(folder):
    dump = Dump("mixpanel")
    for number in range(300):
        at = START + dump.draw.randrange(20 * DAY)
        own = {name: dump.draw.choice(["0", "1"]) for name in ("firebase_exp_7", "firebase_exp_8")}
        for name in ("Tour Started", "Tour Read", "Tour Finished"):
            dump.send(f"p{number}", at, name, **own)
            at += dump.draw.randrange(5, 60)
    dump.later(START + 30 * DAY).write(folder)
    said = start(folder)
    drafted = "7" if "firebase_exp_7:  #" in flow(folder) else "8"
    other = "8" if drafted == "7" else "7"
    assert f"whether 'firebase_exp_{other}' is an experiment, too" in said


def test_a_guessed_split_is_not_tested(folder):
    """flow-file.md: with `guessed: [experiment]` shares are unknown; without the line they are declared."""
    flags({"copy": ["control", "test"]}, (7, 3)).write(folder)
    start(folder)
    text = flow(folder)
    (folder / "sure.yaml").write_text("".join(
        line for line in text.splitlines(keepends=True) if not line.startswith("guessed:")))
    firstmile("report", "dump.ndjson", "--flow", "sure.yaml", "--out", "sure", "--quiet", cwd=folder, expect=(0, 4))
    assert "not the declared one" in (folder / "sure/report.md").read_text()
