"""Names in small letters, texts of JSON inside of properties, and Braze's events."""

import json

import pytest

from harness import facts_of, firstmile, report
from test_warehouse_exports import FLOW, START, canonical, lines, people, utc


@pytest.fixture
def flow(folder):
    (folder / "flow.yaml").write_text(FLOW)
    return folder / "flow.yaml"


def counted(folder, dump, name, expect=0, flow="flow.yaml"):
    report([folder / dump], folder / name, "--as-of", "2026-02-03", flow=folder / flow, expect=expect)
    return facts_of(folder / name)["metrics"]


def same(folder, rows, write=lines, flow="flow.yaml"):
    (folder / "own").write_text(lines([canonical(*one) for one in people()]))
    (folder / "dump").write_text(write(rows))
    assert counted(folder, "dump", "out", flow=flow) == counted(folder, "own", "wanted")
    assert json.loads((folder / "out/metrics.json").read_text())["provenance"]["rejects"] == {}


def segment(person, at, event, page, is_user):
    return {"type": "track", "event": event, "messageId": f"{person}-{at}", "anonymousId": f"d{person}",
            "userId": f"u{person}" if is_user else None, "originalTimestamp": utc(at, "Z"),
            "sentAt": utc(at, "Z"), "receivedAt": utc(at, "Z"), "properties": {"page": page}}


@pytest.mark.parametrize("spell", [str.lower, str.upper], ids=["small letters", "capitals"])
@pytest.mark.parametrize("has_time", [False, True])
def test_calls_with_names_in_small_letters_are_read(folder, flow, spell, has_time):
    rows = [segment(*one) | ({"timestamp": utc(one[1], "Z")} if has_time else {}) for one in people()]
    same(folder, [{spell(name): value for name, value in one.items()} for one in rows])
    assert json.loads((folder / "out/metrics.json").read_text())["provenance"]["events"] == 326


def test_the_clock_of_such_calls_is_corrected(folder, flow):
    """The device is an hour ahead: sent an hour after it was received."""
    rows = [segment(*one) | {"originalTimestamp": utc(one[1] + 3600, "Z"), "sentAt": utc(one[1] + 3600, "Z")}
            for one in people()]
    same(folder, [{name.lower(): value for name, value in one.items()} for one in rows])


def flat_braze(person, at, event, page, is_user):
    return {"id": f"{person}-{at}", "user_id": f"b{person}", "external_user_id": f"u{person}" if is_user else None,
            "app_group_id": "a", "time": at, "name": event, "properties": json.dumps({"page": page})}


def nested_braze(person, at, event, page, is_user):
    return {"event_type": "users.behaviors.CustomEvent", "id": f"{person}-{at}", "time": at,
            "user": {"user_id": f"b{person}", "external_user_id": f"u{person}" if is_user else None},
            "properties": {"name": event, "app_id": "a", "custom_properties": {"page": page}}}


@pytest.mark.parametrize("made", [flat_braze, nested_braze])
def test_events_of_braze_are_read(folder, flow, made):
    same(folder, [made(*one) for one in people()])
    assert b"braze" in firstmile("flow", "init", folder / "dump").stdout


def test_the_name_of_a_folder_names_an_event_of_braze(folder, flow):
    place = folder / "in/event_type=users.behaviors.app.SessionStart"
    place.mkdir(parents=True)
    (folder / "in/own.ndjson").write_text(lines([flat_braze(*one) for one in people()]))
    (place / "part.ndjson").write_text(lines(
        [{"id": str(number), "user_id": f"b{number}", "external_user_id": f"u{number}", "time": START + 9 * number,
          "session_id": "s"} for number in range(20)]))
    counted(folder, "in", "out")
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert (found["events"], found["rejects"]) == (346, {}), found


def test_what_a_mapping_reads_is_what_the_page_says(folder, flow):
    """HubSpot's events: docs/formats.md has the mapping."""
    rows = [{"id": f"{person}-{at}", "objectType": "CONTACT", "objectId": f"d{person}", "eventType": event,
             "occurredAt": utc(at, "Z"), "properties": {"page": page}} for person, at, event, page, _ in people()]
    (folder / "hubspot.yaml").write_text(FLOW.replace(
        "{page_name", "{event: eventType, timestamp: occurredAt, user_id: objectId, message_id: id, page_name"))
    (folder / "own").write_text(lines([canonical(*one[:4], False) for one in people()]))
    (folder / "dump").write_text(lines(rows))
    counted(folder, "dump", "out", flow="hubspot.yaml")
    assert json.loads((folder / "out/metrics.json").read_text())["provenance"]["rejects"] == {}
    assert b"step_reach,plan,80,80" in (folder / "out/metrics.csv").read_bytes()


INSIDE = {
    "a text in properties": lambda page: {"extra": json.dumps({"page": page})},
    "a text in a text": lambda page: json.dumps({"extra": json.dumps({"page": page})}),
    "a text that holds a text": lambda page: {"extra": json.dumps(json.dumps({"page": page}))},
    "two objects down": lambda page: {"extra": {"more": json.dumps({"page": page})}},
}


@pytest.mark.parametrize("some", [False, True])
@pytest.mark.parametrize("name", INSIDE)
def test_texts_of_json_inside_of_properties_are_read(folder, name, some):
    path = "properties.extra.more.page" if "two" in name else "properties.extra.page"
    (folder / "flow.yaml").write_text(FLOW.replace("properties.page", path))
    rows = [canonical(*one) | {"properties": INSIDE[name](one[3])} for one in people()]
    if some:
        plain = {"extra": {"more": {"page": "welcome"}, "page": "welcome"}}
        pages = [page for _, _, _, page, _ in people()]
        rows = [one | {"properties": plain} if place < 60 and pages[place] == "welcome" else one
                for place, one in enumerate(rows)]
    (folder / "dump").write_text(lines(rows))
    counted(folder, "dump", "out")
    assert b"step_reach,plan,80,80" in (folder / "out/metrics.csv").read_bytes()
    assert json.loads((folder / "out/metrics.json").read_text())["provenance"]["rejects"] == {}
