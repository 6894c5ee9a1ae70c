"""Runs one command and tells what it cost: wall, CPU of the process, peak memory."""
import os
import subprocess
import time


class Failed(Exception):
    pass


def measure(command, cwd=None, accepted=(0,)):
    """Returns (seconds of wall, seconds of CPU, peak MB, standard output)."""
    start = time.perf_counter()
    with subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode not in accepted:
        raise Failed(f"{' '.join(command)[:200]} ended with {process.returncode}")
    # Linux counts the peak in KB, macOS in bytes.
    unit = 1 << 20 if os.uname().sysname == "Darwin" else 1 << 10
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit, output


def table(header, rows):
    """A table in Markdown; the first column to the left, the others to the right."""
    lines = [header, ["---"] + ["---:"] * (len(header) - 1)] + rows
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)
