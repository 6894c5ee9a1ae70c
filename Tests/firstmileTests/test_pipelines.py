"""What pipelines and warehouses add to events, leave behind or write beside them."""

import csv
import json

import pytest

from harness import facts_of, firstmile, numbers, report, total
from test_warehouse_exports import FLOW, START, canonical, lines, people, plainly, table, utc


@pytest.fixture
def flow(folder):
    (folder / "flow.yaml").write_text(FLOW)
    return folder / "flow.yaml"


def row(person, at, event, page, is_user):
    return {"event": event, "timestamp": utc(at, "Z"), "device_id": f"d{person}",
            "user_id": f"u{person}" if is_user else None, "page": page}


def counted(folder, dump, name, expect=0):
    numbers([folder / dump], folder / name, "--as-of", "2026-02-03", flow=folder / "flow.yaml", expect=expect)
    return facts_of(folder / name)["rows"]


# The mark, what a row has that counts, and what one has that doesn't.
MARKS = {
    "Fivetran": ("_fivetran_deleted", False, True),
    "Fivetran's history": ("_fivetran_active", True, False),
    "Stitch": ("_sdc_deleted_at", None, "2026-02-01T00:00:00Z"),
    "Airbyte": ("_ab_cdc_deleted_at", None, "2026-02-01T00:00:00Z"),
    "Hevo": ("__hevo__marked_deleted", False, True),
    "Debezium": ("__deleted", "false", "true"),
    "PeerDB": ("_PEERDB_IS_DELETED", False, True),
    "Estuary": ("_meta/op", "c", "d"),
    "AWS DMS": ("Op", "I", "D"),
    "Snowflake's streams": ("METADATA$ACTION", "INSERT", "DELETE"),
    "Delta's change data feed": ("_change_type", "insert", "delete"),
    "what Delta's rows were before an update": ("_change_type", "update_postimage", "update_preimage"),
    "BigQuery's changes": ("_CHANGE_TYPE", "INSERT", "DELETE"),
}
# Those that leave the row as it was; the others are logs, which may have the row as it came, too.
OF_THE_ROW = {"Fivetran", "Fivetran's history", "Stitch", "Hevo", "PeerDB", "Estuary"}


@pytest.mark.parametrize("shape", ["table", "lines", "canonical lines", "in capitals"])
@pytest.mark.parametrize("name", MARKS)
def test_rows_that_are_marked_as_deleted_do_not_count(folder, flow, name, shape):
    mark, kept, gone = MARKS[name]
    made = canonical if shape == "canonical lines" else row
    rows = [made(*one) | {mark: kept} for one in people()]
    gone = [made(1000 + person, at, event, page, False) | {mark: gone}
            for person, at, event, page, _ in people(30)]
    all_rows = gone[:25] + rows + gone[25:]
    if shape == "in capitals":
        all_rows = [{name.upper(): value for name, value in one.items()} for one in all_rows]
    (folder / "dump").write_text((table if shape in ("table", "in capitals") else lines)(all_rows))
    assert counted(folder, "dump", "out") == plainly()
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    reason = "deleted_row" if name in OF_THE_ROW else "deleted_by_log"
    assert found["rejects"] == {reason: len(gone)}, found["rejects"]
    (first, *_) = rejects = [*map(json.loads, (folder / "out-rejects.ndjson").read_text().splitlines())]
    wanted = mark.lower() if shape == "in capitals" and name != "AWS DMS" else mark
    assert first["detail"] == f"marked by '{wanted}'; the row is not kept", first
    divided = firstmile("partition", folder / "dump", "--flow", flow, "--partitions", 2, "--out",
                        folder / "segments", "--quiet")
    assert b"accepted share" not in divided.stderr
    # Whom somebody has deleted isn't kept here either.
    assert len(rejects) == len(gone) and not any(one["text"] for one in rejects), first


@pytest.mark.parametrize("word", ["None", "NaT", "null", False, "1970-01-01 00:00:00", "1970-01-01T00:00:00Z"])
@pytest.mark.parametrize("write", [table, lines])
def test_what_stands_for_no_time_deletes_nothing(folder, flow, word, write):
    (folder / "dump").write_text(write([row(*one) | {"_sdc_deleted_at": word} for one in people()]))
    assert counted(folder, "dump", "out") == plainly()


def test_a_folders_table_that_begins_with_deleted_rows_is_read(folder):
    """Only the flow's own names say that these are events, and twenty rows are looked at for that."""
    head = "what,who,moment,_fivetran_deleted\n"
    rows = [f"begin,u{number},2026-01-05T10:00:00Z,{number < 30}" for number in range(130)]
    (folder / "in").mkdir()
    (folder / "in/own.csv").write_text(head + "\n".join(rows) + "\n")
    (folder / "own.yaml").write_text(
        "flow: app\nsteps: [welcome]\nevents: {begin: onboarding_started}\n"
        "fields: {event: what, user_id: who, timestamp: moment}\n")
    numbers([folder / "in"], folder / "out", "--as-of", "2026-02-01", flow=folder / "own.yaml")
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert (found["events"], found["rejects"]) == (100, {"deleted_row": 30}), found


def test_a_draft_is_not_made_of_deleted_rows(folder, flow):
    rows = [row(*one) | {"_fivetran_deleted": False} for one in people()]
    rows += [row(person, at, "old_event", page, False) | {"_fivetran_deleted": True}
             for person, at, event, page, _ in people()]
    (folder / "dump.csv").write_text(table(rows))
    assert b"old_event" not in firstmile("flow", "init", folder / "dump.csv").stdout


@pytest.mark.parametrize("log, words", [("_delta_log", "is a Delta Lake table"), (".hoodie", "is a Hudi table")])
@pytest.mark.parametrize("place", ["", "deep/table"])
def test_a_lakes_table_is_not_read_file_by_file(folder, flow, log, words, place):
    inside = folder / "lake" / place
    (inside / log).mkdir(parents=True)
    (inside / log / "00000000000000000000.json").write_text('{"commitInfo":{}}\n')
    (inside / "part-0.csv").write_text(table([row(*one) for one in people()]))
    (folder / "beside.ndjson").write_text(lines([canonical(*one) for one in people()]))
    done = numbers([folder / "lake", folder / "beside.ndjson"], folder / "out", flow=flow, expect=2)
    said = done.stderr.decode()
    assert words in said and "deleted or replaced" in said, said
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert found["events"] == len(list(people()))
    # A file that is named is read.
    numbers([inside / "part-0.csv"], folder / "one", flow=flow)


@pytest.mark.parametrize("log, words", [
    ("_delta_log/0.json", "is a Delta Lake table"), (".hoodie/hoodie.properties", "is a Hudi table"),
    ("metadata/v1.metadata.json", "is an Iceberg table"),
])
@pytest.mark.parametrize("part", ["lake/day=1", "lake/*/*.csv", "la*/day=1", "./lake/day=1/../day=*", "**/*.csv"])
def test_parts_of_a_lakes_table_are_not_read_by_themselves(folder, flow, log, words, part):
    place = folder / "lake" / log
    place.parent.mkdir(parents=True)
    place.write_text('{"format-version":2,"table-uuid":"0"}\n')
    for day in ("1", "2"):
        (folder / f"lake/day={day}").mkdir()
        (folder / f"lake/day={day}/part-0.csv").write_text(table([row(*one) for one in people()]))
    (folder / "beside.ndjson").write_text(lines([canonical(*one) for one in people()]))
    done = numbers([part, "beside.ndjson"], folder / "out", flow=flow, cwd=folder, expect=2)
    said = done.stderr.decode()
    assert said.count(words) == 1 and "deleted or replaced" in said, said
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert found["events"] == len(list(people()))


# A change log's message about a row: that it came, and that it is gone.
def debezium(one, is_gone):
    return {"before": one if is_gone else None, "after": None if is_gone else one,
            "source": {"connector": "postgresql", "table": "events"}, "op": "d" if is_gone else "c", "ts_ms": 1}


def maxwell(one, is_gone):
    return {"database": "app", "table": "events", "type": "delete" if is_gone else "insert", "ts": 1, "data": one}


CHANGES = {
    "Debezium": debezium,
    "Debezium without what was": lambda one, is_gone: debezium(one, is_gone) | ({"before": None} if is_gone else {}),
    "Debezium with schemas": lambda one, is_gone: {"schema": {"type": "struct"}, "payload": debezium(one, is_gone)},
    "Debezium of MongoDB": lambda one, is_gone: debezium(None if is_gone else json.dumps(one), is_gone),
    "AWS DMS to Kafka": lambda one, is_gone: {
        "data": one, "metadata": {"timestamp": "2026-01-01T00:00:00Z", "record-type": "data",
                                  "operation": "delete" if is_gone else "insert", "table-name": "events"}},
    "Maxwell": maxwell,
    "Canal": lambda one, is_gone: maxwell([one], is_gone) | {
        "type": "DELETE" if is_gone else "INSERT", "isDdl": False, "old": None},
}


@pytest.mark.parametrize("made", [row, canonical])
@pytest.mark.parametrize("write", [lines, lambda rows: json.dumps(rows, indent=1)], ids=["lines", "an array"])
@pytest.mark.parametrize("name", CHANGES)
def test_messages_of_change_logs_are_events(folder, flow, name, made, write):
    message = CHANGES[name]
    gone = [message(made(1000 + person, at, event, page, False), True)
            for person, at, event, page, _ in people(30)]
    came = [message(made(*one), False) for one in people()]
    # An update that says what was there already is no further event.
    (folder / "dump").write_text(write(gone[:25] + came + came[:7] + gone[25:]))
    assert counted(folder, "dump", "out") == plainly()
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert found["rejects"] == {"deleted_by_log": len(gone)}, found["rejects"]
    assert found["events"] == len(came) + 7


def test_marks_in_a_change_log_are_no_lines(folder, flow):
    rows = [debezium(row(*one), False) for one in people()]
    rows.insert(3, {"source": {"table": "events"}, "op": "t", "ts_ms": 1, "before": None, "after": None})
    rows.insert(5, {"source": {"table": ""}, "op": "m", "ts_ms": 1, "message": {"prefix": "p", "content": "eA=="}})
    (folder / "dump").write_text(lines(rows))
    counted(folder, "dump", "out")
    found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
    assert (found["events"], found["rejects"]) == (len(rows) - 2, {}), found


def test_oracles_names_in_capitals_are_read_beside_the_column_of_dms(folder, flow):
    rows = [{"Op": "I"} | {name.upper(): value for name, value in row(*one).items()} for one in people()]
    (folder / "dump").write_text(table(rows + [rows[0] | {"Op": "D"}]))
    assert counted(folder, "dump", "out") == plainly()


# Snowflake's names of columns are in capitals, also in what it unloads as JSON.
def upper(one):
    return {name.upper(): value for name, value in one.items()}


CAPITALS = {
    "columns beside": lambda *one: upper(row(*one)),
    "an object of properties": lambda *one: upper(canonical(*one)),
    "Amplitude's": lambda person, at, event, page, is_user: {
        "AMPLITUDE_ID": 1000 + person, "EVENT_TYPE": event, "DEVICE_ID": f"d{person}",
        "USER_ID": f"u{person}" if is_user else None, "EVENT_TIME": utc(at, ".000"),
        "EVENT_PROPERTIES": {"page": page}, "USER_PROPERTIES": {}, "UUID": f"{person}-{at}"},
    "Mixpanel's": lambda person, at, event, page, is_user: {
        "EVENT_NAME": event, "TIME": utc(at, ".000"), "INSERT_ID": f"{person}-{at}",
        "DISTINCT_ID": f"u{person}" if is_user else f"$device:d{person}",
        "USER_ID": f"u{person}" if is_user else None, "DEVICE_ID": f"d{person}", "PROPERTIES": {"page": page}},
}


@pytest.mark.parametrize("packed", ["lines", "a list"])
@pytest.mark.parametrize("name", CAPITALS)
def test_lines_with_names_in_capitals_are_read(folder, flow, name, packed):
    rows = [CAPITALS[name](*one) for one in people()]
    (folder / "dump").write_text(lines(rows) if packed == "lines" else json.dumps(rows, indent=1))
    assert counted(folder, "dump", "out") == plainly()
    assert 50 <= total(folder / "out", "completion_rate")[0] < 60


def test_a_flow_finds_capitals_in_capitals_and_in_small_letters(folder, flow):
    rows = [{"EVENT": event, "TIMESTAMP": utc(at, "Z"), "USER_ID": f"d{person}", "DATA": {"Screen": page}}
            for person, at, event, page, _ in people()]
    (folder / "dump").write_text(lines(rows))
    drawn = []
    for path in ("DATA.Screen", "data.Screen"):
        flow.write_text(FLOW.replace("properties.page", path))
        drawn.append(counted(folder, "dump", "out"))
        found = json.loads((folder / "out/metrics.json").read_text())["provenance"]
        assert found["rejects"] == {}
        assert b"step_reach" in drawn[-1]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("quoted", [False, True])
def test_a_header_behind_a_byte_order_mark_is_one(folder, flow, quoted):
    """Spreadsheets begin each file with a mark: put together with `cat`, one stands in the middle."""
    rows = [row(*one) for one in people()]
    header = (lambda names: ",".join(f'"{name}"' for name in names)) if quoted else ",".join
    columns = [["event", "timestamp", "device_id", "user_id", "page"],
               ["event", "timestamp", "user_id", "device_id", "page"]]
    parts = [rows[:150], rows[150:]]
    text = "".join("\ufeff" + header(names) + "\n" + table([{name: one[name] for name in names} for one in part])
                   .split("\n", 1)[1] for names, part in zip(columns, parts))
    (folder / "dump.csv").write_text(text, encoding="utf-8")
    assert counted(folder, "dump.csv", "out") == plainly()


def test_a_byte_order_mark_in_the_middle_costs_no_event(folder, flow):
    events = [json.dumps(canonical(*one)) for one in people()]
    marked = [("\ufeff" if place % 100 == 0 else "") + event for place, event in enumerate(events)]
    (folder / "dump").write_text("\n".join(marked) + "\n", encoding="utf-8")
    assert counted(folder, "dump", "out") == plainly()
    assert json.loads((folder / "out/metrics.json").read_text())["provenance"]["rejects"] == {}


def ga4(person, at, event, page, is_user):
    return {"event_name": event, "event_timestamp": str(at * 1_000_000), "user_pseudo_id": f"d{person}",
            "user_id": f"u{person}" if is_user else None,
            "event_params": [{"key": "page", "value": {"string_value": page}}] if page else []}


def facts(folder, dump):
    numbers([folder / dump], folder / "out", "--as-of", "2026-02-03", flow=folder / "flow.yaml")
    counts = json.loads((folder / "out/metrics.json").read_text())["provenance"]["counts"]
    return counts["facts"], counts["repeated_facts"]


def test_events_of_one_request_of_ga4_are_several(folder, flow):
    """They may have one time and the same parameters: their places in the request distinguish them."""
    rows = [ga4(*one) | {"batch_page_id": "1768989600000", "batch_ordering_id": "1", "batch_event_index": str(place)}
            for place, one in enumerate(people())]
    bought = ga4(0, START + 300, "item_bought", None, False)

    def more(page, request, place):
        return bought | {"batch_page_id": page, "batch_ordering_id": request, "batch_event_index": place}

    several = [more("7", "3", "1"), more("7", "3", "2"), more("7", "4", "1"), more("8", "3", "1")]
    for form in (str, int):
        (folder / "dump").write_text(lines(
            rows + [one | {key: form(one[key]) for key in one if key.startswith("batch_")} for one in several * 2]))
        assert facts(folder, "dump") == (len(rows) + 4, 4)
    # Where one of them is missing, nothing is an event's own id.
    (folder / "part").write_text(lines(rows + [one | {"batch_ordering_id": None} for one in several]))
    assert facts(folder, "part") == (len(rows) + 1, 3)
    said = firstmile("validate", folder / "dump", "--flow", flow, expect=(0, 4)).stdout
    assert b"message ids with other content: 0 of " in said, said


@pytest.mark.parametrize("spelt", ["{}.0", "{}.00", "{}e0", "-{}.0"])
def test_raw_ids_that_are_numbers_are_found_again(folder, flow, spelt):
    rows = [json.dumps({**canonical(*one), "user_id": None, "device_id": 0}).replace(
        '"device_id": 0', f'"device_id": {spelt.format(one[0] + 10)}') for one in people(20)]
    (folder / "dump").write_text("\n".join(rows) + "\n")
    done = report([folder / "dump"], folder / "out", "--people", folder / "people.csv", "--raw-ids",
                  "--yes-raw-ids", flow=flow)
    assert b"no id was found again" not in done.stderr, done.stderr
    sign = "-" if spelt.startswith("-") else ""
    with (folder / "people.csv").open() as file:
        # A spreadsheet takes what begins with a minus for a formula.
        found = {one["id"].removeprefix("'") for one in csv.DictReader(file)}
    assert found == {f"{sign}{person + 10}" for person in range(20)}


@pytest.mark.parametrize("columns, whose", [
    (["distinct_id", "resolved_distinct_id"], "Mixpanel's"), (["from_user_id", "to_user_id", "time"], "Heap's"),
    (["team_id", "distinct_id", "person_id"], "PostHog's")])
@pytest.mark.parametrize("write", [table, lines])
def test_tables_of_ids_are_named(folder, flow, columns, whose, write):
    (folder / "in").mkdir()
    (folder / "in/events.ndjson").write_text(lines([canonical(*one) for one in people()]))
    (folder / "in/ids").write_text(write([dict.fromkeys(columns, f"a{number}") for number in range(9)]))
    said = report([folder / "in"], folder / "out", flow=flow).stderr.decode()
    assert f"in/ids ({whose} table of ids that are one person's, which is not read" in said, said
