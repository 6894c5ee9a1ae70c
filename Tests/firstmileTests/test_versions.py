"""Versions of the flow against each other, where days differ and the newer version has the later ones."""
import json
import random
import re

from harness import firstmile
from partitioned import report_of_parts

DAY = 86_400
MONDAY = 1_767_571_200  # 2026-01-05
FLOW = """flow: app
versions: {"1": [welcome, {id: plan}, done]}
version: "2"
steps: [welcome, done]
window: 24h
retention: []
goals: [{id: bought, event: bought, within: 2d}]
"""


def dump(folder, share, rates, goal=lambda day, version: .5, days=56, people=60):
    """People of version 2 by the share of them on a day; who finishes, and buys, by day and version."""
    draw = random.Random(11)
    lines = []
    for day in range(days):
        for person in range(people):
            version = "2" if draw.random() < share(day) else "1"
            start = MONDAY + day * DAY + draw.randrange(DAY)
            events = [("onboarding_started", ""), ("onboarding_page_viewed", "welcome")]
            events += [("onboarding_page_viewed", "plan")] * (version == "1")
            if draw.random() < rates(day, version):
                events += [("onboarding_page_viewed", "done"), ("onboarding_completed", "")]
            if draw.random() < goal(day, version):
                events.append(("bought", ""))
            lines += [json.dumps({
                "event": name, "timestamp": start + 10 * place, "user_id": f"u{day}-{person}", "flow_version": version,
                "properties": {"page_name": step} if step else {}}) for place, (name, step) in enumerate(events)]
    (folder / "dump.ndjson").write_text("\n".join(lines) + "\n")
    (folder / "app.yaml").write_text(FLOW)


def report(folder):
    said = firstmile("report", "dump.ndjson", "--flow", "app.yaml", "--out", "out", cwd=folder)
    texts = [(folder / "out" / name).read_text().replace("\u00a0", " ").replace("\u2060", "") for name in ("report.md", "report.html")]
    return [" ".join(said.stdout.decode().split()), *texts]


def late(day):
    """Version 2 for a tenth of the people, and from half of the time on for nearly all."""
    return .1 if day < 28 else .9


def test_a_version_that_came_with_worse_days_is_not_blamed_for_them(tmp_path):
    dump(tmp_path, late, lambda day, version: .8 if day < 28 else .55, lambda day, version: .6 if day < 28 else .35)
    for text in report(tmp_path):
        assert "people finish flow version 2 than version 1" not in text, text[:900]
        assert "with flow version 2" not in text, text[:3000]


def test_a_version_that_is_better_on_worse_days_is_not_passed_over(tmp_path):
    dump(tmp_path, late, lambda day, version: (.75 if day < 28 else .4) + .15 * (version == "2"))
    terminal, text, page = report(tmp_path)
    for said in (text, page):
        assert "with flow version 2 than with 1 among people of the same days" in said, text
        assert "people finish flow version 2 than version 1" not in said
    found = re.search(r"among people who started on the same days \+(\d+\.\d) points", text)
    assert 8 < float(found[1]) < 22, text


def test_a_version_that_is_worse_on_the_same_days_is_named_with_the_difference(tmp_path):
    # On all days fewer finish and buy by fifteen points.
    worse = lambda day, version: (.5 if day < 28 else .6) - .15 * (version == "2")
    dump(tmp_path, lambda day: .5, worse, worse, people=100)
    terminal, text, page = report(tmp_path)
    for said in (terminal, text, page):
        assert "Fewer people finish flow version 2 than version 1: " in said, said[:900]
        # Below the page's headline there is little room.
        among = "Among people who started on the same days −1" if said is terminal else "On the same days −1"
        assert among in said, said[:1500]
    assert "bought”" in text and "; among people who started on the same days −1" in text, text


def test_days_that_only_one_version_has_are_held_against_what_days_differ_by(tmp_path):
    days = [.45 + .3 * (day % 9 in (0, 1, 4, 5, 8)) for day in range(56)]
    # Nobody has both on one day, and days differ by more than the versions.
    dump(tmp_path, lambda day: float(day >= 49), lambda day, version: days[day] - .1 * (day >= 49),
         lambda day, version: days[day] - .1 * (day >= 49))
    for said in report(tmp_path):
        assert "people finish flow version 2 than version 1" not in said and "with flow version 2" not in said, said[:1500]


def test_parts_of_people_add_up_to_the_same_comparison(tmp_path):
    worse = lambda day, version: .6 - .15 * (version == "2")
    dump(tmp_path, lambda day: .5, worse, worse)
    parts = report_of_parts([[tmp_path / "dump.ndjson"]], 3, tmp_path, tmp_path / "app.yaml")
    differences = [re.findall(r"mong people who started on the same days −[^.]*\.[^.]*\.", text)
                   for text in (report(tmp_path)[1], (parts / "report.md").read_text())]
    assert differences[0] and differences[0] == differences[1], differences
