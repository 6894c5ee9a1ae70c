"""Events as rows of tables: CSV, TSV, and the columns that vendors' tables have."""

import csv
import gzip
import io
import json

import pytest

from harness import FORMATS, SAMPLE, facts_of, firstmile, json_objects, numbers, report, total

SNOWPLOW_COLUMNS = 131


def simulated(folder, format):
    firstmile("simulate", "--flow", SAMPLE, "--persons", "40", "--seed", "5", "--format", format,
              "--files", "1", "--compression", "none", "--out", folder / "dump", "--quiet")
    (dump,) = [path for path in (folder / "dump").iterdir() if path.name != "truth.json"]
    return json_objects(dump.read_text(encoding="utf-8", errors="replace").splitlines())


def objects_as_texts(event):
    """Each object or list at the event's root as a text of JSON in a column of its own."""
    return {name: json.dumps(value) if isinstance(value, (dict, list)) else value
            for name, value in event.items()}


def text(value):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value) if isinstance(value, (dict, list)) else str(value)


def flat(value, name="", joint="."):
    """The scalars in an object by joined names; what is in lists stays a text."""
    if not isinstance(value, dict):
        return {name: value}
    found = {}
    for key, inner in value.items():
        found.update(flat(inner, f"{name}{joint}{key}" if name else key, joint))
    return found


def table(rows, delimiter=",", **options):
    columns = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, **options)
    writer.writerow(columns)
    writer.writerows([[text(row.get(name)) for name in columns] for row in rows])
    return out.getvalue()


def column(event):
    """An event's properties as a text in one column, everything else in columns."""
    row = flat({key: value for key, value in event.items() if key != "properties"})
    return row | {"properties": json.dumps(event.get("properties") or {}, ensure_ascii=False)}


def beside(event):
    """Properties as columns beside the others."""
    row = flat({key: value for key, value in event.items() if key not in ("properties", "context")})
    return row | flat(event.get("properties") or {}) | flat(event.get("context") or {})


CANONICAL = {
    "dots": lambda events: table([flat(event) for event in events]),
    "a column of JSON": lambda events: table([column(event) for event in events]),
    "columns beside": lambda events: table([beside(event) for event in events]),
    "tabs": lambda events: table([flat(event) for event in events], "\t"),
    "underscores": lambda events: table([flat(event, joint="_") for event in events]),
    "texts of JSON": lambda events: table([objects_as_texts(event) for event in events]),
    "semicolons": lambda events: "\ufeff" + table([flat(event) for event in events], ";"),
    "all in quotes": lambda events: table([flat(event) for event in events], quoting=csv.QUOTE_ALL,
                                          lineterminator="\n"),
    "numbered rows": lambda events: table(
        [{"": number, **flat(event)} for number, event in enumerate(events)]),
    "two with a header each": lambda events: table(
        [flat(event) for event in (events[0], *events)]) + table(
            [flat(event) for event in (events[0], *events)]),
    "a second header in another order": lambda events: table(
        [flat(event) for event in events[:50]]) + table(
            [dict(reversed(flat(event).items())) for event in events[50:]]),
    "a second header with the columns of its rows": lambda events: table(
        [flat(event) for event in events[:9]]) + table([flat(event) for event in events[9:]]),
    "two carriage returns": lambda events: table(
        [flat(event) for event in events]).replace("\r\n", "\r\r\n"),
    "two carriage returns, all in quotes": lambda events: table(
        [flat(event) for event in events], quoting=csv.QUOTE_ALL).replace("\r\n", "\r\r\n"),
}


def singer(event):
    """As Singer's targets and dlt join the names of what is inside of objects."""
    return flat(event, joint="__")


def loaded(event):
    """As loaders write names that have signs: neither BigQuery's columns nor its records' fields take any."""
    if not isinstance(event, dict):
        return event
    return {name.replace("$", "_").replace("/", "_"): loaded(value) for name, value in event.items()}


def with_objects(events):
    return [event | {"properties": json.loads(event["properties"])}
            if isinstance(event.get("properties"), str) else event for event in events]


def loaded_rows(event):
    return flat(loaded(event), joint="_")


@pytest.mark.parametrize("format", ["mixpanel", "posthog"])
def test_a_vendors_names_may_have_lost_their_dollar_signs(folder, format):
    events = with_objects(simulated(folder, format))
    assert loaded(events[0]) != events[0]
    for name, change in (("lines", dict), ("loaded", loaded), ("rows", loaded_rows)):
        (folder / f"{name}.ndjson").write_text("".join(json.dumps(change(event)) + "\n" for event in events))
        numbers([folder / f"{name}.ndjson"], folder / name, "--max-reject-rate", "100%")
        assert facts_of(folder / name) == facts_of(folder / "lines")


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("row", [flat, objects_as_texts, singer])
def test_every_formats_events_may_be_rows_of_a_table(folder, format, row):
    events = with_objects(simulated(folder, format))
    (folder / "lines.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    numbers([folder / "lines.ndjson"], folder / "lines", "--max-reject-rate", "100%")
    (folder / "events.csv").write_text(table([row(event) for event in events]), encoding="utf-8")
    numbers([folder / "events.csv"], folder / "out", "--max-reject-rate", "100%")
    assert facts_of(folder / "out") == facts_of(folder / "lines")


@pytest.fixture(scope="module")
def canonical(tmp_path_factory):
    folder = tmp_path_factory.mktemp("canonical")
    events = simulated(folder, "canonical")
    (folder / "lines.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    numbers([folder / "lines.ndjson"], folder / "lines", "--max-reject-rate", "100%")
    return events, facts_of(folder / "lines")


@pytest.mark.parametrize("name", CANONICAL)
def test_a_table_gives_what_its_events_give_as_json(canonical, folder, name):
    events, wanted = canonical
    content = CANONICAL[name](events).encode()
    (folder / "events.csv").write_bytes(content)
    # Members that are cut inside of rows.
    third = len(content) // 3
    (folder / "events.csv.gz").write_bytes(gzip.compress(content[:third]) + gzip.compress(content[third:]))
    for file in ("events.csv", "events.csv.gz"):
        numbers([folder / file], folder / "out", "--max-reject-rate", "100%")
        assert facts_of(folder / "out") == wanted
    numbers(["-"], folder / "pipe", "--max-reject-rate", "100%", stdin=content)
    assert facts_of(folder / "pipe") == wanted


def fivetran_amplitude(event):
    row = {name.replace("$", "_"): value for name, value in event.items()}
    return {name: json.dumps(value) if isinstance(value, dict) else value for name, value in row.items()}


def fivetran_mixpanel(event):
    properties = dict(event["properties"])
    row = {"name": event["event"]}
    for name in ("time", "distinct_id", "$insert_id", "$device_id", "$os", "$os_version", "$model",
                 "$app_version_string"):
        row[name.lstrip("$")] = properties.pop(name, None)
    return row | {"properties": json.dumps(properties)}


def segment_columns(event):
    row = {"event": "slug", "event_text": event["event"], "id": event.get("messageId"),
           "user_id": event.get("userId"), "anonymous_id": event.get("anonymousId"),
           "timestamp": event.get("timestamp"), "original_timestamp": event.get("originalTimestamp"),
           "sent_at": event.get("sentAt"), "received_at": event.get("receivedAt")}
    return row | flat({"context": event["context"]}, joint="_") | flat(event["properties"], joint="_")


def posthog_page(event):
    """What the page of events exports: all columns of `*`, and the event once more."""
    properties = event["properties"]
    event = dict(event, properties=json.loads(properties) if isinstance(properties, str) else properties)
    return {"event": event["event"]} | {f"*.{name}": value for name, value in flat(event).items()}


def snowplow_rows(events):
    names = SNOWPLOW
    lines = []
    for event in events:
        context, properties = event.get("context") or {}, dict(event.get("properties") or {})
        for name in ("flow", "flow_version", "experiments", "experiment", "variant"):
            if event.get(name) is not None:
                properties[name] = event[name]
        data = {"schema": "iglu:com.acme/event/jsonschema/1-0-0", "data": properties | context}
        row = {"app_id": "shop", "platform": "mob", "event": "unstruct",
               "event_id": "c6ef0000-0000-4000-8000-000000000003", "user_id": event.get("user_id"),
               "domain_userid": event.get("device_id"), "derived_tstamp": event.get("timestamp"),
               "domain_sessionid": event.get("session_id"), "event_name": event.get("event"),
               "os_name": context.get("os"), "br_lang": context.get("locale"),
               "dvce_type": context.get("device_model"),
               "unstruct_event": json.dumps({"schema": "iglu:x", "data": data})}
        lines.append("\t".join(text(row.get(name)).replace("\t", " ") for name in names) + "\n")
    return "".join(lines)


def test_in_a_folder_a_table_of_something_else_is_passed_over(folder):
    events = simulated(folder, "canonical")
    dumps = folder / "dumps"
    dumps.mkdir()
    (dumps / "events.csv").write_text(table([flat(event) for event in events]))
    numbers([dumps], folder / "one", "--max-reject-rate", "100%")
    others = {
        "customers.csv": "id,name,time,user_id\n1,Ada,2026-01-05T10:00:00Z,u1\n",
        "devices.csv": "type,userId,timestamp\nphone,u1,2026-01-05T10:00:00Z\n",
        "kinds.tsv": "event\tdescription\nonboarding_started\tthe beginning\n"}
    for name, text in others.items():
        (dumps / name).write_text(text)
    said = numbers([dumps], folder / "two", "--max-reject-rate", "100%").stderr.decode()
    assert facts_of(folder / "one") == facts_of(folder / "two")
    assert "3 files passed over: " in said and all(f"{name} (no events)" in said for name in others)
    # One that is named is read.
    numbers([dumps / "customers.csv"], folder / "named")
    (source,) = json.loads((folder / "named/metrics.json").read_text())["provenance"]["sources"]
    assert source["events"] == 1


SNOWPLOW = [f"column_{number}" for number in range(1, SNOWPLOW_COLUMNS + 1)]
# By their numbers in the list that Snowplow's SDKs have.
for number, name in {1: "app_id", 2: "platform", 6: "event", 7: "event_id", 13: "user_id",
                     16: "domain_userid", 59: "unstruct_event", 124: "domain_sessionid",
                     125: "derived_tstamp", 127: "event_name", 84: "br_lang", 98: "os_name",
                     102: "dvce_type"}.items():
    SNOWPLOW[number - 1] = name

TABLES = {
    "amplitude": ("amplitude", lambda events: table([fivetran_amplitude(event) for event in events])),
    "mixpanel-table": ("mixpanel", lambda events: table([fivetran_mixpanel(event) for event in events])),
    "segment-tables": ("segment", lambda events: table([segment_columns(event) for event in events])),
    "segment-tables in capitals": ("segment", lambda events: table(
        [{name.upper(): value for name, value in segment_columns(event).items()} for event in events])),
    "posthog": ("posthog", lambda events: table([posthog_page(event) for event in events])),
    "snowplow": ("canonical", snowplow_rows),
}


@pytest.mark.parametrize("name", TABLES)
def test_a_vendors_table_gives_what_its_export_gives(folder, name):
    format, rows = TABLES[name]
    events = simulated(folder, format)
    (folder / "lines.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    (folder / "events.csv").write_text(rows(events))
    for out, file in (("lines", "lines.ndjson"), ("table", "events.csv")):
        numbers([folder / file], folder / out, "--max-reject-rate", "100%")
    assert facts_of(folder / "table")["rows"] == facts_of(folder / "lines")["rows"]
    draft = firstmile("flow", "init", folder / "events.csv").stdout.decode()
    assert f"# Format: {name.split(' ')[0]}. " in draft


FLOW = "flow: shop\nsteps: [one, two]\nfields: {event: what, timestamp: when, user_id: who, page_name: page}\n"


def read(folder, content, *options, expect=0, name="events.csv"):
    (folder / "shop.yaml").write_text(FLOW)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = numbers([folder / name], folder / "out", "--rejects", folder / "rejects",
                  "--max-reject-rate", "100%", *options, flow=folder / "shop.yaml", expect=expect)
    (source,) = json.loads((folder / "out/metrics.json").read_text())["provenance"]["sources"]
    rejects = folder / "rejects"
    kept = [json.loads(line) for line in rejects.read_text().splitlines()] if rejects.exists() else []
    return source, kept, done.stderr.decode()


HEAD = "what,when,who,page\n"
ROW = "onboarding_page_viewed,2026-01-01T00:00:00Z,u,one\n"


def test_columns_by_the_flow_files_names(folder):
    source, kept, _ = read(folder, HEAD + ROW * 3, "--as-of", "2026-02-01")
    assert (source["events"], source["rejects"], kept) == (3, 0, [])
    assert total(folder / "out", "step_reach", "one") == (1, 1)
    assert total(folder / "out", "step_reach", "two") == (0, 1)


@pytest.mark.parametrize("row", [
    "a,b\n", "a,b,c\n", "onboarding_page_viewed,2026-01-01T00:00:00Z,u,one,more\n",
    '"onboarding_page_viewed"x,2026-01-01T00:00:00Z,u,one\n',
])
def test_a_row_that_does_not_fit_is_rejected_as_its_values(folder, row):
    source, kept, _ = read(folder, HEAD + ROW + row + ROW)
    assert (source["events"], source["rejects"]) == (2, 1)
    assert kept[0]["reason"] == "not_an_object"
    assert len(json.loads(kept[0]["text"])) == len(row.split(","))


def test_values_over_several_lines_and_quotes_in_them(folder):
    person = 'o"n\\e,\r\n\tü'
    row = ROW.replace(",u,", ',"' + person.replace('"', '""') + '",')
    source, _, _ = read(folder, HEAD + row + ROW.rstrip("\n"))
    assert (source["events"], source["rejects"]) == (2, 0)
    said = firstmile("explain", person, folder / "events.csv", "--flow", folder / "shop.yaml").stdout
    assert b"onboarding_page_viewed" in said and b"one" in said


def test_rows_of_nothing_mean_nothing(folder):
    source, _, _ = read(folder, HEAD + ROW + "\n\r\n,,,\r\n" + ROW)
    assert (source["events"], source["rejects"]) == (2, 0)
    # With names for all columns, a spreadsheet's empty ones too.
    source, _, _ = read(folder, HEAD.replace("page", "page,,") + ROW.replace("one", "one,,") + ",,,,,\n")
    assert (source["events"], source["rejects"]) == (1, 0)


@pytest.mark.parametrize("before", ["\n\r\n", "sep=,\n", "\ufeffsep=,\r\n", "  \n"])
def test_what_may_stand_before_the_header(folder, before):
    source, _, _ = read(folder, before + HEAD + ROW)
    assert (source["events"], source["rejects"]) == (1, 0)


def test_values_moved_by_a_comma_do_not_count(folder):
    head = "event,timestamp,note,user_id,plan\n"
    row = "onboarding_started,2026-01-21T10:00:01Z,hi,u1,\n"
    (folder / "events.csv").write_text(head + row * 3 + row.replace("hi", "hello, world"))
    numbers([folder / "events.csv"], folder / "out", "--max-reject-rate", "100%")
    (source,) = json.loads((folder / "out/metrics.json").read_text())["provenance"]["sources"]
    assert (source["events"], source["rejects"]) == (3, 1)


def test_a_long_quoted_value_is_one_reject_and_nothing_in_it_counts(folder):
    inside = ROW * 400_000
    quoted = ROW.replace(",u,", ',"u, v",')
    source, _, _ = read(folder, HEAD + quoted + ROW.replace("one", f'"{inside}"') + ROW)
    assert (source["events"], source["rejects"]) == (2, 1)


def test_names_with_many_dots_are_names(folder):
    deep = ".".join("abcdefghijklmnopqrstuvwxyz")
    source, _, _ = read(folder, HEAD.replace("page", f"page,{deep}") + ROW.replace("one", "one,x"))
    assert (source["events"], source["rejects"]) == (1, 0)


@pytest.mark.parametrize("end", ["and more\n", "and more", "and, with commas, more\n\n"])
def test_quotes_that_are_never_closed_are_damage(folder, end):
    source, kept, said = read(folder, HEAD + ROW + ROW.replace("one", '"one') + end, expect=4)
    assert (source["events"], source["rejects"]) == (1, 1)
    assert "the quotes around a value in row 3 are never closed" in said
    assert kept[0]["reason"] == "truncated"


@pytest.mark.parametrize("cut", [1, 5, 40, -1, 0])
def test_a_header_may_go_on_in_the_next_member(folder, cut):
    head = "event,timestamp,user_id,properties.page_name\n"
    row = "onboarding_page_viewed,2026-01-01T00:00:00Z,u{},privacy\n"
    content = (head + "".join(row.format(number) for number in range(50))).encode()
    place = len(head) + cut if cut < 1 else cut
    (folder / "whole.csv").write_bytes(content)
    (folder / "members.csv.gz").write_bytes(gzip.compress(content[:place]) + gzip.compress(content[place:]))
    for name in ("whole.csv", "members.csv.gz"):
        numbers([folder / name], folder / name.partition(".")[0], "--max-reject-rate", "0")
    assert facts_of(folder / "members") == facts_of(folder / "whole")


def test_a_cut_gzip_file_keeps_the_rows_before(folder):
    content = gzip.compress((HEAD + "".join(ROW.replace("u", f"u{n}") for n in range(5000))).encode())
    source, _, _ = read(folder, content[:len(content) * 3 // 4], expect=4, name="events.csv.gz")
    assert 1000 < source["events"] < 5000
    assert source["rejects"] <= 1


@pytest.mark.parametrize("content", [
    "Hello, world\nthis is no table\n", "just words\nand more\n", "1,2,3\n4,5,6\n", "a,b\n{\"event\":1}\n",
])
def test_what_is_no_table_is_read_as_lines(folder, content):
    source, kept, _ = read(folder, content, expect=4)
    assert source["rejects"] == content.count("\n")
    assert [line["text"] for line in kept] == content.splitlines()


def test_a_header_alone_is_no_event_and_no_reject(folder):
    source, kept, _ = read(folder, "event,timestamp,user_id\n", expect=(0, 3, 4))
    assert (source["events"], source["rejects"], kept) == (0, 0, [])


def test_a_draft_of_a_table(folder):
    rows = [{"event": "Tutorial Started", "time": "2026-01-01T00:00:00Z", "user_id": "u", "plan": "free"},
            {"event": "Tutorial Completed", "time": "2026-01-01T00:01:00Z", "user_id": "u", "plan": "free"}]
    (folder / "events.csv").write_text(table(rows))
    draft = firstmile("flow", "init", folder / "events.csv").stdout
    (folder / "flow.yaml").write_bytes(draft)
    assert b"Format: table" in draft
    report([folder / "events.csv"], folder / "out", flow=folder / "flow.yaml")


ROWS = [{"event": name, "timestamp": f"2026-01-05T10:0{place}:00Z", "user_id": f"u{person}", "page_name": page}
        for person in range(40)
        for place, (name, page) in enumerate([("onboarding_started", ""), ("onboarding_page_viewed", "welcome"),
                                              ("onboarding_completed", "")][:2 + person % 2])]
JSON_LINES = "".join(json.dumps(row) + "\n" for row in ROWS)


def read_of(folder, text, rejects=None):
    (folder / "dump").write_bytes(text.encode())
    (folder / "own.yaml").write_text("flow: app\nsteps: [welcome, plan]\n")
    numbers([folder / "dump"], folder / "out", "--as-of", "2026-02-01", "--max-reject-rate", "50%", flow=folder / "own.yaml")
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert (found["events"], found["rejects"]) == (len(ROWS), rejects or {}), found
    return facts_of(folder / "out")["rows"]


@pytest.mark.parametrize("text", [
    table(ROWS).replace("\r\n", "\r"), JSON_LINES.replace("\n", "\r"),
    'sep=;\n' + table(ROWS, ";"), '"sep=;"\r\n' + table(ROWS, ";"), '"sep=;"\r' + table(ROWS, ";").replace("\r\n", "\r"),
], ids=["returns", "lines with returns", "sep", "sep in quotes", "sep with returns"])
def test_tables_as_spreadsheets_write_them(folder, text):
    assert read_of(folder, text) == read_of(folder, table(ROWS))


@pytest.mark.parametrize("broken", ["time,event\nbroken,two\n", "a, b}\n\nc, d}\n", "event,timestamp}\nx,y\nz,\n"])
def test_lines_of_json_behind_broken_ones_with_commas_are_no_table(folder, broken):
    lines = len([line for line in broken.splitlines() if line])
    assert read_of(folder, broken + JSON_LINES, {"malformed_json": lines}) == read_of(folder, JSON_LINES)
