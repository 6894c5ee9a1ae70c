"""Counts event dumps on Apache Spark, with the bytes of a run on one machine.

Spark lists, schedules, shuffles and tries again; the program `firstmile` reads, divides, stitches and
counts. Rows of the first stage are paths; all other rows are segments (docs/segments.md), as binary
columns.

    spark-submit spark/firstmile_spark.py s3://events/2026/ --flow aiq --out reports/aiq

Needs Spark 4 and, wherever Python runs, pyarrow and pandas. The program is found by `--firstmile PATH`, at
the same place on all workers, or shipped with `spark-submit --files firstmile`; a flow file is shipped by
this script. A key file must lie on the workers, as any secret does. docs/scaling.md has the rest.
"""

import argparse
import collections
import io
import json
import math
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time

HEAD = "<6sHBBHIIIQQ"
HEAD_BYTES = struct.calcsize(HEAD)
TASK, FACTS, SIGHTINGS, STITCHING, STITCHED, SAMPLE = 1, 2, 3, 4, 5, 6
ROWS = "kind int, partition int, content binary"
# How much input a partition is made for, as it lies in storage.
BYTES_A_PARTITION = 128 << 20

Segment = collections.namedtuple("Segment", "kind partition header content")


class Failed(RuntimeError):
    """The program failed; its own words are the message."""


def segments(stream):
    """The segments of a stream, one after the other."""
    while head := stream.read(HEAD_BYTES):
        if len(head) < HEAD_BYTES:
            raise Failed("firstmile was ended while it wrote")
        magic, _, kind, _, _, partition, _, headers, body, _ = struct.unpack(HEAD, head)
        if magic != b"FMSEG\0":
            raise Failed("firstmile wrote something else than segments: is it of this version?")
        rest = stream.read(headers + body)
        if len(rest) < headers + body:
            raise Failed("firstmile was ended while it wrote")
        yield Segment(kind, partition, rest[:headers], head + rest)


class Program:
    """`firstmile` with what all of its steps are given; goes to the workers as it is."""

    def __init__(self, options):
        self.path = options.firstmile
        self.flow = options.flow
        # A flow file is wherever the driver is, and nowhere else. A built-in flow is one whatever has
        # its name here.
        self.flow_text = None
        if options.flow not in self.built_in_flows() and os.path.isfile(options.flow):
            self.flow_text = pathlib.Path(options.flow).read_bytes()
        self.as_of = options.as_of
        self.memory_limit = options.memory_limit

    def find(self):
        from pyspark import SparkFiles
        if self.path and os.path.exists(self.path):
            return self.path
        shipped = [os.path.join(SparkFiles.getRootDirectory(), "firstmile"), "./firstmile"]
        for place in shipped:
            if os.path.exists(place):
                os.chmod(place, 0o755)
                return os.path.abspath(place)
        found = shutil.which(self.path or "firstmile")
        if found:
            return found
        raise Failed(f"there is no '{self.path or 'firstmile'}' on {os.uname().nodename}: name its place "
                     "there with --firstmile, or ship it with spark-submit --files firstmile")

    def built_in_flows(self):
        listed = subprocess.run([self.find(), "flow", "list"], stdin=subprocess.DEVNULL,
                                capture_output=True, text=True)
        return {line.split(":")[0] for line in listed.stdout.splitlines()}

    def flow_in(self, folder):
        if self.flow_text is None:
            return self.flow
        place = os.path.join(folder, os.path.basename(self.flow))
        pathlib.Path(place).write_bytes(self.flow_text)
        return place

    def start(self, command, folder, *arguments, **more):
        words = [self.find(), command, *map(str, arguments), "--flow", self.flow_in(folder)]
        # What a memory limit spills lies there, too.
        return subprocess.Popen(words, stdin=subprocess.DEVNULL, env={**os.environ, "TMPDIR": folder},
                                stderr=open(os.path.join(folder, "messages"), "wb"), **more)

    @staticmethod
    def end(process, folder, allowed=(0,)):
        """Waits; anything but an allowed exit code is a failure, for Spark to try again."""
        code = process.wait()
        said = pathlib.Path(folder, "messages").read_text(errors="replace").strip()
        if code not in allowed:
            # One line, so that it can be found in what Spark says of a task that failed.
            words = "; ".join(line.removeprefix("firstmile: ") for line in said.splitlines())
            raise Failed(f"firstmile ended with {code}: {words[-2000:]}")
        return said

    def run(self, command, folder, *arguments):
        return self.end(self.start(command, folder, *arguments), folder)


def task_folder():
    """A folder of a task's own, among the executor's files: a task that is killed, as one is that a twin
    overtakes, can't delete it, and Spark deletes those when the executor ends."""
    places = [place for place in os.environ.get("SPARK_LOCAL_DIRS", "").split(",") if os.path.isdir(place)]
    return tempfile.TemporaryDirectory(prefix="firstmile-", dir=places[0] if places else None)


def batch(rows):
    import pyarrow
    return pyarrow.RecordBatch.from_arrays(
        [pyarrow.array([row[0] for row in rows], pyarrow.int32()),
         pyarrow.array([row[1] for row in rows], pyarrow.int32()),
         pyarrow.array([row[2] for row in rows], pyarrow.binary())],
        names=["kind", "partition", "content"])


def divider(program, options, partitions):
    """Paths → segments: a task reads its own objects."""
    arguments = ["--partitions", partitions, "--out", "-", "--threads", 1, "--quiet",
                 "--max-reject-rate", "100%"]
    for name, value in [("--format", options.format), ("--key-file", options.key_file),
                        ("--digest", options.digest),
                        ("--endpoint-url", options.endpoint_url)]:
        if value:
            arguments += [name, value]
    if options.no_sign_request:
        arguments.append("--no-sign-request")
    rejects = options.rejects

    def divide(batches):
        for rows in batches:
            for path in rows.column("path").to_pylist():
                with task_folder() as folder:
                    own = os.path.join(folder, "rejects.ndjson")
                    process = program.start("partition", folder, path, "--rejects", own, *arguments,
                                            stdout=subprocess.PIPE)
                    try:
                        task = None
                        # Nothing is handed on before all is there, so that no task counts in part.
                        kept = []
                        for segment in segments(process.stdout):
                            if segment.kind == TASK:
                                task = json.loads(segment.header)["origin"]["task"]
                            kept.append(segment)
                    finally:
                        process.stdout.close()
                        if process.poll() is None and sys.exc_info()[0]:
                            process.kill()
                    # 4: part of it is damaged or refused, which the report says, as on one machine.
                    program.end(process, folder, (0, 4))
                    if rejects and os.path.exists(own) and os.path.getsize(own):
                        keep(own, os.path.join(rejects, f"{task}-rejects.ndjson"))
                    for segment in kept:
                        yield batch([(segment.kind, segment.partition, segment.content)])
    return divide


def keep(file, place):
    """Puts a file into its place, wholly or not at all."""
    os.makedirs(os.path.dirname(place), mode=0o700, exist_ok=True)
    aside = f"{place}.{os.getpid()}.part"
    shutil.copy(file, aside)
    os.replace(aside, place)


def by_partition(batches, folder):
    """The file of each partition's segments; rows of one partition stand together."""
    current, file, place = None, None, None
    for rows in batches:
        for kind, partition, content in zip(*(rows.column(name).to_pylist()
                                              for name in ("kind", "partition", "content"))):
            if partition != current:
                if file:
                    file.close()
                    yield current, place
                    os.unlink(place)
                current, place = partition, os.path.join(folder, f"{partition}.segments")
                file = open(place, "wb")
            file.write(content)
    if file:
        file.close()
        yield current, place


def stitcher(program, heads):
    def stitch(batches):
        with task_folder() as folder:
            tasks = os.path.join(folder, "tasks.segments")
            pathlib.Path(tasks).write_bytes(heads.value)
            for partition, place in by_partition(batches, folder):
                arguments = [tasks, place, "--partition", partition, "--out", "-", "--threads", 1]
                if program.as_of:
                    arguments += ["--as-of", program.as_of]
                process = program.start("stitch", folder, *arguments, stdout=subprocess.PIPE)
                kept = list(segments(process.stdout))
                process.stdout.close()
                program.end(process, folder)
                for segment in kept:
                    yield batch([(segment.kind, segment.partition, segment.content)])
    return stitch


def counter(program, command, heads, surveys=None, options=()):
    """A partition's segments → its survey, or its tally."""
    def count(batches):
        with task_folder() as folder:
            tasks = os.path.join(folder, "tasks.segments")
            pathlib.Path(tasks).write_bytes(heads.value)
            arguments = ["--threads", 1, *options]
            if program.as_of:
                arguments += ["--as-of", program.as_of]
            if program.memory_limit:
                arguments += ["--memory-limit", program.memory_limit]
            if surveys:
                known = os.path.join(folder, "all.survey")
                pathlib.Path(known).write_bytes(surveys.value)
                arguments += ["--surveys", known]
            for partition, place in by_partition(batches, folder):
                out = os.path.join(folder, "out")
                program.run(command, folder, tasks, place, "--partition", partition, "--out", out,
                            *arguments)
                content = pathlib.Path(out, f"{partition}.{command}").read_bytes()
                yield batch([(0, partition, content)])
    return count


class Progress:
    """A line for each phase: what it did and how long it took."""

    def __init__(self, quiet):
        self.quiet, self.start, self.seconds = quiet, time.monotonic(), {}

    def phase(self, name, words=""):
        now = time.monotonic()
        self.seconds[name] = round(now - self.start, 2)
        self.start = now
        if not self.quiet:
            print(f"firstmile: {name}: {self.seconds[name]:.1f} s{words and '; ' + words}",
                  file=sys.stderr, flush=True)


def expanded(program, options, folder):
    """The inputs one by one, with their sizes, as `firstmile` finds them.

    All of them must be there: a task is given a name, and has no other place to look.
    """
    if "-" in options.inputs:
        raise Failed("'-', standard input, can't be read by several machines: write it to a file that "
                     "all workers reach, and name that")
    arguments = ["partition", *options.inputs, "--list", "--partitions", 1, "--out", "-"]
    for name, value in [("--endpoint-url", options.endpoint_url), ("--format", options.format)]:
        if value:
            arguments += [name, value]
    if options.no_sign_request:
        arguments.append("--no-sign-request")
    process = program.start(*arguments[:1], folder, *arguments[1:], stdout=subprocess.PIPE)
    listed = process.stdout.read()
    said = program.end(process, folder, (0, 2))
    found = [json.loads(line) for line in listed.splitlines()]
    if not found:
        raise Failed(f"no input: {said}" if said else "no input")
    if process.returncode:
        raise Failed(f"{said.removeprefix('firstmile: ')}; nothing was counted: on Spark every input "
                     "that is named must be there")
    if said:
        print(said, file=sys.stderr)
    return found


def is_stitching_needed(program, heads, folder):
    tasks = os.path.join(folder, "tasks.segments")
    pathlib.Path(tasks).write_bytes(heads)
    process = program.start("stitch", folder, tasks, "--check", "--out", "-", stdout=subprocess.PIPE)
    answer = process.stdout.read()
    program.end(process, folder)
    os.unlink(tasks)
    return json.loads(answer)["isNeeded"]


def run(spark, options):
    """Counts the inputs and writes the reports; the exit code of `firstmile report`."""
    from pyspark import SparkFiles, StorageLevel
    from pyspark.sql.functions import col
    progress = Progress(options.quiet)
    program = Program(options)
    context = spark.sparkContext
    spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "4")
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    # Spark deletes it, too, where a signal ends the driver.
    with tempfile.TemporaryDirectory(prefix="firstmile-", dir=SparkFiles.getRootDirectory()) as folder:
        inputs = expanded(program, options, folder)
        size = sum(one["bytes"] for one in inputs)
        partitions = options.partitions or max(
            context.defaultParallelism, math.ceil(size / BYTES_A_PARTITION))
        progress.phase("listing", f"{len(inputs)} inputs, {size / 1e6:.1f} MB, {partitions} partitions")

        slices = min(len(inputs), 100_000)
        paths = spark.createDataFrame(
            context.parallelize([(one["name"],) for one in inputs], slices), "path string")
        divided = paths.mapInArrow(divider(program, options, partitions), ROWS)
        divided = divided.persist(StorageLevel.DISK_ONLY)
        heads = [bytes(row.content) for row in divided.filter(col("kind") == TASK).collect()]
        sources = [json.loads(next(segments(io.BytesIO(head))).header) for head in heads]
        told = [one["source"] for one in sources]
        events = sum(one["events"] for one in told)
        rejects = sum(sum(one["rejects"].values()) for one in told)
        progress.phase("dividing", f"{events} events, {rejects} rejected lines")
        heads = context.broadcast(b"".join(sorted(heads)))

        # A row for each partition, so that one without facts is counted as well.
        empty = spark.createDataFrame(
            context.parallelize([(0, number, b"") for number in range(partitions)], 1), ROWS)
        facts = divided.filter(col("kind").isin(FACTS, SAMPLE))
        needs_stitching = is_stitching_needed(program, heads.value, folder)
        if needs_stitching:
            stitched = gathered(divided.filter(col("kind").isin(FACTS, SIGHTINGS)).union(empty), partitions)
            stitched = stitched.mapInArrow(stitcher(program, heads), ROWS)
            stitched = stitched.persist(StorageLevel.DISK_ONLY)
            facts = facts.union(stitched)
        own = gathered(facts.union(empty), partitions).persist(StorageLevel.DISK_ONLY)
        surveys = own.mapInArrow(counter(program, "survey", heads), ROWS).collect()
        for row in surveys:
            pathlib.Path(folder, f"{row.partition}.survey").write_bytes(row.content)
        program.run("survey", folder, "--merge", folder, "--out", f"{folder}/all")
        known = context.broadcast(pathlib.Path(folder, "all").read_bytes())
        progress.phase("stitching and surveying" if needs_stitching else "surveying")

        tallies = own.mapInArrow(
            counter(program, "tally", heads, known, chosen(options)), ROWS).collect()
        for row in tallies:
            pathlib.Path(folder, f"{row.partition}.tally").write_bytes(row.content)
        progress.phase("counting")
        code = reported(program, options, folder)
        progress.phase("reporting")
        if options.stats:
            print(json.dumps({"events": events, "rejects": rejects, "input_bytes": size,
                              "partitions": partitions, "seconds": progress.seconds}), file=sys.stderr)
        return code


def gathered(rows, partitions):
    """All rows of a partition in one task, and together."""
    return rows.repartition(partitions, "partition").sortWithinPartitions("partition")


def chosen(options):
    words = ["--cohorts", options.cohorts]
    for name, value in [("--from", options.start), ("--to", options.end),
                        ("--history-from", options.history_from), ("--format", options.format),
                        ("--flow-version", options.flow_version),
                        ("--key-file", options.key_file)]:
        if value:
            words += [name, value]
    return words


def reported(program, options, folder):
    words = [program.find(), "report", "--tallies", folder, "--flow", options.flow, "--out", options.out,
             "--max-reject-rate", options.max_reject_rate]
    if options.quiet:
        words.append("--quiet")
    words += options.report_option
    sys.stdout.flush()
    return subprocess.run(words, stdin=subprocess.DEVNULL).returncode


def parsed(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("inputs", nargs="+", help="dumps, as `firstmile report` takes them")
    parser.add_argument("--flow", required=True, help="a built-in flow or a flow file")
    parser.add_argument("--out", required=True, help="the folder to write the reports to")
    parser.add_argument("--firstmile", help="where the program is on all workers")
    parser.add_argument("--partitions", type=int, help="how many; by the size of the inputs if not given")
    parser.add_argument("--key-file", help="16 bytes that ids are hashed with, at that place on all workers")
    parser.add_argument("--rejects", help="a folder that all workers reach, for lines that can't be used")
    parser.add_argument("--format")
    parser.add_argument("--digest")
    parser.add_argument("--endpoint-url")
    parser.add_argument("--no-sign-request", action="store_true")
    parser.add_argument("--as-of")
    parser.add_argument("--from", dest="start")
    parser.add_argument("--to", dest="end")
    parser.add_argument("--history-from")
    parser.add_argument("--cohorts", default="week")
    parser.add_argument("--flow-version")
    parser.add_argument("--memory-limit", help="of one task")
    parser.add_argument("--max-reject-rate", default="1%")
    parser.add_argument("--report-option", action="append", default=[],
                        help="an option for `firstmile report`, such as --report-option=--json")
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--stats", action="store_true", help="end with a JSON object of figures")
    return parser.parse_args(words)


def finished(spark, options):
    """Counts and reports; failures become words on standard error and an exit code."""
    try:
        return run(spark, options)
    except Failed as failure:
        print(f"firstmile: {failure}", file=sys.stderr)
        return 2
    except Exception as failure:
        # What a task said is inside of what Spark says of the task.
        text = str(failure)
        marks = [line for line in text.splitlines() if "Failed: " in line]
        if not marks:
            raise
        print(f"firstmile: {marks[-1].split('Failed: ', 1)[1]}", file=sys.stderr)
        return 2


def main(words):
    options = parsed(words)
    from pyspark.sql import SparkSession
    spark = SparkSession.builder.appName("firstmile").getOrCreate()
    try:
        return finished(spark, options)
    finally:
        spark.stop()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
