"""Tables of projects, orders and customers that lie beside tables of events: none of their rows is an event."""

import json
import tarfile
import zipfile

import pytest

from harness import firstmile, numbers

EVENTS = ("event_name,{person},timestamp\nonboarding_started,u1,2026-01-05 10:00:00\n"
          "onboarding_completed,u1,2026-01-05 10:05:00\nonboarding_started,u2,2026-01-05 10:00:00\n")
PROJECTS = "id,name,{person},{time}\n1,My first project,u1,2026-01-01 10:00:00\n"


def folder_with(folder, person="user_id", other="projects.csv", text=PROJECTS, time="timestamp"):
    dumps = folder / "dumps"
    dumps.mkdir()
    (dumps / "events.csv").write_text(EVENTS.format(person=person))
    (dumps / other).write_text(text.format(person=person, time=time))
    return dumps


def read(folder, inputs, fields="", expect=0):
    """How many events a report reads of some inputs, and what standard error says."""
    flow = folder / "flow.yaml"
    flow.write_text("flow: f\nsteps: [x]\n" + (f"fields: {fields}\n" if fields else ""))
    said = numbers(inputs, folder / "out", "--as-of", "2026-03-01", flow=flow, expect=expect)
    if expect:
        return 0, said.stderr.decode()
    return json.loads((folder / "out/metrics.json").read_text())["provenance"]["events"], said.stderr.decode()


@pytest.mark.parametrize(("person", "fields", "time"), [
    ("customer_id", "{user_id: customer_id}", "created_at"), ("user_id", "{user_id: user_id}", "created_at"),
    ("user_id", "{timestamp: timestamp}", "timestamp"), ("user_id", "{timestamp: timestamp}", "created_at"),
    ("user_id", "", "timestamp"),
])
def test_a_mapping_makes_no_table_of_projects_one_of_events(tmp_path, person, fields, time):
    """One of two people who began was an existing user, for an order of theirs was an event."""
    dumps = folder_with(tmp_path, person, time=time)
    events, said = read(tmp_path, [dumps], fields)
    assert events == 3 and "1 file passed over" in said and "projects.csv" in said, said


def test_a_mapping_of_the_event_makes_its_column_one_of_events(tmp_path):
    dumps = folder_with(tmp_path)
    (dumps / "events.csv").write_text(EVENTS.format(person="user_id").replace("event_name", "name"))
    read(tmp_path, [dumps], "{user_id: user_id}", expect=2)
    events, said = read(tmp_path, [dumps], "{event: name, user_id: user_id}")
    assert events == 4 and "passed over" not in said, said


@pytest.mark.parametrize("kind", ["zip", "tar", "tgz"])
def test_archives_leave_out_what_folders_leave_out(tmp_path, kind):
    dumps = folder_with(tmp_path)
    packed = tmp_path / f"dumps.{kind}"
    if kind == "zip":
        with zipfile.ZipFile(packed, "w") as archive:
            for path in sorted(dumps.iterdir()):
                archive.write(path, path.name)
    else:
        with tarfile.open(packed, "w:gz" if kind == "tgz" else "w") as archive:
            for path in sorted(dumps.iterdir()):
                archive.add(path, path.name)
    events, said = read(tmp_path, [packed])
    assert events == 3 and "1 file of an archive passed over" in said and "projects.csv" in said, said


def test_what_is_named_is_read_and_looks_like_something_else(tmp_path):
    dumps = folder_with(tmp_path)
    for inputs in ([dumps / "events.csv", dumps / "projects.csv"], [f"{dumps}/*.csv"]):
        events, said = read(tmp_path, inputs)
        assert events == 4 and "projects.csv: its rows count as events by a column 'name'" in said, said
    # By itself, and where all are named so, it is what it is.
    (dumps / "events.csv").write_text(EVENTS.format(person="user_id").replace("event_name", "name"))
    for fields in ("", "{event: name}"):
        events, said = read(tmp_path, [dumps / "events.csv", dumps / "projects.csv"], fields)
        assert events == 4 and "a column 'name'" not in said, said


@pytest.mark.parametrize("lists", [
    "id,name,created_at,_fivetran_deleted\n1,News,2026-01-01 10:00:00,TRUE\n2,Promo,2026-01-01 10:05:00,FALSE\n",
    "id,event_name,created_at,_fivetran_deleted\n1,News,2026-01-01 10:00:00,TRUE\n2,Promo,2026-01-01 10:05:00,FALSE\n",
    "id,name,user_id,timestamp,_fivetran_deleted\n1,P,u1,2026-01-01 10:00:00,TRUE\n2,Q,u1,2026-01-01 10:05:00,FALSE\n",
])
def test_a_deleted_row_makes_no_table_of_events(tmp_path, lists):
    dumps = folder_with(tmp_path, other="lists.csv", text=lists)
    for fields in ("{timestamp: timestamp}", "{user_id: user_id}"):
        events, said = read(tmp_path, [dumps], fields)
        assert events == 3 and "lists.csv" in said, said


def test_json_of_projects_is_none_of_events(tmp_path):
    rows = json.dumps([{"id": 1, "name": "P", "user_id": "u1", "timestamp": "2026-01-01 10:00:00"}])
    dumps = folder_with(tmp_path, other="projects.json", text=rows.replace("{", "{{").replace("}", "}}"))
    events, said = read(tmp_path, [dumps])
    assert events == 3 and "projects.json" in said, said


def test_ids_of_kinds_of_events_are_no_event_s_own(tmp_path):
    """Two events of a person were one, and nothing said so."""
    rows = [f"p{person},{kind},{'-ab'[kind]},2026-01-05 10:00:0{second}" for person in range(5) for second, kind in enumerate((1, 1, 2))]
    dump = tmp_path / "dump.csv"
    dump.write_text("user_id,event_id,event_name,timestamp\n" + "\n".join(rows) + "\n")

    def repeated(fields):
        _, said = read(tmp_path, [dump], fields)
        counts = json.loads((tmp_path / "out/metrics.json").read_text())["provenance"]["counts"]
        return counts["repeated_facts"], "stands at events of several people" in said
    assert repeated("") == (5, True)
    assert repeated("{message_id: none_of_them}") == (0, False)
    # Events' own ids, some of which were delivered twice.
    dump.write_text("user_id,event_id,event_name,timestamp\n" + "\n".join(
        row.replace(",1,", f",{number}x,").replace(",2,", f",{number}y,") for number, row in [*enumerate(rows)] * 2) + "\n")
    assert repeated("")[1] is False


def test_what_a_first_row_lacks_is_said_without_advice_to_do_what_was_done(tmp_path):
    dump = tmp_path / "dump.csv"
    dump.write_text("event_name,who,timestamp\na,u1,2026-01-05 10:00:00\n")
    said = firstmile("start", dump, "--yes", cwd=tmp_path, expect=4).stderr.decode()
    assert "was read as table" in said and "--format table" not in said and "'fields:'" in said, said
    dump.write_text("event_name,user_id,timestamp\na,u1,2026-01-05 10:00:00,\n")
    said = firstmile("start", dump, "--yes", cwd=tmp_path, expect=4).stderr.decode()
    assert "has 4 values, and the header 3" in said, said
    dump.write_text("u1,a,2026-01-05 10:00:00\nu1,b,2026-01-05 10:05:00\n")
    said = firstmile("start", dump, "--yes", cwd=tmp_path, expect=4).stderr.decode()
    assert "looks like a row of a table" in said, said
