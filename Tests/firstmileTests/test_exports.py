"""Exports in shapes that vendors document and no simulator here writes, and what is wrong with some."""

import csv
import datetime
import gzip
import io
import json
import re

import pytest

from harness import SAMPLE, facts_of, firstmile, json_objects, numbers, total

START = 1_768_989_600
HOUR = 3600


def table(rows, delimiter=","):
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows([[row.get(name, "") for name in columns] for row in rows])
    return out.getvalue()


def simulated(folder):
    firstmile("simulate", "--flow", SAMPLE, "--persons", "40", "--seed", "5", "--files", "1",
              "--compression", "none", "--out", folder / "dump", "--quiet")
    (dump,) = [path for path in (folder / "dump").iterdir() if path.name != "truth.json"]
    return json_objects(dump.read_text(encoding="utf-8", errors="replace").splitlines())


def milliseconds(text):
    """A time of the simulator's; `None` for one that is none."""
    try:
        moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    except (AttributeError, ValueError):
        return None
    return round(moment.timestamp() * 1000)


def mparticle(events):
    """Batches as mParticle forwards them: what is true of all events stands beside them."""
    batches = []
    for event in events:
        context = dict(event.get("context") or {})
        beside = {
            "user_identities": {"customer_id": event["user_id"]} if event.get("user_id") else {},
            "device_info": {"platform": context.pop("os", None),
                            "locale_language": context.pop("locale", None),
                            "device_model": context.pop("device_model", None)},
            "application_info": {"application_version": context.pop("app_version", None)},
            "source_request_id": "r",
        }
        if event.get("device_id"):
            beside |= {"mp_deviceid": event["device_id"], "mpid": 7}
        own = {name: event[name] for name in ("flow", "flow_version", "experiment", "variant", "experiments")
               if event.get(name) is not None}
        data = {"event_name": event["event"], "custom_event_type": "other",
                "timestamp_unixtime_ms": milliseconds(event["timestamp"]),
                "session_uuid": event.get("session_id"), "source_message_id": event.get("message_id"),
                "custom_attributes": own | context | (event.get("properties") or {})}
        item = {"event_type": "custom_event", "data": data}
        if batches and all(batches[-1].get(name) == beside.get(name)
                           for name in (*beside, "mp_deviceid")):
            batches[-1]["events"].append(item)
        else:
            batches.append({"events": [item], **beside})
    return batches


@pytest.mark.parametrize("write", [
    lambda batches: "".join(json.dumps(batch) + "\n" for batch in batches),
    lambda batches: json.dumps(batches), lambda batches: json.dumps(batches, indent=2),
], ids=["lines", "array", "indented"])
def test_batches_of_mparticle_give_what_their_events_give(folder, write):
    events = [event for event in simulated(folder) if milliseconds(event.get("timestamp")) is not None
              and event.get("event") and (event.get("user_id") or event.get("device_id"))]
    (folder / "lines.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    numbers([folder / "lines.ndjson"], folder / "lines", "--max-reject-rate", "100%")
    (folder / "batches.json").write_text(write(mparticle(events)))
    numbers([folder / "batches.json"], folder / "out", "--max-reject-rate", "100%")
    assert facts_of(folder / "out") == facts_of(folder / "lines")


def people(count=40, finished=25):
    """Rows of an app's own onboarding: who, when, what, on which page."""
    for person in range(count):
        begin = START + person * HOUR
        yield person, begin, "Signup Started", ""
        yield person, begin + 20, "Screen", "welcome"
        yield person, begin + 40, "Screen", "plan"
        if person < finished:
            yield person, begin + 60, "Signup Finished", ""
    yield 0, START + 60 * HOUR, "Opened", ""


def utc(seconds):
    return datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)


TIMES = {
    "of mail": lambda at: utc(at).strftime("%a, %d %b %Y %H:%M:%S GMT"),
    "of mail with an offset": lambda at: utc(at + 2 * HOUR).strftime("%d %b %Y %H:%M:%S +0200"),
    "with a comma": lambda at: utc(at).strftime("%Y-%m-%d %H:%M:%S,000"),
}


@pytest.mark.parametrize("name", TIMES)
def test_times_in_many_forms_give_the_same_report(folder, name):
    flow = folder / "flow.yaml"
    flow.write_text("flow: own\nsteps: [welcome, plan]\nevents: {Screen: onboarding_page_viewed, "
                    "Signup Started: onboarding_started, Signup Finished: onboarding_completed}\n")
    found = []
    for form in (lambda at: at, TIMES[name]):
        rows = [{"event": event, "timestamp": form(at), "user_id": f"u{person}", "page_name": page}
                for person, at, event, page in people()]
        (folder / "events.csv").write_text("\ufeff" + table(rows).replace("\n", "\r\n"))
        numbers([folder / "events.csv"], folder / "out", flow=flow)
        found.append(facts_of(folder / "out"))
    assert found[0] == found[1]
    assert total(folder / "out", "completion_rate") == (25, 37)


OWN_NAMES = {
    "elastic's": lambda person, at, event: {
        "event": event, "@timestamp": utc(at).isoformat(), "user_id": person + 1},
    "camels": lambda person, at, event: {
        "eventName": event, "eventTime": at * 1000, "deviceId": f"d{person}"},
    "mongo's": lambda person, at, event: {
        "_id": {"$oid": f"{at:024x}"}, "event": event, "timestamp": {"$date": utc(at).isoformat()},
        "user_id": {"$numberLong": str(person + 1)}},
    "mongo's numbers": lambda person, at, event: {
        "event": event, "timestamp": {"$date": {"$numberLong": str(at * 1000)}},
        "user_id": {"$oid": f"{person + 1:024x}"}},
    "one number in three spellings": lambda person, at, event: {
        "event": event, "time": f"{at}.5", "user_id": (person + 1, str(person + 1), float(person + 1))[at % 3]},
    "a distinct_id": lambda person, at, event: {"event": event, "time": at, "distinct_id": f"u{person}"},
}


@pytest.mark.parametrize("name", OWN_NAMES)
def test_usual_names_are_found_without_fields(folder, name):
    events = [OWN_NAMES[name](person, at, event) for person, at, event, _ in people()]
    (folder / "dump").mkdir()
    (folder / "dump/events.json").write_text("".join(json.dumps(event) + "\n" for event in events))
    flow = folder / "flow.yaml"
    flow.write_text("flow: own\nsteps: [welcome]\nevents: {Signup Started: onboarding_started, "
                    "Signup Finished: onboarding_completed}\n")
    numbers([folder / "dump"], folder / "out", flow=flow, expect=(0, 4))
    assert total(folder / "out", "completion_rate") == (25, 37)


def test_a_spreadsheets_days_are_refused_with_what_to_do(folder):
    rows = [{"event": event, "timestamp": f"{at / 86_400 + 25_569:.6f}", "user_id": f"u{person}"}
            for person, at, event, _ in people()]
    (folder / "events.csv").write_text(table(rows))
    done = firstmile("start", "events.csv", "--yes", cwd=folder, expect=4)
    assert b"a spreadsheet's count of days" in done.stderr and b"yyyy-mm-dd" in done.stderr


@pytest.mark.parametrize("last", ["export terminated early", "[terminated early]", "terminated early"])
def test_an_export_that_mixpanel_broke_off_is_named(folder, last):
    lines = [json.dumps({"event": event, "properties": {"time": at, "distinct_id": f"u{person}",
                                                        "page_name": page}})
             for person, at, event, page in people()]
    flow = folder / "flow.yaml"
    flow.write_text("flow: own\nsteps: [welcome, plan]\nevents: {Screen: onboarding_page_viewed, "
                    "Signup Started: onboarding_started, Signup Finished: onboarding_completed}\n")
    dump = folder / "export.ndjson.gz"
    dump.write_bytes(gzip.compress("\n".join([*lines, last]).encode()))
    done = numbers([dump], folder / "out", flow=flow, expect=4)
    assert b"Mixpanel stopped the export before its end" in done.stderr, done.stderr
    assert "Mixpanel stopped the export" in (folder / "out/metrics.json").read_text()
    # The same words in an event say nothing.
    dump.write_bytes(gzip.compress("\n".join(
        [*lines, lines[0].replace("Signup Started", last)]).encode()))
    numbers([dump], folder / "whole", flow=flow)


def test_a_start_without_skips_does_not_say_that_nobody_skipped(folder):
    lines = [json.dumps({"event": event, "timestamp": at, "user_id": f"u{person}", "page_name": page})
             for person, at, event, page in people()]
    (folder / "events.ndjson").write_text("\n".join(lines))
    done = firstmile("start", "events.ndjson", "--yes", cwd=folder, expect=(0, 4))
    said = done.stdout.decode()
    assert re.search(r"left by skipping +unknown", said) and not re.search(r"left by skipping +0", said), said
    assert "no Skip" not in said and "used Skip" not in said, said
