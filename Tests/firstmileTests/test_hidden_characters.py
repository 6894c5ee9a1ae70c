"""Names that would act on a screen instead of being shown get nowhere unescaped."""

import json
import re

import pytest

from harness import firstmile

# An override of direction, an isolate, a zero-width space, an escape sequence, a line separator.
HIDDEN = "\u202e\u2066\u200b\x1b[31m\u2028\x07"
# What may be in no text for people; line feeds are the texts' own.
UNSEEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069"
                    "\ufeff\ufff9-\ufffb]")
# Flow files may hold all but controls.
BIDI = "\u202e\u2066\u200b"


@pytest.fixture
def world(folder):
    name = f"odd{HIDDEN}"
    lines = []
    for number in range(60):
        for second, event, properties in (
                (0, "onboarding_started", {}),
                (1, "onboarding_page_viewed", {"page_name": f"pa{BIDI}ge", "page_number": 1}),
                (2, "onboarding_page_viewed", {"page_name": name, "page_number": 2}),
                (3, "permission_result", {"permission": f"cam{BIDI}", "status": name}),
                (4, f"goal{HIDDEN}", {}), (5, f"goal{BIDI}", {}),
                (9, "onboarding_completed", {"completion_method": "finished"}), (0, "late", {})):
            lines.append(json.dumps({
                "event": event, "user_id": f"u{HIDDEN}{number}", "flow": f"fl{BIDI}",
                "flow_version": name, "timestamp": f"2026-01-{'10' if event == 'late' else '05'}T10:00:{second:02}Z",
                "experiment": f"ex{BIDI}", "variant": f"B{BIDI}" if number % 2 else f"A{BIDI}",
                "properties": properties, "context": {"os": name, "locale": name}}))
    (folder / f"dump{BIDI}.ndjson").write_text("\n".join(lines + [HIDDEN]) + "\n")
    quoted = json.dumps
    (folder / "flow.yaml").write_text("\n".join([
        f"flow: {quoted(f'fl{BIDI}')}", f"title: {quoted(f'Title{BIDI}')}", "window: 24h",
        f"steps: [{quoted(f'pa{BIDI}ge')}, {quoted(f'never{BIDI}')}]",
        f"experiments: {{{quoted(f'ex{BIDI}')}: {{control: {quoted(f'A{BIDI}')}, "
        f"variants: [{quoted(f'A{BIDI}')}, {quoted(f'B{BIDI}')}]}}}}",
        f"permissions: [{quoted(f'cam{BIDI}')}]",
        f"goals: [{{id: {quoted(f'g{BIDI}')}, event: {quoted(f'goal{BIDI}')}}}]",
        "dimensions: [os, locale]", "retention: [{days: [1]}]", ""]))
    (folder / "gate.yaml").write_text(
        "rules:\n  - {metric: completion_rate, at_least: 50%}\n"
        "  - {metric: completion_rate, for_each: variant, at_least: 99%}\n")
    return folder


ANY = tuple(range(5))


def shown(world, *words):
    done = firstmile(*words, cwd=world, expect=ANY)
    return {"output": done.stdout.decode(), "errors": done.stderr.decode()}


def test_no_text_for_people_hides_anything(world):
    dump, flow = f"dump{BIDI}.ndjson", ("--flow", "flow.yaml")
    texts = {}
    for words in (
            ["report", dump, *flow, "--out", "out"], ["report", dump, *flow, "--flow", f"x{BIDI}"],
            ["report", dump, *flow, "--from", "2027-01-01"], ["report", f"no{BIDI}.ndjson", *flow],
            ["check", dump, *flow, "--gate", "gate.yaml", "--examples", "2", "--summary", "sum.md"],
            ["check", dump, *flow, "--gate", "gate.yaml", "--quiet", "--junit", "junit.xml"],
            ["check", dump, *flow, "--gate", "gate.yaml", "--quiet", "--annotations"],
            ["check", dump, *flow, "--gate", "gate.yaml", "--plan"],
            ["check", dump, *flow, "--gate", f"no{BIDI}"],
            ["validate", dump, *flow], ["explain", f"u{BIDI}", dump, *flow],
            ["explain", f"u{HIDDEN}7", dump, *flow],
            ["funnel", dump, *flow, "--steps", f"goal{BIDI} > x{BIDI}"],
            ["reconcile", dump, *flow, "--and", "mixpanel"], ["flow", "check", "flow.yaml"],
            ["flow", "check", f"x{BIDI}"], ["flow", "init", dump], ["flow", "show", f"x{BIDI}"],
            ["ingest", dump, *flow, "--store", f"s{BIDI}.sqlite"],
            ["store", "info", f"s{BIDI}.sqlite", "--sources"], ["store", "verify", f"s{BIDI}.sqlite"],
            ["report", "--store", f"s{BIDI}.sqlite"], ["store", "forget", f"s{BIDI}.sqlite", "u" + BIDI],
            ["store", "export", f"p{BIDI}.csv", "--store", f"s{BIDI}.sqlite"],
            ["compare", "out", "out"], ["compare", "out", f"no{BIDI}"], [f"re{BIDI}port"],
            ["report", f"--fl{BIDI}ow", "x"], ["simulate", "--flow", "flow.yaml", "--persons", "9",
                                               "--out", f"sim{BIDI}"]):
        for what, text in shown(world, *(word for word in words if "\x00" not in word)).items():
            texts[f"{' '.join(words)}: {what}"] = text
    for name in ("out/report.md", "out/report.html", "sum.md", "junit.xml"):
        # The page's own, which keeps a range on one line.
        texts[name] = (world / name).read_text().replace("–\u2060", "–")
    found = {what: sorted({f"{ord(sign):04x}" for sign in UNSEEN.findall(text)})
             for what, text in texts.items() if UNSEEN.search(text)}
    assert not found, json.dumps(found, indent=1)
    assert "goal" in texts["flow init dump" + BIDI + ".ndjson: output"]
