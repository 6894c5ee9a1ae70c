"""A rate that rises or falls from week to week is a finding; without any the page says that too."""

import json
import random
import re

from harness import firstmile

FLOW = "flow: tour\nwindow: 24h\nsteps: [welcome, goals]\nretention: []\n"
MONDAY = 1_767_571_200  # 2026-01-05
WEEK = 7 * 86_400


def report(folder, rates, people=120, seed=5):
    draw = random.Random(seed)
    events = []

    def send(person, at, name, **properties):
        events.append({"event": name, "user_id": person, "timestamp": at, "properties": properties})

    for week, rate in enumerate(rates):
        for number in range(people):
            person, at = f"w{week}p{number}", MONDAY + WEEK * week + draw.randrange(WEEK)
            send(person, at, "onboarding_started")
            send(person, at + 1, "onboarding_page_viewed", page_name="welcome")
            if draw.random() < rate:
                send(person, at + 9, "onboarding_page_viewed", page_name="goals")
                send(person, at + 20, "onboarding_completed")
    folder.mkdir()
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "dump.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--out", "out", "--as-of",
              "2026-06-30", "--quiet", cwd=folder)
    page = (folder / "out/report.html").read_text().replace("\u00a0", " ").replace("\u2060", "")
    return (folder / "out/report.md").read_text().replace("\u00a0", " "), page


def test_a_rate_that_falls_for_weeks_is_a_finding(folder):
    text, page = report(folder / "falls", [0.8 - 0.02 * week for week in range(13)])
    assert "🔻 Completion falls, from 7" in text and "over 13 weeks" in text, text
    assert 'href="#trends/completion_rate/all"' in page
    text, page = report(folder / "rises", [0.5 + 0.03 * week for week in range(8)])
    assert "✅ Completion rises, from 5" in text and "over 8 weeks" in text, text


def test_a_steady_rate_and_one_that_only_scatters_are_none(folder):
    # The second rates scatter by far more than chance lets 400 people; a test that leaves this out
    # calls it a trend (p = 0.003).
    for name, rates in (("steady", [0.6] * 13), ("scattered", [0.5, 0.7, 0.62, 0.45, 0.7, 0.66, 0.5,
                                                               0.75, 0.6, 0.7, 0.52, 0.72, 0.65])):
        text, page = report(folder / name, rates, people=400)
        assert "Completion falls" not in text and "Completion rises" not in text, text
        assert "Nothing rises or falls steadily over time." in page


def test_few_weeks_show_no_trend(folder):
    text, page = report(folder / "short", [0.9, 0.7, 0.5, 0.3, 0.1])
    assert "Completion falls" not in text
    assert "Too few whole cohorts to say whether anything rises or falls." in page


def test_a_trend_between_rates_that_round_alike_has_decimals(folder):
    # It read "from 1 % to 1 %".
    text, _ = report(folder / "small", [0.0145 - 0.0009 * week for week in range(10)], people=2500, seed=3)
    found = re.search(r"Completion falls, from (\S+) % to (\S+) % over 10 weeks", text)
    assert found and found[1] != found[2] and float(found[1]) > float(found[2]), text
