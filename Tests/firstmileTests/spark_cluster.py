"""Spark as a cluster on loopback: a master and two workers, each a process of its own."""

import contextlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import urllib.request

import pytest

from harness import BINARY, ROOT
from remote_services import free_port

SCRIPT = ROOT / "spark/firstmile_spark.py"
SMALL = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"


SETTINGS = {
    "spark.driver.memory": "512m", "spark.executor.memory": "512m", "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.extraJavaOptions": SMALL, "spark.executor.extraJavaOptions": SMALL,
    "spark.log.level": "ERROR"}


class Cluster:
    def __init__(self, folder, environment):
        self.folder, self.environment = folder, environment
        self.port, self.processes, self.workers = free_port(), [], []
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
            f"worker{number}", "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1",
            "--cores", 1, "--memory", "700m", "--webui-port", 0,
            "--work-dir", self.folder / f"work{number}", self.master))

    def end(self):
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def logs(self):
        return "\n".join(path.read_text(errors="replace")[-3000:]
                         for path in sorted(self.folder.glob("*.log")))

    def command(self, *arguments, settings=()):
        words = [str(self.home / "bin/spark-submit"), "--master", self.master]
        for name, value in dict(settings).items():
            words += ["--conf", f"{name}={value}"]
        return [*words, str(SCRIPT), *map(str, arguments)]

    def submit(self, *arguments, expect=0, settings=(), environment=(), is_shipped=False):
        """Runs the script; the program lies on the workers, or is shipped to them."""
        settings = dict(settings)
        if is_shipped:
            settings["spark.files"] = BINARY
        else:
            arguments = ("--firstmile", BINARY, *arguments)
        done = subprocess.run(
            self.command(*arguments, settings=settings),
            stdin=subprocess.DEVNULL, capture_output=True, timeout=280, cwd=self.folder,
            env={**self.environment, **dict(environment)})
        # What a program in Python says on either stream, spark-submit has on standard output.
        said = (done.stderr + done.stdout).decode(errors="replace")
        assert done.returncode == expect, (
            f"exit code {done.returncode}, expected {expect}\n{said[-3000:]}\n{self.logs()[-3000:]}")
        return done


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
    settings = folder / "spark-defaults.conf"
    settings.write_text("".join(f"{name} {value}\n" for name, value in SETTINGS.items()))
    cluster = Cluster(folder, {
        **plain, "SPARK_CONF_DIR": str(folder), "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_JAVA_OPTS": SMALL, "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_NO_DAEMONIZE": "1", "NO_COLOR": "1", **environment})
    try:
        cluster.start_master()
        cluster.start_worker()
        cluster.start_worker()
        yield cluster
    finally:
        cluster.end()
