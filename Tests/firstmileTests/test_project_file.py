"""`firstmile.yaml` in the working directory: defaults for what the command line doesn't say."""

import json

import pytest

from harness import contents, firstmile

FLOW = """flow: small
window: 24h
steps: [welcome, plan]
"""
REPORTED = "using firstmile.yaml: flow small.yaml, inputs dumps, out page"


def event(name, second, **properties):
    return json.dumps({"event": name, "user_id": "u1", "flow": "small",
                       "timestamp": f"2026-01-05T10:00:{second:02}Z", "properties": properties})


@pytest.fixture
def place(folder):
    (folder / "dumps").mkdir()
    (folder / "dumps/a.ndjson").write_text("\n".join([
        event("onboarding_started", 0), event("onboarding_page_viewed", 1, page_name="welcome"),
        event("onboarding_completed", 9)]) + "\n")
    (folder / "small.yaml").write_text(FLOW)
    (folder / "other.yaml").write_text(FLOW.replace("flow: small", "flow: other"))
    (folder / "firstmile.yaml").write_text("flow: small.yaml\ninputs: [dumps]\nout: page\n")
    return folder


def said(*words, **more):
    return firstmile(*words, **more).stderr.decode()


def test_a_report_needs_no_arguments(place):
    done = firstmile("report", cwd=place)
    assert done.stderr.decode().splitlines() == [f"firstmile: {REPORTED}"]
    assert done.stdout.decode().splitlines()[-1] == "page/report.html"


def test_the_command_line_comes_first(place):
    firstmile("report", "--out", "mine", "--quiet", cwd=place)
    assert (place / "mine/report.html").exists() and not (place / "page").exists()
    # The report of another flow would replace the project's own.
    message = said("report", "--flow", "other.yaml", "--quiet", cwd=place)
    assert "using firstmile.yaml: inputs dumps\n" in message and not (place / "page").exists()
    message = said("report", "dumps/a.ndjson", "--quiet", cwd=place)
    assert "using firstmile.yaml: flow small.yaml, out page\n" in message


@pytest.mark.parametrize("words", [
    ["validate"], ["explain", "u1"], ["funnel", "--steps", "onboarding_started > onboarding_completed"],
    ["reconcile", "--and", "mixpanel", "--steps", "onboarding_started > onboarding_completed"]],
    ids=lambda words: words[0])
def test_every_command_that_reads_dumps_takes_them(place, words):
    before = contents(place)
    message = said(*words, cwd=place)
    assert "using firstmile.yaml: flow small.yaml, inputs dumps\n" in message, message
    assert contents(place) == before


def test_a_store_has_its_own_flows(place):
    firstmile("ingest", "dumps", "--flow", "other.yaml", "--store", "s.sqlite", "--quiet", cwd=place)
    done = firstmile("report", "--store", "s.sqlite", cwd=place)
    assert "using" not in done.stderr.decode() and "flow other" in done.stdout.decode()
    (place / "firstmile.yaml").write_text("store: s.sqlite\n")
    done = firstmile("report", cwd=place)
    assert "using firstmile.yaml: store s.sqlite" in done.stderr.decode()
    assert "flow other" in done.stdout.decode()


def test_it_can_be_left_out(place):
    message = said("report", "--no-project-file", cwd=place, expect=2)
    assert "no input" in message and "using" not in message
    (place / "firstmile.yaml").write_text("flwo: x\n")
    firstmile("report", "--no-project-file", "dumps", "--flow", "small.yaml", "--quiet", cwd=place)


@pytest.mark.parametrize("text, words", [
    ("flow: small.yaml\ninput: [dumps]\n", ["firstmile.yaml:2:1: unknown key 'input'", "did you mean 'inputs'?"]),
    ("threads: many\n", ["firstmile.yaml:1:10: 'threads' must be a whole number, found 'many'"]),
    ("threads: 0\n", ["firstmile.yaml:1:10: 'threads' must be from 1 to 65536, found 0"]),
    ("flow: {a: b}\n", ["firstmile.yaml:1:7: 'flow' must be text, found a mapping"]),
    ("flow: 3\n", ["firstmile.yaml:1:7: 'flow' must be text, found '3'"]),
    ("inputs: [a, [b]]\n", ["firstmile.yaml:1:13: an item of 'inputs' must be text, found a list"]),
    ("inputs: []\n", ["firstmile.yaml:1:9: 'inputs' is an empty list"]),
    ("out:\n", ["firstmile.yaml:1:1: 'out' has no value"]),
    ("format: mixpanell\n", ["firstmile.yaml:1:9: unknown format 'mixpanell'", "did you mean 'mixpanel'?"]),
    ("memory_limit: lots\n", ["firstmile.yaml:1:15: 'memory_limit' must be a size", "found 'lots'"]),
    ("inputs: a\nstore: b\n", ["firstmile.yaml:2:1: 'inputs' or 'store', not both"]),
    ("out: a\nout: b\n", ["firstmile.yaml:2:1: ", "'out' stands twice"]),
    ("- a\n", ["firstmile.yaml:1:1: a project file must be a mapping, found a list"]),
    ("out: a\nthreads: x\nflwo: b\n", ["firstmile.yaml:2:10: ", "firstmile.yaml:3:1: unknown key 'flwo'"]),
    (b"out: \xff\n", ["firstmile.yaml:1:6: not UTF-8"]),
], ids=repr)
def test_mistakes_have_a_place_and_the_nearest_key(place, text, words):
    (place / "firstmile.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    before = contents(place)
    message = said("report", "dumps", "--flow", "small.yaml", "--out", "page", cwd=place, expect=2)
    for word in words:
        assert word in message, message
    assert "--no-project-file goes without it" in message
    assert contents(place) == before


def test_what_is_of_dumps_is_refused_beside_a_store(place):
    for line in ("endpoint_url: https://example.com", "no_sign_request: true", "format: table"):
        (place / "firstmile.yaml").write_text(f"flow: small.yaml\nstore: s.sqlite\n{line}\n")
        message = said("report", cwd=place, expect=2)
        assert f"firstmile.yaml:3:1: '{line.split(':')[0]}' is for reading 'inputs'" in message, message
    (place / "firstmile.yaml").write_text("flow: small.yaml\ninputs: dumps\nendpoint_url: nowhere\n")
    assert "--endpoint-url: " in said("report", cwd=place, expect=2)


def test_threads_and_memory_are_defaults_too(place):
    (place / "firstmile.yaml").write_text(
        "flow: small.yaml\ninputs: dumps\nthreads: 1\nmemory_limit: 1K\n")
    firstmile("report", "--quiet", cwd=place)
    message = said("report", "--threads", "0", cwd=place, expect=2)
    assert "--threads must be at least 1, found 0" in message


def test_rejected_lines_go_where_it_says(place):
    (place / "dumps/b.ndjson").write_text("no json\n")
    with open(place / "firstmile.yaml", "a") as file:
        file.write("rejects: aside.ndjson\n")
    firstmile("report", "--quiet", "--max-reject-rate", "100%", cwd=place)
    assert "no json" in (place / "aside.ndjson").read_text()


def test_ingest_takes_dumps_and_flow_from_it(place):
    message = said("ingest", "--store", "s.sqlite", "--quiet", cwd=place)
    assert "using firstmile.yaml: flow small.yaml, inputs dumps\n" in message, message
    assert "flow small" in firstmile("report", "--store", "s.sqlite", cwd=place).stdout.decode()
    (place / "firstmile.yaml").write_text("flow: small.yaml\nstore: t.sqlite\n")
    message = said("ingest", "dumps", "--quiet", cwd=place)
    assert "using firstmile.yaml: flow small.yaml, store t.sqlite\n" in message, message
    assert (place / "t.sqlite").exists()
    message = said("ingest", "dumps", "--no-project-file", cwd=place, expect=2)
    assert "no store: name one with --store" in message, message


@pytest.mark.parametrize("command", [["report"], ["validate"], ["ingest"], ["watch", "dumps"]], ids=" ".join)
def test_a_folder_with_its_name_is_an_error(place, command):
    (place / "firstmile.yaml").unlink()
    (place / "firstmile.yaml").mkdir()
    message = said(*command, cwd=place, expect=2)
    assert "firstmile.yaml: is a folder" in message and "--no-project-file" in message, message


def test_other_commands_do_not_look_at_it(place):
    (place / "firstmile.yaml").write_text("flwo: x\n")
    firstmile("flow", "check", "small.yaml", cwd=place)
    firstmile("flow", "init", "dumps", cwd=place)
    firstmile("start", "dumps", "--yes", "--flow-file", "new.yaml", cwd=place)
    assert (place / "firstmile.yaml").read_text() == "flwo: x\n"
