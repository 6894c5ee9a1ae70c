"""What a command writes never replaces what it reads, nor something else that it writes."""

import json
import os
import re
import shutil
import subprocess

import pytest

from harness import BINARY, contents, firstmile

FLOW = """flow: small
window: 24h
steps: [welcome, plan]
"""
GATE = """rules:
  - {metric: completion_rate, not_worse_by: 50%}
"""
LINKS = {
    "itself": lambda victim, name: victim,
    "a link": lambda victim, name: (name.symlink_to(victim), name)[1],
    "a relative link to a link": lambda victim, name: (
        name.with_name(f"{name.name}-between").symlink_to(victim),
        name.symlink_to(f"{name.name}-between"), name)[2],
    "a hard link": lambda victim, name: (os.link(victim, name), name)[1],
}
REPORT = ["report", "dump.ndjson", "--flow", "flow.yaml", "--quiet"]
CHECK = ["check", "dump.ndjson", "--flow", "flow.yaml", "--gate", "gate.yaml", "--quiet",
         "--max-reject-rate", "100%", "--as-of", "2026-01-08"]
EXPORT = ["store", "export"]
# Everything that names a file to write, with what the command reads.
OUTPUTS = {
    "report --rejects": (REPORT + ["--rejects", "{}"], ["dump.ndjson", "flow.yaml"]),
    "report --store --rejects": (
        ["report", "--store", "store.sqlite", "--quiet", "--rejects", "{}"], ["store.sqlite"]),
    "report --people": (REPORT + ["--people", "{}"], ["dump.ndjson", "flow.yaml"]),
    "report --store --people": (
        ["report", "--store", "store.sqlite", "--quiet", "--people", "{}"], ["store.sqlite"]),
    "explain --page": (["explain", "u1", "dump.ndjson", "--flow", "flow.yaml", "--page", "{}"],
                       ["dump.ndjson", "flow.yaml"]),
    "explain --store --page": (["explain", "u1", "--store", "store.sqlite", "--page", "{}"],
                               ["store.sqlite"]),
    "timelines --page": (["timelines", "dump.ndjson", "--flow", "flow.yaml", "--left-at", "welcome",
                          "--page", "{}"], ["dump.ndjson", "flow.yaml"]),
    "check --json-file": (CHECK + ["--baseline", "baseline.json", "--json-file", "{}"],
                          ["dump.ndjson", "flow.yaml", "gate.yaml", "baseline.json"]),
    "check --junit": (CHECK + ["--against", "other.ndjson", "--junit", "{}"],
                      ["dump.ndjson", "flow.yaml", "gate.yaml", "other.ndjson"]),
    "check --summary": (CHECK + ["--baseline", "baseline.json", "--summary", "{}"],
                        ["dump.ndjson", "flow.yaml", "gate.yaml", "baseline.json"]),
    "check --plan --json-file": (
        CHECK + ["--plan", "--baseline", "baseline.json", "--json-file", "{}"],
        ["dump.ndjson", "gate.yaml", "baseline.json"]),
    "check --accept": (CHECK + ["--accept", "--baseline", "{}"],
                       ["dump.ndjson", "flow.yaml", "gate.yaml"]),
    "check --key-file": (CHECK + ["--baseline", "baseline.json", "--key-file", "key",
                                  "--junit", "{}"], ["key"]),
    "check --store": (["check", "--store", "store.sqlite", "--gate", "gate.yaml", "--quiet",
                       "--baseline", "baseline.json", "--junit", "{}"], ["store.sqlite"]),
    "store export": (EXPORT + ["{}", "--store", "store.sqlite"], ["store.sqlite"]),
    "store export of a flow": (
        EXPORT + ["{}", "--store", "store.sqlite", "--flow", "flow.yaml"], ["flow.yaml"]),
    "ingest --store": (["ingest", "dump.ndjson", "empty.ndjson", "--flow", "flow.yaml", "--store",
                        "{}"], ["empty.ndjson"]),
}


def event(person, name, second, **properties):
    return json.dumps({"event": name, "user_id": person, "flow": "small",
                       "timestamp": f"2026-01-05T10:00:{second:02}Z", "properties": properties})


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A folder with one of everything a command can read."""
    folder = tmp_path_factory.mktemp("outputs")
    lines = []
    for number in range(20):
        person = f"u{number}"
        lines += [event(person, "onboarding_started", 0),
                  event(person, "onboarding_page_viewed", 1, page_name="welcome"),
                  event(person, "onboarding_completed", 9, completion_method="finished")]
    (folder / "dump.ndjson").write_text("\n".join(lines + ["no json"]) + "\n")
    shutil.copy(folder / "dump.ndjson", folder / "other.ndjson")
    (folder / "empty.ndjson").write_text("")
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "gate.yaml").write_text(GATE)
    (folder / "key").write_bytes(bytes(range(16)))
    firstmile("ingest", "dump.ndjson", "--flow", "flow.yaml", "--store", "store.sqlite", "--quiet",
              "--max-reject-rate", "100%", cwd=folder)
    firstmile(*CHECK, "--accept", "--baseline", "baseline.json", cwd=folder)
    for words in ("partition dump.ndjson --partitions 1 --max-reject-rate 100% --out segments",
                  "stitch segments --out stitched", "survey segments stitched --out surveys"):
        firstmile(*words.split(), "--flow", "flow.yaml", cwd=folder)
    return folder


@pytest.fixture
def world(whole, folder):
    """A copy of it, to be spoilt."""
    place = folder / "world"
    shutil.copytree(whole, place)
    return place


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("output", OUTPUTS)
def test_no_output_replaces_an_input(world, output, link):
    words, victims = OUTPUTS[output]
    for victim in victims:
        name = LINKS[link](world / victim, world / f"to-{victim}")
        before = contents(world)
        command = [word.replace("{}", str(name)) for word in words]
        said = firstmile(*command, cwd=world, expect=2).stderr.decode()
        assert "would replace" in said and "name another file" in said, (victim, said)
        assert contents(world) == before, victim


@pytest.mark.parametrize("output", [output for output in OUTPUTS if output != "ingest --store"])
def test_no_output_replaces_a_store_that_is_not_read(world, output):
    """Its dumps may be gone."""
    shutil.copy(world / "store.sqlite", world / "elsewhere.sqlite")
    before = contents(world)
    command = [word.replace("{}", "elsewhere.sqlite") for word in OUTPUTS[output][0]]
    said = firstmile(*command, cwd=world, expect=2).stderr.decode()
    assert "'elsewhere.sqlite' is a store" in said and "name another file" in said, said
    assert contents(world) == before


def test_the_words_say_which_file_and_which_option(world):
    done = firstmile(*CHECK, "--baseline", "baseline.json", "--junit", "./gate.yaml", cwd=world,
                     expect=2)
    assert done.stderr.decode() == (
        "firstmile: --junit './gate.yaml' would replace the gate file 'gate.yaml', which is read; "
        "name another file\n")


@pytest.mark.parametrize("suffix", ["-wal", "-shm", "-journal", "-rejects/people.csv"])
def test_an_export_leaves_what_lies_beside_the_store(world, suffix):
    before = contents(world)
    for there in (False, True):
        victim = world / f"store.sqlite{suffix}"
        if there:
            (world / "linked").symlink_to("store.sqlite")
        store = "linked" if there else "store.sqlite"
        said = firstmile("store", "export", victim, "--store", store, cwd=world,
                         expect=2).stderr.decode()
        assert "would replace" in said, said
        assert not victim.exists()
    (world / "linked").unlink()
    assert contents(world) == before


@pytest.mark.parametrize("name", ["report.html", "metrics.json", "steps.csv"])
@pytest.mark.parametrize("link", LINKS)
def test_no_file_of_a_report_replaces_an_input(world, name, link):
    (world / "out").mkdir()
    victim = world / "dump.ndjson"
    if link == "itself":
        victim = victim.rename(world / "out" / name)
    else:
        LINKS[link](victim, world / "out" / name)
    before = contents(world)
    said = firstmile("report", victim, "--flow", "flow.yaml", "--out", "out", "--quiet", cwd=world,
                     expect=2).stderr.decode()
    assert "would replace an input" in said, said
    assert contents(world) == before


@pytest.mark.parametrize("words", [
    CHECK + ["--baseline", "baseline.json", "--json-file", "new", "--junit", "./new"],
    CHECK + ["--baseline", "baseline.json", "--junit", "new", "--summary", "{}/new"],
    CHECK + ["--accept", "--baseline", "new", "--junit", "new"],
    REPORT + ["--out", "new", "--rejects", "new/report.md"],
    REPORT + ["--out", "new", "--rejects", "new"],
    REPORT + ["--out", "new/deep", "--rejects", "./new/../new/deep/metrics.csv"],
], ids=lambda words: " ".join(words[-4:]))
def test_two_outputs_are_two_files(world, words):
    before = contents(world)
    said = firstmile(*(word.replace("{}", str(world)) for word in words), cwd=world,
                     expect=2).stderr.decode()
    assert "are the same file; name two" in said, said
    assert contents(world) == before


def test_two_outputs_through_links_that_lead_nowhere_yet(world):
    (world / "one").symlink_to("new")
    (world / "two").symlink_to(world / "new")
    said = firstmile(*CHECK, "--baseline", "baseline.json", "--json-file", "one", "--junit", "two",
                     cwd=world, expect=2).stderr.decode()
    assert "are the same file; name two" in said, said
    assert not (world / "new").exists()


def test_standard_output_is_no_input_and_no_other_output(world):
    def run(words, stdout, **more):
        return subprocess.run([BINARY, *words], cwd=world, stdout=stdout, stderr=subprocess.PIPE,
                              **{"stdin": subprocess.DEVNULL, **more})

    dump = (world / "dump.ndjson").read_bytes()
    with open(world / "dump.ndjson", "ab") as output:
        done = run(REPORT[:-1], output)
    assert done.returncode == 2 and b"standard output would replace an input" in done.stderr
    with open(world / "new", "ab") as output:
        done = run(CHECK + ["--baseline", "baseline.json", "--junit", "new"], output)
    assert done.returncode == 2 and b"and standard output are the same file" in done.stderr
    with open(world / "dump.ndjson", "rb") as given:
        done = run(["report", "-", "--flow", "flow.yaml", "--rejects", "dump.ndjson"],
                   subprocess.DEVNULL, stdin=given)
    assert done.returncode == 2 and b"would replace standard input" in done.stderr, done.stderr
    assert (world / "dump.ndjson").read_bytes() == dump


# Every command, with a file that it reads.
READERS = {
    "start": (["start", "dump.ndjson", "--yes"], "dump.ndjson"),
    "report": (REPORT[:-1], "dump.ndjson"),
    "compare": (["compare", "baseline-report", "baseline-report"], "baseline-report/metrics.json"),
    "check": (CHECK + ["--baseline", "baseline.json"], "gate.yaml"),
    "validate": (["validate", "dump.ndjson", "--flow", "flow.yaml"], "dump.ndjson"),
    "funnel": (["funnel", "dump.ndjson", "--flow", "flow.yaml", "--steps", "a > b"], "dump.ndjson"),
    "retention": (["retention", "dump.ndjson", "--flow", "flow.yaml"], "dump.ndjson"),
    "reconcile": (["reconcile", "dump.ndjson", "--flow", "flow.yaml", "--and", "mixpanel", "--steps",
                   "a > b"], "flow.yaml"),
    "ingest": (["ingest", "dump.ndjson", "--flow", "flow.yaml", "--store", "store.sqlite"],
               "store.sqlite"),
    "watch": (["watch", ".", "--flow", "flow.yaml", "--store", "store.sqlite"], "store.sqlite"),
    "serve": (["serve", "--store", "store.sqlite", "--port", "0"], "store.sqlite"),
    "store info": (["store", "info", "store.sqlite"], "store.sqlite"),
    "store verify": (["store", "verify", "store.sqlite"], "store.sqlite"),
    "store compact": (["store", "compact", "store.sqlite"], "store.sqlite"),
    "store drop": (["store", "drop", "store.sqlite", "1"], "store.sqlite"),
    "store forget": (["store", "forget", "store.sqlite", "u1"], "store.sqlite"),
    "store export": (["store", "export", "people.csv", "--store", "store.sqlite"], "store.sqlite"),
    "explain": (["explain", "u1", "dump.ndjson", "--flow", "flow.yaml"], "dump.ndjson"),
    "timelines": (["timelines", "dump.ndjson", "--flow", "flow.yaml", "--left-at", "welcome",
                   "--page", "page.html"], "dump.ndjson"),
    "simulate": (["simulate", "--flow", "flow.yaml", "--out", "simulated"], "flow.yaml"),
    "flow check": (["flow", "check", "flow.yaml"], "flow.yaml"),
    "flow init": (["flow", "init", "dump.ndjson"], "dump.ndjson"),
    "flow swift": (["flow", "swift", "flow.yaml"], "flow.yaml"),
    "partition": (["partition", "dump.ndjson", "--flow", "flow.yaml", "--partitions", "1", "--out",
                   "divided"], "dump.ndjson"),
    "stitch": (["stitch", "segments", "--flow", "flow.yaml", "--out", "united"], "flow.yaml"),
    "survey": (["survey", "segments", "stitched", "--flow", "flow.yaml", "--out", "asked"], "flow.yaml"),
    "tally": (["tally", "segments", "stitched", "--surveys", "surveys", "--flow", "flow.yaml", "--out",
               "counted"], "flow.yaml"),
    "share": (["share", "tallies", "--flow", "flow.yaml", "--out", "shared.csv"], "flow.yaml"),
}
READS_NO_FILE = {"power", "flow list", "flow show"}


def commands(*words):
    """The names of all commands, of the lowest level, as the help lists them."""
    text = firstmile(*words, "--help").stdout.decode()
    listed = text.partition("SUBCOMMANDS:\n")[2]
    names = re.findall(r"^  ([a-z]+)(?:  |$)", listed, re.M)
    if not names:
        yield " ".join(words)
    for name in names:
        yield from commands(*words, name)


def test_every_command_is_tried_with_its_output_going_to_what_it_reads():
    assert set(commands()) == READERS.keys() | READS_NO_FILE


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
@pytest.mark.parametrize("command", READERS)
def test_no_command_writes_its_output_to_what_it_reads(world, command, stream):
    words, victim = READERS[command]
    firstmile(*REPORT, "--out", "baseline-report", "--max-reject-rate", "100%", cwd=world)
    before = (world / victim).read_bytes()
    with open(world / victim, "ab") as output:
        streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, stream: output}
        done = subprocess.run([BINARY, *words], cwd=world, stdin=subprocess.DEVNULL, timeout=60,
                              **streams)
    assert done.returncode == 2
    if stream == "stdout":
        said = done.stderr.decode()
        assert "standard output" in said, said
        assert "would replace" in said or "are the same file" in said, said
        assert (world / victim).read_bytes() == before
    else:
        # The refusal itself is all that may come to stand there.
        added = (world / victim).read_bytes().removeprefix(before).decode()
        assert added.startswith("firstmile: ") and added.count("\n") == 1, added


@pytest.mark.parametrize("out", ["store.sqlite-rejects", "store.sqlite-rejects/deep/er"])
def test_no_report_goes_into_the_place_of_a_store_s_rejected_lines(world, out):
    firstmile("ingest", "empty.ndjson", "--flow", "flow.yaml", "--store", "clean.sqlite", "--quiet",
              cwd=world)
    out = out.replace("store", "clean")
    (world / "clean.sqlite-rejects").rmdir()
    before = contents(world)
    said = firstmile("report", "--store", "clean.sqlite", "--out", out, cwd=world,
                     expect=2).stderr.decode()
    assert "would replace the store's folder of rejected lines" in said, said
    assert contents(world) == before and not (world / "clean.sqlite-rejects").exists()


@pytest.mark.parametrize("length", [200, 230, 240, 250, 255])
def test_names_as_long_as_the_system_takes(world, length):
    name = "é" * ((length - 1) // 2) + "x" * (length - 2 * ((length - 1) // 2))
    assert len(name.encode()) == length
    for words in (["store", "export", name, "--store", "store.sqlite"],
                  CHECK + ["--accept", "--baseline", name],
                  [*REPORT, "--max-reject-rate", "100%", "--rejects", name]):
        firstmile(*words, cwd=world)
        (world / name).unlink()
    assert not [path for path in world.iterdir() if "part" in path.name]


def test_line_feeds_in_names_stay_on_the_line(world):
    (world / "gate.yaml").rename(world / "gate\nfirstmile: fine")
    words = [word.replace("gate.yaml", "gate\nfirstmile: fine") for word in CHECK]
    said = firstmile(*words, "--baseline", "baseline.json", "--junit", "gate\nfirstmile: fine",
                     cwd=world, expect=2).stderr.decode()
    assert said == ("firstmile: --junit 'gate\\x0Afirstmile: fine' would replace the gate file, "
                    "which is read; name another file\n")
    for words in (["store", "info", "no\nstore"], ["compare", "no\nreport", "no\nreport"],
                  ["report", "dump.ndjson", "--flow", "no\nflow"], ["flow", "check", "no\nflow"],
                  ["report", "--store", "no\nstore"], ["watch", "no\nfolder", "--store", "s",
                                                      "--flow", "flow.yaml"]):
        said = firstmile(*words, cwd=world, expect=2).stderr.decode()
        assert said.count("\n") == 1 and re.search(r"no\\(x0A|u\{A\})", said), said


def test_outputs_that_are_right_are_written(world):
    words = CHECK + ["--baseline", "baseline.json"]
    (world / "linked").symlink_to("junit.xml")
    (world / "junit.xml").write_text("old")
    os.chmod(world / "junit.xml", 0o640)
    (world / "summary.md").write_text("# Before\n")
    firstmile(*words, "--json-file", "new.json", "--junit", "linked", "--summary", "summary.md",
              cwd=world, expect=(0, 1))
    assert (world / "linked").is_symlink() and "<testsuite" in (world / "junit.xml").read_text()
    assert (world / "junit.xml").stat().st_mode & 0o777 == 0o640
    assert json.loads((world / "new.json").read_text())
    assert (world / "summary.md").read_text().startswith("# Before\n")
    for _ in range(2):
        firstmile(*REPORT, "--out", "out", "--rejects", "out/rejects.ndjson", "--max-reject-rate",
                  "100%", cwd=world)
        firstmile("store", "export", "people.csv", "--store", "store.sqlite", cwd=world)
    assert (world / "out/report.html").exists() and (world / "out/rejects.ndjson").exists()
    assert (world / "people.csv").stat().st_mode & 0o777 == 0o600


def test_what_a_killed_run_left_beside_is_neither_followed_nor_in_the_way(world):
    precious = world / "precious"
    precious.write_text("all there is")
    (world / "out").mkdir()
    for place in ("out/.report.html", ".people.csv", ".new.json", ".junit.xml"):
        place += ".firstmile.part"
        (world / place).symlink_to(precious)
    os.link(precious, world / "out/.metrics.json.firstmile.part")
    firstmile(*REPORT, "--out", "out", "--max-reject-rate", "100%", cwd=world)
    firstmile("store", "export", "people.csv", "--store", "store.sqlite", cwd=world)
    firstmile(*CHECK, "--baseline", "baseline.json", "--json-file", "new.json", "--junit",
              "junit.xml", cwd=world, expect=(0, 1))
    assert precious.read_text() == "all there is"
    assert not list(world.rglob("*.part")), list(world.rglob("*.part"))
    assert "<html" in (world / "out/report.html").read_text()
    assert not (world / "people.csv").is_symlink() and not (world / "new.json").is_symlink()


@pytest.mark.parametrize("place", ["out", "pipe", "/dev/null", ""])
def test_an_output_file_is_an_ordinary_file(world, place):
    (world / "out").mkdir()
    os.mkfifo(world / "pipe")
    for words in (REPORT + ["--rejects", place], CHECK + ["--accept", "--baseline", place],
                  ["store", "export", place, "--store", "store.sqlite"]):
        firstmile(*words, cwd=world, expect=2)
    assert not os.path.isfile("/dev/null") and not list((world / "out").iterdir())


def test_a_simulation_replaces_no_file(world):
    out = world / "simulated"
    firstmile("simulate", "--flow", "flow.yaml", "--persons", "20", "--out", out, "--quiet",
              cwd=world)
    before = contents(out)
    firstmile("simulate", "--flow", "flow.yaml", "--persons", "20", "--out", out, "--quiet",
              cwd=world, expect=2)
    assert contents(out) == before


IDS = ["../../escaped", "..", "/etc/escaped", ".hidden", "with space", "v1.2", "名前", "--json", "a/b",
       "nul", "x" * 200, "/" * 200]


@pytest.mark.parametrize("flow", IDS)
def test_reports_of_any_flow_stay_in_their_folder(whole, folder, flow):
    (folder / "one.yaml").write_text(f"flow: {json.dumps(flow)}\nwindow: 24h\nsteps: [welcome]\n")
    firstmile("report", whole / "dump.ndjson", "--flow", "one.yaml", "--flow", whole / "flow.yaml",
              "--out", "deep/in/out", "--quiet", "--max-reject-rate", "100%", cwd=folder)
    there = {path.relative_to(folder).as_posix() for path in folder.rglob("*.html")}
    # Several flows have an index over them.
    there.remove("deep/in/out/index.html")
    assert len(there) == 2 and "deep/in/out/small/report.html" in there, there
    assert all(place.startswith("deep/in/out/") and place.count("/") == 4 for place in there), there
    assert not any(name.startswith(".") for name in os.listdir(folder / "deep/in/out"))


def test_flows_whose_folders_ignore_case_are_refused(whole, folder):
    for name in ("Plan", "plan"):
        (folder / f"{name}-file.yaml").write_text(f"flow: {name}\nwindow: 24h\nsteps: [welcome]\n")
    both = ["report", whole / "dump.ndjson", "--flow", "Plan-file.yaml", "--flow", "plan-file.yaml",
            "--quiet", "--max-reject-rate", "100%"]
    said = firstmile(*both, "--out", "out", cwd=folder, expect=2).stderr.decode()
    assert "'Plan' and of flow 'plan' would go to one folder" in said, said
    assert not (folder / "out").exists()
    firstmile(*both, cwd=folder)


def test_an_input_that_is_called_like_an_unfinished_file_stays(world):
    (world / "store.sqlite").rename(world / "people.csv.part")
    (world / "gate.yaml").rename(world / "junit.xml.part")
    (world / "verdict.json.part").write_text("an upload of somebody's")
    before = (world / "people.csv.part").read_bytes(), (world / "junit.xml.part").read_bytes()
    firstmile("store", "export", "people.csv", "--store", "people.csv.part", cwd=world)
    command = [word if word != "gate.yaml" else "junit.xml.part" for word in CHECK]
    firstmile(*command, "--baseline", "baseline.json", "--json-file", "verdict.json", "--junit",
              "junit.xml", cwd=world, expect=(0, 1))
    assert (world / "verdict.json.part").read_text() == "an upload of somebody's"
    assert before == ((world / "people.csv.part").read_bytes(), (world / "junit.xml.part").read_bytes())
