"""Instructions an event, by parts. Started by bench/instructions, which says what it needs."""
import argparse
import collections
import glob
import json
import os
import re
import subprocess
import sys
import tempfile

from measure import table

# The first that is found in a line of callgrind's list tells its part.
PARTS = [
    ("inflating with ISA-L", ("libisal",)),
    ("digest of the sources", ("libxxhash", "libcrypto")),
    ("walking lines", ("LineScanner", "JSONLexer", "LineBlock")),
    ("values: times, ids and their hashes, codes", (
        "hash_with", "scan_hash", "A7ScannerV", "EventScanner", "Timestamp", "HashQueue", "ValueCache",
        "NameTable")),
    ("collecting: codes of actions and contexts, logs", (
        "TupleTable", "CollectorState", "FactEncoder", "FactLog", "ChunkPool", "FactCollector")),
    ("gathering, sorting", (
        "PartitionAssembler", "FactSorting", "IdentifierTable", "SightingSweep", "DeviceStitcher", "PersonDays",
        "TimelineBuilder", "PartitionSequence", "9Timelines")),
    ("evaluation and counting", ("12FunnelEngine",)),
    ("statistics and documents", (
        "12FunnelReport", "20ExperimentStatistics", "14FlowDefinition", "13FunnelMetrics", "14ReportFindings",
        "10ReportText")),
]
REST = "Swift's runtime, the C library and the rest"


def counted(command, folder):
    """Callgrind's list of a run: instructions and where."""
    profile = os.path.join(folder, "callgrind")
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={profile}", *command],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode != 0:
        sys.exit(f"instructions: ended with {done.returncode}\n{done.stderr.decode()[-800:]}")
    listed = subprocess.run(["callgrind_annotate", "--threshold=100", profile], capture_output=True,
                            text=True, check=True).stdout
    for line in listed.split("\n"):
        found = re.match(r"\s*([\d,]+) \([ \d.]+%\)\s+(\S.*)$", line)
        if found and "PROGRAM TOTALS" not in line:
            yield int(found[1].replace(",", "")), found[2]


def part(where):
    return next((name for name, words in PARTS if any(word in where for word in words)), REST)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--firstmile", required=True)
    parser.add_argument("--floor", required=True)
    parser.add_argument("dump")
    arguments = parser.parse_args()
    files = sorted(glob.glob(os.path.join(arguments.dump, "*.gz")))
    if not files:
        sys.exit(f"instructions: no *.gz in {arguments.dump}")
    with tempfile.TemporaryDirectory() as folder:
        floor = sum(count for count, _ in counted([arguments.floor, "1", *files], folder))
        out = os.path.join(folder, "report")
        parts = collections.Counter()
        for count, where in counted(
                [arguments.firstmile, "report", *files, "--flow", "dequeue", "--as-of", "2026-03-31",
                 "--threads", "1", "--out", out, "--quiet"], folder):
            parts[part(where)] += count
        with open(os.path.join(out, "metrics.json"), encoding="utf-8") as lines:
            events = json.load(lines)["provenance"]["events"]
    total = sum(parts.values())
    rows = [[name, f"{parts[name] / events:,.0f}", f"{parts[name] / total:.0%}"]
            for name in [*(name for name, _ in PARTS), REST]]
    rows.append(["all", f"{total / events:,.0f}", "100%"])
    rows.append(["inflating alone (floor)", f"{floor / events:,.0f}", ""])
    print(table([f"{events:,} events", "instructions an event", "share"], rows))


if __name__ == "__main__":
    main()
