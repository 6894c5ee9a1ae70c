"""The commands printed in the documents."""

import contextlib
import gzip
import json
import os
import pty
import re
import shutil
import subprocess

import pytest

from harness import APPS, BINARY, ROOT, SAMPLE, firstmile, sample_files
from parties import regions


# What stands for something of the reader's own in the table of commands.
PLACEHOLDERS = [
    ("INPUT…", "dumps/"), ("--flow FLOW", f"--flow {SAMPLE}"), ("--out DIR", "--out made"),
    ("--gate FILE", "--gate gate.yaml"), ("--store FILE", "--store onboarding.sqlite"),
    ("A.json B.json", "reports/january reports/february"), ("watch DIR", "watch landing/"),
    ("store info FILE", "store info onboarding.sqlite"), ("PERSON", "user-42"),
    ("'a > b'", "'onboarding_started > test_started'"),
    ("mixpanel …", "mixpanel --steps 'onboarding_started > test_started'"),
    ("flow check FILE", f"flow check {ROOT}/flows/{SAMPLE}.yaml"), ("flow show NAME", "flow show aiq"),
    ("flow swift FLOW", "flow swift aiq"), ("--partitions N", "--partitions 2"),
    ("TALLIES…", "tallies"),
]

# The steps of a count in parts: each takes what those before it made.
PARTS = [
    ("partition", "dumps --partitions 2 --out segments"), ("stitch", "segments --out stitched"),
    ("survey", "segments stitched --out surveys"),
    ("tally", "segments stitched --surveys surveys --out tallies"),
    ("share", "tallies"), ("report --tallies", ""),
]


# What each of two regions does before their tallies add up.
REGION_STEPS = [
    ("partition", "{0} --partitions 2 --key-file secret --out {0}-segments"),
    ("stitch", "{0}-segments --as-of 2026-06-01 --out {0}-stitched"),
    ("survey", "{0}-segments {0}-stitched --as-of 2026-06-01 --out {0}-surveys"),
    ("survey --merge", "{0}-surveys --out exchange/{0}.survey"),
    ("tally", "{0}-segments {0}-stitched --as-of 2026-06-01 --surveys {0}-surveys --with exchange --out exchange/{0}"),
]


def documented_commands():
    """(where, command) of every command in README, docs and helps."""
    for path in [ROOT / "README.md", *sorted(ROOT.glob("docs/*.md"))]:
        text = re.sub(r" *\\\n *", " ", path.read_text())
        blocks = re.findall(r"^```.*?^```", text, re.M | re.S) + re.findall(r"^    .*", text, re.M)
        for found in re.findall(r"^(?:    |\$ )?(firstmile [a-z].*)$", "\n".join(blocks), re.M):
            yield path.name, found
        for found in re.findall(r"^\| `(firstmile [^`]*)` \|", text, re.M):
            for placeholder, own in PLACEHOLDERS:
                found = found.replace(placeholder, own)
            yield path.name, found
    overview = firstmile("--help").stdout.decode().partition("SUBCOMMANDS:")[2]
    for name in re.findall(r"^  (\w+) ", overview, re.M):
        text = re.sub(r" *\\\n *", " ", firstmile(name, "--help").stdout.decode())
        for found in re.findall(r"^(firstmile [a-z].*)$", text, re.M):
            yield f"{name} --help", found


def world_of_the_documents(folder, simulated, flow, command):
    """The files that the documents speak of, for a flow."""
    dumps = folder / "dumps"
    source = simulated / f"dump-of-{flow}"
    if flow == "demo":
        text = (ROOT / f"flows/{SAMPLE}.yaml").read_text()
        (folder / "demo").write_text(re.sub(r"^flow: .*", "flow: demo", text, flags=re.M))
    if not source.exists():
        firstmile("simulate", "--flow", flow, "--persons", 400, "--out", source, "--quiet", cwd=folder)
    made = Made(folder, simulated, flow)
    if " simulate " not in command:
        shutil.copytree(source, dumps)
    if "this-week" in command:
        for name, files in (("last-week", 0), ("this-week", 1)):
            (dumps / name).mkdir()
            for path in sorted(dumps.glob("*.gz"))[files::2]:
                shutil.copy(path, dumps / name)
    (folder / "sample-events").symlink_to(ROOT / "sample-events")
    for name in ("january", "february", *APPS):
        (folder / "reports" / name).mkdir(parents=True)
        shutil.copy(ROOT / "reports" / (name if name in APPS else SAMPLE) / "metrics.json",
                    folder / "reports" / name)
    shutil.copytree(source, folder / "landing")
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, not_worse_by: 40%}]\n"
                                      "baseline: baseline.json\n")
    if re.search("baseline| check ", command):
        firstmile("check", source, "--flow", flow, "--gate", "gate.yaml", "--accept", "--quiet", cwd=folder)
    for store in ("onboarding.sqlite", "events.db"):
        if store in command and "ingest" not in command:
            made.store(store)
    count_in_parts(made, folder, flow, command)


def count_in_parts(made, folder, flow, command):
    """What a step of a count in parts needs: the steps before it, of one run or of two regions."""
    def steps_before(steps, otherwise):
        found = [number for number, (name, _) in enumerate(steps) if f"firstmile {name} " in command]
        return steps[:found[-1] if found else otherwise]

    if re.search(r"\b(eu|us)\b", command):
        made.parts("regions", [(name, arguments.format(region)) for name, arguments in steps_before(REGION_STEPS, len(REGION_STEPS))
                               for region in ("eu", "us")])
        return
    made.parts("run", steps_before(PARTS, 0))
    if "--published" in command:
        share_earlier_days(folder, flow)


class Made:
    """What commands need that others have made: each made once for all of them, and copied."""

    def __init__(self, folder, kept, flow):
        self.folder, self.kept, self.flow = folder, kept, flow
        self.source = kept / f"dump-of-{flow}"

    def store(self, name):
        kept = self.kept / f"store-of-{self.flow}"
        if not kept.exists():
            shutil.copytree(self.source, kept / "dumps")
            flow = self.folder / self.flow
            firstmile("ingest", "dumps", "--store", "made", "--flow", flow if flow.exists() else self.flow, "--quiet", cwd=kept)
        for path in kept.glob("made*"):
            copy = shutil.copytree if path.is_dir() else shutil.copy
            copy(path, self.folder / path.name.replace("made", name))

    def parts(self, what, steps):
        if steps or what == "regions":
            shutil.copytree(self.after(what, steps), self.folder, dirs_exist_ok=True)

    def after(self, what, steps):
        """The folder as it is after these steps: that before the last of them, and what it adds."""
        kept = self.kept / f"{what}-of-{self.flow}-{len(steps)}"
        if kept.exists():
            return kept
        if steps:
            shutil.copytree(self.after(what, steps[:-1]), kept)
            name, arguments = steps[-1]
            firstmile(*name.split(), *arguments.split(), "--flow", self.flow, cwd=kept, expect=(0, 4))
        elif what == "run":
            shutil.copytree(self.source, kept / "dumps")
        else:
            kept.mkdir()
            (kept / "secret").write_bytes(b"0123456789abcdef")
            regions(kept, [line for path in sorted(self.source.glob("*.gz"))
                           for line in gzip.decompress(path.read_bytes()).splitlines()])
        return kept


def share_earlier_days(folder, flow):
    """The table that was given away before: of the first half of the files, which are of days."""
    (folder / "earlier-dumps").mkdir()
    files = sorted((folder / "dumps").glob("*.gz"))
    for path in files[:len(files) // 2]:
        shutil.copy(path, folder / "earlier-dumps")
    for name, arguments in PARTS[:-1]:
        own = re.sub(r"(?<!-)\b(dumps|segments|stitched|surveys|tallies)\b", r"earlier-\1", arguments)
        out = ["--min-cell", 20, "--out", "shared-2026-03-10.csv"] if name == "share" else []
        firstmile(name, *own.split(), *out, "--flow", flow, cwd=folder)


@contextlib.contextmanager
def answering_terminal(is_asked):
    """Standard input: a terminal at which Enter was pressed five times, or nothing."""
    if not is_asked:
        yield subprocess.DEVNULL
        return
    ours, theirs = pty.openpty()
    try:
        os.write(ours, b"\n" * 5)
        yield theirs
    finally:
        os.close(theirs)
        os.close(ours)


def commands_to_run():
    """Each of them once. A cluster and its objects are those of test_spark.py."""
    return sorted({found for found in documented_commands() if "--engine spark" not in found[1]})


def test_the_documents_have_commands():
    assert len(commands_to_run()) > 30


@pytest.fixture(scope="module")
def simulated(tmp_path_factory):
    """Where the dumps of the flows are that the documents name."""
    return tmp_path_factory.mktemp("simulated")


@pytest.mark.parametrize(("where", "command"), commands_to_run())
def test_a_command_of_the_documents_works_as_printed(folder, simulated, where, command):
    sample_files()
    (folder / "bin").mkdir()
    (folder / "bin/firstmile").symlink_to(BINARY)
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", NO_COLOR="1",
                       DISPLAY="", WAYLAND_DISPLAY="", BROWSER="")
    flow = re.search(r"--flow (\w+)", command)
    place = folder / "place"
    place.mkdir()
    world_of_the_documents(place, simulated, flow.group(1) if flow else SAMPLE, command)
    if "user-42" in command:
        lines = gzip.decompress(sorted(place.glob("dumps/*.gz"))[0].read_bytes()).splitlines()
        user = next(json.loads(line)["user_id"] for line in lines if b'"user_id":"' in line)
        command = command.replace("user-42", user)
    limit = "timeout --foreground --preserve-status 1 " if re.search(" (watch|serve) ", command) else ""
    with answering_terminal(" start " in command) as stdin:
        done = subprocess.run(["bash", "-c", limit + command], cwd=place, env=environment,
                              stdin=stdin, stdout=subprocess.PIPE,
                              stderr=stdin if " start " in command else subprocess.PIPE, timeout=120)
    # The samples miss some targets of their flows.
    assert done.returncode == 0 or (" check " in command and done.returncode == 1), (
        f"{where}: exit code {done.returncode}: {((done.stderr or b'') + done.stdout).decode()[:400]}")
