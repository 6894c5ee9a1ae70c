"""What containers cost beside plain lines. Started by bench/containers, which says what the options
mean."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import zipfile

from measure import measure, table

BENCH = os.path.dirname(os.path.abspath(__file__))
PAGE = 1_000
PERSONS_PER_MILLION = 59_300  # As in bench/growth.py.


def plain(firstmile, folder, millions):
    """The events of a simulated dump that are JSON, one a line; returns their file."""
    path = os.path.join(folder, f"containers-{millions}.ndjson")
    if not os.path.exists(path):
        with tempfile.TemporaryDirectory(dir=folder) as dump:
            subprocess.run(
                [firstmile, "simulate", "--flow", "dequeue", "--persons",
                 str(round(millions * PERSONS_PER_MILLION)), "--seed", "5", "--files", "1",
                 "--compression", "none", "--out", dump, "--quiet"], check=True)
            (name,) = [name for name in os.listdir(dump) if name != "truth.json"]
            with open(os.path.join(dump, name), "rb") as lines, open(path + ".part", "wb") as out:
                for line in lines:
                    try:
                        if isinstance(json.loads(line), dict):
                            out.write(line)
                    except ValueError:
                        pass
        os.rename(path + ".part", path)
    return path


def written(path, suffix, write):
    target = f"{path}{suffix}"
    if not os.path.exists(target):
        write(target + ".part")
        os.rename(target + ".part", target)
    return target


def lines_of(path):
    with open(path, encoding="utf-8") as lines:
        yield from (line.rstrip("\n") for line in lines)


def to_text(path, pieces):
    def write(target):
        with open(target, "w", encoding="utf-8") as out:
            out.writelines(pieces(path))
    return write


def array(path):
    for number, line in enumerate(lines_of(path)):
        yield ("[" if number == 0 else ",") + line
    yield "]\n"


def pretty(path):
    for line in lines_of(path):
        yield json.dumps(json.loads(line), indent=2, ensure_ascii=False) + "\n"


def airbyte(path):
    for line in lines_of(path):
        yield '{"_airbyte_ab_id":"1","_airbyte_emitted_at":1,"_airbyte_data":' + line + "}\n"


def bulk(path):
    for number, line in enumerate(lines_of(path)):
        yield f'{{"index":{{"_id":"{number}"}}}}\n{line}\n'


def pages(path):
    page = []
    for line in lines_of(path):
        page.append(line)
        if len(page) == PAGE:
            yield '{"results":[' + ",".join(page) + "]}\n"
            page = []
    if page:
        yield '{"results":[' + ",".join(page) + "]}\n"


def csv(path):
    def write(target):
        with open(target, "wb") as out:
            subprocess.run([sys.executable, os.path.join(BENCH, "table.py"), path], stdout=out, check=True)
    return write


def parquet(path):
    def write(target):
        subprocess.run(
            ["duckdb", "-c", f"COPY (SELECT * FROM read_json('{path}', format='newline_delimited', "
             f"sample_size=-1)) TO '{target}' (FORMAT parquet)"], check=True, stdout=subprocess.DEVNULL)
    return write


def zipped(path):
    def write(target):
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
            archive.write(path, "events.ndjson")
    return write


def tarred(path):
    def write(target):
        with tarfile.open(target, "w:gz", compresslevel=6) as archive:
            archive.add(path, "events.ndjson")
    return write


def zipped_plain(path):
    def write(target):
        with open(target, "wb") as out:
            subprocess.run(["gzip", "-6", "-c", path], stdout=out, check=True)
    return write


def containers(path):
    yield "plain lines", path
    yield "one array", written(path, ".array.json", to_text(path, array))
    yield "objects over several lines", written(path, ".pretty.json", to_text(path, pretty))
    yield f"pages of {PAGE:,} results", written(path, ".pages.json", to_text(path, pages))
    yield "Airbyte's envelopes", written(path, ".airbyte.ndjson", to_text(path, airbyte))
    yield "Elasticsearch's bulk lines", written(path, ".bulk.ndjson", to_text(path, bulk))
    yield "CSV with dots in its names", written(path, ".csv", csv(path))
    if shutil.which("duckdb"):
        yield "Parquet, by duckdb", written(path, ".parquet", parquet(path))
    yield "gzip", written(path, ".gz", zipped_plain(path))
    yield "zip", written(path, ".zip", zipped(path))
    yield "tar.gz", written(path, ".tar.gz", tarred(path))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--firstmile", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--millions", type=float, default=1)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--without", default="\n", help="leave out containers with this in their name")
    arguments = parser.parse_args()
    path = plain(arguments.firstmile, arguments.data, arguments.millions)
    files = [(name, file) for name, file in containers(path) if arguments.without not in name]
    runs = {name: [] for name, _ in files}
    metrics, events = {}, 0
    for _ in range(arguments.rounds):
        for name, file in files:
            with tempfile.TemporaryDirectory() as out:
                report = os.path.join(out, "report")
                wall, cpu, peak, _ = measure(
                    [arguments.firstmile, "report", "--flow", "dequeue", "--quiet", "--threads", "1",
                     "--max-reject-rate", "100%", "--out", report, file], accepted=(0, 4))
                with open(os.path.join(report, "metrics.json"), encoding="utf-8") as text:
                    events = json.load(text)["provenance"]["events"]
                with open(os.path.join(report, "metrics.csv"), "rb") as rows:
                    metrics[name] = rows.read()
            runs[name].append((wall / events * 1e9, cpu / events * 1e9, peak))
    different = [name for name in metrics if metrics[name] != metrics["plain lines"]]
    if different:
        sys.exit(f"other metrics than of plain lines: {', '.join(different)}")
    rows = []
    base = statistics.median(run[1] for run in runs["plain lines"])
    for name, file in files:
        wall, cpu, peak = (statistics.median(values) for values in zip(*runs[name]))
        rows.append([name, f"{os.path.getsize(file) / 1e6:,.0f}", f"{wall:,.0f}", f"{cpu:,.0f}",
                     f"{cpu / base:.2f}", f"{peak:,.0f}"])
    print(f"{events:,} events, {arguments.rounds} rounds, one thread")
    print(table(["container", "MB", "wall ns", "CPU ns an event", "÷ plain", "peak MB"], rows))


main()
