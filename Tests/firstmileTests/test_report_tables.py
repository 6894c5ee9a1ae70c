"""`firstmile report --tables`: the tables of a report for programs."""

import csv
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import sys

import pytest
from harness import ROOT, firstmile, path_without_duckdb, report

DUCKDB = shutil.which("duckdb", path=os.pathsep.join(
    [str(pathlib.Path(sys.executable).parent), os.environ.get("PATH", "")]))
# Whatever their values look like: a version called 1 is a name.
TEXTS = {"version", "variant", "step", "metric", "cohort", "breakdown", "experiment", "unit"}

# Names that SQL, JSON and CSV have to quote.
FLOW = """flow: odd
steps: [one, {id: two, title: 'a "quoted", title', asks: 'per''m"x, y'}, three]
permissions: ['per''m"x, y', Push, push]
experiments:
  copy: {control: '=1+1', split: {'=1+1': 50%, 'b"; DROP TABLE steps; --': 50%}}
retention: [{days: [1, 7]}]
dimensions: [os]
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Reports in every form: of a sample, and of a flow whose names have to be quoted."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "odd.yaml").write_text(FLOW)
    firstmile("simulate", "--flow", folder / "odd.yaml", "--persons", 150, "--seed", 5, "--out",
              folder / "dump", "--quiet")
    forms = ["--tables=sqlite", "--tables=json"]
    with pytest.MonkeyPatch.context() as patch:
        if DUCKDB:
            forms.append("--tables=parquet")
            patch.setenv("PATH", f"{pathlib.Path(DUCKDB).parent}{os.pathsep}{os.environ['PATH']}")
        report([ROOT / "sample-events/trendy"], folder / "trendy", *forms, flow="trendy",
               expect=(0, 4))
        report([folder / "dump"], folder / "odd", *forms, flow=folder / "odd.yaml", expect=(0, 4))
    return [folder / "trendy", folder / "odd"]


def tables_of(folder):
    """The CSV files, in the order in which the folder's README lists them."""
    listed = re.findall(r"^  (\w+)\.csv", (folder / "README.txt").read_text(), re.M)
    assert set(listed) == {path.stem for path in folder.glob("*.csv")} and len(listed) > 8
    return listed


def rows_of(folder, name):
    with open(folder / f"{name}.csv", newline="", encoding="utf-8") as file:
        head, *rows = csv.reader(file)
    # Databases take names that differ in case alone for one.
    seen, names = set(), []
    for name in head:
        while name.lower() in seen:
            name += "_2"
        seen.add(name.lower())
        names.append(name)
    assert all(len(row) == len(names) for row in rows), name
    return names, rows


def assert_same(table, head, found, rows):
    """Value by value: numbers as numbers, names as names, nothing as NULL."""
    assert len(found) == len(rows), (table, len(found), len(rows))
    for place, (one, other) in enumerate(zip(found, rows)):
        assert len(one) == len(other) == len(head)
        for column, value, cell in zip(head, one, other):
            where = (table, place, column, value, cell)
            if cell == "":
                assert value is None, where
            elif isinstance(value, str):
                assert value == cell, where
            else:
                assert column not in TEXTS and value == float(cell), where


def test_sqlite_has_a_table_for_each_file(made):
    for folder in made:
        with sqlite3.connect(f"file:{folder / 'tables.sqlite'}?mode=ro", uri=True) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert [name for name, in database.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid")] == tables_of(folder)
            for table in tables_of(folder):
                head, rows = rows_of(folder, table)
                kinds = {name: kind for _, name, kind, *_ in database.execute(
                    f"PRAGMA table_info({table})")}
                assert list(kinds) == head, table
                assert_same(table, head, database.execute(f"SELECT * FROM {table}").fetchall(),
                            rows)
                for column in TEXTS & set(head) if rows else []:
                    assert kinds[column] == "TEXT", (table, column)
            kinds = {name: kind for _, name, kind, *_ in database.execute(
                "PRAGMA table_info(metrics)")}
            assert (kinds["numerator"], kinds["value"]) == ("INTEGER", "REAL"), kinds
            # What it is for.
            best, = database.execute(
                "SELECT step FROM steps WHERE version = 'all' AND variant = 'all' AND cohort = "
                "'all' AND breakdown = 'all' ORDER BY drop_off DESC LIMIT 1").fetchone()
            assert best
        database.close()


def test_json_has_the_same_rows(made):
    for folder in made:
        content = json.loads((folder / "tables.json").read_text(encoding="utf-8"))
        assert content["schema"] == "firstmile.tables/1" and list(content["tables"]) == (
            tables_of(folder))
        for table in tables_of(folder):
            head, rows = rows_of(folder, table)
            found = content["tables"][table]
            assert all(set(row) <= set(head) and None not in row.values() for row in found), table
            assert_same(table, head, [[row.get(name) for name in head] for row in found], rows)
        size = (folder / "tables.json").stat().st_size
        assert b"\n\n" not in (folder / "tables.json").read_bytes() and size < 3_000_000, size


@pytest.mark.skipif(
    DUCKDB is None, reason="there is no duckdb; `pip install duckdb-cli` in .venv has it")
def test_parquet_has_the_same_rows(made):
    for folder in made:
        assert sorted(path.stem for path in folder.glob("*.parquet")) == (
            sorted(tables_of(folder)))
        for table in tables_of(folder):
            head, rows = rows_of(folder, table)
            said = subprocess.run(
                [DUCKDB, "-init", "/dev/null", "-json", "-c",
                 f"FROM read_parquet('{table}.parquet')"], cwd=folder, capture_output=True,
                check=True).stdout.decode()
            found = json.loads(said) if said.strip() not in ("", "[{]") else []
            assert_same(table, head, [[row[name] for name in head] for row in found], rows)
            if rows:
                assert list(found[0]) == head, table


def test_parquet_without_duckdb_says_what_to_do(folder, monkeypatch):
    monkeypatch.setenv("PATH", path_without_duckdb())
    said = firstmile("report", ROOT / "sample-events/trendy", "--flow", "trendy", "--out",
                     folder / "out", "--tables=parquet", expect=2).stderr.decode()
    assert "duckdb -c" in said and "metrics.csv" in said and "FORMAT parquet" in said, said
    assert not (folder / "out").exists(), "it says so before it reads"


def test_tables_need_a_folder_and_a_form(folder):
    dump = ROOT / "sample-events/trendy"
    said = firstmile("report", dump, "--flow", "trendy", "--tables=json", expect=2).stderr
    assert b"--tables needs --out" in said, said
    said = firstmile("report", dump, "--flow", "trendy", "--tables=xlsx", expect=2).stderr
    assert b"sqlite" in said and b"parquet" in said, said


def test_the_same_facts_give_the_same_tables(made, folder):
    again = folder / "again"
    report([ROOT / "sample-events/trendy"], again, "--tables=sqlite", "--tables=json", "--threads",
           1, flow="trendy", expect=(0, 4))
    for name in ("tables.json", "tables.sqlite"):
        assert (again / name).read_bytes() == (made[0] / name).read_bytes(), name
    assert not list(again.glob("*.parquet"))
