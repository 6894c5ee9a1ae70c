"""Reports that know people for unlike times before they began are not compared."""
import json
import random
import re

import pytest
from harness import firstmile

DAY = 86_400
JANUARY = 1_767_225_600
MARCH = JANUARY + 59 * DAY

FLOW = "flow: app\nsteps: [welcome, done]\n"


def line(event, time, user):
    return json.dumps({"event": event, "timestamp": time, "user_id": user})


@pytest.fixture
def dumps(folder):
    """500 new people in March, of whom half finish; 300 who used the app in January, who all do."""
    january = [line("app_opened", JANUARY, f"other-{number}") for number in range(3)]
    march = []
    for person in range(800):
        start = MARCH + person * 600
        user = f"u{person}"
        if person < 300:
            january.append(line("app_opened", start - 45 * DAY, user))
        finishes = person < 300 or person % 2 == 0
        march.append(line("onboarding_started", start, user))
        march.append(line("onboarding_completed" if finishes else "app_opened", start + 60, user))
    for name, lines in (("january", january), ("march", march)):
        (folder / f"{name}.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "app.yaml").write_text(FLOW)
    return folder


def report(dumps, name, *options):
    out = dumps / name
    months = ["march"] if "march" in name else ["january", "march"]
    firstmile("report", *[dumps / f"{month}.ndjson" for month in months], "--flow",
              dumps / "app.yaml", "--out", out, "--quiet", "--from", "2026-03-01", "--as-of",
              "2026-03-31", *options)
    return json.loads((out / "metrics.json").read_text())


def completion(metrics):
    return next(row for row in metrics["metrics"]["rows"] if row["metric"] == "completion_rate"
                and "breakdown" not in row and "cohort" not in row)


def test_unlike_look_backs_are_told_and_not_compared(dumps):
    march = report(dumps, "march")
    both = report(dumps, "both")
    assert (completion(march)["numerator"], completion(march)["denominator"]) == (550, 800)
    assert (completion(both)["numerator"], completion(both)["denominator"]) == (250, 500)
    assert march["fingerprint"] == both["fingerprint"]
    assert (march["look_back_days"], both["look_back_days"]) == (0, 61)
    for name, words in (("both", "begin 61 days before the first start"), ("march", "no data from before 1 Mar")):
        for file in ("report.md", "report.html"):
            text = (dumps / name / file).read_text()
            assert words in text and "0 days before" not in text, (name, file)
    (note,) = [line for line in (dumps / "march/quality.csv").read_text().splitlines()
               if line.startswith("look_back_days")]
    assert "The data begins with the first start" in note, note
    told = firstmile("compare", dumps / "both", dumps / "march").stdout.decode()
    assert ("The look-backs differ: before, the data begin 61 days before the first start; after, they begin "
            "with the first start.") in " ".join(told.split()), told
    assert "p <" not in told and "0.000" not in told, told


def test_history_from_makes_them_alike(dumps):
    march = report(dumps, "march")
    both = report(dumps, "both", "--history-from", "2026-03-01")
    assert completion(march) == completion(both)
    assert both["look_back_days"] == 0
    assert both["options"]["history_from"] == "2026-03-01"
    told = firstmile("compare", dumps / "both", dumps / "march").stdout.decode()
    assert "look-backs differ" not in told, told


def test_the_clock_of_one_phone_begins_no_data(dumps):
    """Ten months before anybody else: within a year, so that it belongs to the data; nobody is known by it."""
    plain = report(dumps, "both")
    with (dumps / "january.ndjson").open("a") as january:
        january.write(line("app_opened", JANUARY - 300 * DAY, "late") + "\n")
    late = report(dumps, "both-late")
    assert late["look_back_days"] == plain["look_back_days"] == 61
    assert completion(late) == completion(plain)
    said = firstmile("compare", dumps / "both", dumps / "both-late").stdout.decode()
    assert "look-backs differ" not in said, said


def test_a_baseline_of_another_look_back_is_invalid(dumps):
    gate = dumps / "gate.yaml"
    gate.write_text("period: everyone\nrules:\n  - {metric: completion_rate, not_worse_by: 2%}\n")
    options = ["--flow", dumps / "app.yaml", "--gate", gate, "--from", "2026-03-01", "--as-of",
               "2026-03-31", "--today", "2026-03-31"]
    whole = [dumps / "january.ndjson", dumps / "march.ndjson"]
    baseline = dumps / "baseline.json"
    firstmile("check", dumps / "march.ndjson", *options, "--baseline", baseline, "--accept")
    assert json.loads(baseline.read_text())["look_back_days"] == 0
    refused = firstmile("check", *whole, *options, "--baseline", baseline, expect=4)
    told = " ".join(refused.stdout.decode().split())
    assert ("the data of this run begin 61 days before the first start, those of the baseline begin "
            "with the first start") in told, told
    firstmile("check", *whole, *options, "--baseline", baseline, "--history-from", "2026-03-01",
              expect=0)


def test_history_from_after_from_is_a_mistake(dumps):
    refused = firstmile("report", dumps / "march.ndjson", "--flow", dumps / "app.yaml", "--from",
                        "2026-03-01", "--history-from", "2026-03-02", expect=2)
    assert b"--history-from must not lie after --from" in refused.stderr, refused.stderr


def months(name, folder, launched, seed=5):
    """100 people start on each day of January and February, of whom 65 % finish; one in seven starts once more some weeks later,
    of whom 40 % do. Whether the app has had users since October, or since the first day of the data, differs."""
    draw = random.Random(seed)
    end = JANUARY + 62 * DAY
    lines, new = [], {0: [0, 0], 1: [0, 0]}
    for day in range(0 if launched else -90, 59):
        for person in range(100):
            user, start = f"u{day}-{person}", JANUARY + day * DAY + draw.randrange(DAY)
            events = []

            def begins(at, share):
                finishes = draw.random() < share
                events.append((at, "onboarding_started"))
                if finishes:
                    events.append((at + 60, "onboarding_completed"))
                return finishes

            finishes = begins(start, .65)
            if day >= 0:
                new[day >= 31][0] += finishes
                new[day >= 31][1] += 1
            events += [(start + DAY * age + 600, "app_opened") for age in range(1, 90) if draw.random() < .06]
            if draw.random() < .15:
                begins(start + draw.randrange(3 * DAY, 60 * DAY), .4)
            lines += [line(event, at, user) for at, event in events if JANUARY <= at < end]
    (folder / f"{name}.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "app.yaml").write_text(FLOW)
    return new


PERIODS = {"jan": ["--from", "2026-01-01", "--to", "2026-02-01"], "feb": ["--from", "2026-02-01", "--to", "2026-03-01"]}


def period(folder, name, month, *options):
    firstmile("report", folder / f"{name}.ndjson", "--flow", folder / "app.yaml", *PERIODS[month], *options,
              "--out", folder / f"{name}-{month}", "--quiet")
    metrics = json.loads((folder / f"{name}-{month}/metrics.json").read_text())
    return metrics, completion(metrics)


def compared(folder, name):
    said = firstmile("compare", folder / f"{name}-jan", folder / f"{name}-feb").stdout.decode()
    return " ".join(said.split())


def test_periods_of_data_that_go_back_to_the_first_users_are_compared(folder):
    new = months("launch", folder, launched=True)
    found = [period(folder, "launch", month) for month in PERIODS]
    for (metrics, row), (finished, started) in zip(found, new.values()):
        assert metrics["knows_everyone"] is True
        # Some who start once more after a month without finishing before count in both.
        assert started <= row["denominator"] <= started * 1.03, row
        assert abs(row["numerator"] / row["denominator"] - finished / started) < 0.01, row
    said = compared(folder, "launch")
    assert "Completion did not change beyond chance" in said, said
    assert "look-backs" not in said and "same inputs" not in said, said
    page = (folder / "launch-jan/report.md").read_text()
    assert "data go back to the first users" in page, page
    firstmile("report", folder / "launch.ndjson", "--flow", folder / "app.yaml", *PERIODS["feb"], "--against", "previous",
              "--out", folder / "previous", "--quiet")
    text = (folder / "previous/report.md").read_text()
    assert "counted as if the data began" not in text, text


def test_periods_of_an_older_app_are_not_and_the_advice_is_right(folder):
    months("old", folder, launched=False)
    before = period(folder, "old", "jan")[1]
    assert period(folder, "old", "feb")[0]["knows_everyone"] is False
    said = compared(folder, "old")
    assert "No change could be tested" in said, said
    assert "make the report after the change once more with --history-from 2026-02-01:" in said, said
    after = period(folder, "old", "feb", "--history-from", "2026-02-01")[1]
    assert "Completion did not change beyond chance" in compared(folder, "old")
    rates = [row["numerator"] / row["denominator"] for row in (before, after)]
    assert abs(rates[0] - rates[1]) < 0.02, rates


def test_a_gate_holds_february_against_january(folder):
    started = months("launch", folder, launched=True)[1][1]
    gate = folder / "gate.yaml"
    gate.write_text("rules:\n  - {metric: completion_rate, not_worse_by: 1%}\n")
    options = [folder / "launch.ndjson", "--flow", folder / "app.yaml", "--gate", gate, "--baseline", folder / "b.json"]
    firstmile("check", *options, "--as-of", "2026-02-01", "--today", "2026-02-01", "--period", "everyone", "--accept")
    said = firstmile("check", *options, "--as-of", "2026-03-02", "--today", "2026-03-02").stdout.decode()
    judged = int(re.search(r"/([0-9,]+)\)", said)[1].replace(",", ""))
    assert started <= judged <= started * 1.02, said


def test_a_baseline_that_knows_everyone_is_held_against_the_last_weeks_alone(folder):
    """Dumps of the last four weeks know people for less long than the app's first dump: they are counted as that one's
    people would be by its days, as ever."""
    months("launch", folder, launched=True)
    gate = folder / "gate.yaml"
    gate.write_text("rules:\n  - {metric: completion_rate, not_worse_by: 3%}\n")
    baseline = folder / "b.json"
    options = ["--flow", folder / "app.yaml", "--gate", gate, "--baseline", baseline]
    firstmile("check", folder / "launch.ndjson", *options, "--as-of", "2026-02-01", "--today", "2026-02-01",
              "--period", "everyone", "--accept")
    known = json.loads(baseline.read_text())
    assert (known["look_back_days"], known["knows_everyone"]) == (0, True)
    late = folder / "late.ndjson"
    late.write_text("".join(text for text in (folder / "launch.ndjson").read_text().splitlines(keepends=True)
                            if json.loads(text)["timestamp"] >= JANUARY + 34 * DAY))
    said = firstmile("check", late, *options, "--as-of", "2026-03-02", "--today", "2026-03-02",
                     "--period", "last 7 complete days", expect=0).stdout.decode()
    assert "passed" in said and "existing users are found" not in said, said
