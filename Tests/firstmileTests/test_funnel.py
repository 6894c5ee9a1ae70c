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
        assert told["start"]["finished"] == persons[-1], told
        assert told["end"]["entered"] == theirs["all"][0]["persons"], (tool, told)
        assert told["end"]["finished"] == theirs["all"][-1]["persons"], (tool, told)
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
    firstmile("report", *inputs, "--out", folder / "out", "--quiet", "--all-slices")
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
                              "A": [1, 1, 0], "B": [1, 0, 0]}, counts
        else:
            assert counts == {"all": [1, 1], "B": [1, 1]}, counts


def editions(folder, flow, people):
    """The differences of semantics 1 and 2 by metric; their parts must add up exactly.

    Each of the people is a list of (second, event, other fields).
    """
    (folder / "flow.yaml").write_text("flow: app\nwindow: 24h\n" + flow)
    lines = [json.dumps({"event": name, "user_id": f"u{person}", "timestamp": 1767571200 + second,
                         **fields})
             for person, events in enumerate(people) for second, name, fields in events]
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    asked = ["reconcile", folder / "dump.ndjson", "--flow", folder / "flow.yaml",
             "--semantics", "1", "--as-of", "2026-06-01"]
    told = json.loads(firstmile(*asked, "--json").stdout)
    for number in told["numbers"]:
        parts = [rule["difference"] for rule in number["rules"]]
        assert sum(parts) == number["difference"] == number["second"] - number["first"], number
        assert 0 not in parts, number
    text = firstmile(*asked).stdout
    assert text == firstmile(*asked, "--threads", "3").stdout
    sizes = [abs(number["difference"]) / (1e4 if number["unit"] == "basis_points" else len(people))
             for number in told["numbers"]]
    assert sizes == sorted(sizes, reverse=True), sizes
    assert len(told["numbers"]) <= 12
    by_metric = {(number["metric"], number["variant"]): number for number in told["numbers"]
                 if number["breakdown"] == "all"}
    return told, by_metric, text.decode()


def rules(number):
    return {rule["rule"]: rule["difference"] for rule in number["rules"]}


START = (0, "onboarding_started", {})


def skipping(person):
    """Of ten, three tap Skip and finish 50 s later, five finish, one skips and one leaves."""
    skip, finish = (10, "onboarding_skipped", {}), (60, "onboarding_completed", {})
    return [START] + ([skip, finish] if person % 10 < 3 else [finish] if person % 10 < 8 else
                      [skip] if person % 10 == 8 else [])


def test_editions_differ_by_the_rule_that_does_it(folder):
    told, numbers, text = editions(
        folder, "skip: ends\nsteps: [welcome, done]\n", list(map(skipping, range(1000))))
    assert told["rules"] == ["finishedAfterSkipping"], told
    completion, skipped = numbers["completion_rate", "all"], numbers["skip_rate", "all"]
    assert (completion["first"], completion["second"]) == (5000, 8000), completion
    assert (skipped["first"], skipped["second"]) == (4000, 1000), skipped
    assert rules(completion) == {"finishedAfterSkipping": 3000}
    assert "completion: 50.00 % -> 80.00 %, +30.00 points" in text, text
    assert "+30.00 points  finishing after a skip is an outcome of its own (5.4)" in text, text


def test_editions_that_agree_on_the_data(folder):
    told, numbers, text = editions(
        folder, "skip: ends\nsteps: [welcome, done]\n",
        [[START, (60, "onboarding_completed", {})] for _ in range(20)])
    assert not told["rules"] and not numbers and "make no difference" in text, (told, text)


def test_editions_differ_by_several_rules_at_once(folder):
    def person(number):
        # Android says denied at launch; one in ten opened a push before; one in five gets the
        # other variant an hour later.
        variants = ["A", "B"] if number % 2 else ["B", "A"]
        copy = [{"experiments": {"copy": variant}} for variant in variants]
        permission = {"permission": "push", "status": "denied"}
        events = [(0, "onboarding_started", copy[0]),
                  (1, "permission_result", {"properties": permission}),
                  (6, "permission_prompted", {"properties": {"permission": "push"}}),
                  (9, "permission_result",
                   {"properties": {"permission": "push", "status": "granted"}}),
                  *skipping(number)[1:]]
        if number % 10 == 4:
            events.append((-20 * 86400, "push_received", {}))
        if number // 10 % 5 == 0:
            events.append((3600, "app_opened", copy[1]))
        return events

    people = list(map(person, range(200)))
    flow = ("skip: ends\nsteps: [welcome, {id: push, asks: push}, done]\n"
            "not_activity: [push_received]\n"
            "experiments: {copy: {control: A, variants: [A, B]}}\n")
    several = ["variantsToWindowEnd", "existingByActivity", "promptedAnswerFirst",
               "finishedAfterSkipping", "firstVariantHolds"]
    told, numbers, text = editions(folder, flow, people)
    assert (told["method"], told["rules"]) == ("shapley", several), told
    assert rules(numbers["permission_opt_in", "all"]) == {"promptedAnswerFirst": 10000}, numbers
    assert rules(numbers["entered", "all"]) == {"existingByActivity": 20}, numbers
    # Who finished was watched for a shorter time; who counted as existing now counts here, too.
    contaminated = rules(numbers["contaminated", "all"])
    assert contaminated["variantsToWindowEnd"] > 20 > contaminated["existingByActivity"] > 0
    assert "'contaminated: first' then" in text and "Shapley" in text, text
    # A sixth rule is too many for all orders.
    for events in people:
        events[-1][2]["context"] = {"theme": "dark"}
    told, numbers, text = editions(folder, flow + "dimensions: [theme]\n", people)
    several.insert(3, "dimensionsAtEntry")
    assert (told["method"], told["rules"]) == ("successive", several), told
    assert rules(numbers["permission_opt_in", "all"]) == {"promptedAnswerFirst": 10000}, numbers
    assert "one after the other" in text, text


def test_editions_are_asked_for_a_flow_and_not_for_a_funnel(folder):
    for wrong, said in ((["--semantics", "2"], "found 2"), ([], "--and TOOL"),
                        (["--semantics", "1", "--and", "mixpanel"], "leave out"),
                        (["--semantics", "1", "--within", "7d"], "leave out"),
                        (["--and", "mixpanel"], "name either --steps or --funnel")):
        done = firstmile("reconcile", folder / "none", "--flow", SAMPLE, *wrong, expect=2)
        assert said in done.stderr.decode(), (wrong, done.stderr)


def test_who_enters_a_funnel_and_is_in_no_metric_is_counted_apart(folder):
    lines = []
    for number in range(50):
        def add(name, second):
            lines.append(json.dumps({"event": name, "user_id": f"u{number}",
                                     "timestamp": 1_767_571_200 + number * 60 + second}))
        add("first_open", 0)
        # One in five goes away before the onboarding begins.
        if number % 5:
            add("onboarding_started", 5)
        if number % 2:
            add("level", 30)
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "flow.yaml").write_text("flow: app\nwindow: 1h\nsteps: [welcome]\nskip: never\n")
    asked = ["funnel", "dump.ndjson", "--flow", "flow.yaml", "--as-of", "2026-02-01", "--steps",
             "first_open > onboarding_started > level"]
    said = firstmile(*asked, cwd=folder).stdout.decode()
    assert "all: 40 persons entered" in said and "10 more enter it and are in no metric" in said, said
    found = json.loads(firstmile(*asked, "--output", "json", cwd=folder).stdout)
    assert found["left_out"] == 10 and found["all"][0]["persons"] == 40
    everyone = firstmile(*asked, "--everyone", cwd=folder).stdout.decode()
    assert "all: 50 persons entered" in everyone and "more enter it" not in everyone
    # Whose first step is of other days is not left out of these.
    later = json.loads(firstmile(*asked, "--from", "2026-01-06", "--output", "json", cwd=folder).stdout)
    assert later["left_out"] == 0, later
