"""What counting in parts costs. Started by bench/scale, which says what the options mean."""
import argparse
import filecmp
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

from measure import measure, table

FLOW = "aiq"
PERSONS_PER_MILLION = 59_000
EVENTS_A_PARTITION = 2_000_000
STEPS = ["partition", "stitch", "survey", "tally", "report"]


def dump(firstmile, folder, millions):
    """Makes 16 gzip files of so many events unless they are there."""
    path = os.path.join(folder, f"scale-{millions}")
    if not os.path.isdir(path):
        part = path + ".part"
        shutil.rmtree(part, ignore_errors=True)
        subprocess.run(
            [firstmile, "simulate", "--flow", FLOW, "--persons", str(round(millions * PERSONS_PER_MILLION)),
             "--seed", "5", "--files", "16", "--compression", "gzip", "--out", part, "--quiet"], check=True)
        os.rename(part, path)
    return path


class Steps:
    """Processes one after the other: CPU and wall seconds by step, and the largest of them."""

    def __init__(self, firstmile):
        self.firstmile, self.cpu, self.wall, self.peak = firstmile, {}, {}, {}

    def run(self, step, *arguments):
        wall, cpu, peak, output = measure(
            [self.firstmile, step, *map(str, arguments), "--flow", FLOW], accepted=(0, 4))
        self.cpu[step] = self.cpu.get(step, 0) + cpu
        self.wall[step] = self.wall.get(step, 0) + wall
        self.peak[step] = max(self.peak.get(step, 0), peak)
        return output


def size(folder, ending=""):
    return sum(os.path.getsize(path) for path in glob.glob(f"{folder}/*{ending}"))


def in_parts(firstmile, inputs, partitions, folder):
    """The steps over all inputs and partitions, and the bytes that cross between them."""
    steps = Steps(firstmile)
    segments, stitched, surveys, tallies = (
        os.path.join(folder, name) for name in ("segments", "stitched", "surveys", "tallies"))
    for path in inputs:
        steps.run("partition", path, "--partitions", partitions, "--out", segments, "--threads", 1,
                  "--quiet")
    facts = size(segments)
    for number in range(partitions):
        steps.run("stitch", segments, "--partition", number, "--out", stitched, "--threads", 1)
    for number in range(partitions):
        steps.run("survey", segments, stitched, "--partition", number, "--out", surveys, "--threads", 1)
    for number in range(partitions):
        steps.run("tally", segments, stitched, "--surveys", surveys, "--partition", number, "--out",
                  tallies, "--threads", 1)
    steps.run("report", "--tallies", tallies, "--out", os.path.join(folder, "report"), "--quiet")
    return steps, {"segments": facts, "stitched": size(stitched), "tallies": size(tallies)}


def compared(firstmile, path):
    """A column of figures, and how many events there are."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        inputs = sorted(glob.glob(f"{path}/*.gz"))
        one = os.path.join(folder, "one")
        wall, cpu, peak, _ = measure(
            [firstmile, "report", *inputs, "--flow", FLOW, "--out", one, "--threads", "1", "--quiet"],
            accepted=(0, 4))
        with open(os.path.join(one, "metrics.json"), encoding="utf-8") as lines:
            events = json.load(lines)["provenance"]["events"]
        partitions = max(2, round(events / EVENTS_A_PARTITION))
        steps, bytes_of = in_parts(firstmile, inputs, partitions, folder)
        # Findings about personal text and crawlers are of whole dumps alone.
        same = all(filecmp.cmp(f"{one}/{name}", f"{folder}/report/{name}", shallow=False)
                   for name in ("metrics.csv", "steps.csv"))
    total = sum(steps.cpu.values())
    return events, {
        "partitions": partitions,
        "one run, CPU s": f"{cpu:.1f}",
        **{f"{step}, CPU s": f"{steps.cpu[step]:.2f}" for step in STEPS},
        "in parts, CPU s": f"{total:.1f}",
        "µs of CPU an event (one run)": f"{total / events * 1e6:.2f} ({cpu / events * 1e6:.2f})",
        "wall s, one process after the other (one run)": f"{sum(steps.wall.values()):.1f} ({wall:.1f})",
        "segments, bytes an event": f"{bytes_of['segments'] / events:.1f}",
        "of stitching, bytes an event": f"{bytes_of['stitched'] / events:.1f}",
        "tallies, MB": f"{bytes_of['tallies'] / 1e6:.1f}",
        **{f"{step}, peak MB": f"{steps.peak[step]:.0f}" for step in STEPS},
        "one run, peak MB": f"{peak:.0f}",
        "the same tables": "yes" if same else "NO",
    }


def on_spark(firstmile, path):
    """Seconds of wall of `report --engine spark`, with those of its phases, and of one run."""
    script = os.path.join(os.path.dirname(__file__), "..", "spark", "firstmile_spark.py")
    inputs = sorted(glob.glob(f"{path}/*.gz"))
    with tempfile.TemporaryDirectory(dir=os.path.dirname(path)) as folder:
        wall, _, _, _ = measure(
            [firstmile, "report", *inputs, "--flow", FLOW, "--out", f"{folder}/one", "--quiet"],
            accepted=(0, 4))
        import pyspark
        command = [
            os.path.join(os.path.dirname(pyspark.__file__), "bin/spark-submit"), "--master", "local[2]",
            "--driver-memory", "2g", "--conf", "spark.ui.enabled=false", script, *inputs, "--flow", FLOW,
            "--firstmile", os.path.abspath(firstmile), "--out", f"{folder}/many", "--quiet", "--stats"]
        start = time.perf_counter()
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                              env={**os.environ, "PYSPARK_PYTHON": sys.executable})
        seconds = time.perf_counter() - start
        if done.returncode not in (0, 4):
            sys.exit(f"scale: Spark ended with {done.returncode}\n{done.stderr.decode()[-2000:]}")
        # spark-submit puts what a script says on standard output, whichever it was said on.
        said = next(line for line in done.stdout.decode().splitlines() if line.startswith('{"events"'))
        figures = json.loads(said)
        same = filecmp.cmp(f"{folder}/one/metrics.csv", f"{folder}/many/metrics.csv", shallow=False)
    print(f"\nOn Spark, local[2]: {figures['events']:,} events in {figures['partitions']} partitions, "
          f"{seconds:.1f} s (one run, 2 threads: {wall:.1f} s); {'the same' if same else 'OTHER'} metrics.csv")
    print(json.dumps(figures["seconds"]))


def main():
    parser = argparse.ArgumentParser(prog="bench/scale", description=__doc__)
    parser.add_argument("--firstmile", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--sizes", default="1,5,10,20")
    parser.add_argument("--spark", help="millions of events")
    arguments = parser.parse_args()
    columns = []
    for millions in filter(None, arguments.sizes.split(",")):
        columns.append(compared(
            arguments.firstmile, dump(arguments.firstmile, arguments.data, float(millions))))
        print(f"{columns[-1][0]:,} events measured", file=sys.stderr)
    if columns:
        print(table(["events", *(f"{events:,}" for events, _ in columns)],
                    [[name, *(figures[name] for _, figures in columns)] for name in columns[0][1]]))
    if arguments.spark:
        on_spark(arguments.firstmile,
                 dump(arguments.firstmile, arguments.data, float(arguments.spark)))


if __name__ == "__main__":
    main()
