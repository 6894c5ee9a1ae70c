"""What the checks of the built program share: running it, reading what it wrote, the samples.

The program under test is `dist/firstmile`, or the one that the environment's FIRSTMILE_BINARY names
(`script/end-to-end BINARY` sets it).
"""

import contextlib
import gzip
import itertools
import json
import os
import pathlib
import signal
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BINARY = pathlib.Path(os.environ.get("FIRSTMILE_BINARY") or ROOT / "dist/firstmile").resolve()
APPS = sorted(path.parent.name for path in ROOT.glob("sample-events/*/truth.json"))
SAMPLE = "aiq"
GATE = "sample-events/gate.yaml"
# script/test --slow tries every combination of what others take two by two.
IS_SLOW = bool(os.environ.get("FIRSTMILE_SLOW"))
FORMATS = ["canonical", "segment", "rudderstack", "amplitude", "mixpanel", "posthog", "ga4"]


def combinations(*axes):
    """Rows in which every two values of different axes meet; all there are with --slow."""
    every = list(itertools.product(*axes))
    if IS_SLOW:
        return every
    places = {row: places for row, places in zip(
        every, itertools.product(*(range(len(axis)) for axis in axes)))}

    def meetings(row):
        return set(itertools.combinations(enumerate(places[row]), 2))

    missing = set().union(*map(meetings, every))
    rows = []
    while missing:
        rows.append(max(every, key=lambda row: len(missing & meetings(row))))
        missing -= meetings(rows[-1])
    return rows


def firstmile(*arguments, expect=0, stdin=None, cwd=ROOT):
    """Runs the program; any other exit code than the expected one is a failure."""
    environment = dict(os.environ, NO_COLOR="1")
    done = subprocess.run([str(BINARY), *map(str, arguments)], cwd=cwd, input=stdin,
                          stdin=subprocess.DEVNULL if stdin is None else None,
                          capture_output=True, env=environment, timeout=900)
    expected = expect if isinstance(expect, tuple) else (expect,)
    said = (done.stdout + done.stderr).decode(errors="replace")[-1500:]
    assert done.returncode in expected, (
        f"firstmile {' '.join(map(str, arguments))}: exit code {done.returncode}, "
        f"expected {expect}\n{said}")
    return done


def path_without_duckdb():
    """The folders of PATH that have no duckdb in them."""
    return os.pathsep.join(folder for folder in os.environ["PATH"].split(os.pathsep)
                           if not (pathlib.Path(folder) / "duckdb").exists())


def report(inputs, out, *options, flow=SAMPLE, **more):
    return firstmile("report", *inputs, "--flow", flow, "--out", out, "--quiet", *options, **more)


def numbers(inputs, out, *options, flow=SAMPLE, **more):
    """A report that is metrics.json alone: where numbers are compared, pages and tables would cost more than they.

    A store's reports have its own flow, without another one.
    """
    out = pathlib.Path(out)
    rejects = () if "--rejects" in options else ("--rejects", f"{out}-rejects.ndjson")
    flows = ("--flow", flow) if flow else ()
    done = firstmile("report", *inputs, *flows, "--json", *rejects, *options, **more)
    out.mkdir(parents=True, exist_ok=True)
    (out / "metrics.json").write_bytes(done.stdout)
    return done


def contents(folder):
    return {str(path.relative_to(folder)): path.read_bytes()
            for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}


def assert_same(left, right, what):
    for name in sorted(set(left) | set(right)):
        assert name in left and name in right, f"{what}: {name} is on one side only"
        if left[name] != right[name]:
            pairs = zip(left[name].split(b"\n"), right[name].split(b"\n"))
            place, (one, other) = next(
                ((number, pair) for number, pair in enumerate(pairs, 1) if pair[0] != pair[1]),
                (0, (b"(lengths differ)", b"")))
            raise AssertionError(f"{what}: {name}, line {place}:\n  {one[:300]}\n  {other[:300]}")


def total(folder, metric, step=None):
    """The numerator and denominator of a metric, of everybody: its first row in metrics.csv."""
    rows = json.loads((folder / "metrics.json").read_text())["metrics"]["rows"]
    found, = [row for row in rows if (row["metric"], row.get("step")) == (metric, step)
              and row.keys().isdisjoint(("version", "experiment", "variant", "cohort", "breakdown"))]
    return found.get("numerator"), found.get("denominator")


def facts_of(folder):
    """What no order, splitting or repetition may change: the metrics in JSON; the rows are those of metrics.csv."""
    text = (folder / "metrics.json").read_bytes()
    metrics = text[text.index(b'\n  "metrics": {'):text.index(b'\n  "provenance": {')]
    return {"metrics": metrics, "rows": metrics.partition(b'\n    "rows": [')[2].partition(b"\n]")[0]}


def sample_files():
    if SAMPLE not in APPS:
        pytest.skip(f"no sample-events/{SAMPLE}; script/sample-events makes it")
    return sorted(ROOT.glob(f"sample-events/{SAMPLE}/*.gz"))


def sample_lines():
    text = b"\n".join(gzip.decompress(path.read_bytes()) for path in sample_files())
    return [line for line in text.split(b"\n") if line.strip()]


def json_objects(lines):
    """The lines that are JSON objects."""
    events = []
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            events.append(event)
    return events


def sample_events():
    """The sample's lines that are JSON objects."""
    return json_objects(sample_lines())


def sample_report(folder):
    sample_lines()
    report([f"sample-events/{SAMPLE}"], folder)
    return folder


def gate(inputs, *options, flow=SAMPLE, **more):
    return firstmile("check", *inputs, "--flow", flow, "--gate", GATE, *options, **more)


@contextlib.contextmanager
def running(*arguments, **options):
    """A run of the program that goes on beside the check; it never outlives the check."""
    options = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL,
               "stderr": subprocess.PIPE, **options}
    process = subprocess.Popen([str(BINARY), *map(str, arguments)], **options)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait_until(condition, process):
    """Waits until something is seen to hold, or the process has ended; says which.

    Between looks it waits for the process, not for time.
    """
    while not condition():
        try:
            process.wait(0.002)
            return condition()
        except subprocess.TimeoutExpired:
            pass
    return True


def interrupt(process, number=signal.SIGINT):
    """Sends a signal; what the run said on standard error by its end."""
    process.send_signal(number)
    return process.communicate(timeout=60)[1].decode()
