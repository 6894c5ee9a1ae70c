"""`firstmile check --when`: since which day a rate is worse, and what departs from the rest since then."""

import datetime
import json
import random

import pytest

from harness import ROOT, firstmile

FIRST = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
BASELINE_DAYS, DAYS = 21, 35
FLOW = "flow: app\nsteps: [welcome, plan]\nwindow: 24h\ndimensions: [os, app_version]\n"
GATE = ("baseline: baseline.json\ntargets: ignore\nperiod: last 7 complete days\n"
        "rules:\n  - {metric: completion_rate, not_worse_by: 1%}\n")


def date(number):
    return (FIRST + datetime.timedelta(days=number)).date().isoformat()


def world(folder, rate, people=150, seed=5):
    """Dumps of 35 days; `rate(day, os, version)` of those who begin, of whom some have the newer release."""
    numbers = random.Random(seed)
    (folder / "dumps").mkdir()
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "gate.yaml").write_text(GATE)
    lines = {day: [] for day in range(DAYS + 1)}
    for day in range(DAYS):
        effect = numbers.gauss(0, 0.01) - 0.04 * (day % 7 in (2, 3))
        for person in range(people):
            system = "iOS" if numbers.random() < 0.5 else "Android"
            version = "2.0" if day >= 28 and numbers.random() < 0.5 else "1.0"
            moment = FIRST + datetime.timedelta(days=day, seconds=numbers.randrange(80_000))
            base = {"user_id": f"{day}-{person}", "context": {"os": system, "app_version": version}}
            names = ["onboarding_started"]
            if numbers.random() < rate(day, system, version) + effect:
                names.append("onboarding_completed")
            for minutes, name in enumerate(names):
                when = moment + datetime.timedelta(minutes=5 * minutes)
                lines[day].append(json.dumps(
                    {"event": name, "timestamp": when.strftime("%Y-%m-%dT%H:%M:%SZ"), **base}))
    for day, found in lines.items():
        (folder / f"dumps/{date(day)}.ndjson").write_text("".join(line + "\n" for line in found))
    check = ("check", "dumps/", "--flow", "flow.yaml", "--gate", "gate.yaml")
    firstmile(*check, "--accept", "--period", f"{date(0)} to {date(BASELINE_DAYS - 1)}", cwd=folder)
    return (*check, "--as-of", date(DAYS))


@pytest.mark.parametrize("culprit", ["os=iOS", "app_version=2.0", None])
def test_the_day_and_the_culprit_of_a_drop(tmp_path, culprit):
    def rate(day, system, version):
        if day < 28:
            return 0.7
        if culprit == "os=iOS":
            return 0.7 - 0.4 * (system == "iOS")
        if culprit:
            return 0.7 - 0.4 * (version == "2.0")
        return 0.5

    check = world(tmp_path, rate)
    done = firstmile(*check, "--when", "--json-file", "check.json", "--summary", "summary.md", cwd=tmp_path,
                     expect=1)
    answer = json.loads((tmp_path / "check.json").read_text())
    broke = answer["checks"][0]["broke"]
    assert broke["earliest"] <= date(28) <= broke["latest"] and broke["level"] == 0.95, broke
    assert date(27) <= broke["day"] <= date(29) and -0.3 < broke["difference"] < -0.12, broke
    assert broke["since"] == {"first": broke["day"], "last": date(34)}, broke
    assert broke["before"]["first"] == date(BASELINE_DAYS), broke
    names = [part["name"] for part in broke["culprits"]]
    assert names == ([culprit] if culprit else []) and broke["alike_everywhere"] == (culprit is None), broke
    for text in (done.stdout.decode(), (tmp_path / "summary.md").read_text()):
        assert f"Broke on about {broke['day']}" in " ".join(text.split()), text
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.validate(answer, json.loads((ROOT / "docs/check.schema.json").read_text()))
    # Without the option nothing is said of days.
    plain = json.loads(firstmile(*check, "--json", cwd=tmp_path, expect=1).stdout)
    assert "broke" not in plain["checks"][0], plain


def test_when_needs_what_was_accepted_and_a_judgement(tmp_path):
    check = world(tmp_path, lambda day, system, version: 0.7, people=20)
    for more in (["--plan"], ["--accept"]):
        said = firstmile(*check, "--when", *more, cwd=tmp_path, expect=(2, 64)).stderr.decode()
        assert "--when goes with judging" in said, said
    said = firstmile(*check, "--when", "--history", 14, cwd=tmp_path, expect=2).stderr.decode()
    assert "--accepted" in said, said
    healthy = json.loads(firstmile(*check, "--when", "--json", cwd=tmp_path).stdout)
    assert "broke" not in healthy["checks"][0], healthy
