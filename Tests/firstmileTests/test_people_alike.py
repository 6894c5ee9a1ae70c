"""The lift among people who are alike says on how many of them it rests."""

import csv
import json

from harness import firstmile

DAY = 86_400
START = 1_772_409_600  # 2026-03-02, a Monday
FLOW = """flow: app
skip: ends
steps: [welcome]
dimensions: [country]
retention: [{days: [7]}]
window: 1h
"""


def test_only_groups_with_finishers_and_skippers_count(folder):
    # Country, how many finish and how many of them are back, how many skip and are back.
    groups = [("at", 30, 15, 20, 5), ("de", 12, 6, 10, 3), ("ch", 40, 20, 0, 0), ("li", 0, 0, 25, 5)]
    with (folder / "dump.ndjson").open("w") as dump:
        number = 0
        for country, finished, back, skipped, returned in groups:
            for end, people, later in (("completed", finished, back), ("skipped", skipped, returned)):
                for place in range(people):
                    number += 1
                    rest = {"user_id": f"p{number}", "context": {"country": country}}
                    at = START + number
                    events = [("onboarding_started", at), (f"onboarding_{end}", at + 30)]
                    events += [("opened", at + 7 * DAY)] if place < later else [("opened", at + 9 * DAY)]
                    for event, time in events:
                        dump.write(json.dumps({"event": event, "timestamp": time, **rest}) + "\n")
    (folder / "flow.yaml").write_text(FLOW)
    firstmile("report", folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--as-of", "2026-04-01", "--out", folder / "out",
              "--quiet", expect=(0, 4))
    with open(folder / "out/experiments.csv", newline="") as file:
        rows = {row["basis"]: row for row in csv.DictReader(file)
                if row["metric"] == "retention_d7" and row["version"] == "all"}
    names = ("numerator", "denominator", "with_numerator", "with_denominator")
    assert [rows["observational: people chose"][name] for name in names] == ["41", "82", "13", "55"]
    assert [rows["observational: people chose; stratified"][name] for name in names] == ["21", "42", "8", "30"]
