"""Parquet, Avro, Iceberg and DuckDB's own files, read through DuckDB's command line."""

import gzip
import hashlib
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tarfile

import pytest

from harness import (BINARY, FORMATS, SAMPLE, facts_of, firstmile, interrupt, json_objects, report,
                     running, wait_until)
from test_tables import fivetran_amplitude, fivetran_mixpanel, flat, segment_columns

DUCKDB = shutil.which("duckdb", path=os.pathsep.join(
    [str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")]))

pytestmark = pytest.mark.skipif(
    DUCKDB is None, reason="there is no duckdb; `pip install duckdb-cli` in .venv has it")

PARQUET = "COPY t TO '{}' (FORMAT parquet)"


@pytest.fixture(autouse=True)
def duckdb_on_path(monkeypatch, tmp_path):
    """DuckDB is on the path, and has nothing of the user's own."""
    monkeypatch.setenv("PATH", f"{pathlib.Path(DUCKDB).parent}{os.pathsep}{os.environ['PATH']}")
    (tmp_path / "home").mkdir()
    monkeypatch.setenv("HOME", str(tmp_path / "home"))


@pytest.fixture
def no_duckdb(monkeypatch):
    folders = [folder for folder in os.environ["PATH"].split(os.pathsep)
               if not (pathlib.Path(folder) / "duckdb").exists()]
    monkeypatch.setenv("PATH", os.pathsep.join(folders))


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
    report([path], folder, "--max-reject-rate", "100%", *options)
    return facts_of(folder)


def source_of(folder):
    (source,) = json.loads((folder / "metrics.json").read_text())["provenance"]["sources"]
    return source


@pytest.mark.parametrize("format", FORMATS)
def test_parquet_of_every_format_gives_what_its_lines_give(folder, format):
    lines = write(folder / "lines.ndjson", simulated(folder, format))
    parquet(lines, folder / "events.parquet")
    wanted = read(lines, folder / "lines")
    assert read(folder / "events.parquet", folder / "out") == wanted
    found = source_of(folder / "out")
    assert found["sha256"] == hashlib.sha256((folder / "events.parquet").read_bytes()).hexdigest()


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


FLOW = ("flow: tiny\nsteps: [a, b]\nidentity: user\n"
        "goals: [{id: paid, event: b, amount: amount}]\n")


def tiny(folder, query, name="events.parquet"):
    """Reads the rows of a query; its metrics in JSON."""
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
