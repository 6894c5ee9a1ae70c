"""What a run may take where its input is enormous in one respect: memory only, never time."""

import json
import os
import subprocess
import sys

import pytest

from harness import BINARY, firstmile

START = 1_767_225_600_000


def peak_bytes(*arguments, expect=0):
    """The largest resident size of a run."""
    done = subprocess.run([sys.executable, "-c", MEASURE, str(BINARY), *map(str, arguments)],
                          capture_output=True, check=True)
    code, size = map(int, done.stdout.split())
    assert code == expect
    return size * (1 if os.uname().sysname == "Darwin" else 1024)


# A process begins with the size of the one that starts it, and pytest may be large: a small one
# starts the program.
MEASURE = """
import os, sys
nothing = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
process = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=nothing)
_, status, usage = os.wait4(process, 0)
print(os.waitstatus_to_exitcode(status), usage.ru_maxrss)
"""


def one_person(path, facts):
    """A start, a completion in the middle, and taps."""
    def line(name, number):
        return json.dumps({"event": name, "timestamp": START + number * 10, "user_id": "u"}) + "\n"
    with path.open("w") as file:
        file.write(line("onboarding_started", 0))
        for number in range(1, facts):
            file.write(line("onboarding_completed" if number == facts // 2 else "tapped", number))
    return path


@pytest.fixture
def flow(folder):
    (folder / "flow.yaml").write_text("flow: x\nsteps: [a, b]\n")
    return folder / "flow.yaml"


def test_explain_cuts_a_long_timeline_in_the_middle(folder, flow):
    dump = one_person(folder / "dump.ndjson", 5000)
    text = firstmile("explain", "u", dump, "--flow", flow).stdout.decode()
    facts = [line for line in text.splitlines() if line.startswith("  2026-")]
    gaps = [line for line in text.splitlines() if "--all shows them" in line]
    left_out = sum(int(line.split()[1].replace(",", "")) for line in gaps)
    assert len(facts) + left_out == 5000 and len(gaps) == 2, gaps
    assert any("← entry" in line for line in facts)
    assert any("outcome: finished" in line for line in facts)
    assert "finished: the first deciding fact" in text
    whole = firstmile("explain", "u", dump, "--flow", flow, "--all").stdout.decode()
    assert [line for line in whole.splitlines() if line.startswith("  2026-")][:500] == facts[:500]
    assert whole.count("\n  2026-") == 5000 and "--all" not in whole


def test_explain_keeps_no_text(folder, flow):
    arguments = ["--flow", flow, "--all", "--threads", 1]
    few = one_person(folder / "few.ndjson", 100_000)
    many = one_person(folder / "many.ndjson", 500_000)
    added = (peak_bytes("explain", "u", many, *arguments)
             - peak_bytes("explain", "u", few, *arguments))
    assert added / 400_000 < 100, f"{added / 400_000:.0f} bytes a fact"


def test_the_least_memory_limit_takes_no_more_than_none(folder):
    firstmile("simulate", "--flow", "dequeue", "--persons", 30_000, "--seed", 5, "--files", 4,
              "--compression", "gzip", "--out", folder / "dump", "--quiet")
    report = ["report", folder / "dump", "--flow", "dequeue", "--quiet", "--threads", 2,
              "--out", folder / "out"]
    least = peak_bytes(*report, "--memory-limit", "1K")
    without = peak_bytes(*report)
    assert least < without + (4 << 20), (least >> 20, without >> 20)


def test_a_flow_or_gate_file_is_not_read_beyond_what_it_may_hold(folder, flow):
    with (folder / "large.yaml").open("w") as file:
        file.write("flow: x\n")
        file.truncate(200 << 20)
    for arguments in (["flow", "check", folder / "large.yaml"],
                      ["check", "sample-events/aiq", "--flow", flow, "--gate",
                       folder / "large.yaml"]):
        assert peak_bytes(*arguments, expect=2) < 100 << 20
    said = firstmile("flow", "check", folder / "large.yaml", expect=2).stderr
    assert b"large.yaml:1:1: the file is larger than 1 MiB" in said, said


def test_a_flow_beyond_its_limits_is_refused_before_anything_is_read(folder):
    goals = "".join(f"  - {{id: g{number}, event: e{number}}}\n" for number in range(4097))
    (folder / "large.yaml").write_text(f"flow: x\nsteps: [a]\ngoals:\n{goals}")
    for arguments in (["flow", "check", folder / "large.yaml"],
                      ["report", folder / "none", "--flow", folder / "large.yaml"],
                      ["validate", folder / "none", "--flow", folder / "large.yaml"],
                      ["explain", "u", folder / "none", "--flow", folder / "large.yaml"],
                      ["check", folder / "none", "--flow", folder / "large.yaml"],
                      ["funnel", folder / "none", "--flow", folder / "large.yaml", "--steps", "a"],
                      ["ingest", folder / "none", "--flow", folder / "large.yaml", "--store",
                       folder / "s.sqlite"]):
        said = firstmile(*arguments, expect=2).stderr.decode()
        assert "large.yaml:4100:5: the flow has 4097 goals; at most 4096 are allowed" in said, said
        assert "none" not in said
    steps = " > ".join(f"e{number}" for number in range(65))
    said = firstmile("funnel", folder / "none", "--flow", "aiq", "--steps", steps, expect=2).stderr
    assert b"65 steps and exclusions of one funnel; at most 64" in said, said
