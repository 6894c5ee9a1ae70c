"""What a store costs that is filled night after night: 180 files of a day each, taken in one by one. Started
by bench/growth --nights."""
import glob
import os
import re
import statistics
import subprocess
import tempfile

from measure import measure, table

NIGHTS = (30, 90, 180)


def info(firstmile, store):
    """The numbers of facts and packs, as `store info` has them."""
    said = subprocess.run([firstmile, "store", "info", store], check=True, capture_output=True,
                          text=True).stdout
    return (int(re.search(r"facts +(\d+)", said).group(1)),
            int(re.search(r" segments, (\d+) pack", said).group(1)))


def reports(firstmile, arguments, rounds, out):
    """Medians of wall and CPU seconds of a report."""
    runs = [measure([firstmile, "report", *arguments, "--flow", "dequeue", "--quiet", "--out", out])
            for _ in range(rounds)]
    return [statistics.median(run[part] for run in runs) for part in (0, 1)]


def run(firstmile, dump, rounds):
    """Prints the costs after some nights, and of the compacted store beside them."""
    files = sorted(glob.glob(os.path.join(dump, "*.ndjson.gz")))
    rows, ingests = [], []
    with tempfile.TemporaryDirectory() as folder:
        store, out = os.path.join(folder, "store.sqlite"), os.path.join(folder, "report")

        def row(nights, name):
            facts, packs = info(firstmile, store)
            wall, cpu = reports(firstmile, ["--store", store], rounds, out)
            rows.append([name, f"{facts:,}", packs, f"{os.path.getsize(store) / 1e6:.0f}",
                         f"{wall:.2f}", f"{cpu:.2f}", f"{cpu / facts * 1e9:.0f}",
                         f"{statistics.median(ingests[-nights:]):.2f}", f"{max(ingests[-nights:]):.2f}"])

        before = 0
        for night, file in enumerate(files, 1):
            ingests.append(measure([firstmile, "ingest", file, "--store", store, "--flow", "dequeue",
                                    "--quiet"], accepted=(0, 4))[1])
            if night in NIGHTS:
                row(night - before, f"after {night} nights")
                before = night
        # The first opens the file to write, so that the log of the last report is folded in.
        subprocess.run([firstmile, "store", "compact", store], check=True, capture_output=True)
        row(len(NIGHTS), "compacted")
        rows[-1][-2:] = ["", ""]
        wall, cpu = reports(firstmile, [dump], rounds, out)
    print(table(["", "facts", "packs", "MB", "report, wall s", "CPU s", "CPU ns a fact",
                 "ingest of a night, CPU s", "most"], rows))
    print(f"\nA report from the files: {wall:.2f} s of wall, {cpu:.2f} s of CPU.")
