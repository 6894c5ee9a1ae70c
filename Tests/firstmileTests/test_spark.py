"""On a real cluster of Spark the reports have the bytes of a run on one machine, whatever breaks."""

import gzip
import os
import random
import stat
import subprocess

import pytest

from harness import (
    BINARY, ROOT, SAMPLE, assert_same, contents, firstmile, sample_files, sample_lines,
)
from remote_services import REGION, moto_store, web_server
from spark_cluster import spark_cluster
from test_partition import scattered

@pytest.fixture(scope="module")
def store():
    with moto_store() as store:
        yield store


@pytest.fixture(scope="module")
def cluster(tmp_path_factory, store):
    with spark_cluster(tmp_path_factory.mktemp("spark") / "cluster", AWS_REGION=REGION,
                       AWS_ENDPOINT_URL=store.endpoint, AWS_EC2_METADATA_DISABLED="true",
                       AWS_MAX_ATTEMPTS="3", **store.keys()) as cluster:
        yield cluster


def alone(cluster, out, *arguments, expect=0):
    """The report of a run on one machine."""
    done = subprocess.run(
        [str(BINARY), "report", *map(str, arguments), "--flow", SAMPLE, "--out", str(out), "--quiet"],
        cwd=ROOT, env=cluster.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    assert done.returncode == expect, done.stderr.decode()
    return contents(out)


def test_objects_are_read_by_the_workers(cluster, store, folder):
    dump = scattered(folder)
    store.fill("spark", {f"in/{path.name}": path.read_bytes() for path in dump.iterdir()})
    one = alone(cluster, folder / "one", "s3://spark/in/")
    # The program and the flow file are not on the workers.
    flow = folder / "own.yaml"
    flow.write_bytes((ROOT / f"flows/{SAMPLE}.yaml").read_bytes())
    done = cluster.submit("s3://spark/in/", "--flow", flow, "--out", folder / "many", "--partitions",
                          7, "--rejects", folder / "rejects", "--quiet", "--stats", is_shipped=True)
    assert b'"partitions": 7' in done.stdout
    assert_same(one, contents(folder / "many"), "from objects")
    # Rejected lines are kept a task each; of the whole there are as many.
    kept = b"".join(contents(folder / "rejects").values()).count(b"\n")
    assert kept == (folder / "one-rejects.ndjson").read_bytes().count(b"\n") > 0


def test_one_command_counts_on_the_cluster(cluster, folder):
    one = alone(cluster, folder / "one", *sample_files(), "--cohorts", "day", "--from", "2026-02-01")
    path = f"{cluster.home / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        [str(BINARY), "report", *map(str, sample_files()), "--flow", SAMPLE, "--out", folder / "many",
         "--quiet", "--cohorts", "day", "--from", "2026-02-01", "--engine", "spark", "--master",
         cluster.master, "--partitions", "2"],
        cwd=folder, env={**cluster.environment, "PATH": path}, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=280)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()[-3000:]
    assert_same(one, contents(folder / "many"), "by one command")
    for words, said in [(["--engine", "spark"], "needs --master"), (["--master", "x"], "--engine spark"),
                        (["--engine", "spark", "--master", "x", "--tallies"], "counts dumps")]:
        firstmile_says(said, "report", sample_files()[0], "--flow", SAMPLE, "--out", folder / "no",
                       *words)
    nowhere = dict(cluster.environment, PATH=str(folder))
    done = subprocess.run([str(BINARY), "report", sample_files()[0], "--flow", SAMPLE, "--out",
                           folder / "no", "--engine", "spark", "--master", "x"], cwd=ROOT, env=nowhere,
                          capture_output=True)
    assert done.returncode == 2 and b"needs 'spark-submit'" in done.stderr


def firstmile_says(said, *arguments):
    assert said in firstmile(*arguments, expect=2).stderr.decode()


# What is killed with SIGKILL in the middle, by the step that is the first to run into it.
KILLER = """#!/bin/sh
# As firstmile, after something was killed once: the program, an executor, a worker.
java_above() {  # the n-th process above that is Java
  pid=$$ left=$1
  while [ "$left" -gt 0 ]; do
    pid=$(ps -o ppid= -p "$pid" | tr -d ' ')
    [ "${pid:-1}" -gt 1 ] || exit 1
    case "$(ps -o comm= -p "$pid")" in java) left=$((left - 1)) ;; esac
  done
  echo "$pid"
}
case " $* " in
  *" --list "* | *" --merge "*) ;;
  *)
    if [ "$1" != report ] && mkdir "MARKS/$1" 2>/dev/null; then
      case "$1" in
        partition) kill -9 $$ ;;
        survey) kill -9 "$(java_above 1)"; sleep 5; exit 1 ;;
        tally) kill -9 "$(java_above 2)" ;;
      esac
    fi ;;
esac
exec BINARY "$@"
"""


def test_what_is_killed_is_done_again(cluster, folder):
    marks, killer = folder / "marks", folder / "killer"
    marks.mkdir()
    killer.write_text(KILLER.replace("MARKS", str(marks)).replace("BINARY", str(BINARY)))
    killer.chmod(killer.stat().st_mode | stat.S_IXUSR)
    one = alone(cluster, folder / "one", *sample_files())
    # After a file is on its way to a worker, a twin may be: both write the same.
    cluster.submit("--firstmile", killer, *sample_files(), "--flow", SAMPLE, "--out", folder / "many",
                   "--partitions", 2, "--quiet", settings={"spark.speculation": "true"})
    assert_same(one, contents(folder / "many"), "after kills")
    assert sorted(path.name for path in marks.iterdir()) == [
        "partition", "stitch", "survey", "tally"]
    assert any(worker.poll() is not None for worker in cluster.workers), "no worker was killed"
    cluster.start_worker()


def test_damage_is_told_and_failures_are_tried_again(cluster, folder):
    lines = sample_lines()
    random.Random(3).shuffle(lines)
    whole = [gzip.compress(b"\n".join(lines[start::3]) + b"\n") for start in range(3)]
    files = {"/a.ndjson.gz": whole[0], "/b.ndjson.gz": whole[1][:len(whole[1]) // 2],
             "/c.ndjson.gz": whole[2]}
    with web_server(files) as server:
        names = [server.url + path for path in files]
        one = alone(cluster, folder / "one", *names, expect=4)
        # A broken connection and answers that say later are taken up by the reader itself.
        server.faults = [503, ("cut", 5000), 503, None, ("cut", 20_000)]
        done = cluster.submit(*names, "--flow", SAMPLE, "--out", folder / "many", "--partitions", 3,
                              "--quiet", expect=4)
    assert b"part of the input is damaged" in done.stdout + done.stderr
    assert_same(one, contents(folder / "many"), "with a truncated object")


def test_what_no_task_can_read_is_a_clear_error(cluster, store, folder):
    store.fill("secret", {"in/0.ndjson.gz": sample_files()[0].read_bytes()})
    done = cluster.submit("s3://secret/nothing-here/", "--flow", SAMPLE, "--out", folder / "many",
                          "--quiet", expect=2)
    assert b"no input" in done.stdout and not (folder / "many").exists()
    # Credentials that hold where inputs are listed, and no longer where they are read.
    expired = {f"spark.executorEnv.{name}": "EXPIRED" for name in
               ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")}
    done = cluster.submit("s3://secret/in/0.ndjson.gz", "--flow", SAMPLE, "--out", folder / "many",
                          "--quiet", expect=2, settings={**expired, "spark.task.maxFailures": "2"})
    said = done.stdout.decode()
    assert "firstmile ended with 2" in said and "s3://secret/in/0.ndjson.gz" in said, said[-2000:]
    assert "EXPIRED" not in said and not (folder / "many").exists()
