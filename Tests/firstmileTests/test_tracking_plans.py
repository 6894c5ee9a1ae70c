"""The tracking plans against simulated dumps of the samples' size, both ways.

Every event, property and value of a plan occurs in the dump, and nothing occurs that the plan does
not allow: pages by version and variant, skip buttons by page, values by enumeration.
"""

import collections
import gzip
import json
import re

import pytest

from harness import ROOT, firstmile

PLANS = sorted(path.stem for path in (ROOT / "docs/tracking-plans").glob("*.md"))
ONBOARDING = {"onboarding_started", "onboarding_page_viewed", "onboarding_step_skipped",
              "onboarding_skipped", "onboarding_completed", "permission_prompted",
              "permission_result"}


def codes(cell):
    """What stands between backticks in a cell."""
    return re.findall(r"`([^`]+)`", cell)


class Plan:
    """The tables of a tracking plan."""

    def __init__(self, app):
        self.app = app
        self.text = (ROOT / f"docs/tracking-plans/{app}.md").read_text()
        self.context = {row[0].strip("`").removeprefix("context."): codes(row[1])
                        for row in self.table("### Context")}
        self.lists = collections.OrderedDict()
        self.skips, self.items = set(), {}
        for name, page, skip, items in self.table("## Pages"):
            version, variant = self.list_key(name)
            self.lists.setdefault((version, variant), []).append(codes(page)[0])
            assert skip in ("yes", "no"), f"{app}: {page}: {skip}"
            if skip == "yes":
                self.skips.add(codes(page)[0])
            self.items[version, codes(page)[0]] = set(codes(items))
        self.events = collections.OrderedDict()
        for event, name, values, sent in self.table("## Events and properties"):
            rows = self.events.setdefault(tuple(codes(event)), {})
            if codes(name):
                assert sent in ("always", "sometimes"), f"{app}: {event} {name}: {sent}"
                # A row of one permission only is "status of location".
                rows[" of ".join(codes(name))] = (values, sent == "always")

    @staticmethod
    def list_key(name):
        variant = codes(name)
        version = name.split(",")[0].strip()
        return (None if version.startswith(("all", "`")) else version,
                variant[0] if variant else None)

    def table(self, heading):
        """The rows of the first table below a heading."""
        below = self.text.split(f"\n{heading}\n", 1)[1].split("\n|", 1)[1]
        lines = ("|" + below).split("\n\n", 1)[0].split("\n")
        return [[cell.strip() for cell in line.strip().strip("|").split("|")]
                for line in lines[2:] if line.startswith("|")]

    def pages(self, event):
        """The list of the event's version and variant."""
        version, variant = event.get("flow_version"), event.get("variant")
        if variant is None:
            variant = next(iter(event.get("experiments", {}).values()), None)
        versions = {key[0] for key in self.lists}
        version = version if version in versions else None
        pages = self.lists.get((version, variant)) or self.lists.get((version, None), [])
        return version, pages


class Comparison:
    """What a dump has that its plan does not allow, and what of the plan it has shown."""

    def __init__(self, plan):
        self.plan = plan
        self.seen = set()
        self.wrong = collections.Counter()

    def add(self, event):
        kind = (event["event"],)
        if event["event"] in ONBOARDING and event.get("flow") != self.plan.app:
            kind += (event.get("flow"),)
        if kind not in self.plan.events:
            self.wrong[f"event {' of '.join(map(str, kind))}"] += 1
            return
        self.seen.add(kind)
        rows = self.plan.events[kind]
        properties = event.get("properties", {})
        for name, value in properties.items():
            row = name if name in rows else f"{name} of {properties.get('permission')}"
            if row not in rows:
                self.wrong[f"{kind[0]}.{name}"] += 1
            else:
                self.add_value(kind, event, row, self.text(value), rows[row][0])
        for name, (_, is_always) in rows.items():
            if is_always and name not in properties:
                self.wrong[f"{kind[0]} without {name}"] += 1
        self.add_context(event)

    def add_value(self, kind, event, name, value, values):
        version, pages = self.plan.pages(event)
        number = re.search(r"number, from (\d) on", values)
        if values == "any page of the list":
            allowed, mark = value in pages, (version, value)
        elif number:
            place = int(value) - int(number[1])
            allowed = 0 <= place < len(pages) and (
                pages[place] == event["properties"].get("page_name", pages[place]))
            mark = (version, place)
        elif values == "a page with a skip button":
            page = value if value in pages else pages[int(value) - self.first()]
            allowed, mark = page in self.plan.skips, page
        elif values == "a page with items to leave out":
            allowed, mark = bool(self.plan.items.get((version, value))), (version, value)
        elif values == "an item of that page":
            page = event["properties"]["page_name"]
            allowed = value in self.plan.items.get((version, page), ())
            mark = (version, page, value)
        else:
            allowed, mark = values == "any" or value in codes(values), value
        if allowed:
            self.seen.add((kind, name, mark))
            self.seen.add((kind, name))
        else:
            self.wrong[f"{kind[0]}.{name} = {value} (version {version})"] += 1

    def first(self):
        numbers = self.plan.events["onboarding_page_viewed",]["page_number"][0]
        return int(re.search(r"from (\d) on", numbers)[1])

    def add_context(self, event):
        fields = dict(event.get("context") or {})
        for name, value in fields.pop("accessibility", {}).items():
            fields[f"accessibility.{name}"] = value
        for name, value in fields.items():
            if value is None:
                continue
            if name not in self.plan.context:
                self.wrong[f"context.{name}"] += 1
                continue
            mark = next((pattern for pattern in self.plan.context[name] or ["…"]
                         if self.fits(self.text(value), pattern)), None)
            if mark is None:
                self.wrong[f"context.{name} = {value}"] += 1
            self.seen.add(("context", name, mark))

    @staticmethod
    def fits(value, pattern):
        return value.startswith(pattern[:-1]) if pattern.endswith("…") else value == pattern

    @staticmethod
    def text(value):
        return json.dumps(value) if isinstance(value, (bool, int, float)) else str(value)

    def missing(self):
        """What the plan names and the dump never shows."""
        expected = {("context", name, value) for name, values in self.plan.context.items()
                    for value in values or ["…"]}
        for kind, rows in self.plan.events.items():
            expected.add(kind)
            for name, (values, _) in rows.items():
                expected.add((kind, name))
                expected |= {(kind, name, mark) for mark in self.marks(values)}
        return sorted(map(str, expected - self.seen))

    def marks(self, values):
        if values == "any page of the list":
            return {(key[0], page) for key, pages in self.plan.lists.items() for page in pages}
        if values == "a page with a skip button":
            return self.plan.skips
        if values == "a page with items to leave out":
            return {key for key, items in self.plan.items.items() if items}
        if values == "an item of that page":
            return {(*key, item) for key, items in self.plan.items.items() for item in items}
        return set(codes(values))


def events(folder):
    """The events of a dump; lines that are none are the broken ones."""
    for path in sorted(folder.glob("*.gz")):
        for line in gzip.decompress(path.read_bytes()).split(b"\n"):
            try:
                event = json.loads(line.decode())
            except ValueError:
                continue
            if isinstance(event, dict) and event.get("event"):
                yield event


@pytest.mark.parametrize("app", PLANS)
def test_a_sample_has_what_its_tracking_plan_has_and_nothing_else(app, folder):
    firstmile("simulate", "--flow", app, "--persons", 400, "--seed", 2026, "--files", 6,
              "--out", folder / app, "--quiet")
    comparison = Comparison(Plan(app))
    for event in events(folder / app):
        comparison.add(event)
    assert not comparison.wrong, f"not in the plan of {app}: {dict(comparison.wrong)}"
    assert not comparison.missing(), f"never in the sample of {app}: {comparison.missing()}"


def test_a_dump_that_breaks_its_plan_is_found():
    comparison = Comparison(Plan("unforgotten"))
    base = {"flow": "unforgotten", "flow_version": "1", "context": {"os": "Android 16"}}
    comparison.add(base | {"event": "onboarding_page_viewed", "properties": {"page_name": "premium"}})
    comparison.add(base | {"event": "onboarding_skipped", "properties": {}})
    comparison.add(base | {"event": "theme_selected", "properties": {"theme": "dusk", "size": 1}})
    assert set(comparison.wrong) == {
        "onboarding_page_viewed.page_name = premium (version 1)", "event onboarding_skipped",
        "theme_selected.theme = dusk (version 1)", "theme_selected.size", "context.os = Android 16"}
    assert len(comparison.missing()) > 50
