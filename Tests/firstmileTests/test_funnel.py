"""`firstmile funnel` and `firstmile reconcile`."""

import csv
import json
import re

from harness import SAMPLE, firstmile


def test_a_funnel_is_asked_at_the_command_line_and_reconciled(folder):
    question = ["sample-events/" + SAMPLE, "--flow", SAMPLE, "--within", "7d", "--steps",
                "onboarding_started > onboarding_page_viewed[page_name=privacy] > test_started"]
    own = json.loads(firstmile("funnel", *question, "--output", "json").stdout)
    persons = [step["persons"] for step in own["all"]]
    assert persons == sorted(persons, reverse=True) and persons[-1] > 0, persons
    days = [steps[0]["persons"] for steps in own["by_day"].values()]
    assert sum(days) == persons[0], (sum(days), persons)
    # Months of days are a page of weeks at a terminal.
    trend = firstmile("funnel", *question).stdout.decode().split("By start week", 1)[1]
    weeks = re.findall(r"^  (\d{4}-W\d\d)  .*?\((\d+)/(\d+)\)$", trend, re.MULTILINE)
    assert 20 < len(weeks) < len(days) and weeks == sorted(weeks), weeks
    assert sum(int(week[2]) for week in weeks) == persons[0], weeks
    assert sum(int(week[1]) for week in weeks) == persons[-1], weeks
    # Intervals are those that the flow asks for, and of a store's flows one is meant.
    (folder / "exact.yaml").write_text(
        firstmile("flow", "show", SAMPLE).stdout.decode()
        + "\nstatistics: {rate_interval: clopper_pearson}\n")
    question[2] = folder / "exact.yaml"
    exact = firstmile("funnel", *question, "--output", "csv").stdout.decode()
    question[2] = SAMPLE
    usual = firstmile("funnel", *question, "--output", "csv").stdout.decode()
    width = [[float(row["ci_high"]) - float(row["ci_low"]) for row in
              csv.DictReader(text.splitlines()) if row["day"] == "all"] for text in (exact, usual)]
    # Of all, as at the entry, the exact interval may be the narrower one.
    assert len(width[0]) == 3 and all(one > other for one, other in zip(*(w[1:] for w in width)))
    store = folder / "store.sqlite"
    firstmile("ingest", question[0], "--store", store, "--flow", SAMPLE, "--flow", "trendy",
              "--quiet")
    several = firstmile("funnel", "--store", store, *question[3:], expect=2).stderr.decode()
    assert "choose one with --flow" in several and "trendy" in several, several
    for tool in ["clickhouse", "posthog", "mixpanel", "amplitude", "ga4"]:
        theirs = json.loads(
            firstmile("funnel", *question, "--like", tool, "--output", "json").stdout)
        told = json.loads(firstmile("reconcile", *question, "--and", tool, "--json").stdout)
        last = (told["changes"] or [told["start"]])[-1]
        assert told["start"]["finished"] == persons[-1], told
        assert last["entered"] == theirs["all"][0]["persons"], (tool, told)
        assert last["finished"] == theirs["all"][-1]["persons"], (tool, told)
    wrong = firstmile("funnel", *question[:-1], "a > b[c", expect=2)
    assert b"column" in wrong.stderr, wrong.stderr
    slip = firstmile("funnel", *question[:-1],
                     "onboarding_startd > onboarding_page_viewed[page_nme=privacy]").stderr.decode()
    assert "did you mean 'onboarding_started'?" in slip and "did you mean 'page_name'?" in slip, slip


def event(person, minute, name, **fields):
    return json.dumps({"event": name, "user_id": person,
                       "timestamp": f"2026-01-05T{minute // 60:02}:{minute % 60:02}:00Z", **fields})


def steps_of_report(out, variant="all"):
    rows = csv.DictReader((out / "metrics.csv").read_text().splitlines())
    return [int(row["numerator"]) for row in rows
            if row["metric"] == "funnel_step" and row["variant"] == variant
            and row["version"] == row["cohort"] == row["breakdown"] == "all"]


def test_a_funnel_has_the_numbers_of_the_report(folder):
    (folder / "flow.yaml").write_text(
        "flow: small\nwindow: 2h\nsteps: [welcome, plan]\n"
        "experiments: {copy: {control: A, split: {A: 50%, B: 50%}}}\n"
        "funnels:\n  - {id: f, steps: [a, {event: b, optional: true}, c]}\n"
        "  - {id: twice, steps: [x, {event: x, where: {k: v}}]}\n")
    b = {"experiment": "copy", "variant": "B"}
    lines = []
    for person in ["one", "two", "three"]:
        lines.append(event(person, 0, "onboarding_started"))
    # Passes the optional step over; the variant comes long after the window.
    lines += [event("one", 1, "a"), event("one", 2, "c"), event("one", 600, "later", **b)]
    # Is seen with two variants, the first one before the funnel's entry.
    lines += [event("two", 1, "early", experiment="copy", variant="A"),
              event("two", 2, "a", **b), event("two", 3, "b")]
    # At one moment two facts, which are only told apart by what the other funnel looks at.
    lines += [event("three", 5, "a", **b), event("three", 5, "x"),
              event("three", 5, "x", properties={"k": "v"})]
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    inputs = [folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--as-of", "2026-01-20"]
    firstmile("report", *inputs, "--out", folder / "out", "--quiet")
    out = next(path.parent for path in (folder / "out").rglob("metrics.csv"))
    for number, funnel in enumerate(["f", "twice"]):
        asked = json.loads(firstmile("funnel", *inputs, "--funnel", funnel, "--breakdown", "copy",
                                     "--output", "json").stdout)
        counts = {value: [step["persons"] for step in steps]
                  for value, steps in {"all": asked["all"], **asked["by_value"]}.items()}
        for variant, found in counts.items():
            reported = steps_of_report(out, variant)
            reported = reported[:3] if number == 0 else reported[3:]
            assert found == reported, (funnel, variant, found, reported)
        if funnel == "f":
            assert counts == {"all": [3, 2, 1], "(unassigned)": [1, 1, 1],
                              "(contaminated)": [1, 1, 0], "B": [1, 0, 0]}, counts
        else:
            assert counts == {"all": [1, 1], "B": [1, 1]}, counts
