"""Tables as people and tools write them: names that only look like a vendor's, capitals and blanks, dates alone."""

import csv
import io
import json
import re
import zipfile

import pytest

from harness import facts_of, firstmile, numbers, report

# Each person opens the app, buys twice in one second, and all but the last one finish.
RENAMED = "flow: shop\nsteps: [login]\nevents: {open: onboarding_started, login: onboarding_page_viewed, done: onboarding_completed}\n"
PAGES = "page_name: {path: event, values: {login: login}}"
FLOW = f"{RENAMED}fields: {{{PAGES}}}\n"


def write(folder, name, text):
    path = folder / name
    path.write_text(text)
    return path


def rows_of(header, persons=20, time=lambda person, second: f"2026-01-{1 + person % 9:02} 10:00:{second:02}",
            names=("open", "login", "buy", "buy", "done")):
    """Rows of `event`, `time`, `id` and `person` in the places of the header's `{…}`."""
    lines = [header]
    for person in range(persons):
        for place, name in enumerate(names):
            second = 25 if name == "buy" else 11 * place
            lines.append((name, time(person, second), f"{person}-{place}", f"p{person}"))
    return lines


def table(columns, lines):
    """A CSV with these columns (each one of event, time, id, person, or a constant) under their headers."""
    order = {"event": 0, "time": 1, "id": 2, "person": 3}
    body = [",".join(columns)]
    for line in lines[1:]:
        body.append(",".join(line[order[what]] if what in order else what for what in columns.values()))
    return "\n".join(body) + "\n"


def metrics(folder, dump, flow, *options):
    numbers([dump], folder / "out", *options, "--as-of", "2026-03-01", flow=write(folder, "flow.yaml", flow))
    return json.loads((folder / "out/metrics.json").read_text())


def whole(found, metric, step):
    (value,) = [row.get("value", row.get("numerator")) for row in found["metrics"]["rows"]
                if row["metric"] == metric and row.get("step") == step and not {"cohort", "breakdown", "version", "variant"} & set(row)]
    return value


def test_a_type_and_a_time_alone_are_no_amplitude_export(tmp_path):
    """Amplitude has no `event_id`: two purchases in one second were one."""
    flow = FLOW + "goals: [{id: buy, event: buy, value: value}]\n"
    lines = rows_of(None)
    columns = {"event_id": "id", "event_time": "time", "event_type": "event", "user_id": "person", "value": "5"}
    dump = write(tmp_path, "dump.csv", table(columns, lines))
    assert whole(metrics(tmp_path, dump, flow), "goal_value_total", "buy") == 20 * 10
    said = firstmile("validate", dump, "--flow", tmp_path / "flow.yaml").stdout.decode()
    assert re.search(r"repeated facts: 0 of", said) or "repeated facts" not in said, said
    # The same as JSON lines, and with the id of a device that Amplitude has no name for.
    rows = [dict(zip(columns, line.split(","))) for line in dump.read_text().splitlines()[1:]]
    objects = write(tmp_path, "dump.ndjson", "".join(
        json.dumps({"client_id" if key == "user_id" else key: value for key, value in row.items()}) + "\n" for row in rows))
    assert whole(metrics(tmp_path, objects, flow), "goal_value_total", "buy") == 20 * 10


def test_ids_of_devices_by_any_name_stand_beside_a_type_and_a_time(tmp_path):
    columns = {"event_id": "id", "event_time": "time", "event_type": "event", "client_id": "person"}
    dump = write(tmp_path, "dump.csv", table(columns, rows_of(None)))
    found = metrics(tmp_path, dump, FLOW)
    assert found["provenance"]["events"] == 100 and found["provenance"]["rejects"] == {}


@pytest.mark.parametrize(("event", "time", "person"), [
    ("Event Name", "Event Time", "Customer User ID"), ("Event Name", "Event Time", "AppsFlyer ID"),
    ("EventName", "EventTimestamp", "UserId"), ("Event_Name", "Timestamp", "User_ID"),
    ("EVENT NAME", "TIME", "USER ID"), ("event.name", "event.time", "user.id"),
    ("Event Name", "Time", "Distinct ID"), ("event-name", "event-time", "client-id"),
    ("event_name", "Event Time", "user_id"),
])
def test_names_differ_in_capitals_and_blanks(tmp_path, event, time, person):
    columns = {"Row": "id", "name": "Ann", event: "event", time: "time", person: "person"}
    dump = write(tmp_path, "dump.csv", table(columns, rows_of(None)))
    plain = write(tmp_path, "plain.csv", table({"Row": "id", "event": "event", "timestamp": "time", "user_id": "person"}, rows_of(None)))
    one, other = tmp_path / "one", tmp_path / "other"
    flow = write(tmp_path, "flow.yaml", FLOW)
    numbers([plain], one, "--as-of", "2026-03-01", flow=flow)
    # Also where a folder is looked through for tables of events.
    (tmp_path / "folder").mkdir()
    dump.rename(tmp_path / "folder/dump.csv")
    write(tmp_path / "folder", "people.csv", "Name,Age\nAnn,3\nBob,4\n")
    numbers([tmp_path / "folder"], other, "--as-of", "2026-03-01", flow=flow)
    assert facts_of(one) == facts_of(other)


@pytest.mark.parametrize("header", [
    "{activity_kind},{event_name},{created_at},{adid}", '"My app is great",{event_name},{created_at},{adid},{activity_kind}'])
def test_adjusts_columns_stand_in_braces(tmp_path, header):
    lines = [header]
    for person in range(10):
        for place, (kind, name) in enumerate((("install", ""), ("event", "login"), ("event", "done"))):
            values = {"{activity_kind}": kind, "{event_name}": name, "{created_at}": str(1767000000 + 100 * person + place), "{adid}": f"a{person}"}
            lines.append(",".join(values.get(column, "My app") for column in header.split(",")))
    dump = write(tmp_path, "dump.csv", "\n".join(lines) + "\n")
    flow = FLOW.replace("open:", "install:")
    found = metrics(tmp_path, dump, flow)
    assert found["provenance"]["rejects"] == {} and found["provenance"]["events"] == 30
    steps = firstmile("funnel", dump, "--flow", tmp_path / "flow.yaml", "--as-of", "2026-03-01", "--output", "csv",
                      "--steps", "onboarding_started > onboarding_page_viewed[page_name=login] > onboarding_completed")
    assert [line.split(",")[6] for line in steps.stdout.decode().splitlines()[1:4]] == ["10", "10", "10"]


def test_a_page_is_named_by_the_event_wherever_that_stands(tmp_path):
    dump = write(tmp_path, "dump.csv", table({"action": "event", "when": "time", "who": "person"},
                                             rows_of(None, names=("open", "login", "done"))))
    flow = RENAMED + f"fields: {{event: action, timestamp: when, user_id: who, {PAGES}}}\n"
    steps = {row.get("step"): row for row in metrics(tmp_path, dump, flow)["metrics"]["rows"]
             if row["metric"] == "step_reach" and len(row) <= 9 and not {"cohort", "breakdown", "version"} & set(row)}
    assert steps["login"]["numerator"] == 20, steps
    said = firstmile("flow", "check", tmp_path / "flow.yaml", "--against", dump).stdout.decode()
    assert "login" not in said.partition("no event")[2], said


@pytest.mark.parametrize(("time", "words"), [
    (lambda person, second: f"2026-01-{1 + person % 9:02}", "a date without a time of day"),
    (lambda person, second: f"2026.01.{1 + person % 9:02} 10:00", "in a form that is not known"),
    (lambda person, second: f"{1 + person % 9:02}/01/2026 10:00", "a date of which nothing says"),
])
def test_a_time_that_is_none_says_what_it_lacks(tmp_path, time, words):
    dump = write(tmp_path, "dump.csv", table({"event": "event", "timestamp": "time", "user_id": "person"}, rows_of(None, time=time)))
    said = firstmile("start", dump, "--yes", cwd=tmp_path, expect=4).stderr.decode()
    assert f"has a time that is {words}" in said and "10:00:00Z" in said, said
    flow = write(tmp_path, "flow.yaml", FLOW)
    firstmile("report", dump, "--flow", flow, "--out", tmp_path / "out", "--rejects", tmp_path / "rejects.ndjson", "--quiet",
              expect=4)
    first = json.loads((tmp_path / "rejects.ndjson").read_text().splitlines()[0])
    assert first["reason"] == "bad_timestamp" and words in first["detail"]
    assert first["line"] == 2, "the header is a line of the file"


@pytest.mark.parametrize("form", ["{year}/{month}/{day} {hour}:{minute:02}", "{year}-{month:02}-{day:02} {hour:02}:{minute:02}"])
def test_times_as_spreadsheets_write_them(tmp_path, form):
    def time(person, second):
        return form.format(year=2026, month=1, day=1 + person % 9, hour=9, minute=second % 60)
    lines = rows_of(None, time=time, names=("open", "login", "buy", "done"))
    dump = write(tmp_path, "dump.csv", table({"event": "event", "timestamp": "time", "user_id": "person"}, lines))
    iso = [lines[0]] + [(name, f"2026-01-{1 + int(person[1:]) % 9:02}T09:{time.split(':')[1]}:00Z", number, person)
                        for name, time, number, person in lines[1:]]
    plain = write(tmp_path, "plain.csv", table({"event": "event", "timestamp": "time", "user_id": "person"}, iso))
    flow = write(tmp_path, "flow.yaml", FLOW)
    for path, out in ((dump, "one"), (plain, "other")):
        numbers([path], tmp_path / out, "--as-of", "2026-03-01", flow=flow)
    assert facts_of(tmp_path / "one") == facts_of(tmp_path / "other")


def test_a_name_that_the_flow_file_replaces_is_asked_for_by_the_other(tmp_path):
    """It matched nothing for good: 'was never seen', though everybody has it."""
    dump = write(tmp_path, "dump.csv", table({"event": "event", "timestamp": "time", "user_id": "person"},
                                             rows_of(None, names=("open", "login", "done", "buy"))))
    flow = write(tmp_path, "flow.yaml", FLOW)
    for command, words in [
        (("funnel", "--steps", "open > buy"), "'open' is read as 'onboarding_started'"),
        (("funnel", "--steps", "onboarding_started > login"), "ask for onboarding_page_viewed[page_name=login]"),
        (("funnel", "--steps", "onboarding_started > buy", "--exclude", "done"), "ask for onboarding_completed"),
        (("retention", "--start", "open", "--return", "buy"), "ask for onboarding_started"),
    ]:
        said = firstmile(command[0], dump, "--flow", flow, *command[1:], expect=2).stderr.decode()
        assert words in said, said
    several = FLOW + "goals: [{id: g, event: buy, anchor: {event: open}}]\nfriction: [{id: f, event: open}]\nnot_activity: [login]\n"
    write(tmp_path, "flow.yaml", several)
    said = firstmile("flow", "check", flow, expect=2).stderr.decode()
    assert said.count("'open' is read as") == 2 and said.count("'login' is read as") == 1, "all at once: " + said
    # What `fields` makes of an event's name is not replaced once more.
    write(tmp_path, "flow.yaml", RENAMED + f"fields: {{event: {{path: event, values: {{o: open}}}}, {PAGES}}}\ngoals: [{{id: g, event: open}}]\n")
    firstmile("flow", "check", flow)
    for line, words in [("goals: [{id: bought, event: done}]", "flow.yaml:5:"), ("funnels: [{id: f, steps: [buy, open]}]", "flow.yaml:5:"),
                        ("retention: [{days: [7], event: login}]", "onboarding_page_viewed[page_name=login]")]:
        write(tmp_path, "flow.yaml", FLOW + line + "\n")
        said = firstmile("flow", "check", flow, expect=2).stderr.decode()
        assert words in said and "is read as" in said, said


def test_people_who_all_have_no_start_are_counted_with_other_pages_ignored(tmp_path):
    lines = ["event,page_name,user_id,timestamp"]
    lines += [f"onboarding_page_viewed,{page},u{number},2026-01-01 10:00:0{place}" for number in range(30)
              for place, page in enumerate(("welcome", "plan"))]
    dump = write(tmp_path, "dump.csv", "\n".join(lines) + "\n")
    flow = write(tmp_path, "flow.yaml", "flow: v\nsteps: [na]\nother_pages: ignore\n")
    said = firstmile("validate", dump, "--flow", flow, expect=(0, 4)).stdout.decode()
    assert re.search(r"orphans: +30 of 30", said), said
    assert "Trust grade D" in said, said


def test_a_draft_cuts_nobody_by_where_they_are(tmp_path):
    """`validate` would say of the drafted dimension: stop sending it."""
    lines = rows_of(None)
    body = table({"event": "event", "timestamp": "time", "user_id": "person", "plan": "plan", "geo_latitude": "lat", "postal_code": "code"}, lines)
    head, *rows = body.splitlines()
    for number, row in enumerate(rows):
        place = number // 5 % 3
        rows[number] = row.replace(",plan,lat,code", f",{'abc'[place]},{(52.5201, 48.8567, 40.7128)[place]},{(10117, 75001, 10001)[place]}")
    dump = write(tmp_path, "dump.csv", "\n".join([head, *rows]) + "\n")
    draft = firstmile("flow", "init", dump).stdout.decode()
    assert "properties.plan" in draft and "geo_latitude" not in draft and "postal_code" not in draft, draft


def test_an_hour_without_events_and_a_finders_notes_are_no_rejects(tmp_path):
    """A nightly job ended with 4 because of an export that says `[]`, and of `.DS_Store` in a zip."""
    plain = "".join(json.dumps({"event": name, "timestamp": f"2026-01-01T10:00:{second:02}Z", "user_id": f"p{person}"}) + "\n"
                    for person in range(10) for second, name in enumerate(("open", "login", "done")))
    (tmp_path / "dumps").mkdir()
    write(tmp_path / "dumps", "00.json", plain)
    write(tmp_path / "dumps", "01.json", "[]\n")
    with zipfile.ZipFile(tmp_path / "dumps/02.zip", "w") as packed:
        packed.writestr("day/02.ndjson", plain.replace('"p', '"q'))
        packed.writestr("day/.DS_Store", bytes(range(256)) * 9)
        packed.writestr("Thumbs.db", b"\xd0\xcf\x11\xe0" * 99)
    found = metrics(tmp_path, tmp_path / "dumps", FLOW)
    assert found["provenance"]["rejects"] == {} and found["provenance"]["events"] == 60
    numbers([tmp_path / "dumps/01.json", tmp_path / "dumps/00.json"], tmp_path / "named", flow=tmp_path / "flow.yaml")


def test_names_that_the_flow_file_misspells_are_named(tmp_path):
    """`events` and `values` of names that nobody sends said 'every step, event … is in the dumps', and the report was an A."""
    lines = rows_of(None, persons=120, names=("Signup Started", "Screen: Plan", "Screen: Done", "Signup Finished"))
    dump = write(tmp_path, "dump.csv", table({"event": "event", "timestamp": "time", "user_id": "person"}, lines))

    def flow(start="Signup Started", plan="Screen: Plan"):
        return write(tmp_path, "flow.yaml", "flow: f\nsteps: [plan, done]\nevents:\n"
                     f"  '{start}': onboarding_started\n  '{plan}': onboarding_page_viewed\n"
                     "  'Screen: Done': onboarding_page_viewed\n  Signup Finished: onboarding_completed\n"
                     f"fields: {{page_name: {{path: event, values: {{'{plan}': plan, 'Screen: Done': done}}}}}}\n")
    said = firstmile("flow", "check", flow(), "--against", dump).stdout.decode()
    assert "is in the dumps" in said, said
    said = firstmile("flow", "check", flow(start="Signup Startd"), "--against", dump, expect=1).stdout.decode()
    assert "event Signup Startd  is it 'Signup Started'?" in said, said
    said = firstmile("flow", "check", flow(plan="Screen: Plam"), "--against", dump, expect=1).stdout.decode()
    assert "step plan  is it 'Screen: Plan'?" in said, said
    report([dump], tmp_path / "out", "--as-of", "2026-03-01", flow=tmp_path / "flow.yaml")
    text = (tmp_path / "out/report.md").read_text()
    assert "Nobody saw “plan”, though people got further." in text, text[:1500]


@pytest.mark.parametrize("columns", [
    {"_airbyte_raw_id": "id", "_airbyte_extracted_at": "2026-01-01T00:00:00Z", "_airbyte_meta": "{}", "_airbyte_data": "event"},
    {"_AIRBYTE_DATA": "event", "_AIRBYTE_AB_ID": "id", "_AIRBYTE_EMITTED_AT": "1"},
    {"topic": "t", "partition": "0", "offset": "id", "key": "", "value": "event"},
])
def test_envelopes_are_opened_in_tables_too(tmp_path, columns):
    """Airbyte's raw tables have the event as a text in one column; every row was a reject."""
    events = [json.dumps({"event": name, "timestamp": time.replace(" ", "T") + "Z", "user_id": person, "properties": {"a, \"b\"": "é"}},
                         ensure_ascii=False) for name, time, _, person in rows_of(None)[1:]]
    plain = write(tmp_path, "plain.ndjson", "\n".join(events) + "\n")
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(columns)
    for number, event in enumerate(events):
        rows.writerow([{"event": event, "id": str(number)}.get(what, what) for what in columns.values()])
    (tmp_path / "folder").mkdir()
    write(tmp_path / "folder", "dump.csv", out.getvalue())
    flow = write(tmp_path, "flow.yaml", FLOW)
    numbers([plain], tmp_path / "one", "--as-of", "2026-03-01", flow=flow)
    numbers([tmp_path / "folder"], tmp_path / "other", "--as-of", "2026-03-01", flow=flow)
    assert facts_of(tmp_path / "one") == facts_of(tmp_path / "other")


@pytest.mark.parametrize("noise", [
    {"messageType": "CONTROL_MESSAGE", "owner": "CloudwatchLogs", "logGroup": "", "logStream": "", "subscriptionFilters": [],
     "logEvents": [{"id": "", "timestamp": 1432826855000, "message": "CWL CONTROL MESSAGE: Checking health of destination Firehose."}]},
    {"schema": None, "payload": None}, {"topic": "t", "partition": 0, "offset": 7, "key": "k", "value": None}])
@pytest.mark.parametrize("is_first", [True, False])
def test_what_carries_no_message_is_no_reject(tmp_path, noise, is_first):
    def packed(text):
        if "logEvents" in noise:
            return {**noise, "messageType": "DATA_MESSAGE", "logEvents": [{"id": "1", "timestamp": 1, "message": text}]}
        return {key: text if key in ("payload", "value") else value for key, value in noise.items()}
    lines = [json.dumps(packed(json.dumps({"event": name, "timestamp": time.replace(" ", "T") + "Z", "user_id": person})))
             for name, time, _, person in rows_of(None)[1:]]
    lines.insert(0 if is_first else 7, json.dumps(noise))
    found = metrics(tmp_path, write(tmp_path, "dump.ndjson", "\n".join(lines) + "\n"), FLOW)
    assert found["provenance"]["rejects"] == {} and found["provenance"]["events"] == 100


def test_files_of_one_folder_may_spell_their_columns_in_their_own_ways(tmp_path):
    """A draft was made of the files that are spelt like the first one; the report counted all."""
    (tmp_path / "dumps").mkdir()
    for name, columns in [("a", ("Event", "Time", "UserID")), ("b", ("Event Name", "Event Time", "User ID")), ("c", ("event", "timestamp", "user_id"))]:
        lines = [(event, time, number, name + person) for event, time, number, person in rows_of(None)[1:]]
        write(tmp_path / "dumps", f"{name}.csv", table(dict(zip(columns, ("event", "time", "person"))), [None, *lines]))
    # What people and tickets have in a table is no event.
    write(tmp_path / "dumps", "tickets.csv", "User ID,Event,Subject,Created At\n" + "".join(
        f"ap{number},opened,Help,2026-02-01 10:00:00\n" for number in range(20)))
    write(tmp_path / "dumps", "visits.csv", "user_id,event,created_at\n" + "".join(
        f"ap{number},opened,2026-02-01 10:00:00\n" for number in range(20)))
    said = firstmile("flow", "init", tmp_path / "dumps")
    assert b"visits.csv (no events)" in said.stderr and b"made from 300 events of 60 persons" in said.stdout and b"tickets.csv (no events)" in said.stderr, said
    assert metrics(tmp_path, tmp_path / "dumps", FLOW)["provenance"]["events"] == 300


def test_an_advertisement_is_nobodys_device(tmp_path):
    dump = write(tmp_path, "dump.csv", table({"event": "event", "timestamp": "time", "Customer User ID": "person", "Ad ID": "ad-7"}, rows_of(None)))
    found = metrics(tmp_path, dump, FLOW)
    assert whole(found, "entered", None) == 20


@pytest.mark.parametrize("sign", ["version_name", "client_upload_time", "device_family"])
def test_selected_columns_of_amplitude_are_amplitudes(tmp_path, sign):
    columns = {"event_type": "event", "event_time": "time", "user_id": "person", "os_name": "ios", "os_version": "18", sign: "1.2"}
    dump = write(tmp_path, "dump.csv", table(columns, rows_of(None)))
    numbers([dump], tmp_path / "out", "--as-of", "2026-03-01", flow=write(tmp_path, "flow.yaml", FLOW + "dimensions: [os]\n"))
    assert b'"os=ios 18"' in facts_of(tmp_path / "out")["rows"]


def test_a_step_that_nobody_gets_to_is_no_fault_of_its_name(tmp_path):
    """Of 200 people five reach the third step and leave there: that nobody saw the fourth is where people drop off."""
    lines = [("open", "login", "buy", "done")]
    for person in range(200):
        seen = ("open", "login", "buy")[:2 + (person < 45)] if person >= 5 else ("open", "login", "buy", "third")
        lines += [(name, f"2026-01-{1 + person % 9:02} 10:00:{place:02}", "", f"p{person}") for place, name in enumerate(seen)]
    dump = write(tmp_path, "dump.csv", table({"event": "event", "timestamp": "time", "user_id": "person"}, lines))
    pages = ("login", "buy", "third", "done")
    flow = ("flow: f\nsteps: [" + ", ".join(pages) + "]\nevents:\n  open: onboarding_started\n"
            + "".join(f"  {page}: onboarding_page_viewed\n" for page in pages)
            + "fields: {page_name: {path: event, values: {" + ", ".join(f"{page}: {page}" for page in pages) + "}}}\n")
    report([dump], tmp_path / "out", "--as-of", "2026-03-01", flow=write(tmp_path, "flow.yaml", flow))
    assert "Nobody saw" not in (tmp_path / "out/report.md").read_text()
