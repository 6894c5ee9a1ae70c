"""Parquet, Avro, Iceberg and DuckDB's own files, read through DuckDB's command line."""

import contextlib
import datetime
import gzip
import hashlib
import json
import os
import pathlib
import select
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile

import pytest

from harness import (
    BINARY, FORMATS, SAMPLE, facts_of, firstmile, interrupt, json_objects, numbers,
    path_without_duckdb, report, running, wait_until,
)
from test_tables import fivetran_amplitude, fivetran_mixpanel, flat, segment_columns

DUCKDB = shutil.which("duckdb", path=os.pathsep.join(
    [str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")]))

pytestmark = pytest.mark.skipif(
    DUCKDB is None, reason="there is no duckdb; `pip install duckdb-cli` in .venv has it")


@pytest.fixture(autouse=True)
def duckdb_on_path(monkeypatch, tmp_path):
    """DuckDB is on the path, and has nothing of the user's own."""
    monkeypatch.setenv("PATH", f"{pathlib.Path(DUCKDB).parent}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def no_duckdb(monkeypatch):
    monkeypatch.setenv("PATH", path_without_duckdb())


def duckdb(*statements, database=None):
    words = [DUCKDB, "-init", "/dev/null", "-batch", "-bail", "-c", ";".join(statements)]
    done = subprocess.run(words + ([database] if database else []), stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


def quoted(path):
    return "'" + str(path).replace("'", "''") + "'"


def rows_of(path):
    """The objects of a file of JSON lines, with the types that DuckDB finds in them."""
    return f"FROM read_json({quoted(path)}, format = 'newline_delimited', sample_size = -1)"


def parquet(lines, path, query=None):
    duckdb(f"COPY ({query or rows_of(lines)}) TO {quoted(path)} (FORMAT parquet)")


def simulated(folder, format="canonical", persons=40):
    firstmile("simulate", "--flow", SAMPLE, "--persons", persons, "--seed", "5", "--format", format,
              "--files", "1", "--compression", "none", "--out", folder / "dump", "--quiet")
    (dump,) = [path for path in (folder / "dump").iterdir() if path.name != "truth.json"]
    return json_objects(dump.read_text(encoding="utf-8", errors="replace").splitlines())


def write(path, events):
    path.write_text("".join(json.dumps(event) + "\n" for event in events))
    return path


def read(path, folder, *options):
    numbers([path], folder, "--max-reject-rate", "100%", *options)
    return facts_of(folder)


def source_of(folder):
    (source,) = json.loads((folder / "metrics.json").read_text())["provenance"]["sources"]
    return source


@pytest.mark.parametrize("format", FORMATS)
def test_parquet_of_every_format_gives_what_its_lines_give(folder, format):
    lines = write(folder / "lines.ndjson", simulated(folder, format))
    parquet(lines, folder / "events.parquet")
    wanted = read(lines, folder / "lines")
    assert read(folder / "events.parquet", folder / "out", "--digest", "sha256") == wanted
    digits = hashlib.sha256((folder / "events.parquet").read_bytes()).hexdigest()
    assert source_of(folder / "out")["digest"] == f"sha256:{digits}"


def beside(event):
    """Properties and context as columns beside the others."""
    row = {key: value for key, value in event.items() if key not in ("properties", "context")}
    return row | flat(event.get("properties") or {}) | flat(event.get("context") or {})


def texts(event, *names):
    return event | {name: json.dumps(event.get(name) or {}) for name in names}


WAREHOUSES = {
    "columns beside": ("canonical", beside),
    "columns with dots": ("canonical", flat),
    "columns in capitals": (
        "canonical", lambda event: {name.upper(): value for name, value in beside(event).items()}),
    "properties as a text": ("canonical", lambda event: texts(event, "properties", "context")
                             | {"context": event.get("context")}),
    "Amplitude's, by Fivetran": ("amplitude", fivetran_amplitude),
    "Mixpanel's, by Fivetran": ("mixpanel", fivetran_mixpanel),
    "Segment's": ("segment", segment_columns),
    "PostHog's": ("posthog", lambda event: event if isinstance(event["properties"], str)
                  else texts(event, "properties")),
}


@pytest.mark.parametrize("name", WAREHOUSES)
def test_tables_of_warehouses_give_what_the_vendors_lines_give(folder, name):
    format, row = WAREHOUSES[name]
    events = simulated(folder, format)
    wanted = read(write(folder / "lines.ndjson", events), folder / "lines")
    parquet(write(folder / "rows.json", map(row, events)), folder / "events.parquet")
    assert read(folder / "events.parquet", folder / "out") == wanted


def test_a_database_is_read_by_its_table_of_events(folder):
    lines = write(folder / "lines.ndjson", simulated(folder))
    wanted = read(lines, folder / "lines")
    create = f"CREATE TABLE {{}} AS {rows_of(lines)}"
    customers = "CREATE TABLE customers AS SELECT 1 AS id, 'a' AS name, now() AS time"
    duckdb(create.format("onboarding"), customers, database=folder / "one.duckdb")
    duckdb(create.format("a"), create.format("b"), 'CREATE VIEW "Events" AS FROM b',
           database=folder / "named.db")
    for name in ("one.duckdb", "named.db"):
        before = (folder / name).read_bytes()
        assert read(folder / name, folder / "out") == wanted
        assert (folder / name).read_bytes() == before
    duckdb(create.format("a"), create.format('"b;--"'), database=folder / "two.duckdb")
    said = report([folder / "two.duckdb"], folder / "no", expect=2).stderr.decode()
    assert "two.duckdb: is a DuckDB database in which several tables have" in said, said
    assert "(found: a, b;--)" in said and "CREATE VIEW events" in said, said
    duckdb(customers, database=folder / "none.duckdb")
    said = report([folder / "none.duckdb"], folder / "no", expect=2).stderr.decode()
    assert "no table has the columns of events (found: customers)" in said, said


def tiny(folder, query, name="events.parquet"):
    """Reads the rows of a query; how its lines and values were."""
    (folder / "flow.yaml").write_text("flow: tiny\nsteps: [a, b]\n")
    duckdb(f"COPY ({query}) TO {quoted(folder / name)} (FORMAT parquet)")
    done = firstmile("report", folder / name, "--flow", folder / "flow.yaml", "--json", "--quiet",
                     expect=(0, 4))
    return json.loads(done.stdout)["provenance"]


def times(expression):
    return (f"SELECT event, {expression} AS timestamp, 'u' || (i % 10) AS user_id "
            "FROM range(20) t(i), (SELECT CASE WHEN i < 10 THEN 'a' ELSE 'b' END AS event)")


@pytest.mark.parametrize("expression", [
    "TIMESTAMP '2026-01-05 08:57:56.122'", "TIMESTAMPTZ '2026-01-05 08:57:56.122+02'",
    "TIMESTAMP_NS '2026-01-05 08:57:56.122456789'", "TIMESTAMP_S '2026-01-05 08:57:56'",
    "DATE '2026-01-05' + INTERVAL 1 HOUR", "1767603476", "1767603476122", "1767603476.122::DOUBLE",
])
def test_times_of_every_type_are_read(folder, monkeypatch, expression):
    monkeypatch.setenv("TZ", "America/New_York")
    found = tiny(folder, times(expression))
    assert found["events"] == 20 and found["lines"] == 20, found


def row_of(folder, query):
    """A query's only row as DuckDB wrote it, from the rejected lines: it is no event."""
    duckdb(f"CREATE TABLE events AS {query}", database=folder / "row.duckdb")
    numbers([folder / "row.duckdb"], folder / "out", "--rejects", folder / "rows.ndjson", expect=4)
    (line,) = (folder / "rows.ndjson").read_text().splitlines()
    return json.loads(json.loads(line)["text"])


def test_values_keep_what_json_would_lose(folder):
    row = row_of(folder, """
        SELECT 123456789012345678901234567890::HUGEINT AS huge,
          99999999999999999999999999999999999999::DECIMAL(38, 0) AS number,
          12.5::DECIMAL(18, 2) AS price, 'nan'::DOUBLE AS nothing, '-inf'::FLOAT AS endless,
          0.1::FLOAT AS tenth, encode('{"a":"é"}') AS bytes, '\\xFF'::BLOB AS broken,
          {'id': 99999999999999999999::DECIMAL(20, 0), 'hugeint': 1, 'a "b': 2} AS inner,
          [170141183460469231731687303715884105727::HUGEINT] AS list, MAP {'k': 1} AS map,
          9007199254740993 AS big, DATE '2026-01-05' AS day, NULL::INTEGER AS missing,
          'c6ef0000-0000-4000-8000-000000000003'::UUID AS uuid, '{"b": [1]}'::JSON AS json""")
    assert row == {
        "huge": 123456789012345678901234567890, "number": int("9" * 38), "price": 12.5,
        "nothing": None, "endless": None, "tenth": 0.1, "bytes": '{"a":"é"}', "broken": "\\xFF",
        "inner": {"id": 99999999999999999999, "hugeint": 1, 'a "b': 2},
        "list": [170141183460469231731687303715884105727], "map": {"k": 1},
        "big": 9007199254740993, "day": "2026-01-05", "missing": None,
        "uuid": "c6ef0000-0000-4000-8000-000000000003", "json": {"b": [1]}}, row


def test_numbers_inside_of_columns_are_those_of_columns(folder):
    """NaN and infinity have no word in JSON, FLOAT becomes a number of twice the bits, and texts may be bytes."""
    row = row_of(folder, """
        SELECT {'nan': 'nan'::DOUBLE, 'tenth': 0.1::FLOAT, 'it''s': {'list': ['inf'::DOUBLE, 1.5]}} AS inner,
          [{'key': 'a', 'value': {'text': 'nan', 'number': '-inf'::DOUBLE}}, NULL] AS parameters,
          MAP {'a': 'nan'::FLOAT, 'b': 0.1::FLOAT} AS map, [['nan'::DOUBLE], NULL, []] AS lists,
          ['nan'::DOUBLE, 2]::DOUBLE[2] AS pair, NULL::STRUCT(a DOUBLE) AS missing, 'nan' AS text,
          {'of': 'it''s, (a)'::ENUM('it''s, (a)'), 'nan': 'nan'::DOUBLE} AS enum,
          MAP {encode('é'): [encode('ü'), '\\xFF'::BLOB]} AS bytes""")
    assert row == {
        "inner": {"nan": None, "tenth": 0.1, "it's": {"list": [None, 1.5]}},
        "parameters": [{"key": "a", "value": {"text": "nan", "number": None}}, None],
        "map": {"a": None, "b": 0.1}, "lists": [[None], None, []], "pair": [None, 2.0],
        "missing": None, "text": "nan", "enum": {"of": "it's, (a)", "nan": None},
        "bytes": {"é": ["ü", "\\xFF"]}}, row


@pytest.mark.parametrize("sign", ["", "-"])
def test_ids_in_floating_columns_are_whole_numbers(folder, sign):
    """pandas writes whole numbers with gaps as DOUBLE; beside properties Mixpanel's ids are inside."""
    (folder / "flow.yaml").write_text("flow: tiny\nsteps: [a, b]\n")
    wanted = [{"event": "a" if i < 10 else "b", "properties": {
        "time": 1767603476 + i, "distinct_id": f"{sign}{100 + i % 10}", "note": "1.0"}} for i in range(20)]
    query = f"""
        SELECT CASE WHEN i < 10 THEN 'a' ELSE 'b' END AS event,
          {{'time': 1767603476 + i, 'distinct_id': ({sign}(100 + i % 10))::DOUBLE,
            '$user_id': 'nan'::DOUBLE, 'note': '1.0'}} AS properties FROM range(20) t(i)"""
    duckdb(f"COPY ({query}) TO {quoted(folder / 'events.parquet')} (FORMAT parquet)")
    write(folder / "lines.ndjson", wanted)
    found = []
    for name in ("events.parquet", "lines.ndjson"):
        numbers([folder / name], folder / "out", flow=folder / "flow.yaml")
        assert source_of(folder / "out")["events"] == 20
        found.append(facts_of(folder / "out")["rows"])
    assert found[0] == found[1]


NAMES = ["it's \"here\"; $HOME `x`.parquet", "--help.parquet", "two\nlines", "events.csv", "md:x",
         "*", "-c", b"caf\xe9.parquet"]


@pytest.mark.parametrize("name", NAMES)
def test_no_name_of_a_file_says_more_than_a_name(folder, name):
    (folder / "flow.yaml").write_text("flow: tiny\nsteps: [a, b]\n")
    (folder / "in").mkdir()
    tiny(folder, times("now()"))
    os.rename(folder / "events.parquet", os.fsencode(folder / "in") + b"/" + os.fsencode(name))
    for place in (b"./" + os.fsencode(name), b"."):
        done = subprocess.run([BINARY, "report", place, "--flow", "../flow.yaml", "--json", "--quiet"],
                              cwd=folder / "in", capture_output=True, timeout=60)
        assert json.loads(done.stdout)["provenance"]["events"] == 20, done.stderr
    assert len(os.listdir(folder / "in")) == 1


def test_a_database_of_an_odd_name_is_read(folder):
    (folder / "flow.yaml").write_text("flow: tiny\nsteps: [a, b]\n")
    odd = folder / "it's \"here\"; $HOME.db"
    duckdb(f"CREATE TABLE t AS {times('now()')}", database=folder / "plain.db")
    (folder / "plain.db").rename(odd)
    done = firstmile("report", odd.name, "--flow", "flow.yaml", "--json", "--quiet", cwd=folder)
    assert json.loads(done.stdout)["provenance"]["events"] == 20


def test_a_file_cannot_make_duckdb_look_at_others(folder):
    (folder / "flow.yaml").write_text("flow: tiny\nsteps: [a, b]\n")
    (folder / "secret.csv").write_text("event,timestamp\na,2026-01-05\n")
    duckdb(f"CREATE VIEW events AS FROM read_csv({quoted(folder / 'secret.csv')})",
           database=folder / "evil.db")
    before = sorted(os.listdir(folder))
    said = firstmile("report", folder / "evil.db", "--flow", folder / "flow.yaml", "--json",
                     expect=2).stderr.decode()
    assert "disabled by configuration" in said, said
    (folder / "home/.duckdbrc").write_text(".shell touch touched\n")
    tiny(folder, times("now()"))
    assert sorted(os.listdir(folder)) == sorted([*before, "events.parquet"])


def commands(said):
    """The command that a message ends with."""
    return said.strip().split("JSON lines: ")[1]


@pytest.mark.parametrize("name", ["events.parquet", "it's \"here\"; $HOME.parquet", "-x.parquet"])
def test_without_duckdb_the_message_has_a_command_that_works(folder, monkeypatch, name):
    with_duckdb = os.environ["PATH"]
    events = simulated(folder)
    wanted = read(write(folder / "lines.ndjson", events), folder / "lines")
    parquet(folder / "lines.ndjson", folder / name)
    duckdb(f"CREATE TABLE events AS {rows_of(folder / 'lines.ndjson')}", database=folder / "e.db")
    without = path_without_duckdb()
    for file in (name, "e.db"):
        monkeypatch.setenv("PATH", without)
        said = firstmile("report", f"./{file}", "--flow", SAMPLE, cwd=folder, expect=2).stderr.decode()
        command = commands(said)
        assert command.endswith("| firstmile report - --flow FLOW"), said
        command = command.replace("firstmile report - --flow FLOW", f"{shlex.quote(str(BINARY))} report - --flow "
                                  f"{SAMPLE} --json --max-reject-rate 100% > metrics.json")
        monkeypatch.setenv("PATH", with_duckdb)
        subprocess.run(["sh", "-c", command], cwd=folder, check=True, capture_output=True)
        assert facts_of(folder) == wanted


def test_what_duckdb_cannot_read_for_us_says_what_to_do(folder):
    tiny(folder, times("now()"))
    content = (folder / "events.parquet").read_bytes()
    said = report(["-"], folder / "no", stdin=content, expect=2).stderr.decode()
    assert "-: is a Parquet file, which is read from a file only; save it to one" in said, said
    (folder / "events.parquet.gz").write_bytes(gzip.compress(content))
    said = report([folder / "events.parquet.gz"], folder / "no", expect=2).stderr.decode()
    assert "is compressed once more; decompress it" in said, said
    with tarfile.open(folder / "events.tar", "w") as archive:
        archive.add(folder / "events.parquet", "inside.parquet")
    said = report([folder / "events.tar"], folder / "no", expect=(2, 4)).stderr.decode()
    assert "a Parquet file inside an archive is not opened; unpack it first" in said, said
    (folder / "broken.parquet").write_bytes(content[:-9])
    said = report([folder / "broken.parquet"], folder / "no", expect=2).stderr.decode()
    assert "broken.parquet: is a Parquet file that DuckDB can't read: " in said, said


def test_in_folders_files_of_events_are_read_and_others_passed_over(folder, request):
    events = simulated(folder)
    wanted = read(write(folder / "lines.ndjson", events), folder / "lines")
    dump = folder / "dumps"
    (dump / "deep").mkdir(parents=True)
    write(folder / "first.ndjson", events[:len(events) // 2])
    write(folder / "second.ndjson", events[len(events) // 2:])
    parquet(folder / "first.ndjson", dump / "deep/part-0001.snappy.parquet")
    parquet(folder / "second.ndjson", dump / "part-0000")
    parquet(None, dump / "customers.parquet",
            "SELECT i AS id, 'n' || i AS name, now() AS time, i AS user_id FROM range(9) t(i)")
    duckdb("CREATE TABLE t AS SELECT 1 AS a", database=dump / "other.duckdb")
    said = numbers([dump], folder / "out", "--max-reject-rate", "100%").stderr.decode()
    assert facts_of(folder / "out") == wanted
    (line,) = [line for line in said.splitlines() if "passed over" in line]
    assert line.startswith("firstmile: 2 files passed over: ") and "customers.parquet" in line, line
    assert "other.duckdb (a DuckDB database)" in line, line
    request.getfixturevalue("no_duckdb")
    said = numbers([dump], folder / "no", expect=2).stderr.decode()
    assert "part-0000 (a Parquet file)" in said, said


STAND_IN = """#!/bin/sh
echo $$ >> "$PIDS"
case "$*" in
  *DESCRIBE*)
    echo '{"name":"event","type":"VARCHAR"}'
    echo '{"name":"timestamp","type":"VARCHAR"}'
    exit 0 ;;
esac
%s
"""


@pytest.fixture
def stand_in(folder, monkeypatch):
    """A program in DuckDB's place, with the commands that it runs for the rows."""
    def make(commands):
        (folder / "bin").mkdir(exist_ok=True)
        (folder / "bin/duckdb").write_text(STAND_IN % commands)
        (folder / "bin/duckdb").chmod(0o755)
        (folder / "file.parquet").write_bytes(b"PAR1" + bytes(600))
        (folder / "flow.yaml").write_text("flow: tiny\nsteps: [a, b]\nidentity: user\n")
        monkeypatch.setenv("PIDS", str(folder / "pids"))
        monkeypatch.setenv("PATH", f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}")
        return folder / "file.parquet"
    return make


ROWS = """printf '%s\\n%s' '{"event":"a","timestamp":"2026-01-05T00:00:00Z","user_id":"u"}' \\
  '{"event":"a","timest'"""


def test_a_failure_after_some_rows_is_damage_in_duckdbs_words(folder, stand_in):
    file = stand_in(ROWS + "\necho 'IO Error: the disk is gone' >&2\nexit 1")
    done = firstmile("report", file, "--flow", folder / "flow.yaml", "--json", expect=4)
    said = done.stderr.decode()
    assert "DuckDB could not read a Parquet file to its end: IO Error: the disk is gone" in said, said
    found = json.loads(done.stdout)["provenance"]
    assert (found["events"], found["rejects"]) == (1, {"truncated": 1}), found


def test_an_end_without_a_word_is_no_shorter_file(folder, stand_in):
    file = stand_in(ROWS + "\nkill -9 $$")
    said = firstmile("report", file, "--flow", folder / "flow.yaml", "--json", expect=4).stderr.decode()
    assert "to its end: signal 9 ended it" in said, said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_leaves_no_duckdb_behind(folder, stand_in, number):
    file = stand_in("sleep 600 &\necho $! >> \"$PIDS\"\n" + ROWS + "\nwait")
    pids = folder / "pids"
    with running("report", file, "--flow", folder / "flow.yaml", "--out", folder / "out") as process:
        assert wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 3, process)
        children = {}
        for pid in pids.read_text().split():
            # The one that described the columns has ended.
            with contextlib.suppress(ProcessLookupError):
                children[pid] = os.pidfd_open(int(pid))
        assert len(children) >= 2, children
        assert "interrupted" in interrupt(process, number)
    assert process.returncode == 128 + number
    # A signal takes a moment to end a process that another one holds the processor from.
    for pid, child in children.items():
        ending = select.poll()
        ending.register(child, select.POLLIN)
        assert ending.poll(60_000), f"process {pid} of ten minutes still runs"
        os.close(child)
    assert not (folder / "out").exists()


def test_a_broken_page_in_the_middle_loses_nothing_in_silence(folder):
    (folder / "flow.yaml").write_text("flow: tiny\nsteps: [a, b]\nidentity: user\n")
    duckdb("COPY (SELECT 'a' AS event, now() AS timestamp, md5(i::VARCHAR) AS user_id FROM "
           f"range(40000) t(i)) TO {quoted(folder / 'e.parquet')} "
           "(FORMAT parquet, ROW_GROUP_SIZE 10000, COMPRESSION gzip)")
    content = bytearray((folder / "e.parquet").read_bytes())
    middle = len(content) * 7 // 10
    content[middle:middle + 3000] = bytes(3000)
    (folder / "e.parquet").write_bytes(content)
    said = firstmile("report", folder / "e.parquet", "--flow", folder / "flow.yaml", "--json",
                     expect=(2, 4)).stderr.decode()
    assert "e.parquet" in said and "DuckDB" in said, said


AVRO_SCHEMA = {"type": "record", "name": "event", "fields": [
    {"name": "event", "type": "string"},
    {"name": "timestamp", "type": {"type": "long", "logicalType": "timestamp-micros"}},
    {"name": "user_id", "type": ["null", "string"]},
    {"name": "properties", "type": {"type": "map", "values": "string"}}]}


def few_events():
    start = datetime.datetime(2026, 1, 5, 8, tzinfo=datetime.timezone.utc)
    return [{"event": "ab"[number % 2], "timestamp": start + datetime.timedelta(minutes=number),
             "user_id": f"u{number // 2 % 10}", "properties": {"page_name": "x"}}
            for number in range(40)]


def wanted_of(events, folder):
    (folder / "flow.yaml").write_text("flow: tiny\nsteps: [a, b]\nidentity: user\n")
    lines = write(folder / "lines.ndjson", [
        event | {"timestamp": event["timestamp"].isoformat()} for event in events])
    numbers([lines], folder / "lines", flow=folder / "flow.yaml")
    return facts_of(folder / "lines")


def install(folder, *names):
    """DuckDB's extensions from their packages, for its own version."""
    version = duckdb("COPY (SELECT library_version || '/' || p FROM pragma_version(), "
                     "pragma_platform() t(p)) TO '/dev/stdout' (FORMAT csv, HEADER false)")
    place = folder / "home/.duckdb/extensions" / version.decode().strip()
    place.mkdir(parents=True)
    for name in names:
        package = pytest.importorskip(f"duckdb_extension_{name}")
        for file in pathlib.Path(package.__file__).parent.rglob(f"{name}.duckdb_extension"):
            if file.parent.name != place.parent.name:
                pytest.skip(f"the package of the extension {name} is for DuckDB {file.parent.name}")
            shutil.copy(file, place)


def test_avro_is_read_with_its_extension(folder):
    fastavro = pytest.importorskip("fastavro")
    events = few_events()
    wanted = wanted_of(events, folder)
    with open(folder / "events.avro", "wb") as file:
        fastavro.writer(file, AVRO_SCHEMA, events, codec="deflate")
    said = numbers([folder / "events.avro"], folder / "no", expect=2).stderr.decode()
    assert "is an Avro file, and DuckDB reads it with 'avro'" in said, said
    assert 'have to be installed: duckdb -c "INSTALL avro"' in said, said
    install(folder, "avro")
    numbers([folder / "events.avro"], folder / "out", flow=folder / "flow.yaml")
    assert facts_of(folder / "out") == wanted


def iceberg_table(folder, events):
    """A table in two versions: half of the events, and all of them."""
    pyarrow = pytest.importorskip("pyarrow")
    sql = pytest.importorskip("pyiceberg.catalog.sql")
    (folder / "lake").mkdir()
    catalog = sql.SqlCatalog("local", uri=f"sqlite:///{folder}/catalog.db",
                             warehouse=f"file://{folder}/lake")
    catalog.create_namespace("app")
    rows = pyarrow.Table.from_pylist([
        {**event, "properties": json.dumps(event["properties"])} for event in events])
    table = catalog.create_table("app.events", schema=rows.schema)
    table.append(rows.slice(0, len(events) // 2))
    table.append(rows.slice(len(events) // 2))
    return folder / "lake/app/events"


def test_a_folder_that_is_an_iceberg_table_is_one_source(folder):
    events = few_events()
    wanted = wanted_of(events, folder)
    half = wanted_of(events[:len(events) // 2], folder)
    table = iceberg_table(folder, events)
    said = numbers([table], folder / "no", expect=2).stderr.decode()
    assert 'duckdb -c "INSTALL avro; INSTALL iceberg"' in said, said
    install(folder, "avro", "iceberg")
    flow = folder / "flow.yaml"
    shutil.copytree(table, folder / "it's moved")
    for place in (table, folder / "lake", folder / "it's moved"):
        numbers([place], folder / "out", flow=flow)
        assert facts_of(folder / "out") == wanted
        assert source_of(folder / "out")["name"].endswith(".metadata.json")
    (before,) = (table / "metadata").glob("00001-*.metadata.json")
    numbers([before], folder / "out", flow=flow)
    assert facts_of(folder / "out") == half
    (last,) = (table / "metadata").glob("00002-*.metadata.json")
    shutil.copy(last, table / "metadata/00002-other.metadata.json")
    said = numbers([table], folder / "no", flow=flow, expect=2).stderr.decode()
    assert "several newest versions; name one of them: " in said and "00002-other" in said, said


def test_without_duckdb_an_iceberg_table_has_a_command(folder, no_duckdb):
    (folder / "t/metadata").mkdir(parents=True)
    (folder / "t/data").mkdir()
    (folder / "t/metadata/v9.metadata.json").write_text('{"format-version": 2}')
    (folder / "t/metadata/v10.metadata.json").write_text('{"format-version": 2}')
    (folder / "t/data/a.parquet").write_bytes(b"PAR1" + bytes(600))
    said = report([folder / "t"], folder / "no", expect=2).stderr.decode()
    assert "v10.metadata.json: is an Iceberg table; it is read where" in said, said
    assert "iceberg_scan('" in said and "version = 'v10'" in said, said
    write(folder / "events.ndjson", [{"event": "a", "timestamp": 1767603476, "user_id": "u"}])
    said = report([folder], folder / "out").stderr.decode()
    assert "v10.metadata.json (an Iceberg table)" in said and "a.parquet" not in said, said
