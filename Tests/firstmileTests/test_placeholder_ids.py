"""Words that stand where an id is missing: nobody's events, on every path."""

import csv
import gzip
import io
import json

import pytest

from harness import FORMATS, SAMPLE, contents, firstmile, report
from partitioned import divide, reported, tallied

WORDS = ["undefined", "null", "None", "[object Object]", "(not set)", " NaN ", "'anonymous'", "-1"]
# Where a format has a user's id that may be missing.
USERS = {"canonical": ["user_id"], "segment": ["userId"], "rudderstack": ["userId"],
         "amplitude": ["user_id"], "ga4": ["user_id"], "mixpanel": ["properties", "$user_id"]}


def simulated(folder, form, persons=120):
    firstmile("simulate", "--flow", SAMPLE, "--persons", persons, "--seed", 5, "--out",
              folder / form, "--format", form, "--tidy", "--quiet")
    lines = []
    for path in sorted((folder / form).rglob("*.gz")):
        lines += gzip.decompress(path.read_bytes()).splitlines()
    return [json.loads(line) for line in lines]


def with_words(events, places):
    """The same events with a word wherever there is no user; and how many have one."""
    found, count = [], 0
    for number, event in enumerate(events):
        event = json.loads(json.dumps(event))
        inner = event
        for place in places[:-1]:
            inner = inner[place]
        if not inner.get(places[-1]):
            inner[places[-1]] = WORDS[number % len(WORDS)]
            count += 1
        found.append(event)
    return found, count


def write(path, events):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return path


def quality(folder, check):
    with open(folder / "quality.csv", newline="") as file:
        return [row for row in csv.DictReader(file) if row["check"] == check]


def numbers(folder):
    """All tables but those that say what was read."""
    return {name: content for name, content in contents(folder).items()
            if name.endswith(".csv") and name != "quality.csv"}


@pytest.mark.parametrize("form", FORMATS)
def test_a_word_for_no_id_is_a_missing_id_in_every_format(folder, form):
    if form not in USERS:
        pytest.skip("always has a distinct_id")
    events = simulated(folder, form)
    marked, count = with_words(events, USERS[form])
    assert count > len(events) // 20
    report([write(folder / "absent.ndjson", events)], folder / "a")
    report([write(folder / "marked.ndjson", marked)], folder / "b")
    assert numbers(folder / "a") == numbers(folder / "b")
    assert not quality(folder / "a", "placeholder_ids")
    # A spreadsheet would take what begins with a dash for a formula, so a quote stands before it.
    rows = {row["item"].removeprefix("'"): int(row["count"]) for row in quality(folder / "b", "placeholder_ids")}
    assert sum(rows.values()) == count
    assert set(rows) == {"undefined", "null", "None", "[object Object]", "(not set)", "NaN",
                         "anonymous", "-1"}


def test_the_same_in_a_table_a_store_and_in_parts(folder):
    events = simulated(folder, "canonical")
    marked, count = with_words(events, USERS["canonical"])
    # Some have no device either: rejects.
    for event in marked[::50]:
        event["user_id"] = "undefined"
        event.pop("device_id", None)
    halves = [write(folder / "dump" / f"{n}.ndjson", marked[n::2]) for n in range(2)]
    report(halves, folder / "one", "--max-reject-rate", "5%")
    one = contents(folder / "one")
    assert quality(folder / "one", "placeholder_ids")
    assert [row["item"] for row in quality(folder / "one", "rejects_by_reason")] == ["missing_id"]

    for half in halves:
        divide([half], 3, folder / "segments", flow=SAMPLE, expect=(0, 4))
    parts = folder / "parts/report"
    reported(tallied(folder / "segments", folder / "parts", SAMPLE), parts, SAMPLE,
             "--max-reject-rate", "5%")
    assert contents(parts)["quality.csv"] == one["quality.csv"]
    assert numbers(parts) == numbers(folder / "one")

    store = folder / "store.fmstore"
    firstmile("ingest", *halves, "--store", store, "--flow", SAMPLE, "--max-reject-rate", "5%")
    firstmile("report", "--store", store, "--flow", SAMPLE, "--out", folder / "stored", "--quiet",
              "--max-reject-rate", "5%")
    assert contents(folder / "stored")["quality.csv"] == one["quality.csv"]
    assert numbers(folder / "stored") == numbers(folder / "one")

    columns = sorted({key for event in marked for key in event})
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(columns)
    for event in marked:
        writer.writerow(["" if event.get(column) is None
                         else json.dumps(event[column]) if isinstance(event[column], dict)
                         else event[column] for column in columns])
    (folder / "dump.csv").write_text(table.getvalue())
    report([folder / "dump.csv"], folder / "table", "--max-reject-rate", "5%")
    assert numbers(folder / "table") == numbers(folder / "one")


def test_who_has_no_id_is_rejected_and_named(folder):
    events = simulated(folder, "canonical")
    for event in events[::10]:
        event["user_id"] = "undefined"
        event.pop("device_id", None)
    dump = write(folder / "dump.ndjson", events)
    rejects = folder / "rejects.ndjson"
    report([dump], folder / "report", "--rejects", rejects, "--max-reject-rate", "50%")
    kept = [json.loads(line) for line in rejects.read_text().splitlines()]
    assert len(kept) == len(events[::10]) and {line["reason"] for line in kept} == {"missing_id"}
    assert "undefined" in json.dumps(kept)
    said = " ".join((folder / "report/report.md").read_text().split())
    assert "have a placeholder for an id, most often 'undefined'" in said
    said = firstmile("validate", dump, "--flow", SAMPLE, "--at-least", "F").stdout.decode()
    assert "placeholder ids" in said and "'undefined' (" in said


def test_a_placeholder_is_nobody_to_explain_and_to_forget(folder):
    events = simulated(folder, "canonical", 40)
    dump = write(folder / "dump.ndjson", events)
    said = firstmile("explain", "undefined", dump, "--flow", SAMPLE, expect=2).stderr.decode()
    assert "'undefined' is no id" in said
    store = folder / "store.fmstore"
    firstmile("ingest", dump, "--store", store, "--flow", SAMPLE)
    said = firstmile("store", "forget", store, "undefined", expect=2).stderr.decode()
    assert "'undefined' is no id" in said and "Nothing was erased" in said


@pytest.mark.parametrize("share", [0.3, 0.01])
def test_one_id_with_far_too_many_events_is_named(folder, share):
    """A word on no list, for people who aren't signed in, over many days."""
    persons = 150 if share > 0.1 else 2500
    events = simulated(folder, "canonical", persons)
    people = {event.get("user_id") or event.get("device_id") for event in events}
    wanted = max(1000, int(len(events) * share / (1 - share)) + 1)
    extra = []
    for number in range(wanted):
        event = dict(events[number * 7919 % len(events)], user_id="visitor")
        event["message_id"] = f"extra{number}"
        extra.append(event)
    assert wanted < 24 * 1000 and len(people) > 100
    dump = write(folder / "dump.ndjson", events + extra)
    report([dump], folder / "report")
    said = " ".join((folder / "report/report.md").read_text().split())
    assert "of all events are of a single id" in said
    row, = quality(folder / "report", "crowded_id")
    assert int(row["count"]) > 900
    said = firstmile("validate", dump, "--flow", SAMPLE, "--at-least", "F").stdout.decode()
    assert "crowded id" in said
    report([write(folder / "fine.ndjson", events)], folder / "fine")
    assert not quality(folder / "fine", "crowded_id")


@pytest.mark.parametrize("form", ["lines", "mixpanel", "table"])
def test_ids_that_floating_point_has_rounded_unite_nobody(folder, form):
    """pandas keeps a column of whole numbers with a gap as floats: 80 people had 7 ids."""
    lines = []
    for number in range(80):
        # As `DataFrame.to_json` writes it: neighbours have one number.
        person = float(123_456_789_012_345_600 + number)
        own = {"$device_id" if form == "mixpanel" else "device_id": f"d{number}"}
        for second, name in enumerate(["onboarding_started", "onboarding_completed"]):
            at = 1_767_571_200 + number * 60 + second
            if form != "mixpanel":
                lines.append({"event": name, "timestamp": at, "user_id": person, **own})
            else:
                lines.append({"event": name, "properties": {
                    "time": at, "distinct_id": person, "$insert_id": f"{number}-{second}", **own}})
    for number in (41.0, 42.0, 9007199254740991.0):
        lines.append({"event": "opened", "timestamp": 1_767_600_000, "user_id": number, "device_id": ""})
    if form == "mixpanel":
        lines = lines[:-3]
    text = "".join(json.dumps(line) + "\n" for line in lines)
    if form == "table":
        text = "event,timestamp,user_id,device_id\n" + "".join(
            ",".join(f"{value:.1f}" if isinstance(value, float) else str(value)
                     for value in line.values()) + "\n" for line in lines)
    (folder / "dump.ndjson").write_text(text)
    (folder / "flow.yaml").write_text("flow: app\nwindow: 1h\nsteps: [welcome]\n")
    firstmile("report", folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--as-of",
              "2026-02-01", "--out", folder / "out", "--quiet")
    found = json.loads((folder / "out/metrics.json").read_text())
    text = (folder / "out/quality.csv").read_text()
    assert "a rounded number" in text, text
    rows = {row.split(",")[0]: row for row in (folder / "out/overview.csv").read_text().splitlines()}
    assert found["provenance"]["rejects"] == {}, found["provenance"]["rejects"]
    counted = firstmile("funnel", folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--as-of",
                        "2026-02-01", "--steps", "onboarding_started > onboarding_completed",
                        "--output", "json")
    assert [step["persons"] for step in json.loads(counted.stdout)["all"]] == [80, 80], rows
