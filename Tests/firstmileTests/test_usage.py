"""Wrong usage of any command."""

import os
import subprocess

import pytest

from harness import (
    BINARY, GATE, ROOT, SAMPLE, contents, firstmile, sample_files, sample_lines,
)


ANY = tuple(range(256))


def test_wrong_usage_ends_with_2_and_says_what_is_right(folder):
    unknown = firstmile("report", "x.ndjson", "--flow", "aqi", expect=ANY)
    assert b"aiq" in unknown.stderr, unknown.stderr
    wrong = [] if unknown.returncode == 2 else [f"--flow aqi: {unknown.returncode}"]
    dump = ["report", *sample_files()[:1], "--flow", SAMPLE]
    for arguments in (["report", "--colour"], [*dump, "--threads", "0"], [*dump, "--threads", "x"],
                      ["report", "x"], ["report", "--flow", SAMPLE], ["reprot"],
                      [*dump, "--max-reject-rate", "7"], [*dump, "--as-of", "yesterday"],
                      *([*dump, option, moment] for option in ("--as-of", "--from", "--to", "--history-from")
                        for moment in ("2026-02-30T10:00:00Z", "2026-02-01T25:00:00Z", "2026-02-01T10:00:00Zfoo",
                                       "2026-02-01T10:60:00Z", "2026-13-01T10:00:00Z", "2026-02-01T10:00:00+9")),
                      [*dump, "--flow", SAMPLE], [*dump, "--key-file", folder / "none"],
                      ["ingest", *dump[1:], "--flow", SAMPLE, "--store", folder / "x"],
                      ["simulate", "--flow", SAMPLE, "--persons", "none", "--out", folder]):
        done = firstmile(*arguments, expect=ANY)
        if done.returncode != 2 or not done.stderr or done.stdout:
            wrong.append(f"{arguments}: {done.returncode}, {len(done.stdout)} bytes of output")
    assert not wrong, "exit code 2 and a message on standard error:\n" + "\n".join(wrong)


def test_misspelt_words_get_the_nearest_right_one(folder):
    for words, near in ((["report", "x", "--flwo", SAMPLE], "'--flow'"), (["rpeort"], "'report'"),
                        (["report", "x", "-flow", SAMPLE], "'--flow'"),
                        (["report", "x", "--flow", SAMPLE, "--memory=1G"], "'--memory-limit'"),
                        (["help", "chekc"], "'check'"), (["store", "infoo", "x"], "'info'"),
                        (["flow", "shwo", SAMPLE], "'show'"), (["flow", "show", "aqi"], "'aiq'"),
                        (["report", "x", "--flow", "aqi"], "'aiq'")):
        done = firstmile(*words, expect=2)
        assert f"did you mean {near}?" in done.stderr.decode(), (words, done.stderr)
    far = firstmile("xyzzy", expect=2).stderr.decode()
    assert "there are start, report, compare, check" in far, far
    # What follows -- is no option, and a right line with something else wrong is told as that.
    done = firstmile("report", "--flow", SAMPLE, "--", "--flwo", expect=2)
    assert b"has no option" not in done.stderr, done.stderr


def test_values_out_of_bounds_are_told_with_what_is_allowed(folder):
    dump = ["report", *sample_files()[:1], "--flow", SAMPLE]
    power = ["power", "--rate", "60%", "--lift", "5%"]
    asked = ["funnel", *dump[1:], "--steps", "onboarding_started > onboarding_completed"]
    for words, allowed in (([*dump, "--memory-limit", "-5"], "such as 512M"),
                           ([*dump, "--memory-limit=much"], "such as 512M"),
                           ([*dump, "--memory-limit", "4"], "from 1K"),
                           ([*dump, "--threads", "-1"], "at least 1, found -1"),
                           ([*dump, "--max-reject-rate", "-1%"], "from 0 to 1"),
                           (["check", *dump[1:], "--history", "-1"], "from 1 to 3660"),
                           (["check", *dump[1:], "--examples", "-1"], "from 0 to 5"),
                           (["simulate", "--flow", SAMPLE, "--out", folder / "x", "--persons", "-3"],
                            "at least 1, found -3"),
                           (["simulate", "--flow", SAMPLE, "--out", folder / "x", "--seed", "-3"],
                            "whole number from 0"),
                           (["simulate", "--flow", SAMPLE, "--out", folder / "x", "--threads", "0"],
                            "at least 1"),
                           (["store", "compact", folder / "x", "--wait", "-1"], "from 0, found -1"),
                           ([*power, "--per-day", "0"], "above 0"),
                           ([*power, "--per-day", "-4"], "above 0"),
                           ([*power, "--arms", "-1"], "at least 1"),
                           ([*power, "--arms", "9223372036854775807"], "at most 1000"),
                           (["watch", folder, "--store", folder / "x", "--every", "1e300"], "86400"),
                           (["watch", folder, "--store", folder / "x", "--settle", "nan"], "86400"),
                           ([*asked, "--returned-on", "-1"], "from 1 to 3650, found -1"),
                           ([*asked, "--within", "0s"], "no duration above 0"),
                           ([*power, "--power", "1"], "between 0 and 1")):
        done = firstmile(*words, expect=2)
        assert allowed in done.stderr.decode() and not done.stdout, (words, done.stderr)
    # A folder's place is taken, and nothing was written into it.
    (folder / "file").write_text("")
    said = firstmile("simulate", "--flow", SAMPLE, "--out", folder / "file", expect=2).stderr.decode()
    assert "is a file; --out needs a folder" in said and "delete" not in said, said
    two = firstmile("timelines", *dump[1:], "--flow", "dequeue", "--left-at", "auth", "--page", folder / "x.html",
                    expect=2).stderr.decode()
    assert "one flow is asked about here" in two and "the store" not in two, two
    # Rates have as many decimals as they need.
    for rate, words in (("0.02%", "from 0.02 % to 0.021 %"), ("1%", "from 1 % to 1.1 %")):
        found = firstmile("power", "--rate", rate, "--lift", "5%").stdout.decode()
        assert words in found, found
    # A drop is a lift below 0.
    assert b"60 % to 57 %" in firstmile("power", "--rate", "60%", "--lift", "-5%").stdout


def test_dates_with_nothing_in_between_are_told_before_reading(folder):
    steps = ["--steps", "onboarding_started > onboarding_completed"]
    for command, more in (("report", []), ("funnel", steps), ("validate", []), ("check", ["--gate", GATE]),
                          ("reconcile", [*steps, "--and", "mixpanel"])):
        for dates in (("2026-02-03", "2026-02-01"), ("2026-02-03", "2026-02-03")):
            done = firstmile(command, folder / "none.ndjson", "--flow", SAMPLE, *more,
                             "--from", dates[0], "--to", dates[1], expect=2)
            said = done.stderr.decode()
            assert f"found --from {dates[0]} --to {dates[1]}" in said, (command, said)
            assert "the day after" in said and not done.stdout, (command, said)


def test_places_that_reports_cannot_have_are_told_before_reading(folder):
    (folder / "file").write_text("mine")
    (folder / "file" "2").write_text("mine")
    for out, said in (("", "--out is empty"), (folder / "file", "is a file; --out needs a folder"),
                      (folder / "file/in/it", "is a file; --out needs a folder")):
        done = firstmile("report", folder / "none.ndjson", "--flow", SAMPLE, "--out", out, expect=2)
        assert said in done.stderr.decode() and b"none.ndjson" not in done.stderr, done.stderr
    for rejects in ("", folder / "file/rejects"):
        done = firstmile("report", *sample_files(), "--flow", SAMPLE, "--rejects", rejects, expect=2)
        assert b"rejects" in done.stderr and b"NSCocoa" not in done.stderr, done.stderr
    assert sorted(contents(folder)) == ["file", "file2"], contents(folder)


def test_help_and_version_end_with_0(folder):
    for arguments in (["--help"], ["--version"], ["report", "--help"], ["help", "simulate"]):
        assert firstmile(*arguments).stdout


def test_a_closed_pipe_is_no_error(folder):
    sample_lines()
    command = f"'{BINARY}' report sample-events/{SAMPLE} --flow {SAMPLE} --json"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command} | head -c 10 >/dev/null"],
                          cwd=ROOT, capture_output=True)
    assert done.returncode == 0, (done.returncode, done.stderr)


def test_shells_complete_flows_and_formats(folder):
    script = folder / "firstmile.bash"
    script.write_bytes(firstmile("--generate-completion-script", "bash").stdout)
    (folder / "flows").mkdir()
    (folder / "flows" / "ours.yaml").write_text("")
    (folder / "flows" / "notes.txt").write_text("")

    def offered(*words):
        line = " ".join(words)
        asked = "\n".join([
            f"source '{script}'", f"COMP_WORDS=({line})", f"COMP_CWORD={len(words) - 1}",
            f"COMP_LINE='{line}'", f"COMP_POINT={len(line)}",
            f"_firstmile firstmile '{words[-1]}' '{words[-2]}'", "printf '%s\\n' \"${COMPREPLY[@]}\""])
        environment = {"PATH": f"{BINARY.parent}:/usr/bin:/bin"}
        done = subprocess.run(
            ["bash", "-c", asked], cwd=folder, env=environment, capture_output=True, check=True)
        return done.stdout.decode().split()

    assert offered("firstmile", "report", "--flow", "a") == ["aiq"]
    assert offered("firstmile", "report", "--flow", "flows/") == ["flows/ours.yaml"]
    assert offered("firstmile", "report", "--format", "mix") == ["mixpanel", "mixpanel-table"]
    assert offered("firstmile", "retent") == ["retention"]


@pytest.mark.parametrize("words", [
    ["report", "DUMP", "--flow", "PIPE", "--out", "out"], ["flow", "check", "PIPE"],
    ["check", "DUMP", "--flow", SAMPLE, "--gate", "PIPE"],
    ["check", "DUMP", "--flow", SAMPLE, "--gate", "GATE", "--baseline", "PIPE"],
    ["compare", "PIPE", "PIPE"], ["share", "PIPE", "--flow", SAMPLE],
    ["report", "--tallies", "PIPE", "--flow", SAMPLE, "--out", "out"],
    ["report", "DUMP", "--flow", SAMPLE, "--key-file", "PIPE", "--out", "out"],
])
def test_pipes_that_nobody_writes_to_are_not_waited_for(folder, words):
    os.mkfifo(folder / "pipe")
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, at_least: 1%}]\n")
    places = {"PIPE": folder / "pipe", "DUMP": sample_files()[0], "GATE": folder / "gate.yaml"}
    said = firstmile(*(places.get(word, word) for word in words), cwd=folder, expect=2).stderr.decode()
    assert "is a pipe" in said, said


def test_a_flow_file_from_the_shell_is_read(folder):
    (folder / "flow.yaml").write_text("flow: app\nsteps: [welcome, plan]\n")
    done = subprocess.run(["bash", "-c", f"'{BINARY}' flow check <(cat flow.yaml)"], cwd=folder, capture_output=True)
    assert done.returncode == 0 and b"flow app: 2 steps" in done.stdout, done


def test_reasons_are_the_systems_own(folder):
    (folder / "file").write_text("")
    for words in (["report", *sample_files()[:1], "--flow", SAMPLE, "--out", folder / "out", "--rejects",
                   folder / "file/x"],
                  ["simulate", "--flow", SAMPLE, "--out", "/proc/nothing/x"],
                  ["partition", *sample_files()[:1], "--flow", SAMPLE, "--partitions", "1", "--out", "/proc/nothing"]):
        said = firstmile(*words, expect=2).stderr.decode()
        assert "operation" not in said and ("No such file" in said or "File exists" in said or "Not a dir" in said), said
