"""Testers in the dump, whom the flow leaves out: every number is that of the dump without them."""

import csv
import json

import pytest

from harness import ROOT, assert_same, facts_of, firstmile, numbers, report, sample_events, sample_files
from partitioned import report_of_parts

ITEMS = """
leave_out:
  - where: {is_internal: true}
  - event: team_member_marked
  - {event: app_opened, where: {environment: [staging, development]}}
  - ids: [qa-device, qa-listed11, qa-listed17, qa-listed23, qa-listed29, qa-listed35]
"""
TESTERS = 36


def flow_file(folder, items=ITEMS, name="aiq.yaml"):
    """The sample's flow with `leave_out`."""
    path = folder / name
    path.write_text((ROOT / "flows/aiq.yaml").read_text() + items)
    return path


def as_tester(event, user, device):
    event = json.loads(json.dumps(event))
    for key in ("message_id", "session_id"):
        if event.get(key):
            event[key] = f"qa-{event[key]}"
    for key, own in (("user_id", user), ("device_id", device)):
        if event.get(key):
            event[key] = own
    event.pop("previous_id", None)
    return event


def events_of_testers():
    """What some people of the sample did, done by testers; each has one mark, somewhere."""
    own = {}
    for event in sample_events():
        device = event.get("device_id")
        if isinstance(device, str):
            own.setdefault(device, []).append(event)

    def is_usable(events):
        # Rejects and misdated events are counted whosever they are.
        return len(events) > 4 and all(
            str(event.get("timestamp")).startswith("2026-0") for event in events)

    chosen = sorted(device for device, events in own.items() if is_usable(events))[:TESTERS]
    assert len(chosen) == TESTERS
    lines = []
    for number, device in enumerate(chosen):
        events = [as_tester(event, f"qa-u{number}", f"qa-d{number}") for event in own[device]]
        marked = events[number % len(events)]
        marked.setdefault("properties", {})
        match number % 6:
            case 0:
                marked["properties"]["is_internal"] = True
            case 1:
                marked["properties"]["is_internal"] = "1"
            case 2:
                events.append(dict(marked, event="team_member_marked", message_id=f"mark-{number}",
                                   properties={}))
            case 3:
                events.append(dict(marked, event="app_opened", message_id=f"mark-{number}",
                                   properties={"environment": "staging"}))
            case 4:
                # A mark of another of the person's ids, which an event unites with this one.
                events.append(dict(marked, user_id=f"qa-other{number}", message_id=f"mark-{number}",
                                   event="app_opened", properties={"is_internal": "true"}))
                events.append(dict(marked, user_id=f"qa-other{number}", message_id=f"same-{number}",
                                   previous_id=f"qa-u{number}", event="app_opened", properties={}))
                events.append(dict(marked, user_id=f"qa-u{number}", message_id=f"sign-{number}",
                                   event="app_opened", properties={}))
            case _ if number == 5:
                # Listed by an id: of a device on which nobody signed in.
                for event in events:
                    event.pop("user_id", None)
                    event["device_id"] = "qa-device"
            case _:
                # Or of a user whom an event unites with this one.
                events.append(dict(marked, user_id=f"qa-u{number}", message_id=f"sign-{number}",
                                   event="app_opened", properties={}))
                events.append(dict(marked, user_id=f"qa-listed{number}", message_id=f"same-{number}",
                                   previous_id=f"qa-u{number}", event="app_opened", properties={}))
        lines += events
    return lines


@pytest.fixture(scope="module")
def mixed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mixed")
    (folder / "testers.ndjson").write_text(
        "".join(json.dumps(event) + "\n" for event in events_of_testers()))
    flow = flow_file(folder)
    numbers(sample_files(), folder / "without", flow=flow)
    return folder, flow, [*sample_files(), folder / "testers.ndjson"]


def quality(folder, check):
    with open(folder / "quality.csv", newline="") as file:
        return {row["item"]: row for row in csv.DictReader(file) if row["check"] == check}


def numbers_of(folder, left_out):
    """All metrics; how many were left out is checked by itself."""
    metrics = json.loads((folder / "metrics.json").read_text())["metrics"]
    assert metrics["quality"].pop("left_out") == left_out
    return {"rows": facts_of(folder)["rows"], "metrics": json.dumps(metrics).encode()}


def assert_left_out(folder, mixed, what):
    assert_same(numbers_of(folder, TESTERS), numbers_of(mixed[0] / "without", 0), what)


def test_every_number_is_that_of_the_dump_without_them(mixed, tmp_path):
    folder, flow, inputs = mixed
    said = firstmile("report", *inputs, "--flow", flow, "--out", tmp_path / "r").stdout.decode()
    assert_left_out(tmp_path / "r", mixed, "a report")
    assert f"{TESTERS} people left out by leave_out" in " ".join(said.split())
    left = quality(tmp_path / "r", "left_out")[""]
    assert int(left["count"]) == TESTERS and int(left["of"]) > 10 * TESTERS
    by = {item: int(row["count"]) for item, row in quality(tmp_path / "r", "left_out_by").items()}
    assert by["team_member_marked"] == 6 and by["ids"] == 6
    assert by["app_opened[environment=staging|development]"] == 6
    assert by["is_internal=true"] == TESTERS - 18
    page = (tmp_path / "r/report.html").read_text()
    assert "Left out by: team_member_marked" in page
    # Without the key testers count.
    plain = flow_file(tmp_path, "", "plain.yaml")
    report(inputs, tmp_path / "plain", flow=plain)
    assert facts_of(tmp_path / "plain") != facts_of(tmp_path / "r")
    assert not quality(tmp_path / "plain", "left_out")


@pytest.mark.parametrize("way", ["threads", "memory", "store", "nights", "parts"])
def test_the_same_however_they_are_read(way, mixed, tmp_path):
    _, flow, inputs = mixed
    out = tmp_path / "report"
    if way == "threads":
        report(reversed(inputs), out, "--threads", 3, flow=flow)
    elif way == "memory":
        report(inputs, out, "--memory-limit", "64M", flow=flow)
    elif way == "store":
        firstmile("ingest", *inputs, "--store", tmp_path / "s", "--flow", flow, "--quiet")
        firstmile("report", "--store", tmp_path / "s", "--flow", flow, "--out", out, "--quiet")
    elif way == "nights":
        for path in reversed(inputs):
            firstmile("ingest", path, "--store", tmp_path / "s", "--flow", flow, "--quiet",
                      expect=(0, 4))
        firstmile("report", "--store", tmp_path / "s", "--flow", flow, "--out", out, "--quiet")
    else:
        out = report_of_parts([inputs[:3], inputs[3:]], 3, tmp_path, flow)
    assert_left_out(out, mixed, way)
    assert int(quality(out, "left_out")[""]["count"]) == TESTERS


def test_partitions_with_a_key_of_their_own(mixed, tmp_path):
    _, flow, inputs = mixed
    (tmp_path / "key").write_bytes(bytes(range(16)))
    options = ["--key-file", tmp_path / "key"]
    with pytest.raises(AssertionError, match="give `firstmile tally` the --key-file"):
        report_of_parts([inputs], 2, tmp_path / "a", flow, partition_options=options)
    out = report_of_parts([inputs], 2, tmp_path / "b", flow, partition_options=options,
                          options=options)
    assert_left_out(out, mixed, "segments with a key")


@pytest.mark.parametrize("command", ["funnel", "retention"])
@pytest.mark.parametrize("options", [[], ["--everyone"], ["--like", "mixpanel"]], ids=str)
def test_funnels_and_matrices(command, options, mixed):
    _, flow, inputs = mixed
    steps = ["--steps", "test_started > test_completed"] if command == "funnel" else []

    def answer(inputs):
        words = [command, *inputs, "--flow", flow, "--output", "json", *steps, *options]
        return json.loads(firstmile(*words).stdout)

    found, expected = answer(inputs), answer(sample_files())
    assert found.pop("left_out_by_flow") == TESTERS
    assert expected.pop("left_out_by_flow") == 0
    assert found == expected


def test_other_flows_of_the_run_count_everybody(mixed, tmp_path):
    _, flow, inputs = mixed
    other = tmp_path / "other.yaml"
    other.write_text((ROOT / "flows/aiq.yaml").read_text().replace("flow: aiq", "flow: other"))
    firstmile("report", *inputs, "--flow", flow, "--flow", other, "--out", tmp_path / "both", "-q")
    numbers(inputs, tmp_path / "alone", flow=other)
    assert_left_out(tmp_path / "both/aiq", mixed, "beside another flow")
    assert_same(facts_of(tmp_path / "both/other"), facts_of(tmp_path / "alone"), "another flow")


def test_validate_counts_them(mixed):
    _, flow, inputs = mixed
    said = firstmile("validate", *inputs, "--flow", flow, expect=(0, 1, 4)).stdout.decode()
    assert f"  left out: {TESTERS} of " in said


def test_explain_says_why(mixed):
    _, flow, inputs = mixed
    for person, why in [("qa-d0", "(is_internal=true)"), ("qa-d2", "(team_member_marked)"),
                        ("qa-other4", "(is_internal=true)"), ("qa-listed11", "an id of 'leave_out'"),
                        ("qa-device", "an id of 'leave_out'")]:
        said = firstmile("explain", person, *inputs, "--flow", flow).stdout.decode()
        assert why in said and "in no number of this flow" in said, person
        assert said.count(" 2026-") > 1 and ("leaves out" in said or "an id of" in why)


def test_a_store_that_did_not_keep_the_property_says_so(mixed, tmp_path):
    _, flow, inputs = mixed
    plain = flow_file(tmp_path, "", "plain.yaml")
    store = tmp_path / "s"
    firstmile("ingest", *inputs, "--store", store, "--flow", plain, "--quiet")
    done = firstmile("report", "--store", store, "--flow", flow, "--out", tmp_path / "r", "-q",
                     expect=2)
    assert "properties.is_internal was not kept" in done.stderr.decode()
    # Ids and names of events are kept whatever flows ask for.
    ids = flow_file(tmp_path, "\nleave_out: [{ids: [qa-listed11, qa-device]}, {event: "
                              "team_member_marked}]\n", "ids.yaml")
    firstmile("report", "--store", store, "--flow", ids, "--out", tmp_path / "r", "-q")
    assert int(quality(tmp_path / "r", "left_out")[""]["count"]) == 8
    for path in (tmp_path / "r").rglob("*"):
        assert path.is_dir() or b"qa-listed" not in path.read_bytes(), path


def test_a_mark_that_no_event_has_is_named(tmp_path):
    flow = flow_file(tmp_path, "\nleave_out: [{where: {is_intern: true}}, {event: marked, where: "
                               "{a: 1}}, {where: {test: no_such_test}}]\n")
    said = firstmile("report", *sample_files(), "--flow", flow, "--out", tmp_path / "r").stdout
    said = " ".join(said.decode().split())
    assert "0 people left out by leave_out" in said
    assert "Whether leave_out misses anybody is not known: no event has 'is_intern'" in said
    unseen = quality(tmp_path / "r", "leave_out_never_seen")
    assert set(unseen) == {"is_intern=true", "marked[a=1]"}
    # The property is there, with other values: that is 0.
    by = quality(tmp_path / "r", "left_out_by")
    assert set(by) == {"test=no_such_test"} and by["test=no_such_test"]["count"] == "0"
    done = firstmile("flow", "check", flow, "--against", *sample_files(), expect=1)
    words = (done.stdout + done.stderr).decode()
    assert "leave_out is_intern=true" in words and "leave_out marked[a=1]" in words
    assert "leave_out test=no_such_test" not in words


def test_leaving_out_everybody_or_many_is_seen(tmp_path):
    flow = flow_file(tmp_path, "\nleave_out: [{where: {context.os: ['iOS 26.0', 'iOS 26.1', "
                               "'iOS 18.5', 'iOS 18.6']}}]\n")
    said = firstmile("report", *sample_files(), "--flow", flow, "--out", tmp_path / "r").stdout
    assert "people are left out by the flow file" in " ".join(said.decode().split())
    lines = [dict(event, properties=dict(event.get("properties") or {}, is_internal=True))
             for event in sample_events()[:2000]]
    (tmp_path / "all.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    flow = flow_file(tmp_path)
    done = firstmile("report", tmp_path / "all.ndjson", "--flow", flow, "--out", tmp_path / "r2",
                     expect=(0, 4))
    assert "does it match everybody?" in " ".join(done.stderr.decode().split())


def test_a_gate_says_that_other_people_were_left_out(mixed, tmp_path):
    _, flow, inputs = mixed
    plain = flow_file(tmp_path, "", "plain.yaml")
    base = ["--gate", ROOT / "sample-events/gate.yaml", "--baseline", tmp_path / "base.json"]
    firstmile("check", *sample_files(), "--flow", plain, *base, "--accept", expect=(0, 3))
    done = firstmile("check", *inputs, "--flow", flow, *base, expect=(2, 3, 4))
    assert "leave_out=is_internal=true" in (done.stdout + done.stderr).decode()
    # Without testers the same rules hold as with them left out.
    other = [*base[:2], "--baseline", tmp_path / "other.json"]
    firstmile("check", *sample_files(), "--flow", flow, *other, "--accept", expect=(0, 3))
    firstmile("check", *inputs, "--flow", flow, *other)


def test_a_gate_bounds_how_many_are_left_out(mixed, tmp_path):
    _, flow, inputs = mixed
    gate = tmp_path / "gate.yaml"
    gate.write_text("rules:\n  - {quality: left_out, at_most: 5%}\n  - {metric: completion_rate, at_least: 0%}\n")
    voided = firstmile("check", *inputs, "--flow", flow, "--gate", gate, expect=4)
    said = (voided.stdout + voided.stderr).decode()
    assert "persons whom the flow leaves out" in said and "at most 5" in said, said
    # Of the same people without the items nobody is.
    plain = flow_file(tmp_path, "", "plain.yaml")
    firstmile("check", *inputs, "--flow", plain, "--gate", gate)
    gate.write_text(gate.read_text().replace("5%", "60%"))
    firstmile("check", *inputs, "--flow", flow, "--gate", gate)


def test_nonsense_is_refused(tmp_path):
    for items, why in [("leave_out: [{}]", "needs 'event', 'where' or 'ids'"),
                       ("leave_out: [{event: onboarding_started}]", "would leave out all people"),
                       ("leave_out: [{ids: [a, a]}]", "'a' stands twice"),
                       ("leave_out: [{ids: [a], where: {b: c}}]", "can't stand beside 'ids'"),
                       ("leave_out: is_internal", "must be a list")]:
        flow = flow_file(tmp_path, "\n" + items + "\n")
        done = firstmile("flow", "check", flow, expect=2)
        assert why in done.stderr.decode(), (items, done.stderr)


def test_a_draft_says_what_may_mark_testers(mixed, tmp_path):
    inputs = mixed[2]
    draft = firstmile("flow", "init", *inputs).stdout.decode()
    assert "# leave_out:\n" in draft and "#   - where: {\"is_internal\": [true]}" in draft
    assert b"leave_out" not in firstmile("flow", "init", *sample_files()).stdout
    # What it says can be used as it stands.
    lines = draft.splitlines()
    first = lines.index("# leave_out:")
    for place in range(first, len(lines)):
        if not lines[place].startswith(("# leave_out:", "#   - where")):
            break
        lines[place] = lines[place][2:]
    (tmp_path / "used.yaml").write_text("\n".join(lines) + "\n")
    firstmile("flow", "check", tmp_path / "used.yaml")


@pytest.mark.parametrize("vendor, lines, where", [
    ("segment", [
        {"type": "identify", "userId": "t", "timestamp": "2026-01-05T10:00:00Z",
         "messageId": "1", "traits": {"is_internal": True}}], "traits.is_internal: true"),
    ("posthog", [
        {"uuid": "1", "event": "opened", "distinct_id": "t", "timestamp": "2026-01-05T10:00:00Z",
         "properties": {"$internal_or_test_user": True}}], "$internal_or_test_user: true"),
    ("posthog", [
        {"uuid": "1", "event": "$identify", "distinct_id": "t",
         "timestamp": "2026-01-05T10:00:00Z",
         "properties": {"$set": {"is_internal": True}}}], "properties.$set.is_internal: true"),
    ("amplitude", [
        {"event_type": "opened", "user_id": "t", "event_time": "2026-01-05 10:00:00.000000",
         "user_properties": {"is_internal": True}}], "is_internal: true"),
    ("ga4", [
        {"event_name": "opened", "user_pseudo_id": "t", "event_timestamp": "1767607200000000",
         "event_params": [{"key": "debug_mode", "value": {"int_value": "1"}}]}], "debug_mode: 1"),
    ("ga4", [
        {"event_name": "opened", "user_pseudo_id": "t", "event_timestamp": "1767607200000000",
         "event_params": [{"key": "traffic_type", "value": {"string_value": "internal"}}]}],
     "traffic_type: internal"),
    ("mixpanel", [
        {"event": "opened", "properties": {"distinct_id": "t", "time": 1767607200,
                                           "is_internal": True}}], "is_internal: true"),
], ids=lambda value: value if isinstance(value, str) else "")
def test_marks_of_vendors(vendor, lines, where, tmp_path):
    (tmp_path / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (tmp_path / "flow.yaml").write_text(
        f"flow: x\nsteps: [a]\nleave_out: [{{where: {{{where}}}}}]\n")
    report([tmp_path / "dump.ndjson"], tmp_path / "r", "--format", vendor,
           flow=tmp_path / "flow.yaml", expect=(0, 4))
    assert quality(tmp_path / "r", "left_out")[""]["count"] == "1"


def test_who_is_forgotten_is_not_named_by_the_stores_copy_of_a_flow_either(tmp_path):
    day = "2026-03-01T10:00:0"
    lines = [
        {"event": "onboarding_started", "timestamp": f"{day}1Z", "user_id": "qa-listed", "device_id": "qa-device"},
        {"event": "onboarding_started", "timestamp": f"{day}2Z", "user_id": "ada", "device_id": "other"},
    ]
    (tmp_path / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    words = ("ingest", tmp_path / "dump.ndjson", "--store", tmp_path / "s", "--quiet", "--flow")
    for ids in ("[qa-listed, qa-device, qa-new, qa-kept]", "[qa-kept, qa-device, qa-listed]"):
        firstmile(*words, flow_file(tmp_path, f"\nleave_out: [{{ids: {ids}}}]\n"))

    def text():
        return b"".join(path.read_bytes() for path in tmp_path.glob("s*") if path.is_file())

    def forget(person, *options):
        said = firstmile("store", "forget", tmp_path / "s", person, *options)
        return " ".join((said.stdout + said.stderr).decode().split())

    assert b"qa-listed" in text() and b"qa-device" in text() and b"qa-new" in text()
    said = forget("qa-listed")
    assert "the store's copy of the flow 'aiq' left this person out by an id" in said, said
    assert "take the id out of the flow file as well" in said, said
    # The device is the person's alone; others stay whom they leave out.
    assert b"qa-listed" not in text() and b"qa-device" not in text()
    assert b"qa-new" in text() and b"qa-kept" in text()
    # An id without any event is no unknown one where a flow names it.
    assert "left this person out by an id" in forget("qa-new")
    assert b"qa-new" not in text() and b"qa-kept" in text()
    assert "by an id" not in forget("ada")
    firstmile("store", "verify", tmp_path / "s")
