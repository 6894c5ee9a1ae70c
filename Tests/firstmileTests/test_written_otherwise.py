"""The same events with lists, names and texts as other exports write them: nothing may be counted otherwise."""

import io
import json
import tarfile
import zipfile

import pytest

from harness import facts_of, firstmile, numbers, total

STEPS = ("welcome", "plan")
FLOW = """flow: shop
window: 24h
steps: [welcome, plan]
retention: [{days: [1]}]
experiments: {copy: {control: A, variants: [A, B]}}
"""
DAY = 86_400


def people(count=12):
    """`(name, second, person, device, properties)` of people of whom half finish, on a phone and then on a tablet."""
    for person in range(count):
        user, phone, tablet = f"u{person}", f"phone-{person}", f"tablet-{person}"
        start = 1_767_600_000 + 100 * person
        variant = {"experiment": "copy", "variant": "AB"[person % 2]}
        yield "onboarding_started", start, user, phone, variant
        for place, step in enumerate(STEPS[:1 + person % 2]):
            yield "onboarding_page_viewed", start + 5 + place, user, phone, variant | {"page_name": step}
        if person % 2:
            yield "onboarding_completed", start + 20, user, phone, variant
        if person % 3:
            yield "opened", start + DAY + 60, user, tablet, {}


def lines(objects):
    return "".join(json.dumps(value) + "\n" for value in objects)


def stamp(second):
    from datetime import UTC, datetime
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def canonical():
    return [{"event": name, "timestamp": stamp(second), "user_id": user, "device_id": device, **{
        key: value for key, value in properties.items() if key != "page_name"},
        "properties": {key: value for key, value in properties.items() if key == "page_name"}}
        for name, second, user, device, properties in people()]


def metrics(folder, content, name="dump.ndjson", expect=0, flow=FLOW):
    """The metrics of the content alone in a folder."""
    place = folder / "dump"
    place.mkdir(parents=True)
    (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    (folder / "flow.yaml").write_text(flow)
    numbers([place], folder / "out", "--as-of", "2026-02-01", "--rejects", folder / "rejects.ndjson", flow=folder / "flow.yaml")
    return facts_of(folder / "out")["rows"]


@pytest.fixture(scope="module")
def truth(tmp_path_factory):
    return metrics(tmp_path_factory.mktemp("truth"), lines(canonical()))


def csv(rows):
    """A table of rows, with a column for each key of any."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    def cell(value):
        text = "" if value is None else value if isinstance(value, str) else json.dumps(value)
        return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in '",\n') else text
    return "\n".join(",".join(cell(row.get(column)) for column in columns) for row in [dict(zip(columns, columns)), *rows]) + "\n"


# PostHog


def posthog(inner):
    """Events whose person's id stands among the properties or beside them. Those of the tablet have another one, which an alias
    says is the person's, and no device of their own."""
    said = set()
    for number, (name, second, user, device, properties) in enumerate(people()):
        person = f"other-{user}" if device.startswith("tablet") else user
        own = {"$lib": "posthog-ios", **properties} | ({} if person != user else {"$device_id": device})
        event = {"uuid": str(number), "event": name, "timestamp": stamp(second)}
        if person != user and user not in said:
            said.add(user)
            alias = {"uuid": f"a{number}", "event": "$create_alias", "timestamp": stamp(second)}
            own_alias = {"$lib": "posthog-ios", "alias": person}
            yield alias | ({"properties": own_alias | {"distinct_id": user}} if inner else {"distinct_id": user, "properties": own_alias})
        yield event | ({"properties": own | {"distinct_id": person}} if inner else {"distinct_id": person, "properties": own})


def flattened(events, separator):
    for event in events:
        row = {key: value for key, value in event.items() if key != "properties"}
        yield row | {f"properties{separator}{key}": value for key, value in event["properties"].items()}


def test_a_distinct_id_may_stand_among_the_properties(tmp_path, truth):
    assert metrics(tmp_path / "beside", lines(posthog(False))) == truth
    assert metrics(tmp_path / "inside", lines(posthog(True))) == truth
    batch = json.dumps({"batch": list(posthog(True))}) + "\n"
    assert metrics(tmp_path / "batch", batch) == truth


@pytest.mark.parametrize("separator", [".", "_"])
@pytest.mark.parametrize("write", [lines, csv])
def test_flattened_names_are_the_nested_ones(tmp_path, truth, separator, write):
    rows = list(flattened(posthog(False), separator))
    assert metrics(tmp_path, write(rows), "dump.ndjson" if write is lines else "dump.csv") == truth


def test_a_query_may_leave_the_name_of_the_object_out(tmp_path, truth):
    # Only names that begin with a dollar sign are a tool's own wherever they stand.
    rows = [{key if key == "properties_alias" else key.removeprefix("properties_"): value for key, value in row.items()}
            for row in flattened(posthog(False), "_")]
    assert metrics(tmp_path, csv(rows), "dump.csv") == truth


# Mixpanel


def mixpanel():
    """As with PostHog: only an `$identify` links the tablet's id to the person."""
    said = set()
    for number, (name, second, user, device, properties) in enumerate(people()):
        person = f"other-{user}" if device.startswith("tablet") else user
        if person != user and user not in said:
            said.add(user)
            yield {"event": "$identify", "properties": {
                "time": second, "distinct_id": user, "$identified_id": user, "$anon_id": person, "$insert_id": f"a{number}"}}
        yield {"event": name, "properties": {"time": second, "distinct_id": person, "$insert_id": str(number), **properties}}


@pytest.mark.parametrize("separator", [".", "_"])
@pytest.mark.parametrize("write", [lines, csv])
def test_mixpanel_s_events_may_be_flattened(tmp_path, truth, separator, write):
    assert metrics(tmp_path / "nested", lines(mixpanel())) == truth
    rows = list(flattened(mixpanel(), separator))
    assert metrics(tmp_path / "flat", write(rows), "dump.ndjson" if write is lines else "dump.csv") == truth


# mParticle


def mparticle(identities):
    for number, (name, second, user, device, properties) in enumerate(people()):
        yield {"mpid": f"m{device}", "mp_deviceid": device, "user_identities": identities(user), "events": [{
            "event_type": "custom_event", "data": {
                "event_name": name, "event_id": number, "timestamp_unixtime_ms": second * 1000, "custom_attributes": properties}}]}


def test_identities_that_are_forwarded_are_a_list(tmp_path, truth):
    """In what mParticle receives `user_identities` is an object, in what it sends a list."""
    assert metrics(tmp_path / "object", lines(mparticle(lambda user: {"customer_id": user}))) == truth
    listed = lines(mparticle(lambda user: [
        {"identity_type": "email", "identity": "one@example.com"}, {"identity_type": "customer_id", "identity": user}]))
    assert metrics(tmp_path / "list", listed) == truth


# Snowplow


def snowplow(view_first):
    """Rows that have their device in an entity only; `view_first` puts the rows with an object's text first."""
    rows = []
    for number, (name, second, _, device, properties) in enumerate(people()):
        rows.append({
            "event_id": f"00000000-0000-4000-8000-{number:012}", "event_name": name, "collector_tstamp": stamp(second)[:-1].replace("T", " "),
            "network_userid": f"n{number}",
            "contexts_com_snowplowanalytics_snowplow_client_session_1": json.dumps([{"user_id": device, "session_id": "s"}]),
            "unstruct_event_com_acme_step_1": json.dumps(properties) if name == "onboarding_page_viewed" else None})
    return sorted(rows, key=lambda row: row["unstruct_event_com_acme_step_1"] is None) if view_first else sorted(
        rows, key=lambda row: row["unstruct_event_com_acme_step_1"] is not None)


@pytest.mark.parametrize("write", [lines, csv])
def test_lists_that_are_texts_are_opened_from_the_first_row_on(tmp_path, write):
    """An id that is in a list's text made two people of one until an object's text was met."""
    name = "dump.ndjson" if write is lines else "dump.csv"
    first, last = (metrics(tmp_path / str(view_first), write(snowplow(view_first)), name) for view_first in (True, False))
    assert first == last
    assert total(tmp_path / "False/out", "entered") == (12, None)


# Numbers that were identities


def test_an_id_in_the_form_of_a_rounded_number_is_none(tmp_path):
    """From 1e16 on programs write what floating point holds, and 12345678901234613 isn't among it."""
    events = [("onboarding_started", "2026-01-05T10:00:00Z", "1.2345678901234612e+16", "d1"),
              ("onboarding_started", "2026-01-05T11:00:00Z", "12345678901234612", "d2"),
              ("onboarding_started", "2026-01-05T12:00:00Z", "1.234567e+06", "d3")]
    rows = [dict(zip(("event", "timestamp", "user_id", "device_id"), event)) for event in events]
    metrics(tmp_path, csv(rows), "dump.csv")
    said = firstmile("validate", tmp_path / "dump/dump.csv", "--flow", tmp_path / "flow.yaml").stdout.decode()
    assert "'a rounded number' (1)" in said, said


def repr_csv(rows):
    """A table with lists and dictionaries as pandas writes them: as Python prints them."""
    return csv([{key: str(value) if isinstance(value, (list, dict)) else value for key, value in row.items()} for row in rows])


ODD = {"it's": 'say "it\'s"', "path": "C:\\new\ttab\nline", "none": None, "yes": True, "no": False, "deep": [1, -2.5, 1e-7, [], {}, ("a", "b")],
       "emoji": "\U0001f600 é \u200b\x7f", "quote": "'"}


def test_objects_as_python_prints_them_are_objects(tmp_path, truth):
    rows = [{**row, "properties": {**ODD, **row["properties"]}} for row in canonical()]
    assert any("None" in str(row["properties"]) for row in rows)
    assert metrics(tmp_path, repr_csv(rows), "dump.csv") == truth
    # What the odd ones mean is what JSON says of them.
    flow = FLOW + "dimensions:\n" + "".join(f"  - {{id: {key}, path: properties.{key}}}\n" for key in ("path", "quote", "emoji", "yes"))
    plain = metrics(tmp_path / "json", csv(rows), "dump.csv", flow=flow)
    assert metrics(tmp_path / "python", repr_csv(rows), "dump.csv", flow=flow) == plain
    assert plain != truth


def test_json_with_an_apostrophe_stays_as_it_is(tmp_path):
    """What is JSON is never taken for Python's; an escaped quotation mark ends no text in either."""
    flow = FLOW + "dimensions: [{id: said, path: properties.said}]\n"
    rows = [{**row, "properties": {"said": "it's \"x\"", **row["properties"]}} for row in canonical()]
    plain = metrics(tmp_path / "json", csv(rows), "dump.csv", flow=flow)
    escaped = csv([{**row, "properties": json.dumps(row["properties"]).replace('\\"', "\\u0022")} for row in rows])
    assert "u0022" in escaped
    assert metrics(tmp_path / "escaped", escaped, "dump.csv", flow=flow) == plain
    python = csv([{**row, "properties": str(row["properties"]).replace('"', "\\x22")} for row in rows])
    assert "x22" in python
    assert metrics(tmp_path / "python", python, "dump.csv", flow=flow) == plain


def test_other_objects_of_python_mean_what_stands_in_their_brackets(tmp_path):
    from datetime import date
    from decimal import Decimal
    from uuid import UUID
    flow = FLOW + "dimensions: [{id: price, path: properties.price}, {id: order, path: properties.order}]\n"
    own = {"price": Decimal("1.5"), "order": UUID(int=5), "day": date(2026, 1, 5), 7: "number"}
    rows = [{**row, "properties": {**own, **row["properties"]}} for row in canonical()]
    plain = [{**row, "properties": {**row["properties"], "price": "1.5", "order": str(UUID(int=5))}} for row in rows]
    for row in plain:
        del row["properties"]["day"], row["properties"][7]
    assert metrics(tmp_path / "python", repr_csv(rows), "dump.csv", flow=flow) == metrics(tmp_path / "json", csv(plain), "dump.csv", flow=flow)


def test_google_s_parameters_may_be_python_s(tmp_path, truth):
    def rows():
        for name, second, user, device, properties in people():
            yield {"event_date": "20260105", "event_timestamp": str(second * 1_000_000), "event_name": name, "user_id": user, "user_pseudo_id": device,
                   "event_params": [{"key": key, "value": {"string_value": value, "int_value": None}} for key, value in properties.items()]}
    plain = metrics(tmp_path / "json", csv(list(rows())), "dump.csv")
    assert metrics(tmp_path / "python", repr_csv(rows()), "dump.csv") == plain
    # numpy prints a list of objects without commas.
    printed = csv([{**row, "event_params": "[" + "\n ".join(map(str, row["event_params"])) + "]"} for row in rows()])
    assert metrics(tmp_path / "numpy", printed, "dump.csv") == plain
    assert plain == truth


# Files


def test_what_lies_beside_the_dumps_of_an_archive_is_passed_over(tmp_path, truth):
    others = {"README.txt": b"An export.\n\nSee the manual.\n" * 40, "shot.png": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 40,
              "query.sql": b"SELECT *\nFROM events;\n"}
    content = lines(canonical()).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in {**others, "events.ndjson": content}.items():
            archive.writestr(name, data)
    tar = io.BytesIO()
    with tarfile.open(fileobj=tar, mode="w:gz") as archive:
        for name, data in {"events.ndjson": content, **others}.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    for name, data in (("dump.zip", packed.getvalue()), ("dump.tgz", tar.getvalue())):
        assert metrics(tmp_path / name, data, name) == truth
        said = firstmile("validate", tmp_path / name / "dump" / name, "--flow", tmp_path / name / "flow.yaml")
        text = said.stderr.decode()
        assert "3 files of an archive passed over (no events)" in text and "README.txt" in text, text
        assert "rejects: 0 of" in said.stdout.decode(), said.stdout


USERS = csv([{"user_id": f"u{number}", "created_at": "2026-01-05T10:00:00Z", "email": f"{number}@example.com"} for number in range(300)])


@pytest.mark.parametrize("names", [("a_users.csv", "events.ndjson"), ("events.ndjson", "users.csv"), ("a_users.csv", "events.csv")])
def test_tables_of_something_else_in_an_archive_are_passed_over(tmp_path, truth, names):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in names:
            events = csv(canonical()) if name.endswith("csv") else lines(canonical())
            archive.writestr(name, USERS if "users" in name else events)
    assert metrics(tmp_path, packed.getvalue(), "dump.zip") == truth
    said = firstmile("validate", tmp_path / "dump/dump.zip", "--flow", tmp_path / "flow.yaml")
    users = next(name for name in names if "users" in name)
    assert f"1 file of an archive passed over (no events): {tmp_path}/dump/dump.zip/{users}" in said.stderr.decode(), said.stderr
    assert "rejects: 0 of" in said.stdout.decode(), said.stdout


def test_an_archive_of_nothing_but_other_tables_says_what_they_lack(tmp_path):
    with zipfile.ZipFile(tmp_path / "dump.zip", "w") as archive:
        archive.writestr("users.csv", USERS)
    (tmp_path / "flow.yaml").write_text(FLOW)
    said = firstmile("validate", tmp_path / "dump.zip", "--flow", tmp_path / "flow.yaml", expect=(0, 4)).stdout.decode()
    assert "rejects: 300 of 300" in said and "missing_event" in said, said


def test_rows_of_a_cut_table_in_an_archive_are_no_other_table(tmp_path):
    """Its second part has no header: the rows are rejects, and lost to nobody."""
    header, *rows = csv(canonical()).splitlines(keepends=True)
    (tmp_path / "flow.yaml").write_text(FLOW)
    # One that looks like a header has no time.
    for name, first in (("plain", ""), ("untimed", "onboarding_page_viewed,,user,device,copy,A,welcome\n")):
        with zipfile.ZipFile(tmp_path / f"{name}.zip", "w") as archive:
            archive.writestr("one.csv", header + "".join(rows[:20]))
            archive.writestr("two.csv", first + "".join(rows[20:]))
        said = firstmile("validate", tmp_path / f"{name}.zip", "--flow", tmp_path / "flow.yaml", expect=(0, 4))
        assert b"passed over" not in said.stderr, said.stderr
        assert "events: 20 of" in said.stdout.decode(), said.stdout


def test_a_table_with_names_of_its_own_is_read_though_its_first_rows_are_rejects(tmp_path, truth):
    rows = [{"what": row["event"], "when": row["timestamp"], "who": row["user_id"], "device": row["device_id"], "experiment": row["experiment"]
             if "experiment" in row else "", "variant": row.get("variant", ""), "page": row["properties"].get("page_name", "")} for row in canonical()]
    untimed = [{**rows[0], "when": "soon"}] * 25
    with zipfile.ZipFile(tmp_path / "dump.zip", "w") as archive:
        archive.writestr("events.csv", csv(untimed + rows))
    (tmp_path / "flow.yaml").write_text(FLOW + "fields: {event: what, timestamp: when, user_id: who, device_id: device, page_name: page}\n")
    said = firstmile("validate", tmp_path / "dump.zip", "--flow", tmp_path / "flow.yaml", expect=(0, 4)).stdout.decode()
    assert f"events: {len(rows)} of {len(rows) + 25}" in said, said


def test_an_archive_from_a_pipe_is_read_once(tmp_path):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("users.csv", USERS)
    (tmp_path / "flow.yaml").write_text(FLOW)
    said = firstmile("validate", "-", "--flow", tmp_path / "flow.yaml", stdin=packed.getvalue(), expect=(0, 2, 4))
    assert b"1 file of an archive passed over (no events)" in said.stderr, said.stderr


def test_singer_s_files_beside_the_messages_are_not_lost_in_silence(tmp_path):
    records = lines({"type": "RECORD", "stream": "events", "record": event} for event in canonical())
    batch = {"type": "BATCH", "stream": "events", "encoding": {"format": "jsonl", "compression": "gzip"}, "manifest": ["file:///more.jsonl.gz"]}
    schema = json.dumps({"type": "SCHEMA", "stream": "events", "schema": {"properties": {}}, "key_properties": ["id"]}) + "\n"
    batch = json.dumps(batch) + "\n"
    (tmp_path / "flow.yaml").write_text(FLOW)
    for place, content in enumerate([schema + records + batch, schema + batch + records]):
        (tmp_path / f"{place}.ndjson").write_text(content)
        said = firstmile("validate", tmp_path / f"{place}.ndjson", "--flow", tmp_path / "flow.yaml", expect=(0, 4)).stdout.decode()
        assert f"rejects: 1 of {len(canonical()) + 1}" in said, said


def test_start_names_what_it_passes_over_once(tmp_path):
    place = tmp_path / "dump"
    place.mkdir()
    (place / "events.ndjson").write_text(lines(canonical()))
    (place / "users.csv").write_text(USERS)
    said = firstmile("start", "dump", "--yes", "--no-open", cwd=tmp_path).stderr.decode()
    assert said.count("passed over") == 1, said


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("text", [lines(canonical()), csv([{"event": "a", "timestamp": "2026-01-05T10:00:00Z", "user_id": "u"}] * 3)])
def test_text_of_two_bytes_a_character_is_named_without_a_mark(tmp_path, encoding, text):
    dump = tmp_path / "dump.ndjson"
    dump.write_bytes(text.encode(encoding))
    (tmp_path / "flow.yaml").write_text(FLOW)
    said = firstmile("report", dump, "--flow", tmp_path / "flow.yaml", expect=2).stderr.decode()
    assert f"is UTF-16 text, and JSON is UTF-8; convert it with iconv -f {encoding.upper().replace('-16-', '-16')}" in said, said


def test_no_file_of_an_archive_with_events_is_lost_in_silence(tmp_path):
    """Text of two bytes a character is named, and notes before the events are rejects, however many they are."""
    content = lines(canonical())
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("one.ndjson", content)
        archive.writestr("two.ndjson", content.encode("utf-16-le"))
    (tmp_path / "wide.zip").write_bytes(packed.getvalue())
    (tmp_path / "flow.yaml").write_text(FLOW)
    said = firstmile("report", tmp_path / "wide.zip", "--flow", tmp_path / "flow.yaml", expect=(2, 4)).stderr.decode()
    assert "UTF-16 text inside an archive is not opened" in said, said
    with zipfile.ZipFile(tmp_path / "notes.zip", "w") as archive:
        archive.writestr("dump.ndjson", "# a note\n" * 200_000 + content)
    said = firstmile("validate", tmp_path / "notes.zip", "--flow", tmp_path / "flow.yaml", expect=(0, 4)).stdout.decode()
    assert f"events: {len(canonical())} of" in said, said


@pytest.mark.parametrize("name", ["properties_viewed", "properties.viewed", "items_viewed"])
def test_an_event_may_be_called_like_a_flattened_property(tmp_path, name):
    """A name made a table of canonical lines."""
    events = []
    for person in range(10):
        events += [{"event": "onboarding_started", "timestamp": stamp(1_767_600_000 + person), "user_id": f"a{person}"},
                   {"event": name, "timestamp": stamp(1_767_600_010 + person), "user_id": f"a{person}"},
                   {"event": "onboarding_completed", "timestamp": stamp(1_767_600_020 + person), "user_id": f"u{person}", "previous_id": f"a{person}"}]
    metrics(tmp_path, lines(events))
    assert total(tmp_path / "out", "completion_rate") == (10, 10)


@pytest.mark.parametrize("write, name", [("lines", "dump.ndjson"), ("csv", "dump.csv")])
def test_another_id_of_a_user_is_read_from_a_column(tmp_path, write, name):
    events = []
    for person in range(10):
        columns = {"flow": "shop", "page_name": None, "previous_id": None}
        events += [columns | {"event": "onboarding_started", "timestamp": stamp(1_767_600_000 + person), "user_id": f"a{person}"},
                   columns | {"event": "onboarding_page_viewed", "timestamp": stamp(1_767_600_005 + person), "user_id": f"a{person}", "page_name": "welcome"},
                   columns | {"event": "onboarding_completed", "timestamp": stamp(1_767_600_020 + person), "user_id": f"u{person}", "previous_id": f"a{person}"}]
    metrics(tmp_path, {"lines": lines, "csv": csv}[write](events), name)
    assert total(tmp_path / "out", "completion_rate") == (10, 10)


def test_mixpanel_s_events_may_have_ids_of_their_own(tmp_path, truth):
    events = [{"uuid": f"0-{number}", **event} for number, event in enumerate(mixpanel())]
    assert metrics(tmp_path, lines(events)) == truth


def test_a_product_s_variant_and_page_leave_the_experiment_s_alone(tmp_path, truth):
    rows = [{key: value for key, value in event.items() if key not in ("properties", "experiment", "variant")} | {
        "properties": {**event["properties"], **{key: event[key] for key in ("experiment", "variant") if key in event}},
        "Page Name": "Home | Shop", "Variant": "Red / L"} for event in canonical()]
    assert metrics(tmp_path, csv(rows), "dump.csv") == truth


# What is said


@pytest.mark.parametrize("time", ["2026-02-30T10:00:00Z", "2026-13-01 10:00:00", "2026-01-05T25:00:00Z", "2026/02/30 9:00"])
def test_a_day_that_does_not_exist_is_said_to_be_one(tmp_path, time):
    dump = tmp_path / "dump.ndjson"
    dump.write_text(lines([{"event": "opened", "timestamp": time, "user_id": "u"}] * 3))
    said = firstmile("start", dump, "--yes", "--no-open", expect=4, cwd=tmp_path).stderr.decode()
    assert "has a time that is of a day or an hour that doesn't exist (bad_timestamp)" in said, said


def test_events_in_a_list_are_said_to_be_in_one(tmp_path):
    dump = tmp_path / "visits.json"
    dump.write_text(lines({"visitId": f"v{person}", "visitor": {"id": "p"}, "actionDetails": [{"type": "event", "eventAction": "opened"}]}
                          for person in range(3)))
    said = firstmile("start", dump, "--yes", "--no-open", expect=4, cwd=tmp_path).stderr.decode()
    assert "'actionDetails' is a list, in which nothing is looked for" in said, said
    assert "jq -c 'del(.actionDetails) + .actionDetails[]' FILE" in said and "actionDetails.eventAction" not in said, said


def test_tools_agree_about_nobody_in_words(tmp_path):
    dump = tmp_path / "dump.ndjson"
    dump.write_text(lines([{"event": "opened", "timestamp": "2026-01-05T10:00:00Z", "user_id": "u"}]))
    (tmp_path / "flow.yaml").write_text(FLOW)
    said = firstmile("reconcile", dump, "--flow", tmp_path / "flow.yaml", "--steps", "begun > ended", "--within", "1d", "--between", "mixpanel", "--and", "amplitude",
                     expect=0).stdout.decode()
    assert "Nobody entered the funnel" in said and "agree" not in said, said


def test_a_wrong_duration_has_no_nearest_one(tmp_path):
    said = firstmile("watch", tmp_path, "--store", tmp_path / "s.sqlite", "--settle", "1s", expect=2).stderr.decode()
    assert "'1s'" in said and "Did you mean" not in said, said


def test_a_column_of_pages_may_be_spelt_otherwise(tmp_path, truth):
    rows = [{"Event Name": event["event"], "Time": event["timestamp"], "User ID": event["user_id"], "Device ID": event["device_id"],
             "Page Name": event["properties"].get("page_name"), "Experiment": event.get("experiment"), "Variant": event.get("variant")}
            for event in canonical()]
    assert metrics(tmp_path, csv(rows), "dump.csv") == truth
