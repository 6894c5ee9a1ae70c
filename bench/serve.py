"""How long the views of `firstmile serve` take on a store of about five million events.

    bench/serve

Each view is asked for at a server that has just started (first), at one that has read the store's facts for
another view (next), and once more (again). Prints medians of the rounds as a table.
"""

import argparse
import os
import re
import statistics
import subprocess
import time
import urllib.parse
import urllib.request

# Of the flow dequeue; `to` and `from` cut the simulated months.
VIEWS = [
    ("report", "report.html", {}),
    ("report, other dates", "report.html", {"from": "2026-02-01", "to": "2026-03-01"}),
    ("report from March, by day", "report.html", {"from": "2026-03-01", "cohorts": "day"}),
    ("funnel by a dimension", "funnel.html", {"breakdown": ["os"]}),
    ("funnel by two dimensions", "funnel.html", {"breakdown": ["os", "locale"]}),
    ("funnel by dimension and experiment", "funnel.html", {"breakdown": ["device_model", "length"]}),
    ("typed-in funnel", "funnel.html", {"steps": "onboarding_started > stack_created > task_created", "within": "7d"}),
    ("typed-in funnel by two dimensions", "funnel.html",
     {"steps": "onboarding_started > stack_created > task_created", "within": "7d", "breakdown": ["os", "locale"]}),
]
OTHER = ("report.html", {"from": "2026-01-15"})


class Server:
    def __init__(self, binary, store):
        self.process = subprocess.Popen([binary, "serve", "--store", store, "--port", "0"], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        for line in self.process.stdout:
            if found := re.search(r"http://\S+", line):
                self.address = found[0].rstrip(".")
                return
        raise SystemExit("the server has printed no address")

    def seconds(self):
        """User and system seconds of the server so far."""
        with open(f"/proc/{self.process.pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self):
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(re.search(r"VmHWM:\s+(\d+)", file.read())[1]) / 1024

    def ask(self, name, question):
        """Wall seconds, CPU seconds and bytes of one view."""
        query = urllib.parse.urlencode({"flow": "dequeue"} | question, doseq=True)
        began, used = time.perf_counter(), self.seconds()
        with urllib.request.urlopen(f"{self.address}{name}?{query}", timeout=120) as answer:
            size = len(answer.read())
        return time.perf_counter() - began, self.seconds() - used, size

    def stop(self):
        self.process.terminate()
        self.process.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("store")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    times = {}
    for _ in range(options.rounds):
        for title, name, question in VIEWS:
            server = Server(options.binary, options.store)
            first = server.ask(name, question)
            peak = server.peak()
            server.stop()
            server = Server(options.binary, options.store)
            server.ask(*OTHER)
            following = server.ask(name, question)
            again = server.ask(name, question)
            server.stop()
            times.setdefault(title, []).append((*first[:2], *following[:2], again[0], peak))
    print("| view | first, wall s | CPU s | next, wall s | CPU s | again, wall s | peak MB, first |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    for title, rounds in times.items():
        cells = [statistics.median(column) for column in zip(*rounds)]
        print(f"| {title} | " + " | ".join(f"{cell:.2f}" if cell < 20 else f"{cell:.0f}" for cell in cells) + " |")


main()
