"""`firstmile report --cards`: findings as pictures."""

import hashlib
import json
import re
import xml.etree.ElementTree as ElementTree

import pytest
from browser import SCHEMES, chromium
from harness import APPS, ROOT, firstmile, report, sample_files

SVG = "{http://www.w3.org/2000/svg}"

# Titles that try to be markup, to run out of the card, or to be wider than they look.
HOSTILE = """flow: hostile
title: '</text></svg><script>window.owned=1</script> {long} & "quoted"'
steps:
  - {{id: one, title: '<img src=x onerror=window.owned=1> {long}'}}
  - {{id: two, title: '{wide}'}}
  - {{id: three, title: 'שלום עולם مرحبا بالعالم ﷽﷽﷽ สวัสดีชาวโลก', asks: notifications}}
  - {{id: four, title: '👩‍👩‍👧‍👦🇩🇪🏳️‍🌈 漢字仮名交じり文漢字仮名交じり文漢字仮名交じり文 ﷽ 𒐫𒐫𒐫'}}
permissions: [notifications]
experiments:
  copy: {{control: "a & <b>", split: {{"a & <b>": 50%, "{wide}": 50%}}}}
retention: [{{days: [1, 3, 7]}}]
dimensions: [os]
"""


def written(folder, name):
    return (folder / name).read_text(encoding="utf-8")


def cards(folder):
    return sorted(folder.glob("card*.svg"))


def words(card):
    """What stands on a card, line breaks taken out."""
    root = ElementTree.fromstring(card.read_bytes())
    texts = [element.text or "" for element in root.iter(f"{SVG}text")]
    return re.sub(r"\s+", " ", " ".join(texts).replace("\u00a0", " ").replace("\u202f", ","))


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A report with cards of each sample, and of a flow whose names are hostile."""
    folder = tmp_path_factory.mktemp("cards")
    for app in APPS:
        report([ROOT / "sample-events" / app], folder / app, "--cards", flow=app, expect=(0, 4))
    flow = folder / "hostile.yaml"
    flow.write_text(HOSTILE.format(long="W" * 300, wide="MW" * 40), encoding="utf-8")
    firstmile("simulate", "--flow", flow, "--persons", 500, "--seed", 3, "--out", folder / "dump",
              "--quiet")
    report([folder / "dump"], folder / "hostile", "--cards", flow=flow)
    return folder


def test_each_finding_has_a_card_with_what_it_says(made):
    for app in APPS:
        folder = made / app
        metrics = json.loads(written(folder, "metrics.json"))
        numbers = hashlib.sha256((folder / "metrics.csv").read_bytes()).hexdigest()[:12]
        findings = re.findall(r"^(\d)\. (.*)$", written(folder, "report.md"), re.M)
        assert len(findings) >= 3
        assert {card.name for card in cards(folder)} == (
            {"card.svg"} | {f"card-{rank}.svg" for rank, _ in findings}), app
        for rank, finding in findings:
            card = folder / f"card-{rank}.svg"
            said = words(card)
            assert f"Finding {rank} of {len(findings)}" in said, said
            # Markdown escapes; letters and digits are enough to compare.
            wanted = re.sub(r"[^\w]", "", re.sub(r"&lt;|&amp;", "", finding))[:120]
            assert wanted in re.sub(r"[^\w]", "", said), (app, rank, finding, said)
        for card in cards(folder):
            said = words(card)
            assert metrics["fingerprint"][:12] in said, said
            assert f"data {numbers}" in said, said
            assert re.search(r"people started \d+ \w+", said) and "data complete until" in said, said
            assert metrics["flow"]["title"] in said, said


def test_charts_stand_where_there_are_numbers(made):
    said = words(made / "aiq/card.svg")
    assert "Finished 71.2 % (269 of 378)" in said, said
    assert any("notifications" in words(card).lower() and "Everyone" in words(card)
               for card in cards(made / "memoss") + cards(made / "dequeue")), "no permission drawn"
    drawn = [card for app in APPS for card in cards(made / app)
             if len(ElementTree.fromstring(card.read_bytes()).findall(f"{SVG}rect")) > 6]
    assert len(drawn) >= 15, [str(card) for card in drawn]


def test_cards_need_nothing_else(made):
    for card in made.glob("*/card*.svg"):
        text = card.read_text(encoding="utf-8")
        root = ElementTree.fromstring(text)
        names = {element.tag.removeprefix(SVG) for element in root.iter()}
        assert names <= {"svg", "title", "desc", "style", "rect", "text"}, (card, names)
        outside = re.findall(r"(?:href|url\(|@import|\bon\w+\s*=)", re.sub(r"&[#\w]+;", "", text))
        assert made / "hostile" == card.parent or not outside, (card, outside)
        assert len(text) < 20_000, f"{card}: {len(text)} bytes"


def test_markdown_shows_the_cards_where_they_are_written(made, folder):
    text = written(made / "aiq", "report.md")
    shown = re.findall(r"!\[[^\n]+\]\((\S+)\)", text)
    assert shown == [card.name for card in cards(made / "aiq")][-1:] + [
        card.name for card in cards(made / "aiq")][:-1], shown
    assert "card.svg" in written(made / "aiq", "README.txt")
    report(sample_files(), folder / "out")
    assert "card" not in written(folder / "out", "report.md")
    assert not cards(folder / "out")


def test_no_card_of_an_earlier_report_is_left(folder):
    report(sample_files(), folder / "out", "--cards")
    first = {card.name: card.read_bytes() for card in cards(folder / "out")}
    (folder / "out/card-7.svg").write_text("of last week")
    report(sample_files(), folder / "out", "--cards", "--threads", 1)
    assert {card.name: card.read_bytes() for card in cards(folder / "out")} == first


def test_cards_need_a_folder():
    said = firstmile("report", *sample_files(), "--flow", "aiq", "--cards", expect=2).stderr
    assert b"--cards needs --out" in said, said


TEXTS = """() => {
  const box = document.documentElement.getBoundingClientRect();
  const texts = [...document.querySelectorAll('text')].map(text => {
    const own = text.getBoundingClientRect();
    return {text: text.textContent.slice(0, 60), left: own.left - box.left,
            right: box.right - own.right, top: own.top - box.top, bottom: box.bottom - own.bottom,
            x: own.left, y: own.top + own.height * 0.25, r: own.right,
            b: own.bottom - own.height * 0.25, fill: getComputedStyle(text).fill};
  });
  const over = [];
  for (const one of texts) for (const other of texts)
    if (one !== other && Math.min(one.r, other.r) - Math.max(one.x, other.x) > 1
        && Math.min(one.b, other.b) - Math.max(one.y, other.y) > 1)
      over.push(one.text + ' | ' + other.text);
  const bars = [...document.querySelectorAll('rect')].map(r => r.getBoundingClientRect());
  const outside = bars.filter(r => r.left < box.left - 1 || r.right > box.right + 1
                                || r.top < box.top - 1 || r.bottom > box.bottom + 1).length;
  const paper = getComputedStyle(document.querySelector('rect')).fill;
  return {texts, over, outside, paper, owned: window.owned === undefined};
}"""


def light(colour):
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
             for part in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one, other):
    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_text_stays_on_its_card_in_a_browser(made):
    with chromium() as browser:
        papers = set()
        for scheme in SCHEMES:
            context = browser.new_context(color_scheme=scheme)
            page = context.new_page()
            asked = []
            page.on("request", lambda request: asked.append(request.url))
            for card in sorted(made.glob("*/card*.svg")):
                page.goto(card.as_uri())
                found = page.evaluate(TEXTS)
                where = f"{card.parent.name}/{card.name}, {scheme}"
                assert found["owned"] and not found["outside"], where
                assert len(found["texts"]) >= 5, where
                for text in found["texts"]:
                    assert text["left"] >= 24 and text["right"] >= 24, (where, text)
                    assert text["top"] >= 10 and text["bottom"] >= 10, (where, text)
                    ratio = contrast(text["fill"], found["paper"])
                    assert ratio >= 4.5, (where, text, ratio)
                assert not found["over"], (where, found["over"][:3])
                papers.add((scheme, light(found["paper"]) > 0.5))
            assert all(url.startswith("file:") for url in asked), asked
            context.close()
        assert papers == {("light", True), ("dark", False)}, papers
