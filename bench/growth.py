"""How the cost of an event grows with events, threads, files and compression. Started by
bench/growth, which says what the options mean."""
import argparse
import glob
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

import adversarial
import letters
import nights
from measure import measure, table

PERSONS_PER_MILLION = 59_300  # The simulated persons of the dequeue flow have 16.9 events each.
SMALL = [0.1, 1, 5]
LARGE = [0.1, 1, 5, 20, 50]


def dump(firstmile, folder, millions, files, compression, days=None):
    """Makes the dump unless it is there; returns its folder. With `days` each has a file."""
    path = os.path.join(folder, f"growth-{millions}-{files}-{compression}")
    if not os.path.isdir(path):
        part = path + ".part"
        shutil.rmtree(part, ignore_errors=True)
        persons = str(round(millions * PERSONS_PER_MILLION))
        parts = ["--days", str(days), "--per", "day"] if days else ["--files", str(files)]
        subprocess.run(
            [firstmile, "simulate", "--flow", "dequeue", "--persons", persons, "--seed", "5",
             *parts, "--compression", compression, "--out", part, "--quiet"],
            check=True)
        os.rename(part, path)
    return path


def run(arguments, path, threads, limit):
    """Medians of CPU nanoseconds an event, wall seconds and peak MB; and the events."""
    runs, events = [], 0
    with tempfile.TemporaryDirectory() as out:
        command = [arguments.firstmile, "report", "--flow", "dequeue", "--quiet",
                   "--threads", str(threads), "--out", os.path.join(out, "report"), path,
                   *(["--memory-limit", limit] if limit else [])]
        for _ in range(arguments.rounds):
            wall, cpu, peak, _ = measure(command)
            if not events:
                with open(os.path.join(out, "report", "metrics.json"), encoding="utf-8") as lines:
                    events = json.load(lines)["provenance"]["events"]
            runs.append((cpu / events * 1e9, wall, peak))
    return [statistics.median(values) for values in zip(*runs)], events


def cases(arguments):
    sizes = LARGE if arguments.large else SMALL
    for millions in sizes:
        for threads in (1, 2):
            yield millions, threads, 16, "gzip", None
    for millions, files in ((1, 1), (1, 1000), (5, 1)):
        for threads in (1, 2):
            yield millions, threads, files, "gzip", None
    for compression in ("zstd", "none"):
        for threads in (1, 2):
            yield 1, threads, 16, compression, None
    # Beyond the memory limit: facts are spilled and read back.
    yield 5, 2, 16, "gzip", "96M"
    if arguments.large:
        yield 50, 2, 16, "gzip", "512M"


def start_milliseconds(firstmile):
    """How long the program takes to start and say how it is used: median of 21."""
    return statistics.median(measure([firstmile, "--help"])[0] for _ in range(21)) * 1000


def main():
    parser = argparse.ArgumentParser(prog="bench/growth", description=__doc__)
    parser.add_argument("--firstmile", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--large", action="store_true", help="20 and 50 million events too")
    parser.add_argument("--adversarial", action="store_true",
                        help="inputs that are enormous in one respect, at a size and four times it")
    parser.add_argument("--letters", action="store_true",
                        help="text outside ASCII, or escapes, in every line")
    parser.add_argument("--nights", action="store_true",
                        help="a store that is filled night after night")
    parser.add_argument("--scale", type=float, default=1, help="of the adversarial sizes")
    parser.add_argument("names", nargs="*", help="parts of the names of adversarial inputs")
    arguments = parser.parse_args()
    if arguments.adversarial:
        adversarial.run(arguments.firstmile, arguments.data, arguments.names, arguments.scale)
        return
    if arguments.letters:
        letters.run(arguments.firstmile, dump(arguments.firstmile, arguments.data, 1, 16, "gzip"),
                    arguments.rounds)
        return
    if arguments.nights:
        nights.run(arguments.firstmile,
                   dump(arguments.firstmile, arguments.data, 2.1, 180, "gzip", days=180), arguments.rounds)
        return
    rows = []
    for millions, threads, files, compression, limit in cases(arguments):
        path = dump(arguments.firstmile, arguments.data, millions, files, compression)
        (cost, wall, peak), events = run(arguments, path, threads, limit)
        rows.append([f"{events:,}", threads, len(glob.glob(os.path.join(path, "*.ndjson*"))),
                     {"none": "plain"}.get(compression, compression), limit or "",
                     f"{cost:.0f}", f"{wall:.2f}", f"{peak:.0f}"])
        print(f"{len(rows)} measured", file=sys.stderr)
    print(table(["events", "threads", "files", "compression", "memory limit", "CPU ns an event",
                 "wall s", "peak MB"], rows))
    print(f"\n`firstmile --help`: {start_milliseconds(arguments.firstmile):.1f} ms")


if __name__ == "__main__":
    main()
