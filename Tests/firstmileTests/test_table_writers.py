"""Tables as programs write them: without quotes, with backslashes, with numbers and truth values as text."""

import csv
import gzip
import io
import json
import random
import zipfile

import pytest

from harness import facts_of, firstmile, numbers, report, total

FLOW = """flow: shop
window: 24h
steps: [one, two]
goals: [{id: paid, event: paid, where: {pro: true}, within: 24h}]
"""
COLUMNS = ["note", "event", "timestamp", "user_id", "page_name", "page_number", "pro"]


def rows(people=300):
    """Rows of events in the columns above: half of the people see the second page, a third pays as a pro."""
    found = []
    for number in range(people):
        def row(event, second, page="", place="", pro=""):
            time = f"2026-01-{1 + number % 20:02}T10:{number // 60:02}:{second:02}Z"
            return ["hi", event, time, str(1000 + number), page, place, pro]
        found.append(row("onboarding_started", 0))
        found.append(row("onboarding_page_viewed", 1, "one", "1"))
        if number % 2 == 0:
            found.append(row("onboarding_page_viewed", 2, "two", "2"))
            found.append(row("onboarding_completed", 3))
        found.append(row("paid", 4, pro="true" if number % 3 == 0 else "false"))
    return found


def table(rows, delimiter=",", columns=COLUMNS, **options):
    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, lineterminator="\n", **options)
    writer.writerows([columns, *rows])
    return out.getvalue()


def plain(rows, delimiter="\t", columns=COLUMNS):
    """What a program writes that knows no quotes."""
    return "".join(delimiter.join(row) + "\n" for row in [columns, *rows])


def read(folder, content, *options, expect=0, name="events.csv", flow=FLOW, by=numbers):
    (folder / "shop.yaml").write_text(flow)
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    done = by([folder / name], folder / "out", "--rejects", folder / "rejects", "--as-of", "2026-03-01",
                "--max-reject-rate", "100%", *options, flow=folder / "shop.yaml", expect=expect)
    (source,) = json.loads((folder / "out/metrics.json").read_text())["provenance"]["sources"]
    rejects = folder / "rejects"
    kept = [json.loads(line) for line in rejects.read_text().splitlines()] if rejects.exists() else []
    return source, kept, done.stderr.decode()


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """The facts of the rows, from a table in which nothing is odd."""
    folder = tmp_path_factory.mktemp("wanted")
    source, _, _ = read(folder, table(rows()))
    assert (source["events"], source["rejects"]) == (len(rows()), 0)
    return facts_of(folder / "out")


def notes(values):
    """The rows with notes in some of them, by their numbers; -1 is the last one."""
    found = rows()
    for number, note in values.items():
        found[number][0] = note
    return found


STRAYS = {
    "one that another one closes": {102: '"hello', 902: '5"'},
    "one that nothing closes": {102: '"hello'},
    "in rows one behind the other": {102: '"a', 103: '"b', 104: 'c"', 105: '"d'},
    "in the last row": {-1: '"hello'},
    "in the first row": {0: '"hello', 1: '5"'},
    "in every row": {number: '"hello' for number in range(len(rows()))},
    "closed and not at the end": {102: '"hello" he said', 103: '"a" "b"'},
}


@pytest.mark.parametrize("name", STRAYS)
@pytest.mark.parametrize("delimiter", ["\t", "|"])
def test_a_stray_quote_takes_no_row_away(folder, wanted, name, delimiter):
    content = plain(notes(STRAYS[name]), delimiter).encode()
    # Members that are cut inside of rows, and of the quotes.
    cuts = [0, 4500, 4503, 20_000, len(content)]
    members = b"".join(gzip.compress(content[start:end]) for start, end in zip(cuts, cuts[1:]))
    for file, bytes in (("events.tsv", content), ("events.tsv.gz", members)):
        source, kept, _ = read(folder, bytes, name=file)
        assert (source["events"], source["rejects"], kept) == (len(rows()), 0, [])
        assert facts_of(folder / "out") == wanted


def test_a_stray_quote_among_commas_takes_no_row_away(folder, wanted):
    source, _, _ = read(folder, plain(notes({102: '"hello', 902: '5"', 905: '"x'}), ","))
    assert (source["events"], source["rejects"]) == (len(rows()), 0)
    assert facts_of(folder / "out") == wanted


def test_quotes_that_begin_in_a_broken_row_cost_that_row(folder):
    content = plain(notes({102: '"hello\tworld', 902: '5"'}))
    source, kept, _ = read(folder, content)
    assert (source["events"], source["rejects"]) == (len(rows()) - 1, 1)
    assert json.loads(kept[0]["text"])[:2] == ['"hello', "world"]


# What a value may hold over several lines, in a table that has quotes.
TEXTS = [
    "two\nlines", "\n", "\n\n", "a\n\"b\"\n", 'say "hi"\nand go', "one, two\nthree, four, five",
    json.dumps({"a": 1, "b": [1, 2, 3], "c": "x,y"}, indent=2), "x\r\ny", "2026-01-01T00:00:00Z\nb",
    # Lines with as many values as the table has, but no time where its rows have one.
    "hi\nhi,paid,now,u,one,1,true\nhi",
    # A row of the table in a value, and none before it.
    "hi, paid\nhi,paid,2026-01-01T00:00:00Z,u,one,1,true\nhi",
]


@pytest.mark.parametrize("column", [0, 4])
@pytest.mark.parametrize("quoting", [csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
def test_values_over_several_lines_stay_whole(folder, column, quoting):
    found = rows(40)
    for number, text in enumerate(TEXTS):
        found[10 * number + 5][column] = text
    (folder / "lines.ndjson").write_text("".join(
        json.dumps(dict(zip(COLUMNS, row))) + "\n" for row in found))
    flow = FLOW + "fields: {page_name: page_name}\ndimensions: [{id: note, path: note}]\n"
    options = ("--format", "table", "--all-slices")
    read(folder, (folder / "lines.ndjson").read_text(), *options, name="events.ndjson", flow=flow)
    facts = facts_of(folder / "out")
    source, _, _ = read(folder, table(found, quoting=quoting), *options, flow=flow)
    assert (source["events"], source["rejects"]) == (len(found), 0)
    assert facts_of(folder / "out") == facts


def spark(rows, columns, backslash="\\"):
    """What Spark writes: quotes only where they are needed, and a backslash before each in a value."""
    def written(value):
        if not any(sign in value for sign in ',"\n'):
            return value
        return '"' + value.replace("\\", backslash + "\\").replace('"', '\\"') + '"'
    return "".join(",".join(map(written, row)) + "\n" for row in [columns, *rows])


PROPERTIES = [*COLUMNS[:4], "properties"]


def with_properties(found, note=None):
    return [[*row[:4], json.dumps(
        {name: int(value) if value.isdigit() else value == "true" if name == "pro" else value
         for name, value in zip(COLUMNS[4:], row[4:]) if value} | ({"said": note} if note else {}))]
        for row in found]


@pytest.mark.parametrize("said", [None, 'she said "hi, you", and \\ left', "two\nlines"])
@pytest.mark.parametrize("before", [0, 4000])
def test_backslashes_before_quotes(folder, wanted, said, before):
    found = with_properties(rows(), said)
    # So many rows stand before the first with a quote that the file's beginning has none.
    empty = [["hi", "opened", "2026-01-25T10:00:00Z", "1000", "{}"]] * before
    (folder / "lines.csv").write_text(table(empty + found, columns=PROPERTIES))
    source, _, _ = read(folder, (folder / "lines.csv").read_text())
    assert source["rejects"] == 0
    facts = facts_of(folder / "out")
    source, kept, _ = read(folder, spark(empty + found, PROPERTIES))
    assert (source["events"], source["rejects"], kept) == (before + len(found), 0, [])
    assert facts_of(folder / "out") == facts


@pytest.mark.parametrize("said", ['she said "hi"', "two\nlines and a \\ backslash\t"])
def test_backslashes_of_databases(folder, said):
    found = with_properties(rows(), said)
    source, _, _ = read(folder, table(found, columns=PROPERTIES))
    facts = facts_of(folder / "out")

    def written(value):
        return value.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n")
    content = plain([[written(value) or "\\N" for value in row] for row in found], columns=PROPERTIES)
    source, kept, _ = read(folder, content, name="events.tsv")
    assert (source["events"], source["rejects"], kept) == (len(found), 0, [])
    assert facts_of(folder / "out") == facts


def test_a_backslash_before_what_separates_values(folder, wanted):
    source, _, _ = read(folder, plain(notes({102: "this\\|that", 103: "a\\\\b\\|"}), "|"))
    assert (source["events"], source["rejects"]) == (len(rows()), 0)
    assert facts_of(folder / "out") == wanted


def test_numbers_as_pandas_writes_them(folder, wanted):
    found = rows()
    for number, row in enumerate(found):
        # One file has a value missing in the column, and the other has not.
        if number % 2:
            row[3] += ".0"
        row[4], row[5] = "", row[5] and row[5] + ".0"
    source, _, _ = read(folder, table(found))
    assert source["events"] == len(found)
    assert total(folder / "out", "entered") == (300, None)
    assert total(folder / "out", "step_reach", "two") == (150, 300)
    said = firstmile("explain", "1002", folder / "events.csv", "--flow", folder / "shop.yaml").stdout
    assert b"onboarding_completed" in said


def test_a_version_keeps_its_zero(folder):
    content = "event,timestamp,user_id,context.os,page_name\nonboarding_started,2026-01-01T00:00:00Z,u,17.0,\n"
    flow = "flow: shop\nsteps: [one, two]\ndimensions: [{id: os, path: context.os}]\n"
    read(folder, content * 3, "--all-slices", flow=flow)
    assert b'"os=17.0"' in facts_of(folder / "out")["rows"]


@pytest.mark.parametrize("yes, no", [("True", "False"), ("TRUE", "FALSE"), ("t", "f"), ("1", "0")])
def test_truth_values_however_they_are_written(folder, wanted, yes, no):
    found = [[{"true": yes, "false": no}.get(value, value) for value in row[-1:]] for row in rows()]
    source, _, _ = read(folder, table([row[:-1] + last for row, last in zip(rows(), found)]))
    assert source["rejects"] == 0
    assert facts_of(folder / "out") == wanted


def test_a_condition_asks_for_a_number_however_it_is_written(folder):
    flow = FLOW.replace("pro: true", "page_number: 3")
    found = [[*row[:5], "3" if row[6] == "true" else row[5], ""] for row in rows()]
    read(folder, table(found), flow=flow)
    facts = facts_of(folder / "out")
    assert total(folder / "out", "goal_rate", "paid") == (100, 300)
    read(folder, table([[*row[:5], row[5] and row[5] + ".0", ""] for row in found]), flow=flow)
    assert facts_of(folder / "out") == facts


@pytest.mark.parametrize("word", ["NULL", "null", "\\N", "NaN", "nan", "NaT", "<NA>", "#N/A", "#DIV/0!"])
def test_words_for_what_is_missing_are_no_values(folder, word):
    experiment = "experiments: {offer: {control: a, variants: [a, b]}}\nfields: {experiment: {constant: offer}, variant: arm}\n"
    columns = [*COLUMNS, "session_id", "arm"]
    found = [[*row, "" if index % 3 else f"s{index}", "ab"[int(row[3]) % 2] if row[1].endswith("started") else ""]
             for index, row in enumerate(rows())]
    read(folder, table(found, columns=columns), flow=FLOW + experiment)
    wanted = facts_of(folder / "out")
    assert b'"experiment":"offer","variant":"a"' in wanted["rows"]
    read(folder, table([[value or word for value in row] for row in found], columns=columns), flow=FLOW + experiment)
    assert facts_of(folder / "out") == wanted
    # A text that begins like one is a text.
    read(folder, table([[value or "nanny" for value in row] for row in found], columns=columns), flow=FLOW + experiment)
    assert facts_of(folder / "out") != wanted


@pytest.mark.parametrize(("device", "left"), [("", (1, 3)), ("d", (4, 0))])
def test_what_r_writes_for_a_missing_id_is_none(folder, device, left):
    head = "event,timestamp,user_id,device_id,session_id,message_id\n"
    row = "onboarding_started,2026-01-01T00:00:00Z,{},{},NA,NA\n"
    source, kept, _ = read(folder, head + row.format("NA", device) * 3 + row.format("Na", "d7"), by=report)
    assert (source["events"], source["rejects"]) == left
    assert {reject["reason"] for reject in kept} <= {"missing_id"}
    assert "placeholder_ids,NA,3,4," in (folder / "out/quality.csv").read_text()
    # In lines of JSON it may be somebody's name.
    event = {"event": "onboarding_started", "timestamp": "2026-01-01T00:00:00Z", "user_id": "NA"}
    source, _, _ = read(folder, json.dumps(event) + "\n", name="events.ndjson")
    assert (source["events"], source["rejects"]) == (1, 0)


@pytest.mark.parametrize("device", ["", "d"])
def test_an_id_that_a_spreadsheet_has_rounded_is_none(folder, device):
    head = "event,timestamp,user_id,device_id\n"
    row = "onboarding_started,2026-01-01T00:00:00Z,{},{}\n"
    content = head + row.format("1.76246E+17", device) * 3 + row.format("7E10", "d7")
    source, kept, _ = read(folder, content, by=report)
    assert (source["events"], source["rejects"]) == ((4, 0) if device else (1, 3))
    if not device:
        assert (kept[0]["reason"], kept[0]["detail"]) == (
            "missing_id", "rounded by a spreadsheet: export it as text")
    quality = (folder / "out/quality.csv").read_text()
    assert "placeholder_ids,a rounded number,3,4," in quality


def cut(folder, content, places, ending=".csv"):
    folder.mkdir()
    lines = content.splitlines(keepends=True)
    for number, (start, end) in enumerate(zip([0, *places], [*places, len(lines)])):
        (folder / f"part{number}{ending}").write_text("".join(lines[start:end]))


@pytest.mark.parametrize("ending", [".csv", ""])
def test_parts_of_a_table_without_its_header_are_no_strangers(folder, ending):
    cut(folder / "dumps", table(rows()), [400, 700], ending)
    (folder / "dumps/customers.csv").write_text("id,name,since,a,b,c,d\n1,Ada,2026-01-05T10:00:00Z,,,,\n")
    (folder / "shop.yaml").write_text(FLOW)
    done = report([folder / "dumps"], folder / "out", flow=folder / "shop.yaml", expect=2)
    said = done.stderr.decode()
    assert f"part1{ending}: and 1 more like it have rows without a header" in said
    assert f"which fit the header of {folder}/dumps/part0{ending}" in said
    assert "customers.csv (no events)" in said
    # What the message says to do.
    whole = folder / "whole.csv"
    whole.write_text("".join((folder / f"dumps/part{number}{ending}").read_text() for number in range(3)))
    numbers([whole], folder / "two", flow=folder / "shop.yaml")
    assert total(folder / "two", "entered") == (300, None)


@pytest.mark.parametrize("spelling", ["SCREEN", "screen"])
def test_a_column_in_capitals_is_found_as_it_is_written(folder, wanted, spelling):
    head = [name.upper() for name in COLUMNS]
    head[4] = "SCREEN"
    found = [[*row[:5], "", row[6]] for row in rows()]
    source, _, _ = read(folder, table(found, columns=head), flow=FLOW + f"fields: {{page_name: {spelling}}}\n")
    assert source["rejects"] == 0
    assert facts_of(folder / "out") == wanted


def test_redacted_columns_in_capitals_are_not_kept(folder):
    content = "EVENT,TIMESTAMP,USER_ID,EMAIL\n,2026-01-01T00:00:00Z,u,ada@example.com\n"
    _, kept, _ = read(folder, content, flow=FLOW + "redact: [EMAIL]\n", expect=4)
    assert "ada@example.com" not in kept[0]["text"] and "2026-01-01" in kept[0]["text"]


@pytest.mark.parametrize("place", [0, 2, 5])
def test_a_column_inside_of_another_ones_object_takes_nothing_away(folder, wanted, place):
    found = [[*row[:place], "x", *row[place:]] for row in with_properties(rows())]
    columns = [*PROPERTIES[:place], "properties.plan", *PROPERTIES[place:]]
    source, _, _ = read(folder, table(found, columns=columns))
    assert source["rejects"] == 0
    assert facts_of(folder / "out") == wanted


@pytest.mark.parametrize("odd", ["Unnamed: 0", "a=b", "<none>", 'say "hi"', "x{y}", "a: b"])
def test_a_column_with_an_odd_name_makes_no_other_file_of_a_table(folder, wanted, odd):
    found = [["0", *row] for row in rows()]
    source, _, _ = read(folder, table(found, columns=[odd, *COLUMNS]))
    assert (source["events"], source["rejects"]) == (len(found), 0)
    assert facts_of(folder / "out") == wanted


@pytest.mark.parametrize("first, what", [
    ("[Content_Types].xml", "an Excel workbook"), ("docProps/app.xml", "an Excel workbook"),
    ("mimetype", "an OpenDocument file"), (None, "an Excel workbook"),
])
def test_a_workbook_is_named(folder, first, what):
    book = folder / "book.xlsx"
    if first:
        with zipfile.ZipFile(book, "w") as parts:
            parts.writestr(first, "application/vnd.oasis.opendocument.spreadsheet")
            parts.writestr("xl/workbook.xml", "<workbook/>" * 100)
    else:
        book.write_bytes(bytes.fromhex("D0CF11E0A1B11AE1") + bytes(1000))
    said = report([book], folder / "out", expect=2).stderr.decode()
    assert f"book.xlsx: is {what}; save its sheet as CSV" in said
    (folder / "dumps").mkdir()
    book.rename(folder / "dumps/book.xlsx")
    (folder / "dumps/events.csv").write_text(table(rows()))
    (folder / "shop.yaml").write_text(FLOW)
    done = report([folder / "dumps"], folder / "out", flow=folder / "shop.yaml")
    assert f"book.xlsx ({what})" in done.stderr.decode()


def test_a_quote_that_a_writer_of_quotes_has_lost_costs_one_row(folder):
    lines = table(with_properties(rows()), columns=PROPERTIES).splitlines(keepends=True)
    number = next(number for number in range(500, 510) if lines[number].endswith('"\n'))
    lines[number] = lines[number].removesuffix('"\n') + "\n"
    source, kept, _ = read(folder, "".join(lines))
    assert (source["events"], source["rejects"]) == (len(rows()) - 1, 1)
    assert rows()[number - 1][2] in kept[0]["text"]


def test_rows_in_a_value_are_no_rows_where_the_writer_uses_quotes(folder):
    found = rows(20)
    found[2][0] = "hi, you"
    found[5][-1] = "no\n" + "hi,paid,2026-01-01T00:00:00Z,v,one,1,true\n" * 3
    source, _, _ = read(folder, table(found))
    assert (source["events"], source["rejects"]) == (len(found), 0)
    assert total(folder / "out", "entered") == (20, None)


NOTES = ['"', '"hello', 'hello"', '"a" b', '"a"', '""', '"""', '5"', '" "', '"a""b', "it's", "\\", "a\\b"]
LINES = ["a\nb", '"x"\n"y"', "\n", "x,y\t|;\nz", json.dumps({"a": 1, "b": 'q"r'}, indent=1), "a\r\nb", '\\"', "l\\\nm"]


@pytest.mark.parametrize("seed", range(12))
def test_whatever_quotes_there_are_each_row_is_an_event_or_a_reject(folder, seed):
    chance = random.Random(seed)
    delimiter, is_plain = "\t|,;"[seed % 4], seed % 3 == 0
    found = rows(chance.randrange(2, 150))
    for row in found:
        if chance.random() < 0.2:
            row[0] = chance.choice(NOTES if is_plain else NOTES + LINES)
    options = {"quoting": chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])}
    content = (plain(found, delimiter) if is_plain else table(found, delimiter, **options)).encode()
    cuts = [0, *sorted(chance.sample(range(1, len(content)), 4)), len(content)]
    members = b"".join(gzip.compress(content[start:end]) for start, end in zip(cuts, cuts[1:]))
    facts = []
    for name, bytes in (("events.csv", content), ("events.csv.gz", members)):
        source, kept, _ = read(folder, bytes, name=name)
        assert source["events"] + source["rejects"] == len(found)
        # Among commas and semicolons a row with a quote in the middle of a value is broken.
        assert source["rejects"] == 0 or is_plain and delimiter in ",;"
        facts.append((facts_of(folder / "out"), [row["text"] for row in kept]))
    assert facts[0] == facts[1]
