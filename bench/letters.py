"""What text outside ASCII, and escapes, cost: one dump with a string in every line that holds some, as
Japanese apps and PHP's exporters write them, against the same dump with plain text there. Started by
bench/growth --letters."""
import glob
import gzip
import json
import multiprocessing
import os
import shutil
import statistics
import tempfile

from measure import measure, table

# The property that every line gets. PHP escapes slashes and what is not ASCII by default.
TEXTS = {
    "plain": "Tea at the cafe today, two rooms",
    "latin": "Tee im Café heute, zwei Räume",
    "japanese": "毎日の予定を簡単に管理する",
    "slashes": r"https:\/\/example.com\/plan\/a",
    "escapes": r"Caf\u00e9 today, and two r\u00e4ume",
}


def repack(job):
    """Writes a file of the dump once more, with the text in each of its lines."""
    source, target, text = job
    start = b'{"title":"' + text.encode() + b'",'
    with gzip.open(source) as lines, gzip.open(target, "wb", compresslevel=6) as out:
        out.writelines(start + line[1:] if line.startswith(b'{"') else line for line in lines)


def dump(folder, name):
    """Makes a dump unless it is there; returns its folder."""
    path = f"{folder}-{name}"
    if not os.path.isdir(path):
        part = path + ".part"
        shutil.rmtree(part, ignore_errors=True)
        os.makedirs(part)
        with multiprocessing.Pool() as pool:
            pool.map(repack, [(file, os.path.join(part, os.path.basename(file)), TEXTS[name])
                              for file in sorted(glob.glob(os.path.join(folder, "*.gz")))])
        os.rename(part, path)
    return path


def run(firstmile, folder, rounds):
    """Prints what each text costs, medians of runs in turn on one thread."""
    paths = {name: dump(folder, name) for name in TEXTS}
    costs = {name: [] for name in TEXTS}
    with tempfile.TemporaryDirectory() as out:
        report = os.path.join(out, "report")
        for _ in range(rounds):
            for name, path in paths.items():
                _, cpu, _, _ = measure([firstmile, "report", "--flow", "dequeue", "--quiet",
                                        "--threads", "1", "--out", report, path])
                costs[name].append(cpu)
        with open(os.path.join(report, "metrics.json"), encoding="utf-8") as lines:
            events = json.load(lines)["provenance"]["events"]
    rows = []
    for name, seconds in costs.items():
        ratios = [own / plain for own, plain in zip(seconds, costs["plain"])]
        rows.append([name, f"{statistics.median(seconds) / events * 1e9:.0f}",
                     f"{statistics.median(ratios):.3f}", f"{min(ratios):.3f}–{max(ratios):.3f}"])
    print(table([f"{events:,} events", "CPU ns an event", "÷ plain", "least–most"], rows))
