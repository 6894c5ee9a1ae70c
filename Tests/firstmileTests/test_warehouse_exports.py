"""Exports as warehouses and pipelines write them, where no other file here has their shape."""

import csv
import datetime
import io
import json
import random

import pytest

from harness import facts_of, firstmile, report

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
    **{f"{nothing} for nothing": lambda nothing=nothing: table([
        {"event": event, "timestamp": at, "device_id": f"d{person}",
         "user_id": f"u{person}" if is_user else None, "page": page}
        for person, at, event, page, is_user in people()], nothing) for nothing in ("\\N", "NULL", "null")},
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_warehouses_shape_gives_what_the_apps_own_events_give(folder, name):
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "own.ndjson").write_text(lines([canonical(*one) for one in people()]))
    (folder / "events").write_text(SHAPES[name]())
    for dump, out in (("own.ndjson", "own"), ("events", "out")):
        report([folder / dump], folder / out, "--as-of", "2026-02-03", flow=folder / "flow.yaml")
    assert b",completion_rate,all,5" in (folder / "own/metrics.csv").read_bytes()
    assert facts_of(folder / "own")["metrics.csv"] == facts_of(folder / "out")["metrics.csv"]


@pytest.mark.parametrize("name", SHAPES)
def test_a_draft_names_each_property_once(folder, name):
    (folder / "events").write_text(SHAPES[name]())
    draft = firstmile("flow", "init", folder / "events").stdout.decode()
    assert 'page_name: "properties.page"' in draft
