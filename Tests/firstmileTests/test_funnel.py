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
