"""Reports that know people for unlike times before they began are not compared."""
import json

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
