"""Exports as warehouses and pipelines write them, where no other file here has their shape."""

import csv
import datetime
import functools
import io
import json
import pathlib
import random
import re
import tempfile

import pytest

from harness import facts_of, firstmile, numbers, report, total

START = 1_768_989_600
HOUR = 3600
DAY = 86_400
FLOW = """flow: own
steps: [welcome, plan]
events:
  signup_started: onboarding_started
  page_shown: onboarding_page_viewed
  signup_finished: onboarding_completed
fields: {page_name: properties.page}
"""


def people(count=80):
    """Who, when, what, on which page, and whether the person has signed in: at the end, by some."""
    chance = random.Random(7)
    for person in range(count):
        begin = START + person * HOUR
        yield person, begin, "signup_started", None, False
        for place, page in enumerate(["welcome", "plan"]):
            yield person, begin + 20 * (place + 1), "page_shown", page, False
        if chance.random() < 0.6:
            yield person, begin + 100, "signup_finished", None, True
            if chance.random() < 0.5:
                yield person, begin + 2 * DAY, "task_done", None, True


def utc(at, ending=""):
    moment = datetime.datetime.fromtimestamp(at, datetime.timezone.utc)
    return moment.strftime("%Y-%m-%d %H:%M:%S") + ending


def canonical(person, at, event, page, is_user):
    return {"event": event, "timestamp": at, "device_id": f"d{person}",
            "user_id": f"u{person}" if is_user else None, "properties": {"page": page}}


def mixpanel(person, is_user):
    """Before signing in Mixpanel's id of a person is that of the device."""
    return {"distinct_id": f"u{person}" if is_user else f"$device:d{person}",
            "user_id": f"u{person}" if is_user else None, "device_id": f"d{person}"}


def table(rows, nothing=""):
    columns = list(dict.fromkeys(name for found in rows for name in found))
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([[nothing if found.get(name) is None else found[name] for name in columns]
                      for found in rows])
    return out.getvalue()


def lines(rows):
    return "".join(json.dumps(found) + "\n" for found in rows)


@functools.cache
def plainly():
    """What is counted where the events are plain lines."""
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        (folder / "flow.yaml").write_text(FLOW)
        (folder / "own").write_text(lines([canonical(*one) for one in people()]))
        numbers([folder / "own"], folder / "out", "--as-of", "2026-02-03", flow=folder / "flow.yaml")
        return facts_of(folder / "out")["rows"]


def shape(make, write=lines):
    return lambda: write([make(*one) for one in people()])


SHAPES = {
    "Mixpanel's pipeline into BigQuery": shape(lambda person, at, event, page, is_user: {
        "event_name": event, "time": utc(at, " UTC"), "insert_id": f"{person}-{at}",
        "properties": {"page": page}} | mixpanel(person, is_user)),
    "Mixpanel's pipeline, as a table": shape(lambda person, at, event, page, is_user: mixpanel(
        person, is_user) | {"event_name": event, "insert_id": f"{person}-{at}", "time": utc(at, " UTC"),
                            "properties": json.dumps({"page": page})}, table),
    "Mixpanel's by Airbyte": shape(lambda person, at, event, page, is_user: {
        "event": event, "time": utc(at).replace(" ", "T"), "insert_id": f"{person}-{at}", "mp_lib": "ios",
        "page": page} | mixpanel(person, is_user)),
    "Mixpanel's without a column of users": shape(lambda person, at, event, page, is_user: {
        "event": event, "time": utc(at).replace(" ", "T"), "page": page, "device_id": f"d{person}",
        "distinct_id": mixpanel(person, is_user)["distinct_id"]}),
    "Snowflake's times": shape(lambda person, at, event, page, is_user: {
        "EVENT": event, "TIMESTAMP": utc(at, ".000 Z"), "DEVICE_ID": f"d{person}",
        "USER_ID": f"u{person}" if is_user else None, "PAGE": page}, table),
    "Amplitude's from Snowflake": shape(lambda person, at, event, page, is_user: {
        "AMPLITUDE_ID": 1000 + person, "EVENT_TYPE": event, "DEVICE_ID": f"d{person}",
        "USER_ID": f"u{person}" if is_user else None, "EVENT_TIME": utc(at, ".000 Z"),
        "EVENT_PROPERTIES": json.dumps({"page": page}), "USER_PROPERTIES": "{}",
        "UUID": f"{person}-{at}"}, table),
    # Amplitude gives events of servers the session -1.
    "Amplitude's with events of a server": shape(lambda person, at, event, page, is_user: {
        "amplitude_id": 1000 + person, "event_type": event, "device_id": f"d{person}",
        "user_id": f"u{person}" if is_user else None, "event_time": utc(at, ".000000"),
        "event_properties": {"page": page}, "user_properties": {}, "uuid": f"{person}-{at}",
        "session_id": -1 if is_user else START * 1000 + person}),
    "Mixpanel's by mixpanel-utils": shape(lambda person, at, event, page, is_user: {
        "event": event, "time": at, "distinct_id": mixpanel(person, is_user)["distinct_id"],
        "$device_id": f"d{person}", "$user_id": f"u{person}" if is_user else None,
        "$insert_id": f"{person}-{at}", "page": page}, table),
    **{f"Mixpanel's by Singer, {prefix}": shape(lambda person, at, event, page, is_user, prefix=prefix: {
        "event": event, "time": utc(at, "Z"), "distinct_id": mixpanel(person, is_user)["distinct_id"],
        f"{prefix}device_id": f"d{person}", f"{prefix}user_id": f"u{person}" if is_user else None,
        f"{prefix}insert_id": f"{person}-{at}", "page": page}) for prefix in ("mp_reserved_", "mp_")},
    # What stands beside somebody's own ids makes no vendor's event of it, whichever line comes first.
    **{f"camel case, {order}": lambda way=way: lines([
        {"event": event, "timestamp": utc(at, "Z"), "userId": f"u{person}" if is_user else None,
         "deviceId": f"d{person}", "messageId": f"{person}-{at}", "properties": {"page": page}}
        for person, at, event, page, is_user in sorted(people(), key=lambda one: one[4], reverse=way)])
       for order, way in (("the signed in first", True), ("the others first", False))},
    "PostHog's ids beside": shape(lambda *one: canonical(*one) | {
        "uuid": f"{one[0]}-{one[1]}", "distinct_id": f"p{one[0]}"}),
    "Segment's id of a message beside": shape(lambda *one: canonical(*one) | {
        "messageId": f"{one[0]}-{one[1]}", "type": "track"}),
    "GA4's names of columns": shape(lambda person, at, event, page, is_user: {
        "event_name": event, "event_timestamp": at * 1_000_000, "device_id": f"d{person}",
        "user_id": f"u{person}" if is_user else None, "page": page}),
    "Amplitude's names and anonymous ids": shape(lambda person, at, event, page, is_user: {
        "event_type": event, "event_time": utc(at, "Z"), "anonymous_id": f"d{person}",
        "user_id": f"u{person}" if is_user else None, "page": page}),
    "flattened by pandas": shape(lambda person, at, event, page, is_user: {
        "event": event, "timestamp": utc(at, "Z"), "device_id": f"d{person}",
        "user_id": f"u{person}" if is_user else None, "properties.page": page}),
    "PostHog's, flattened by pandas": shape(lambda person, at, event, page, is_user: {
        "uuid": f"{person}-{at}", "event": event, "distinct_id": f"u{person}" if is_user else f"d{person}",
        "timestamp": utc(at, "Z"), "properties.$device_id": f"d{person}",
        "properties.$user_id": f"u{person}" if is_user else None, "properties.page": page}),
    "PHP's objects without members": shape(lambda person, at, event, page, is_user: {
        "event": event, "timestamp": at, "device_id": f"d{person}",
        "user_id": f"u{person}" if is_user else None,
        "properties": json.dumps({"page": page}) if page else "[]"}, table),
    **{f"{nothing} for nothing": lambda nothing=nothing: table([
        {"event": event, "timestamp": at, "device_id": f"d{person}",
         "user_id": f"u{person}" if is_user else None, "page": page}
        for person, at, event, page, is_user in people()], nothing) for nothing in ("\\N", "NULL", "null")},
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_warehouses_shape_gives_what_the_apps_own_events_give(folder, name):
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "events").write_text(SHAPES[name]())
    numbers([folder / "events"], folder / "out", "--as-of", "2026-02-03", flow=folder / "flow.yaml")
    assert 50 <= total(folder / "out", "completion_rate")[0] < 60
    assert facts_of(folder / "out")["rows"] == plainly()


@pytest.mark.parametrize("name", SHAPES)
def test_a_draft_names_each_property_once(folder, name):
    (folder / "events").write_text(SHAPES[name]())
    draft = firstmile("flow", "init", folder / "events").stdout.decode()
    assert 'page_name: "properties.page"' in draft


# Segment's and RudderStack's warehouse schema: a table for each event, one of all of them without their
# properties, and others for other calls. Only `identify` calls say whose device it was here.
def segment_calls():
    for person, at, event, page, is_user in people():
        if event == "signup_finished":
            yield {"type": "identify", "messageId": f"i{person}", "anonymousId": f"d{person}",
                   "userId": f"u{person}", "timestamp": utc(at - 1, "Z"), "traits": {"email": "a@example.com"}}
        yield {"type": "track", "event": event, "messageId": f"{person}-{at}", "timestamp": utc(at, "Z"),
               **({"userId": f"u{person}"} if is_user else {"anonymousId": f"d{person}"}),
               "properties": {"page": page} if page else {}}


def segment_row(call):
    row = {"id": call["messageId"], "received_at": utc(START + 30 * DAY), "anonymous_id": call.get("anonymousId"),
           "user_id": call.get("userId"), "original_timestamp": call["timestamp"], "sent_at": call["timestamp"],
           "timestamp": call["timestamp"]}
    if call["type"] == "identify":
        return row | call["traits"]
    return row | {"event": call["event"], "event_text": call["event"]}


def segment_tables(folder):
    calls = list(segment_calls())
    folder.mkdir()
    tracks = [call for call in calls if call["type"] == "track"]
    tables = {"tracks": [segment_row(call) for call in tracks],
              "identifies": [segment_row(call) for call in calls if call["type"] == "identify"]}
    for call in tracks:
        tables.setdefault(call["event"], []).append(segment_row(call) | call["properties"])
    for name, rows in tables.items():
        (folder / f"{name}.csv").write_text(table(rows))
    return calls


def in_folders(folder):
    """A folder for each table, as unloading to a bucket writes them."""
    for path in sorted(folder.glob("*.csv")):
        (folder / path.stem).mkdir()
        path.rename(folder / path.stem / "part-0.csv")


@pytest.mark.parametrize("way", ["a folder", "a pattern", "named files", "a folder for each table", "rows of JSON", "a loader's column"])
def test_tables_of_segment_give_what_its_calls_give(folder, way):
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "calls").write_text(lines(segment_tables(folder / "tables")))
    inputs = ["tables"]
    if way == "a pattern":
        inputs = ["tables/*.csv"]
    elif way == "named files":
        inputs = sorted((folder / "tables").glob("*.csv"))
    elif way == "a folder for each table":
        in_folders(folder / "tables")
    elif way == "a loader's column":
        rows = list(csv.DictReader((folder / "tables/tracks.csv").open()))
        (folder / "tables/tracks.csv").write_text(table([{"Unnamed: 0": place, **row} for place, row in enumerate(rows)]))
    elif way == "rows of JSON":
        # Calls without a name are no events there.
        (tracks,) = (folder / "tables").glob("tracks.csv")
        rows = list(csv.DictReader(tracks.open()))
        tracks.unlink()
        (folder / "tables/tracks.json").write_text(lines(rows))
    numbers([folder / "calls"], folder / "own", "--as-of", "2026-02-03", flow=folder / "flow.yaml")
    done = numbers(inputs, folder / "out", "--as-of", "2026-02-03", flow=folder / "flow.yaml", cwd=folder)
    said = done.stderr.decode()
    assert re.search(r"tracks\S*: passed over, because it has all calls once more", said), said
    assert "to read it, leave those out" in said and "name it itself" not in said, said
    assert 50 <= total(folder / "own", "completion_rate")[0] < 60
    assert facts_of(folder / "own")["rows"] == facts_of(folder / "out")["rows"]


def test_the_table_of_all_calls_is_read_where_nothing_else_has_them(folder):
    (folder / "flow.yaml").write_text(FLOW)
    segment_tables(folder / "tables")
    (folder / "alone").mkdir()
    for name in ("tracks", "identifies"):
        (folder / f"tables/{name}.csv").rename(folder / f"alone/{name}.csv")
    for inputs in ("alone", "alone/tracks.csv"):
        done = numbers([folder / inputs], folder / "out", "--as-of", "2026-02-03", flow=folder / "flow.yaml")
        assert b"passed over" not in done.stderr, done.stderr
        assert total(folder / "out", "entered") == (80, None)


def test_a_table_of_all_calls_that_others_have_in_part_is_an_error(folder):
    (folder / "flow.yaml").write_text(FLOW)
    segment_tables(folder / "tables")
    (folder / "tables/task_done.csv").unlink()
    done = report([folder / "tables"], folder / "out", "--as-of", "2026-02-03", flow=folder / "flow.yaml", expect=2)
    said = done.stderr.decode()
    assert "tracks.csv: has events that another table has too" in said and "'page_shown'" in said and "'task_done'" in said, said


@pytest.mark.parametrize("name", ["a table of Segment's", "Snowplow's JSON"])
def test_a_draft_reads_the_screens_that_it_names(folder, name):
    """Screens that are events of their own: the draft says which event is which page."""
    shown = {"signup_started": "Sign Up Clicked", "signup_finished": "Account Created", "task_done": "Project Opened"}
    rows = []
    for person, at, event, page, is_user in people():
        title = shown.get(event) or f"{page.capitalize()} Screen Viewed"
        if name == "Snowplow's JSON":
            schema = "unstruct_event_com_acme_" + title.lower().replace(" ", "_") + "_1"
            rows.append({"app_id": "a", "event": "unstruct", "event_name": title, "event_id": f"{person}-{at}",
                         "collector_tstamp": utc(at, "Z"), "derived_tstamp": utc(at, "Z"),
                         "domain_userid": f"d{person}", "user_id": f"u{person}" if is_user else None,
                         schema: {"x": 1}})
        else:
            rows.append(segment_row({"type": "track", "messageId": f"{person}-{at}", "timestamp": utc(at, "Z"),
                                     "anonymousId": f"d{person}", "event": title,
                                     "userId": f"u{person}" if is_user else None})
                        | {"event": title.lower().replace(" ", "_")})
    (folder / "dump").write_text(lines(rows) if name == "Snowplow's JSON" else table(rows))
    firstmile("start", folder / "dump", "--yes", "--flow-file", folder / "flow.yaml", "--out", folder / "out", cwd=folder)
    draft = (folder / "flow.yaml").read_text()
    assert "page_name: {path: event" in draft, draft
    reached = [row for row in csv.DictReader((folder / "out/metrics.csv").open())
               if row["metric"] == "step_reach" and row["variant"] == "all" and row["cohort"] == "all"
               and row["breakdown"] == "all" and row["version"] == "all"]
    assert reached and all(float(row["value"]) > 0.9 for row in reached), [row["value"] for row in reached]
