"""On a real cluster of Spark the reports have the bytes of a run on one machine, whatever breaks."""

import gzip
import json
import os
import random
import stat
import subprocess

import pytest

from harness import (
    APPS, BINARY, ROOT, SAMPLE, assert_same, contents, firstmile, sample_files, sample_lines,
)
from remote_services import REGION, moto_store, token_gate, web_server
from test_remote import session_json
from spark_cluster import spark_cluster, worker_host
from test_partition import IS_SLOW, scattered


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


def alone(cluster, out, *arguments, flow=SAMPLE, expect=0):
    """The report of a run on one machine."""
    done = subprocess.run(
        [str(BINARY), "report", *map(str, arguments), "--flow", flow, "--out", str(out), "--quiet"],
        cwd=ROOT, env=cluster.environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=900)
    assert done.returncode == expect, done.stderr.decode()
    return contents(out)


def test_one_command_counts_on_the_cluster(cluster, folder):
    cluster.release()
    one = alone(cluster, folder / "one", *sample_files(), "--cohorts", "day", "--from", "2026-02-01", "--format", "canonical")
    path = f"{cluster.home / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        [str(BINARY), "report", *map(str, sample_files()), "--flow", SAMPLE, "--out", folder / "many",
         "--quiet", "--cohorts", "day", "--from", "2026-02-01", "--format", "canonical", "--engine", "spark", "--master",
         cluster.master, "--partitions", "2"],
        cwd=folder, env={**cluster.environment, "PATH": path}, stdin=subprocess.DEVNULL,
        capture_output=True, timeout=900)
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


@pytest.mark.skipif(not IS_SLOW, reason="minutes: script/test --slow")
@pytest.mark.parametrize("app, partitions", zip(APPS, [1, 2, 7, 64, 3]))
def test_every_sample_has_the_bytes_of_one_machine(cluster, app, partitions, folder):
    files = sorted(ROOT.glob(f"sample-events/{app}/*.gz"))
    one = alone(cluster, folder / "one", *files, flow=app)
    cluster.count(*files, "--flow", app, "--out", folder / "many", "--partitions", partitions, "--quiet")
    assert_same(one, contents(folder / "many"), f"{app}, {partitions} partitions")


@pytest.mark.skipif(not IS_SLOW, reason="minutes: script/test --slow")
def test_a_million_events_with_stitching_and_aliases(cluster, store, folder):
    dump = scattered(folder, seed=19, persons=56_000, files=12)
    store.fill("million", {f"in/{path.name}": path.read_bytes() for path in dump.iterdir()})
    one = alone(cluster, folder / "one", "s3://million/in/")
    said = cluster.count("s3://million/in/", "--flow", SAMPLE, "--out", folder / "many", "--partitions", 7, "--quiet",
                         "--stats")
    assert json.loads(said.splitlines()[-1])["events"] > 1_000_000
    assert_same(one, contents(folder / "many"), "a million events")


def name_more(path):
    """Gives the events of a file that has rejects as well what no number needs: addresses and crawlers."""
    lines = gzip.decompress(path.read_bytes()).splitlines()
    for number, line in enumerate(lines):
        if line.startswith(b'{"event"') and line.endswith(b"}"):
            more = b',"mail":"a%d@example.com","browser":"%s"}' % (number, b"curl/8" if number % 9 else b"GPTBot")
            lines[number] = line[:-1] + b',"extra":{' + more[1:] + b"}"
    path.write_bytes(gzip.compress(b"\n".join(lines) + b"\n"))


def test_objects_are_read_by_the_workers(cluster, store, folder):
    size = {"persons": 400, "files": 9} if IS_SLOW else {"persons": 160, "files": 5}
    partitions = 7 if IS_SLOW else 3
    dump = scattered(folder, **size)
    for path in dump.iterdir():
        name_more(path)
    store.fill("spark", {f"in/{path.name}": path.read_bytes() for path in dump.iterdir()})
    one = alone(cluster, folder / "one", "s3://spark/in/")
    # The program is shipped, and the flow file is not on the workers.
    flow = folder / "own.yaml"
    flow.write_bytes((ROOT / f"flows/{SAMPLE}.yaml").read_bytes())
    said = cluster.count("s3://spark/in/", "--flow", flow, "--out", folder / "many", "--partitions",
                         partitions, "--rejects", folder / "rejects", "--quiet", "--stats")
    assert f'"partitions": {partitions}' in said
    assert_same(one, contents(folder / "many"), "from objects")
    assert b"\npersonal_text,extra.mail," in one["quality.csv"] and b"\ncrawlers," in one["quality.csv"]
    # Rejected lines are kept a task each; of the whole there are as many.
    kept = b"".join(contents(folder / "rejects").values()).count(b"\n")
    assert kept == (folder / "one-rejects.ndjson").read_bytes().count(b"\n") > 0


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
  *" flow list "* | *" --list "* | *" --merge "*) ;;
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


def wrapped(folder, name, script):
    """A script in the place of the program, which it runs in the end."""
    (folder / "marks").mkdir()
    place = folder / name
    place.write_text(script.replace("MARKS", str(folder / "marks")).replace("BINARY", str(BINARY)))
    place.chmod(place.stat().st_mode | stat.S_IXUSR)
    return place


def marks(folder):
    return sorted(path.name for path in (folder / "marks").iterdir())


def test_what_is_killed_is_done_again(cluster, folder):
    one = alone(cluster, folder / "one", *sample_files())
    cluster.count("--firstmile", wrapped(folder, "killer", KILLER), *sample_files(), "--flow", SAMPLE,
                  "--out", folder / "many", "--partitions", 2, "--quiet")
    assert_same(one, contents(folder / "many"), "after kills")
    assert marks(folder) == ["partition", "stitch", "survey", "tally"]
    assert any(worker.poll() is not None for worker in cluster.workers), "no worker was killed"
    # What a killed task leaves is Spark's to delete.
    assert not list((cluster.folder / "tmp").glob("firstmile-*"))
    cluster.start_worker()


# As firstmile, except that the first process that counts partition 0 hangs: a twin overtakes it.
HANGING = """#!/bin/sh
case " $* " in
  *" --partition 0 "*)
    if [ "$1" = tally ]; then
      if mkdir MARKS/first 2>/dev/null; then exec sleep 100; fi
      mkdir MARKS/twin
    fi ;;
esac
exec BINARY "$@"
"""


@pytest.mark.skipif(worker_host(1) == worker_host(0),
                    reason="loopback has one address here, and Spark gives twins to other hosts only")
def test_a_twin_that_overtakes_changes_nothing(cluster, folder):
    one = alone(cluster, folder / "one", *sample_files())
    cluster.count("--firstmile", wrapped(folder, "hanging", HANGING), *sample_files(), "--flow", SAMPLE,
                  "--out", folder / "many", "--partitions", 2, "--quiet")
    assert_same(one, contents(folder / "many"), "after a twin")
    assert marks(folder) == ["first", "twin"]


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
        said = cluster.count(*names, "--flow", SAMPLE, "--out", folder / "many", "--partitions", 3,
                             "--quiet", expect=4)
    assert "part of the input is damaged" in said
    assert_same(one, contents(folder / "many"), "with a truncated object")


# As firstmile, with credentials that hold where inputs are listed, and no longer where they are read.
EXPIRED = """#!/bin/sh
case " $* " in
  *" --list "*) ;;
  *) export AWS_ACCESS_KEY_ID=EXPIRED AWS_SECRET_ACCESS_KEY=EXPIRED ;;
esac
exec BINARY "$@"
"""


# As firstmile, with the credentials of a session, which the container renews.
IN_A_CONTAINER = """#!/bin/sh
unset AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY
export AWS_CONTAINER_CREDENTIALS_FULL_URI=THE-SERVER/creds AWS_ENDPOINT_URL=THE-GATE
exec BINARY "$@"
"""


def test_tasks_renew_a_token_that_expires_in_the_middle(cluster, store, folder):
    files = sample_files()
    store.fill("session", {f"in/{path.name}": path.read_bytes() for path in files})
    one = alone(cluster, folder / "one", "s3://session/in/")
    tokens = [session["SessionToken"] for session in (store.session, store.next_session)]
    with web_server({"/creds": session_json(store.session)}) as server:
        def renew(_):
            server.files["/creds"] = session_json(store.next_session)
        # The listing and one object: the others are read with the next token.
        with token_gate(store, {tokens[0]: 2}, renew) as gate:
            script = IN_A_CONTAINER.replace("THE-SERVER", server.url).replace("THE-GATE", gate.url)
            cluster.count("--firstmile", wrapped(folder, "container", script), "s3://session/in/",
                          "--flow", SAMPLE, "--out", folder / "many", "--partitions", 2, "--quiet")
    assert_same(one, contents(folder / "many"), "with a token that expired")
    assert gate.taken.count(tokens[0]) == 2 and gate.taken.count(tokens[1]) >= len(files) - 1
    assert set(gate.refused) == {tokens[0]} and not gate.unsigned


def test_what_no_task_can_read_is_a_clear_error(cluster, store, folder):
    store.fill("secret", {"in/0.ndjson.gz": sample_files()[0].read_bytes()})
    said = cluster.count("s3://secret/nothing-here/", "--flow", SAMPLE, "--out", folder / "many",
                         "--quiet", expect=2)
    assert "no input" in said and not (folder / "many").exists()
    # What is not there is no input that the others could be counted without.
    for inputs, words in [((folder / "gone.ndjson", *sample_files()), "gone.ndjson"), (("-", *sample_files()), "standard input")]:
        said = cluster.count(*inputs, "--flow", SAMPLE, "--out", folder / "many", "--quiet", expect=2)
        assert words in said and "Traceback" not in said and not (folder / "many").exists(), said[-2000:]
    said = cluster.count("--firstmile", wrapped(folder, "expired", EXPIRED), "s3://secret/in/0.ndjson.gz",
                         "--flow", SAMPLE, "--out", folder / "many", "--quiet", expect=2)
    assert "firstmile ended with 2" in said and "s3://secret/in/0.ndjson.gz" in said, said[-2000:]
    assert "EXPIRED" not in said and not (folder / "many").exists()
