"""`firstmile timelines` and `explain --page`: people's timelines as pages."""

import csv
import html.parser
import json
import re
import stat

import pytest

from harness import ROOT, firstmile

MEMOSS = [*sorted(ROOT.glob("sample-events/memoss/*.gz")), "--flow", "memoss"]


class Page(html.parser.HTMLParser):
    """The texts of a page by the classes of the elements around them."""

    def __init__(self, text):
        super().__init__()
        self.open, self.parts = [], []
        self.feed(text)
        assert not self.open, f"not closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        if tag not in {"meta", "br"}:
            self.open.append((tag, dict(attributes).get("class") or ""))

    def handle_startendtag(self, tag, attributes):
        self.parts.append(([*self.open, (tag, dict(attributes).get("class") or "")], dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open and self.open.pop()[0] == tag, f"</{tag}>"

    def handle_data(self, data):
        if data.strip():
            self.parts.append((list(self.open), data.strip()))

    def texts(self, tag, name=""):
        return [part for around, part in self.parts if isinstance(part, str)
                and any(element == tag and (not name or name in classes.split())
                        for element, classes in around)]

    def shapes(self, name):
        return [part for around, part in self.parts if isinstance(part, dict)
                and name == around[-1][1]]


def write(path, events):
    """Events as (person, minutes, name, properties)."""
    path.write_text("".join(json.dumps({
        "event": name, "user_id": person, "timestamp": 1_770_000_000 + round(60 * minute),
        "properties": properties}) + "\n" for person, minute, name, properties in events))


def seconds(text):
    units = {"s": 1, "min": 60, "h": 3600, "d": 86_400}
    return sum(float(number) * units[unit] for number, unit in re.findall(r"([\d.]+) (\w+)", text))


def plain(text):
    return text.replace("\u00a0", " ").replace("\u202f", ",").replace("\u2060", "")


FLOW = "flow: small\nwindow: 24h\nsteps: [{id: welcome, title: Hello}, goals]\nretention: [{days: [1, 7]}]\n"


def test_a_page_draws_one_person_to_scale(folder):
    (folder / "flow.yaml").write_text(FLOW)
    day = 24 * 60
    write(folder / "dump.ndjson", [
        ("u", 0, "onboarding_started", {}),
        ("u", 1, "onboarding_page_viewed", {"page_name": "welcome"}),
        ("u", 3, "onboarding_page_viewed", {"page_name": "goals"}),
        ("u", 93, "onboarding_page_viewed", {"page_name": "goals"}),
        ("u", 100, "onboarding_completed", {}), ("u", 1.5 * day, "home_opened", {}),
        ("v", 40 * day, "home_opened", {})])
    firstmile("explain", "u", "dump.ndjson", "--flow", "flow.yaml", "--as-of", "2026-03-20",
              "--page", "u.html", cwd=folder)
    assert stat.S_IMODE((folder / "u.html").stat().st_mode) == 0o600
    text = (folder / "u.html").read_text()
    page = Page(text)
    assert "user_id" not in text and "http" not in text.replace("http-equiv", "")
    assert [plain(part) for part in page.texts("h1")] == [
        "Finished after 1 h 40 min, 1 h 30 min of it away"]
    # 3 of 100 minutes, 90 away, 7 of 100; and on the steps 2 + 7 minutes, the stay before the pause
    # unknown.
    drawn = [[float(shape[name].rstrip("%")) for name in ("x", "width")]
             for kind in ("there", "away") for shape in page.shapes(kind)]
    assert drawn[:2] == [[0, 3], [93, 7]] and [3, 90] in drawn, drawn
    lanes = [plain(part) for part in page.texts("div", "lane") if not part[0].isdigit() or "min" in part]
    assert lanes[:4] == ["Hello", "2 min", "goals", "7 min"], lanes
    assert len(page.shapes("last")) == 1, "the stay before the pause has no known end"
    returns = [plain(part) for part in page.texts("ul", "returns")]
    assert [part for part in returns if part in "✓✕"] == ["✓", "✕"], returns
    assert len(page.shapes("back")) == 1 and len(page.shapes("window")) == 1
    assert len(page.shapes("window missed")) == 1


@pytest.mark.parametrize("step", ["(entry)", "custom_snooze", "welcome"])
def test_sampled_timelines_are_those_of_the_people_who_left(folder, step):
    firstmile("report", *MEMOSS, "--out", folder / "out", "--people", folder / "people.csv", "--quiet")
    lost = [row for row in csv.DictReader((folder / "people.csv").open())
            if row["mature"] == "1" and row["outcome"] in {"abandoned", "skipped"}
            and (row["furthest_step"] or "(entry)") == step]
    expected = sorted(row["person"] for row in lost)[:20]
    assert len(expected) > 3, "too few for this test"
    said = firstmile("timelines", *MEMOSS, "--left-at", step, "--page", folder / "lost.html").stderr
    who = f"20 of {len(lost)}" if len(lost) > 20 else f"All {len(lost)}"
    assert f"{who} people who left".encode() in said, said
    text = (folder / "lost.html").read_text()
    page = Page(text)
    shown = page.texts("h2", "who")
    assert shown == expected
    # Each stay is drawn as long as `explain` counts it.
    for section in text.split('<section class="person">')[1:4]:
        person = re.search(r"#[0-9a-f]{32}", section)[0]
        said = firstmile("explain", person, *MEMOSS).stdout.decode()
        counted = re.findall(r"step \w+: viewed, (?:advanced|left here)(?:, went back)?(?:, declined)?"
                             r", ([^,\n]*\d[^,\n]*), (?:moved|never)", said)
        drawn = re.findall(r'<div class="lane"><b>.*?class="spent"><b>([^<]*)</b>', section)
        times = [plain(time) for time in drawn if time != "not known"]
        # Nothing is drawn of attempts with one moment alone: they have no stay that could be known.
        if drawn or counted:
            assert len(drawn) == said.count(": viewed, "), (person, drawn, said)
        assert len(times) == len(counted), (person, times, counted)
        for time, exact in zip(map(seconds, times), map(seconds, counted)):
            assert abs(time - exact) <= 0.5, (person, times, counted)
    firstmile("timelines", *MEMOSS, "--left-at", step, "--page", folder / "again.html")
    assert (folder / "again.html").read_text() == text
    all_of_them = firstmile("timelines", *MEMOSS, "--left-at", step, "--page", folder / "all.html",
                            "--sample", "200").stderr
    assert b"people who left" in all_of_them
    assert len(Page((folder / "all.html").read_text()).texts("h2", "who")) == min(200, len(lost))


def test_what_cannot_be_drawn_says_why(folder):
    page = folder / "page.html"
    said = firstmile("timelines", *MEMOSS, "--left-at", "wellcome", "--page", page, expect=2).stderr
    assert b"no step 'wellcome'; did you mean 'welcome'?" in said, said
    said = firstmile("timelines", *MEMOSS, "--left-at", "welcome", "--page", page, "--sample", "0",
                     expect=2).stderr
    assert b"from 1 to 200, found 0" in said, said
    said = firstmile("explain", "nobody", *MEMOSS, "--page", page, expect=2).stderr
    assert b"nobody with the id 'nobody'" in said, said
    said = firstmile("explain", "u", *MEMOSS, "--flow", "aiq", "--page", page, expect=2).stderr
    assert b"choose one with --flow" in said, said
    assert not page.exists()
    dump = folder / "dump.ndjson"
    write(dump, [("u", 0, "onboarding_started", {})])
    before = dump.read_bytes()
    firstmile("explain", "u", dump, "--flow", "aiq", "--page", dump, expect=2)
    assert dump.read_bytes() == before


def test_names_from_events_stay_text(folder):
    evil = "<script>alert(1)</script>\u202e"
    (folder / "flow.yaml").write_text(FLOW)
    write(folder / "dump.ndjson", [
        ("u", 0, "onboarding_started", {}), ("u", 1, evil, {}),
        ("u", 2, "onboarding_page_viewed", {"page_name": evil}), ("w", 9999, "home", {})])
    firstmile("explain", "u", "dump.ndjson", "--flow", "flow.yaml", "--page", "u.html", cwd=folder)
    text = (folder / "u.html").read_text()
    assert "<script" not in text and "\u202e" not in text and "&lt;script&gt;" in text
