"""Spark as a cluster on loopback: a master and two workers, each a process of its own."""

import contextlib
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import threading

import pytest

from harness import BINARY, ROOT
from remote_services import free_port

SCRIPT = ROOT / "spark/firstmile_spark.py"
DRIVER = pathlib.Path(__file__).parent / "spark_driver.py"
SMALL = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


SETTINGS = {
    "spark.driver.memory": "512m", "spark.executor.memory": "512m", "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": SMALL, "spark.executor.extraJavaOptions": SMALL,
    "spark.log.level": "ERROR",
    # On two cores waiting for the executor that holds a block costs more than moving the block.
    "spark.locality.wait": "0s",
    # A task that takes long gets a twin, as soon as half of its stage is done.
    "spark.speculation": "true", "spark.speculation.interval": "100ms",
    "spark.speculation.quantile": "0.5", "spark.speculation.multiplier": "2",
    "spark.speculation.minTaskRuntime": "6s"}


def worker_host(number):
    """An address of its own for each worker, where loopback has several: twins go to other hosts only."""
    host = f"127.0.0.{number + 1}"
    with socket.socket() as probe:
        try:
            probe.bind((host, 0))
        except OSError:
            return "127.0.0.1"
    return host


class Cluster:
    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment
        self.port, self.processes, self.workers = free_port(), [], []
        self.driver = None
        self.master = f"spark://127.0.0.1:{self.port}"
        import pyspark
        self.home = pathlib.Path(pyspark.__file__).parent

    def start(self, name, *arguments):
        log = open(self.folder / f"{name}.log", "wb")
        process = subprocess.Popen(
            [str(self.home / "bin/spark-class"), *map(str, arguments)], stdin=subprocess.DEVNULL,
            stdout=log, stderr=subprocess.STDOUT, env=self.environment, start_new_session=True,
            cwd=self.folder)
        self.processes.append(process)
        return process

    def start_master(self):
        self.start("master", "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1",
                   "--port", self.port, "--webui-port", 0)

    def start_worker(self):
        number = len(self.workers)
        self.workers.append(self.start(
            f"worker{number}", "org.apache.spark.deploy.worker.Worker", "--host",
            worker_host(number), "--cores", 1, "--memory", "700m", "--webui-port", 0,
            "--work-dir", self.folder / f"work{number}", self.master))

    def count(self, *arguments, expect=0):
        """Runs the script in a session that serves one run after the other; what it said.

        Starting Java, executors and Python takes longer than to count a sample.
        """
        if self.driver is None:
            self.driver = subprocess.Popen(
                [sys.executable, "-B", str(DRIVER), self.master, str(SCRIPT), str(BINARY)],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                env=self.environment, start_new_session=True, cwd=self.folder)
            self.processes.append(self.driver)
        # For a machine that does much else: alone a run takes half a minute. A session that is
        # ended is not the next test's.
        limit = threading.Timer(900, self.driver.kill)
        limit.start()
        try:
            self.driver.stdin.write(json.dumps([str(word) for word in arguments]).encode() + b"\n")
            self.driver.stdin.flush()
            said, code = b"", None
            for line in self.driver.stdout:
                if line.startswith(b"ended with "):
                    code = int(line.split()[-1])
                    break
                said += line
        finally:
            limit.cancel()
        if code is None:
            self.driver.kill()
            self.driver.wait()
            self.driver = None
        text = said.decode(errors="replace")
        assert code == expect, (
            f"exit code {code}, expected {expect}\n{text[-3000:]}\n{self.logs()[-3000:]}")
        return text

    def release(self):
        """Ends that session, so that the workers' cores are there for another one."""
        if self.driver:
            self.driver.stdin.close()
            self.driver.wait(60)
            self.driver = None

    def end(self):
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def logs(self):
        return "\n".join(path.read_text(errors="replace")[-3000:]
                         for path in sorted(self.folder.glob("*.log")))


def reason_to_skip():
    """Why there is no Spark here; `None` where there is."""
    if not shutil.which("java"):
        return "there is no java on the path"
    try:
        import pandas  # noqa: F401
        import pyspark  # noqa: F401
    except ImportError as missing:
        return f"no {missing.name} here; script/setup --tests installs it"
    return None


@contextlib.contextmanager
def spark_cluster(folder, **environment):
    reason = reason_to_skip()
    if reason:
        pytest.skip(f"not on Spark: {reason}")
    folder.mkdir()
    plain = {name: value for name, value in os.environ.items()
             if not name.startswith(("AWS_", "SPARK_"))}
    (folder / "local").mkdir()
    (folder / "tmp").mkdir()
    settings = folder / "spark-defaults.conf"
    settings.write_text("".join(f"{name} {value}\n" for name, value in SETTINGS.items()))
    cluster = Cluster(folder, {
        **plain, "SPARK_CONF_DIR": str(folder), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(folder / "local"), "TMPDIR": str(folder / "tmp"),
        "SPARK_DAEMON_JAVA_OPTS": SMALL, "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_NO_DAEMONIZE": "1", "NO_COLOR": "1", **environment})
    try:
        cluster.start_master()
        cluster.start_worker()
        cluster.start_worker()
        yield cluster
    finally:
        cluster.end()
