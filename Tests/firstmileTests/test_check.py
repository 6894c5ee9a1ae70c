"""`firstmile check`: the gate."""

import csv
import gzip
import json
import pathlib
import re
import shutil

import pytest

from harness import APPS, GATE, ROOT, SAMPLE, firstmile, gate, report, sample_files, sample_lines


def test_the_first_night_decides_nothing(folder):
    # Nobody's time is over: nothing is excluded, so nothing may be called no difference.
    report(["sample-events/dequeue"], folder / "out", "--as-of", "2026-01-07", flow="dequeue")
    text = (folder / "out" / "report.md").read_text()
    assert "No difference shown" not in text and "Too early to decide" in text, text[:1500]


def dump_without_finishers(folder):
    """The sample without every second completion."""
    folder.mkdir()
    kept, completions = [], 0
    for line in sorted(set(sample_lines())):
        if b'"onboarding_completed"' in line:
            completions += 1
            if completions % 2:
                continue
        kept.append(line)
    (folder / "broken.ndjson").write_bytes(b"\n".join(kept))
    return folder


def test_a_summary_is_put_after_what_is_there(folder):
    place = folder / "summary.md"
    place.write_text("before\n")
    for times in (1, 2):
        gate(sample_files(), "--baseline", f"reports/{SAMPLE}/metrics.json", "--summary", place)
        text = place.read_text()
        assert text.startswith("before\n## Gate ") and text.count("## Gate ") == times, text
    gate(sample_files(), "--baseline", f"reports/{SAMPLE}/metrics.json", "--summary",
         folder / "new.md")
    assert (folder / "new.md").read_text().startswith("## Gate ")


def test_the_gate_lets_the_samples_pass_against_their_reports(folder):
    if not APPS:
        pytest.skip("no sample-events; script/sample-events makes them")
    for app in APPS:
        done = gate([f"sample-events/{app}"], "--baseline", f"reports/{app}/metrics.json", "--json",
                    flow=app)
        verdicts = [entry["verdict"] for entry in json.loads(done.stdout)["checks"]]
        assert len(verdicts) >= 8 and set(verdicts) == {"pass"}, f"{app}: {done.stdout.decode()}"


def test_the_gate_fails_where_completions_are_gone_and_says_why(folder):
    broken = dump_without_finishers(folder / "broken")
    done = gate([broken], "--baseline", f"reports/{SAMPLE}/metrics.json", "--examples", 3,
                "--json-file", folder / "check.json", expect=1)
    assert b"FAILED" in done.stdout, done.stdout
    checks = json.loads((folder / "check.json").read_text())["checks"]
    failed = next(entry for entry in checks if entry["metric"] == "completion_rate")
    assert failed["verdict"] == "fail" and failed["contributions"], failed
    assert len(failed["examples"]) == 3, failed
    told = firstmile("explain", failed["examples"][0], broken, "--flow", SAMPLE).stdout
    assert b"onboarding_" in told, told


def test_examples_are_the_same_persons_whatever_the_threads(folder):
    dump = folder / "dump"
    firstmile("simulate", "--flow", SAMPLE, "--persons", 3000, "--out", dump, "--quiet")
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, at_least: 99%}]\n"
                                      "targets: ignore\n")
    told = set()
    for options in (["--threads", 1], *[["--threads", 4]] * 4, ["--memory-limit", "1K"]):
        done = firstmile("check", dump, "--flow", SAMPLE, "--gate", folder / "gate.yaml", "--json",
                         "--examples", 5, *options, expect=1)
        told.add(tuple(json.loads(done.stdout)["checks"][0]["examples"]))
    assert len(told) == 1, told
    examples = list(told.pop())
    assert len(examples) == 5 and examples == sorted(examples), examples


def test_an_accepted_baseline_is_stable_and_holds(folder):
    sample_lines()
    inputs = [f"sample-events/{SAMPLE}"]
    for name in ("one", "two"):
        gate(inputs, "--baseline", folder / name, "--accept", "--threads", 1 + len(name) % 2)
    assert (folder / "one").read_bytes() == (folder / "two").read_bytes()
    gate(inputs, "--baseline", folder / "one", "--quiet")
    # Another set of dumps is a baseline too.
    gate(inputs, "--against", f"sample-events/{SAMPLE}", "--quiet")
    gate(inputs, "--baseline", f"reports/{APPS[-1]}/metrics.json", "--quiet", expect=(2, 4))


def test_the_gate_tells_its_verdict_in_every_form(folder):
    broken = dump_without_finishers(folder / "broken")
    done = gate([broken], "--baseline", f"reports/{SAMPLE}/metrics.json", "--annotations", "--quiet",
                "--junit", folder / "check.xml", "--summary", folder / "summary.md",
                "--json-file", folder / "check.json", expect=1)
    grammar = re.compile(r"::(error|warning) (file=[^,:]+(,line=\d+,col=\d+)?,)?title=[^,:]+::.+")
    lines = done.stdout.decode().splitlines()
    assert lines and all(grammar.fullmatch(line) for line in lines), lines
    text = pathlib.Path(ROOT / GATE).read_text().splitlines()
    line = int(re.search(r"line=(\d+)", lines[0]).group(1))
    assert "metric:" in text[line - 1], text[line - 1]
    assert (folder / "summary.md").read_text().startswith("## Gate "), "summary"
    plan = gate([f"sample-events/{SAMPLE}"], "--baseline", f"reports/{SAMPLE}/metrics.json",
                "--plan", "--json")
    try:
        import jsonschema
        import junitparser
    except ImportError:
        pytest.skip("no jsonschema or junitparser; script/setup --tests installs them")
    validator = jsonschema.Draft202012Validator(
        json.loads((ROOT / "docs/check.schema.json").read_text()))
    for document in ((folder / "check.json").read_bytes(), plan.stdout):
        for error in validator.iter_errors(json.loads(document)):
            raise AssertionError(f"at {error.json_path}: {error.message}")
    suites = junitparser.JUnitXml.fromfile(str(folder / "check.xml"))
    checks = json.loads((folder / "check.json").read_text())["checks"]
    failed = sum(entry["severity"] == "error" and entry["verdict"] == "fail" for entry in checks)
    assert suites.failures == failed > 0, (suites.failures, failed)
    assert suites.tests == sum(len(suite) for suite in suites), suites.tests
    cases = [case for suite in suites for case in suite]
    assert sum(any(isinstance(result, junitparser.Failure) for result in case.result)
               for case in cases) == failed


def test_a_gate_without_rules_is_no_pass(folder):
    for options in ([], ["--plan"], ["--baseline", folder / "x", "--accept"]):
        done = firstmile("check", f"sample-events/{SAMPLE}", "--flow", SAMPLE, *options, expect=2)
        assert b"nothing was checked" in done.stderr and b"at_least" in done.stderr, done.stderr
        assert not done.stdout, done.stdout
    # What the message shows is a gate file.
    rules = done.stderr.decode().partition("for example:\n")[2]
    (folder / "gate.yaml").write_text(rules)
    firstmile("check", f"sample-events/{SAMPLE}", "--flow", SAMPLE, "--gate", folder / "gate.yaml")
    # The flow's targets are rules.
    firstmile("check", "sample-events/dequeue", "--flow", "dequeue", expect=(0, 1))
    (folder / "gate.yaml").write_text("rules: []\n")
    firstmile("check", f"sample-events/{SAMPLE}", "--flow", SAMPLE, "--gate", folder / "gate.yaml",
              expect=2)
    (folder / "gate.yaml").write_bytes(rules.encode() + b"# bl\xf6d\n")
    done = firstmile("check", f"sample-events/{SAMPLE}", "--flow", SAMPLE, "--gate",
                     folder / "gate.yaml", expect=2)
    assert b"gate.yaml:4:5: not UTF-8" in done.stderr, done.stderr


IDS = re.compile(rb'"(?:user|device)_id":"([^"]+)"')


@pytest.fixture(scope="module")
def stores_of_days(tmp_path_factory):
    """Two stores that got a dump a day, and its days: from the 22nd on one got every third completion.

    Their flow has no app's name, so that nothing happens on its days: no weekend, release or lost event."""
    folder = tmp_path_factory.mktemp("days")
    dump, same, drop, steady = (folder / name for name in ("days", "same.sqlite", "drop.sqlite", "steady.yaml"))
    text = firstmile("flow", "show", SAMPLE).stdout.decode()
    steady.write_text(re.sub(rf"^flow: {SAMPLE}$", "flow: steady", text, count=1, flags=re.MULTILINE))
    firstmile("simulate", "--flow", steady, "--persons", 4000, "--days", 28, "--seed", 11,
              "--out", dump, "--quiet", "--tidy")

    def ingest(path, store):
        firstmile("ingest", path, "--store", store, "--flow", steady, "--quiet")

    completions, before = 0, set()
    paths = sorted(dump.glob("*.gz"))
    for number, path in enumerate(paths):
        if number == 21:
            shutil.copy(same, drop)
        ingest(path, same)
        lines = gzip.decompress(path.read_bytes()).splitlines()
        if number < 21:
            # Who began before that day still completes: the days before stay as they are.
            before.update(IDS.findall(b"\n".join(lines)))
            continue
        kept = []
        for line in lines:
            if b'"onboarding_completed"' in line and before.isdisjoint(IDS.findall(line)):
                completions += 1
                if completions % 3:
                    continue
            kept.append(line)
        path.write_bytes(gzip.compress(b"\n".join(kept) + b"\n"))
        ingest(path, drop)
    return same, drop, [path.name[:10] for path in paths]


def test_days_are_held_against_the_days_before_them_in_the_store(folder, stores_of_days):
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, not_worse_by: 5%}]\n")

    def check_days(store, *options, expect):
        done = firstmile("check", "--store", store, "--gate", folder / "gate.yaml", "--json", *options,
                         expect=expect)
        return json.loads(done.stdout)["checks"][0]

    store, dropped, days = stores_of_days
    since = ["--from", days[21], "--to", days[27], "--as-of", days[27]]
    held = check_days(store, *since, "--history", 14, expect=0)
    # On the same weekdays people finished less often in the two weeks before.
    assert held["verdict"] == "pass" and held["days"]["known"] == 14, held
    assert held["days"]["reference_on_same_weekdays"] < held["reference"]["value"], held
    # The fourteen days before are what a report on them says.
    firstmile("report", "--store", store, "--from", days[7], "--to", days[21], "--as-of", days[27],
              "--out", folder / "before", "--quiet")
    row = next(row for row in csv.DictReader((folder / "before/metrics.csv").read_text().splitlines())
               if row["metric"] == "completion_rate")
    assert held["reference"]["numerator"] == int(row["numerator"]), (held, row)
    assert held["reference"]["denominator"] == int(row["denominator"]), (held, row)

    store = dropped
    fallen = check_days(store, *since, "--history", 14, expect=1)
    assert fallen["verdict"] == "fail", fallen
    assert fallen["reference"] == held["reference"], (fallen, held)
    # With the drop in the days before too, there is none between them.
    firstmile("check", "--store", store, "--gate", folder / "gate.yaml", "--quiet", "--history", 2,
              "--from", days[25], "--to", days[27], "--as-of", days[27])
    done = firstmile("check", "--store", store, "--gate", folder / "gate.yaml", "--history", 14,
                     expect=2)
    assert b"--history needs --from" in done.stderr, done.stderr


def test_a_plan_is_replayed_over_the_past_days_of_a_store(folder, stores_of_days):
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, not_worse_by: 3%}]\n")
    _, store, days = stores_of_days

    def check_days(last, *options, expect):
        done = firstmile("check", "--store", store, "--gate", folder / "gate.yaml", "--json",
                         "--history", 14, "--as-of", days[last], "--from", days[last - 4],
                         "--to", days[last], *options, expect=expect)
        return json.loads(done.stdout)

    replay = check_days(27, "--plan", "--replay", 9, expect=0)["replay"]
    assert len(replay) == 9, replay
    told = [day["verdict"] for day in replay]
    assert [day["horizon"][:10] for day in replay] == days[19:28], replay
    assert all(("completion_rate" in str(day["failed"])) == (day["verdict"] == "fail")
               for day in replay), replay
    # Each day's verdict is that of a gate that ran on that day, and it turns when the drop came.
    for back in range(9):
        alone = check_days(27 - back, expect=(0, 1))["verdict"]
        assert told[-1 - back] == alone, (back, told, alone)
    assert told[0] != "fail" and told[-1] == "fail", told


def test_days_of_a_replay_and_a_history_are_days_of_the_zone(folder):
    text = firstmile("flow", "show", "dequeue").stdout.decode()
    flow, dump = folder / "flow.yaml", folder / "dump"
    flow.write_text(text.replace("\nwindow:", "\ntime_zone: Europe/Berlin\nwindow:", 1))
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, not_worse_by: 3%}]\n")
    firstmile("simulate", "--flow", flow, "--persons", 6000, "--days", 90, "--out", dump, "--quiet")

    def check_days(*options):
        done = firstmile("check", dump, "--flow", flow, "--gate", folder / "gate.yaml", "--json",
                         "--history", 5, *options, expect=(0, 1, 4))
        return json.loads(done.stdout)

    # Clocks go forward in the night to the 29th.
    replay = check_days("--as-of", "2026-03-30", "--from", "2026-03-20", "--to", "2026-03-28",
                        "--plan", "--replay", 4)["replay"]
    assert [day["horizon"] for day in replay] == [
        "2026-03-27T22:59:59.999Z", "2026-03-28T22:59:59.999Z", "2026-03-29T21:59:59.999Z",
        "2026-03-30T21:59:59.999Z"], replay
    held = check_days("--as-of", "2026-04-04", "--from", "2026-03-31", "--to", "2026-04-03")
    told = held["checks"][0]["reference"]
    rows = {}
    for hour in ("", "T22:00:00Z"):
        start = "2026-03-25" + hour if hour else "2026-03-26"
        report([dump], folder / "before", "--from", start, "--to", "2026-03-31", "--as-of",
               "2026-04-04", flow=flow)
        table = csv.DictReader((folder / "before/metrics.csv").read_text().splitlines())
        row = next(row for row in table if row["metric"] == "completion_rate")
        rows[hour] = (int(row["numerator"]), int(row["denominator"]))
    # Five times 24 hours would begin an hour before midnight, and somebody began in that hour.
    assert rows[""] != rows["T22:00:00Z"], rows
    assert (told["numerator"], told["denominator"]) == rows[""], (told, rows)


def test_the_gate_ends_with_the_exit_codes_of_its_verdicts(folder):
    sample_lines()
    inputs = [f"sample-events/{SAMPLE}"]

    def run(text, expect, *options):
        (folder / "gate.yaml").write_text("targets: ignore\n" + text)
        return firstmile("check", *inputs, "--flow", SAMPLE, "--gate", folder / "gate.yaml",
                         *options, expect=expect)

    run("rules: [{metric: completion_rate, at_least: 10%}]", 0)
    run("rules: [{metric: completion_rate, at_least: 99%}]", 1)
    run("rules: [{metric: completion_rate, at_least: 99%, level: warn}]", 0)
    run("rules: [{metric: completion_rate, at_least: 99%, "
        "suppress: {reason: known, until: 2027-01-01}}]", 0)
    run("rules: [{metric: completion_rate, at_least: 99%, "
        "suppress: {reason: known, until: 2027-01-01}}]", 1, "--today", "2027-01-02")
    unsure = "rules: [{metric: completion_rate, at_least: 71%, margin: 0.1%}]"
    run(unsure, 0)
    run("on_inconclusive: fail\n" + unsure, 3)
    run("rules: [{metric: completion_rate, at_least: 10%}, {quality: rejects, at_most: 0%}]", 4)
    done = run("rules: [{metric: completion_rat, at_least: 10%}]", 2)
    assert b"did you mean 'completion_rate'?" in done.stderr, done.stderr
    done = run("rules: [{metric: completion_rate, breakdown: os=none, at_least: 10%}]", 2)
    assert b"gate.yaml:2:9: the rule matches nothing" in done.stderr, done.stderr
    # Nobody has a time to complete in a dump without completions.
    early = ["--to", "2026-01-06", "--as-of", "2026-01-06"]
    run("rules: [{metric: time_to_complete_p90, at_most: 1h}]", 0, *early)
    # What a rule goes over comes with the data: where it is not there yet, nothing is decided.
    rare = "rules: [{metric: completion_rate, for_each: os, min_persons: 100000, at_least: 10%}]"
    done = run(rare, 0)
    assert b"no slice has 100000 or more persons" in done.stdout, done.stdout
    run("on_inconclusive: fail\n" + rare, 3)
    done = run("rules: [{metric: completion_rate, not_worse_by: 2%}]", 2)
    assert b"there is none" in done.stderr, done.stderr


def night_after_night(folder, days, rate_of_day):
    """A dump of people of whom so many finish on each day from Thursday, 1 January 2026, on."""
    lines = []
    for day in range(days):
        people, finishers = rate_of_day(day)
        for number in range(people):
            who = f"{day}-{number}"
            moment = f"2026-{1 + day // 31:02}-{1 + day % 31:02}T"
            lines.append({"event": "onboarding_started", "user_id": who, "timestamp": moment + "10:00:00Z"})
            if number < finishers:
                lines.append({"event": "onboarding_completed", "user_id": who,
                              "timestamp": moment + "10:05:00Z"})
    (folder / "days.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "flow.yaml").write_text("flow: days\nsteps: [welcome, plan]\nwindow: 5m\n")
    (folder / "gate.yaml").write_text(
        "rules:\n  - {metric: completion_rate, not_worse_by: 1%}\ntargets: ignore\n"
        "baseline: baseline.json\n")
    return folder / "days.ndjson", "--flow", folder / "flow.yaml", "--gate", folder / "gate.yaml"


def usual(day):
    """Weekends have a lower rate, and days differ by some points, whatever their number of people."""
    weekend = day % 7 in (2, 3)
    return 400, (200 if weekend else 240) + (-36, 27, 12, -21, 33, -9, 18, -27, 6, -3)[day % 10]


def judged(arguments, *options, expect):
    done = firstmile("check", *arguments, *options, "--json", expect=expect)
    answer = json.loads(done.stdout)
    return answer["checks"][0], answer["remarks"]


def test_a_weekend_is_held_against_weekends_and_days_against_how_days_differ(folder):
    arguments = night_after_night(folder, 31, usual)
    # The last day is Saturday, 31 January.
    saturday = ["--from", "2026-01-31"]
    check, remarks = judged(arguments, *saturday, "--history", 28, expect=0)
    assert check["verdict"] != "fail" and not remarks, check
    assert check["days"]["known"] == 28 and 0.02 < check["days"]["deviation"] < 0.08, check["days"]
    assert abs(check["days"]["reference_on_same_weekdays"] - 0.5) < 0.03, check["days"]
    # Against ten days, of which nothing is known but their sum, the Saturday looks broken.
    check, remarks = judged(arguments, *saturday, "--history", 10, expect=1)
    assert check["verdict"] == "fail" and check["days"]["deviation"] is None, check
    assert any("Day-to-day variation is unknown" in remark for remark in remarks), remarks


def test_a_true_drop_fails_on_a_weekend_too(folder):
    arguments = night_after_night(
        folder, 31, lambda day: (400, 80) if day == 30 else usual(day))
    saturday = ["--from", "2026-01-31", "--history", 28]
    check, _ = judged(arguments, *saturday, expect=1)
    assert check["verdict"] == "fail", check
    # Ten points are the weekend's, and how many there were of each value and step is not known by day.
    assert "contributions" not in check and "alike_everywhere" not in check, check
    said = firstmile("check", *arguments, *saturday, expect=1).stdout.decode()
    assert "Not taken apart by step and value" in said, said


def test_an_accepted_baseline_keeps_its_days(folder):
    arguments = night_after_night(folder, 31, usual)
    firstmile("check", *arguments, "--from", "2026-01-02", "--to", "2026-01-31", "--history-from",
              "2026-01-01", "--accept")
    rates = json.loads((folder / "baseline.json").read_text())["metrics"]["by_day"]
    assert all(rate["from"] == "2026-01-02" and len(rate["days"].split()) == 29 for rate in rates), rates
    # The fourth day is Monday, 5 January.
    assert rates[0]["days"].split()[3] == "273/400", rates[0]
    saturday = ["--from", "2026-01-31", "--history-from", "2026-01-30"]
    check, remarks = judged(arguments, *saturday, expect=0)
    assert check["days"]["known"] == 29 and not remarks, (check, remarks)
    assert b"completion_rate" in firstmile("check", *arguments, *saturday, "--plan").stdout


def test_a_baseline_of_a_week_is_accepted_with_a_warning(folder):
    arguments = night_after_night(folder, 31, usual)

    def accepted(first):
        """What is said of a baseline from a day of January to the 30th."""
        return firstmile("check", *arguments, "--from", f"2026-01-{first:02}", "--to", "2026-01-31", "--history-from",
                         f"2026-01-{first - 1:02}", "--accept").stderr.decode()

    def judged():
        return firstmile("check", *arguments, "--from", "2026-01-31", "--history-from", "2026-01-30",
                         expect=(0, 1, 3)).stdout.decode()

    assert "fewer than 14 days" not in accepted(17)
    assert "1 test has a false-alarm rate of 5 %\n" in judged(), judged()
    said = accepted(24)
    assert "it is of fewer than 14 days, which don't show how days differ" in said, said
    assert "1 test has a false-alarm rate of 5 % if days don’t differ" in judged(), judged()


def test_a_run_with_undecided_rules_is_not_called_passed(folder):
    arguments = night_after_night(folder, 31, usual)
    saturday = ["--from", "2026-01-31", "--history", 28]

    def headlines(rules):
        (folder / "gate.yaml").write_text(f"targets: ignore\nrules:\n{rules}")
        said = firstmile("check", *arguments, *saturday, "--summary", folder / "summary.md").stdout
        summary = (folder / "summary.md").read_text().splitlines()[0]
        (folder / "summary.md").unlink()
        return said.decode().splitlines()[0].split("  ")[-1], summary.split(": ")[-1]

    sure = "  - {metric: completion_rate, at_least: 10%}\n"
    open_ = "  - {metric: completion_rate, not_worse_by: 0.1%}\n"
    assert headlines(sure) == ("passed", "✅ passed")
    assert headlines(sure + open_) == ("passed, 1 undecided", "⚠️ passed, 1 undecided")
    assert headlines(open_) == ("undecided", "⚠️ undecided")


def test_yesterdays_people_whose_windows_are_open_are_no_pass(folder):
    arguments = night_after_night(folder, 31, usual)
    (folder / "flow.yaml").write_text("flow: days\nsteps: [welcome, plan]\nwindow: 24h\n")
    (folder / "gate.yaml").write_text(
        "targets: ignore\nrules:\n  - {metric: completion_rate, at_least: 10%}\n")
    said = firstmile("check", *arguments, "--from", "2026-01-31", expect=4).stdout.decode()
    assert "nobody's window is over: all of the 400 persons" in " ".join(said.split()), said
    firstmile("check", *arguments, "--from", "2026-01-30", expect=0)
