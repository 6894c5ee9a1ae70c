"""Events in containers: arrays, wrappers, envelopes and objects over several lines."""

import contextlib
import gzip
import json
import sqlite3

import pytest

from harness import FORMATS, IS_SLOW, SAMPLE, facts_of, firstmile, json_objects, numbers, report

PERSONS = "40"


def lines(events):
    return "".join(json.dumps(event) + "\n" for event in events)


def airbyte_messages(events):
    rows = [{"type": "LOG", "log": {"level": "INFO", "message": "reading"}}]
    rows += [{"type": "RECORD", "record": {"stream": "events", "emitted_at": 1, "data": event}}
             for event in events]
    return lines(rows + [{"type": "STATE", "state": {"data": {}}}])


def singer(events):
    rows = [{"type": "SCHEMA", "stream": "events", "schema": {"properties": {"event": {}}},
             "key_properties": []}]
    rows += [{"type": "RECORD", "stream": "events", "record": event} for event in events]
    return lines(rows + [{"type": "STATE", "value": {"bookmark": 1}}])


def cloudwatch(events):
    parts = [events[start:start + 7] for start in range(0, len(events), 7)]
    return lines({
        "messageType": "DATA_MESSAGE", "owner": "1", "logGroup": "g", "subscriptionFilters": ["f"],
        "logEvents": [{"id": "1", "timestamp": 1, "message": json.dumps(event)} for event in part],
    } for part in parts)


def hits(events):
    return [{"_index": "events", "_type": "_doc", "_id": str(place), "_score": 1, "_source": event}
            for place, event in enumerate(events)]


# What a container's text is, given its events.
CONTAINERS = {
    "array": lambda events: json.dumps(events),
    "array over several lines": lambda events: json.dumps(events, indent=2),
    "array with a mark": lambda events: "\ufeff" + json.dumps(events, ensure_ascii=False),
    "objects over several lines": lambda events: "\n".join(
        json.dumps(event, indent=4, ensure_ascii=False) for event in events) + "\n",
    "joined objects": lambda events: "".join(json.dumps(event) for event in events),
    "results": lambda events: json.dumps({"count": len(events), "next": None, "results": events}),
    "events": lambda events: json.dumps({"events": events}, indent=1),
    "data": lambda events: json.dumps({"data": events, "total": len(events)}),
    "Records over several lines": lambda events: json.dumps({"Records": events}, indent=1),
    "joined lists of records": lambda events: "".join(
        json.dumps({"next": "x", "records": events[start:start + 9]}) for start in range(0, len(events), 9)),
    "pages of data": lambda events: lines(
        [{"object": "list", "data": events[start:start + 9], "has_more": True}
         for start in range(0, len(events), 9)] + [{"object": "list", "data": [], "has_more": False}]),
    "pages of results": lambda events: lines(
        {"results": events[start:start + 9], "next": "x"} for start in range(0, len(events), 9)),
    "batches": lambda events: lines(
        {"batch": events[start:start + 9], "sentAt": "2026-01-01T00:00:00Z"}
        for start in range(0, len(events), 9)),
    "airbyte table": lambda events: lines(
        {"_airbyte_ab_id": "1", "_airbyte_emitted_at": 1, "_airbyte_data": event} for event in events),
    "airbyte table with texts": lambda events: lines(
        {"_airbyte_raw_id": "1", "_airbyte_data": json.dumps(event)} for event in events),
    "airbyte messages": airbyte_messages,
    "singer": singer,
    "kafka connect": lambda events: lines(
        {"schema": {"type": "struct", "fields": []}, "payload": event} for event in events),
    "kafka": lambda events: lines(
        {"topic": "t", "partition": 0, "offset": 1, "key": None, "payload": json.dumps(event)}
        for event in events),
    "cloudwatch": cloudwatch,
    "elasticsearch bulk": lambda events: "".join(
        lines([{"create" if place % 3 else "index": {"_index": "events", "_id": str(place)}}, event])
        for place, event in enumerate(events)) + lines([{"delete": {"_index": "events", "_id": "9"}}]),
    "elasticsearch dump": lambda events: lines(hits(events)),
    "elasticsearch search": lambda events: json.dumps(
        {"took": 3, "timed_out": False, "_shards": {"total": 1},
         "hits": {"total": {"value": len(events)}, "max_score": None, "hits": hits(events)}}),
    "elasticsearch pages": lambda events: lines(
        {"_scroll_id": "x", "took": 3, "hits": {"hits": hits(events[start:start + 9])}}
        for start in range(0, len(events), 9)),
    "elasticsearch search over several lines": lambda events: json.dumps(
        {"took": 3, "hits": {"max_score": 1.0, "hits": hits(events)}}, indent=2),
}


@pytest.fixture(scope="module")
def dumps(tmp_path_factory):
    """Events of one simulated dump in each format, without its broken lines, and its report."""
    made = {}
    for name in FORMATS:
        folder = tmp_path_factory.mktemp(name)
        firstmile("simulate", "--flow", SAMPLE, "--persons", PERSONS, "--seed", "5", "--format", name,
                  "--files", "1", "--compression", "none", "--out", folder / "dump", "--quiet")
        (dump,) = [path for path in (folder / "dump").iterdir() if path.name != "truth.json"]
        events = json_objects(dump.read_text(encoding="utf-8", errors="replace").splitlines())
        (folder / "lines.ndjson").write_text(lines(events), encoding="utf-8")
        numbers([folder / "lines.ndjson"], folder / "lines", "--rejects", folder / "lines.rejects")
        made[name] = (folder, events, facts_of(folder / "lines"))
    return made


def each_in_turn():
    """Every container in every format with --slow, else in two of them."""
    for place, name in enumerate(CONTAINERS):
        for step in range(len(FORMATS) if IS_SLOW else 2):
            yield FORMATS[(place + 3 * step) % len(FORMATS)], name


@pytest.mark.parametrize("format, name", list(each_in_turn()))
def test_a_container_gives_what_its_lines_give(dumps, format, name):
    folder, events, wanted = dumps[format]
    path = folder / f"{name}.ndjson"
    path.write_text(CONTAINERS[name](events), encoding="utf-8")
    numbers([path], folder / name, "--rejects", folder / f"{name}.rejects")
    assert facts_of(folder / name) == wanted


# Lines that hold several events, among lines that are events.
LISTS = {
    "a list": lambda events: json.dumps(events),
    "a list with spaces": lambda events: "  [ " + " , ".join(json.dumps(event) for event in events) + " ] ",
    "a batch": lambda events: json.dumps({"batch": events, "sentAt": "2026-01-05T10:00:00Z", "writeKey": "k"}),
    "a list of events in an object": lambda events: json.dumps({"sent_at": 1, "events": events}),
}


@pytest.mark.parametrize("format", ["canonical", "segment", "posthog", "mixpanel"])
@pytest.mark.parametrize("kind", LISTS)
def test_a_line_of_several_events_is_each_of_them(dumps, folder, format, kind):
    origin, events, wanted = dumps[format]
    half = len(events) // 2
    path = folder / "dump.ndjson"
    rest = [LISTS[kind](events[start:start + 37]) for start in range(half, len(events), 37)]
    path.write_text(lines(events[:half]) + "\n".join(rest) + "\n", encoding="utf-8")
    numbers([path], folder / "out", "--rejects", folder / "rejects")
    assert facts_of(folder / "out") == wanted


@pytest.mark.parametrize("kind", LISTS)
def test_a_draft_is_made_of_the_events_of_such_lines_too(dumps, folder, kind):
    _, events, _ = dumps["canonical"]
    drafts = []
    for name, size in (("plain", 1), ("lists", 23)):
        path = folder / f"{name}.ndjson"
        rest = [events[start:start + size] for start in range(30, len(events), size)]
        path.write_text(lines(events[:30]) + "".join(
            (LISTS[kind](some) if size > 1 else json.dumps(some[0])) + "\n" for some in rest), encoding="utf-8")
        drafts.append(firstmile("flow", "init", path).stdout.decode())
    assert drafts[0] == drafts[1]
    looked = int(drafts[0].partition("made from ")[2].split()[0])
    assert looked > len(events) * 0.99


def test_a_broken_event_in_a_list_costs_no_other(dumps, folder):
    _, events, _ = dumps["canonical"]
    nameless = {name: value for name, value in events[60].items() if name != "event"}
    head = lines(events[:50])
    path = folder / "dump.ndjson"
    path.write_text(head + json.dumps([events[51], nameless, events[52], 7]) + "\n" + "[]\n" + '{"batch": []}\n'
                    + json.dumps([1, 2]) + "\n" + json.dumps(events[53]) + "\nno JSON\n")
    numbers([path], folder / "out", "--rejects", folder / "rejects.ndjson", "--max-reject-rate", "100%")
    (source,) = json.loads((folder / "out/metrics.json").read_text())["provenance"]["sources"]
    assert (source["events"], source["rejects"]) == (53, 6)
    where = [json.loads(line) for line in (folder / "rejects.ndjson").read_text().splitlines()]
    assert sorted(reject["line"] for reject in where) == [51, 51, 52, 53, 54, 56]


def test_compressed_containers_and_standard_input(dumps, folder):
    _, events, wanted = dumps["canonical"]
    text = json.dumps(events, indent=1).encode()
    half = len(text) // 2
    # Two members, cut inside an event.
    (folder / "two.json.gz").write_bytes(gzip.compress(text[:half]) + gzip.compress(text[half:]))
    numbers([folder / "two.json.gz"], folder / "two", "--rejects", folder / "two.rejects")
    assert facts_of(folder / "two") == wanted
    numbers(["-"], folder / "pipe", "--rejects", folder / "pipe.rejects", stdin=text)
    assert facts_of(folder / "pipe") == wanted


def test_a_cut_container_keeps_what_came_before(folder):
    events = [{"event": "onboarding_started", "timestamp": 1_770_000_000 + place, "flow": SAMPLE,
               "user_id": f"u{place}"} for place in range(5)]
    whole = json.dumps(events)
    for cut, left, rejects in ((len(whole) - 1, 5, 0), (whole.index("u4"), 4, 1)):
        (folder / "cut.json").write_text(whole[:cut])
        done = numbers([folder / "cut.json"], folder / f"out{cut}", "--rejects", folder / f"rejects{cut}",
                      expect=4)
        said = done.stderr.decode()
        assert "the file ends inside its JSON, before the last bracket is closed" in said, said
        quality = json.loads(
            (folder / f"out{cut}" / "metrics.json").read_text())["provenance"]["sources"]
        assert quality[0]["events"] == left, quality
        kept = (folder / f"rejects{cut}").read_text() if rejects else ""
        assert kept.count("\n") == rejects


def events_of(count):
    return [{"event": "onboarding_started", "timestamp": 1_770_000_000 + place, "flow": SAMPLE,
             "user_id": f"u{place}"} for place in range(count)]


def read(folder, text, *options, expect=0):
    """How many events and rejects a text has, and what is said of it."""
    (folder / "dump.json").write_text(text)
    done = numbers([folder / "dump.json"], folder / "out", "--rejects", folder / "rejects",
                  "--max-reject-rate", "100%", *options, expect=expect)
    (source,) = json.loads((folder / "out" / "metrics.json").read_text())["provenance"]["sources"]
    return source["events"], source["rejects"], done.stderr.decode()


def test_an_envelope_of_another_kind_or_a_broken_one_costs_no_other(folder):
    rows = [json.dumps({"_airbyte_raw_id": "1", "_airbyte_data": event}) for event in events_of(9)]
    rows[2] = json.dumps(events_of(9)[2])
    rows[4] = rows[4][:60]
    rows[6] = json.dumps({"topic": "t", "offset": 3, "value": json.dumps(events_of(9)[6])})
    assert read(folder, "\n".join(rows) + "\n")[:2] == (8, 1)
    # In an array likewise, where an item that is no JSON ends at its comma.
    rows[4] = "tru"
    assert read(folder, "[" + ",".join(rows) + "]")[:2] == (8, 1)


def test_a_bracket_too_many_is_never_passed_over_in_silence(folder):
    events = [json.dumps(event) for event in events_of(6)]
    events[2] += "}"
    count, rejects, said = read(folder, "[" + ",\n".join(events) + "]", expect=4)
    assert (count, rejects) == (6, 0)
    assert "a bracket closes what was never opened; it was passed over" in said, said
    # An object that doesn't hold together is not opened: it is rejected, and so is what is left.
    count, rejects, said = read(folder, '{"results": [\n' + ",".join(events) + "]}", expect=4)
    assert (count, rejects) == (0, 2) and "2 malformed_json" in said, said


def test_first_lines_without_events_decide_nothing(folder):
    events = events_of(3)
    logs = [{"type": "LOG", "log": {"message": "m" * 900}} for _ in range(300)]
    records = [{"type": "RECORD", "record": {"stream": "s", "data": event}} for event in events]
    assert read(folder, lines(logs + records))[:2] == (3, 0)
    schema = {"type": "SCHEMA", "stream": "s", "schema": {"properties": {"x": "y" * 100_000}}}
    singer_records = [{"type": "RECORD", "stream": "s", "record": event} for event in events]
    assert read(folder, lines([schema] + singer_records))[:2] == (3, 0)
    pages = [{"results": [], "next": "x"}, {"results": events, "next": None}]
    assert read(folder, lines(pages))[:2] == (3, 0)


def test_lines_that_look_like_containers_stay_lines(folder):
    flow = folder / "mapped.yaml"
    flow.write_text("flow: mapped\nsteps: [a]\nfields: {event: action, timestamp: at, user_id: uid}\n")
    extra = [{"data": [{"k": 1}]}, {"topic": "t", "value": "v"}, {"schema": 1, "payload": {}},
             {"record": {}, "type": "RECORD"}, {"_airbyte_data": "x"}]
    for more in extra:
        rows = [{**more, "action": "a", "at": 1_770_000_000, "uid": f"u{n}"} for n in range(3)]
        (folder / "dump.ndjson").write_text(lines(rows))
        numbers([folder / "dump.ndjson"], folder / "out", flow=flow)
    long = [{"data": [events_of(1)[0]], "long": "x" * 70_000, **event} for event in events_of(3)]
    assert read(folder, lines(long))[:2] == (3, 0)


def test_a_broken_event_of_an_array_is_rejected_alone(folder):
    good = {"event": "onboarding_started", "timestamp": 1_770_000_000, "flow": SAMPLE, "user_id": "u"}
    text = f'[{json.dumps(good)}, {{"event": tru}}, 7, {json.dumps(dict(good, user_id="v"))}]'
    (folder / "some.json").write_text(text)
    numbers([folder / "some.json"], folder / "out", "--rejects", folder / "rejects",
           "--max-reject-rate", "100%")
    rejects = [json.loads(line) for line in (folder / "rejects").read_text().splitlines()]
    assert [row["line"] for row in rejects] == [2, 3], rejects


# GA4's parameters are lists, never a text.
@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("format", [format for format in FORMATS if format != "ga4"])
def test_properties_may_be_a_text_of_json(dumps, folder, format, depth):
    def written(value):
        for _ in range(depth):
            value = json.dumps(value)
        return value

    _, events, wanted = dumps[format]
    keys = ("event_properties", "user_properties") if format == "amplitude" else ("properties",)
    texts = [{key: written(value) if key in keys and isinstance(value, dict) else value
              for key, value in event.items()} for event in events]
    (folder / "texts.ndjson").write_text(lines(texts))
    numbers([folder / "texts.ndjson"], folder / "out", "--rejects", folder / "rejects")
    assert facts_of(folder / "out") == wanted


@pytest.mark.parametrize("as_text", [False, True])
def test_lists_may_be_written_as_parquet_nests_them(dumps, folder, as_text):
    """BigQuery's Parquet has three levels where nobody asked for inferred lists: `list`, `element`."""
    _, events, wanted = dumps["ga4"]

    def nested(value):
        value = {"list": [{"element": item} for item in value]}
        return json.dumps(value) if as_text else value

    changed = [{key: nested(value) if isinstance(value, list) else value for key, value in event.items()} for event in events]
    assert changed != events
    dump = folder / "nested.ndjson"
    dump.write_text(lines(changed))
    numbers([dump], folder / "out", "--rejects", folder / "rejects")
    assert facts_of(folder / "out") == wanted
    drafts = []
    for number, content in enumerate([events, changed]):
        (folder / f"{number}").mkdir()
        (folder / f"{number}/dump.ndjson").write_text(lines(content))
        drafts.append(firstmile("flow", "init", "dump.ndjson", cwd=folder / f"{number}").stdout)
    assert drafts[0] == drafts[1]


@pytest.mark.parametrize("first", [1, 21, 500])
def test_texts_of_json_are_read_from_whichever_line_on(dumps, folder, first):
    _, events, wanted = dumps["canonical"]
    texts = [event if number < first or not isinstance(event.get("properties"), dict)
             else event | {"properties": json.dumps(event["properties"])}
             for number, event in enumerate(events)]
    assert texts[-1] != events[-1]
    # Text and objects may take turns, too.
    for number in range(first + 30, len(texts), 7):
        texts[number] = events[number]
    (folder / "texts.ndjson").write_text(lines(texts))
    (folder / "deep").mkdir()
    (folder / "deep/before.ndjson").write_text(lines(events[:1]))
    numbers([folder / "texts.ndjson", folder / "deep"], folder / "out", "--threads", 1,
           "--rejects", folder / "rejects")
    found = facts_of(folder / "out")
    assert found["rows"] == wanted["rows"]


def test_an_object_with_several_lists_of_events_loses_none(folder):
    one, two, three, four = events_of(4)
    whole = {"results": [one, two], "next": None, "events": [three], "batch": [four]}
    others = {"count": 1, "events": "none", "data": [{"event": "x"}], "batch": [one], "results": []}
    assert read(folder, json.dumps(whole))[:2] == (4, 0)
    assert read(folder, json.dumps(whole) + json.dumps(others, indent=1))[:2] == (5, 0)


@pytest.mark.parametrize("indent", [None, 1])
@pytest.mark.parametrize("pack", [lambda part: part, lambda part: {"results": part}])
def test_a_wrong_checksum_of_a_container_is_damage(folder, pack, indent):
    content = json.dumps(pack(events_of(400)), indent=indent).encode()
    for parts in ([content], [content[:1000], content[1000:]]):
        packed = [bytearray(gzip.compress(part)) for part in parts]
        for part in packed:
            part[-8] ^= 1
            (folder / "dump.json.gz").write_bytes(b"".join(packed))
            said = numbers([folder / "dump.json.gz"], folder / "out", expect=4).stderr.decode()
            assert "the checksum of a gzip member is wrong" in said, said
            source, = json.loads((folder / "out/metrics.json").read_text())["provenance"]["sources"]
            assert (source["events"], source["rejects"]) == (400, 0)


def in_sqlite(path):
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("CREATE TABLE t (a)")
        database.commit()


EVENT = b'{"event": "onboarding_started", "timestamp": 1770000000, "flow": "aiq", "user_id": "u"}\n'
# Made by the tools that make them, where there is one here.
FOREIGN = {
    "an SQLite database": in_sqlite,
    "UTF-16 text": lambda path: path.write_bytes(EVENT.decode().encode("utf-16")),
    "UTF-32 text": lambda path: path.write_bytes(EVENT.decode().encode("utf-32")),
    "a Parquet file": lambda path: path.write_bytes(b"PAR1" + bytes(64) + b"PAR1"),
    "an Avro file": lambda path: path.write_bytes(b"Obj\x01" + bytes(64)),
    "a page of HTML or XML": lambda path: path.write_bytes(
        b'<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>'),
}


def test_a_first_line_that_is_a_page_is_one_reject(folder):
    text = "<html><body>503 Service Unavailable</body></html>\n" + lines(events_of(3))
    assert read(folder, text)[:2] == (3, 1)


@pytest.mark.parametrize("what", FOREIGN)
def test_a_file_of_another_kind_is_named(folder, what):
    FOREIGN[what](folder / "dump.ndjson")
    (folder / "good.ndjson").write_bytes(EVENT)
    for command in (["report", "dump.ndjson", "good.ndjson", "--flow", SAMPLE, "--out", "out"],
                    ["validate", "dump.ndjson", "--flow", SAMPLE], ["flow", "init", "dump.ndjson"]):
        said = firstmile(*command, cwd=folder, expect=2).stderr.decode()
        assert f"dump.ndjson: is {what}" in said, said


def test_very_many_blank_lines_before_the_first_event_take_no_memory(folder):
    event = {"event": "onboarding_started", "user_id": "u", "timestamp": "2026-01-05T00:00:00Z"}
    with open(folder / "blank.ndjson", "w") as file:
        for _ in range(64):
            file.write("\n" * (1 << 20))
        file.write(json.dumps(event) + "\n")
    done = report([folder / "blank.ndjson"], folder / "out", "--stats-json")
    figures = json.loads(done.stderr.splitlines()[-1])
    assert figures["events"] == 1 and figures["rejects"] == 0, figures
    # The blank lines are 64 MiB, and stood in memory twice.
    assert figures["peak_memory_bytes"] < 128 << 20, figures
