"""People of more kinds than are kept: what is compared is a sample of kinds, and never unlike people."""

import csv
import io
import json
import random

import pytest

from harness import firstmile
from partitioned import report_of_parts

DAY = 86_400
START = 1_772_409_600  # 2026-03-02, a Monday
FLOW = """flow: app
skip: ends
steps: [welcome]
dimensions: [app_version, os, country, device]
retention: [{days: [1]}]
"""


def write(path, people):
    """The country decides who finishes and who is back. Finishing does nothing, nor does 1.1, which comes in the last
    two weeks and mostly to countries that finish less."""
    draw = random.Random(8)
    kinds = set()
    with path.open("w") as dump:
        for number in range(people):
            day = number * 28 // people
            new = day >= 14 and draw.random() < 0.5
            good = draw.random() < (0.2 if new else 0.6)
            country = draw.randrange(6) + (0 if good else 6)
            kind = (draw.randrange(2), country, draw.randrange(150), day // 7, new)
            finishes, returns = draw.random() < (0.8 if good else 0.3), draw.random() < (0.45 if good else 0.15)
            kinds.add((*kind, finishes))
            at = START + day * DAY + draw.randrange(80_000)
            rest = (f'"user_id":"p{number}","context":{{"app_version":"1.{int(new)}","os":"o{kind[0]}","country":"c{country}",'
                    f'"device":"d{kind[2]}"}}}}\n')
            end = "completed" if finishes else "skipped"
            dump.write(f'{{"event":"onboarding_started","timestamp":{at},{rest}')
            dump.write(f'{{"event":"onboarding_page_viewed","properties":{{"page_name":"welcome"}},"timestamp":{at + 1},{rest}')
            dump.write(f'{{"event":"onboarding_{end}","timestamp":{at + 30},{rest}')
            if returns:
                dump.write(f'{{"event":"app_opened","timestamp":{at + DAY + 3600},{rest}')
    return len(kinds)


@pytest.mark.parametrize("people", [2_000, 40_000])
def test_nobody_is_compared_with_people_of_other_kinds(folder, people):
    (folder / "flow.yaml").write_text(FLOW)
    kinds = write(folder / "dump.ndjson", people)
    # Rows are kept of 16,384 at most.
    assert (kinds > 20_000) == (people == 40_000)
    firstmile("report", folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--as-of", "2026-04-01",
              "--out", folder / "out", "--quiet", expect=(0, 1, 3, 4))
    rows = csv.DictReader(io.StringIO((folder / "out/experiments.csv").read_text()))
    lifts = {row["basis"]: row for row in rows if row["version"] == "all" and row["basis"].startswith("observational")}
    (raw, stratified), = [(lifts[name], lifts[other]) for name in lifts for other in lifts
                          if "stratified" in other and "stratified" not in name]
    assert float(raw["lift"]) > 0.4
    assert float(stratified["lift_ci_low"]) < 0 < float(stratified["lift_ci_high"]), stratified
    text = (folder / "out/report.md").read_text()
    assert "look at the release before anything else" not in text, text
    if people == 40_000:
        assert "but not among people of the same" in text, text
    # Which rows are kept depends on nothing but what they are.
    for threads in (1, 3):
        firstmile("report", folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--as-of", "2026-04-01", "--threads", threads,
                  "--out", folder / f"{threads}", "--quiet", expect=(0, 1, 3, 4))
    for name in ("metrics.csv", "experiments.csv", "report.md"):
        assert (folder / "1" / name).read_bytes() == (folder / "3" / name).read_bytes() == (folder / "out" / name).read_bytes()
    parts = report_of_parts([[folder / "dump.ndjson"]], 3, folder, folder / "flow.yaml", as_of=["--as-of", "2026-04-01"],
                            expect=(0, 1, 3, 4))
    strata = [json.loads((place / "metrics.json").read_text())["metrics"]["strata"] for place in (folder / "1", folder / "3", parts)]
    assert strata[0] == strata[1] == strata[2]


def test_who_says_no_version_is_of_the_kind_of_those_with_the_newest(folder):
    """Kinds are counted once, at once and in parts, however their people say what they are."""
    flow = FLOW + 'version: "2"\n'
    (folder / "flow.yaml").write_text(flow)
    draw = random.Random(4)
    with (folder / "dump.ndjson").open("w") as dump:
        for number in range(24_000):
            kind = draw.randrange(9_000)
            at = START + draw.randrange(7) * DAY + draw.randrange(80_000)
            version = draw.choice([{}, {"flow_version": "2"}])
            for place, event in enumerate(["onboarding_started", "app_opened"]):
                dump.write(json.dumps({
                    "event": event, "user_id": f"p{number}", "timestamp": at + place, **version,
                    "context": {"os": f"o{kind % 95}", "country": f"c{kind // 95}", "device": f"d{draw.randrange(2)}"}}) + "\n")
    as_of = ["--as-of", "2026-04-01"]
    firstmile("report", folder / "dump.ndjson", "--flow", folder / "flow.yaml", *as_of, "--threads", 1, "--out", folder / "out", "--quiet",
              expect=(0, 1, 3, 4))
    parts = report_of_parts([[folder / "dump.ndjson"]], 4, folder, folder / "flow.yaml", as_of=as_of, expect=(0, 1, 3, 4))
    whole, parted = (json.loads((place / "metrics.json").read_text())["metrics"]["strata"] for place in (folder / "out", parts))
    assert whole == parted
