"""`firstmile report --against`."""

import csv
import json

from harness import firstmile

FLOW = "flow: f\nwindow: 1h\nidentity: user\nsteps: [welcome]\nhistory: 31d\n"


def two_months(path, finishers=(200, 320), people=400):
    """In February and in March as many begin; of each month's people the first so many finish.

    The data begins in December, with enough people, so both months have the flow's look-back.
    """
    lines = [f'{{"event": "app_opened", "user_id": "december-{number}", "timestamp": "2025-12-20T10:00:00Z"}}\n' for number in range(3)]
    for month, finish in zip((2, 3), finishers):
        for number in range(people):
            names = ["onboarding_started", "onboarding_page_viewed"]
            names += ["onboarding_completed"] * (number < finish)
            for second, name in enumerate(names):
                lines.append(json.dumps({
                    "event": name, "user_id": f"{month}-{number}",
                    "timestamp": f"2026-{month:02}-{1 + number % 28:02}T10:00:0{second}Z",
                    "properties": [{}, {"page_name": "welcome"}, {"completion_method": "finished"}][second]}) + "\n")
    path.write_text("".join(lines))
    (path.parent / "flow.yaml").write_text(FLOW)


def made(folder, out, *options, expect=0, dump="dump.ndjson"):
    return firstmile("report", folder / dump, "--flow", folder / "flow.yaml", "--out", folder / out,
                     "--as-of", "2026-05-01", *options, expect=expect)


def rows(folder):
    return {(row["metric"], row["step"]): row
            for row in csv.DictReader((folder / "changes.csv").open())}


def test_the_period_before_is_its_own_report(folder):
    two_months(folder / "dump.ndjson")
    february = ("--from", "2026-02-01", "--to", "2026-03-01")
    # As long as February: March's days from the 1st to the 28th.
    march = ("--from", "2026-03-01", "--to", "2026-03-29")
    made(folder, "february", *february, "-q")
    by_folder = made(folder, "by-folder", *march, "--against", folder / "february")
    by_period = made(folder, "by-period", *march, "--against", "previous")
    assert rows(folder / "by-folder") == rows(folder / "by-period")
    row = rows(folder / "by-period")["completion_rate", "all"]
    assert [row[name] for name in ("before_numerator", "before_denominator", "numerator",
                                   "denominator", "changed", "same_definition")] == [
        "200", "400", "320", "400", "1", "1"], row
    assert float(row["ci_low"]) < float(row["difference"]) < float(row["ci_high"]), row
    assert abs(float(row["difference"]) - 0.3) < 1e-9, row
    for said, name in ((by_folder, "february"), (by_period, "1 Feb – 28 Feb 2026")):
        text = " ".join(said.stdout.decode().split())
        assert "Completion rose" in text and f"AGAINST {name}".lower() in text.lower(), text
    # Who starts in March is not among those who started in February, unless the dates overlap.
    both = made(folder, "both", "--from", "2026-02-28", "--to", "2026-03-29", "--against", folder / "february")
    for said, isShared in ((by_folder, False), (by_period, False), (both, True)):
        assert ("of the same inputs" in " ".join(said.stdout.decode().split())) == isShared, said.stdout
    page = (folder / "by-period" / "report.html").read_text()
    assert 'id="changes/rates"' in page and "Completion rose: 50" in page
    note = (folder / "by-period" / "report.md").read_text().lower()
    assert any(line.startswith("| ▲ completion") and "| 50.0 % | 80.0 % |" in line
               for line in note.splitlines()), note


def test_no_change_is_no_headline(folder):
    two_months(folder / "dump.ndjson", (200, 204))
    said = made(folder, "out", "--from", "2026-03-01", "--to", "2026-03-29", "--against", "previous")
    page = (folder / "out" / "report.html").read_text()
    assert "Completion rose" not in page and "did not change beyond chance" in page, page
    assert rows(folder / "out")["completion_rate", "all"]["changed"] == "0", said.stdout


def test_a_report_without_earlier_numbers_leaves_none_behind(folder):
    two_months(folder / "dump.ndjson")
    march = ("--from", "2026-03-01", "--to", "2026-03-29", "-q")
    made(folder, "out", *march, "--against", "previous")
    assert rows(folder / "out")
    made(folder, "out", *march)
    assert not rows(folder / "out")
    assert 'id="changes' not in (folder / "out" / "report.html").read_text()


def test_what_can_not_be_held_against_is_refused_before_reading(folder):
    two_months(folder / "dump.ndjson")
    made(folder, "own", "-q")
    other = json.loads((folder / "own" / "metrics.json").read_text())
    other["flow"]["id"] = "another"
    (folder / "other.json").write_text(json.dumps(other))
    (folder / "empty").mkdir()
    for against, words in (("previous", "--against previous needs --from DATE"),
                           (folder / "other.json", "is of flow 'another', not of 'f'"),
                           (folder / "empty", "has no metrics.json"),
                           (folder / "nothing", "nothing"),
                           (folder / "flow.yaml", "flow.yaml")):
        done = made(folder, "refused", "--against", against, expect=2)
        assert words in done.stderr.decode(), done.stderr
        assert not (folder / "refused").exists()


def test_nobody_before_is_said_and_not_tested(folder):
    two_months(folder / "dump.ndjson")
    said = made(folder, "out", "--from", "2026-02-01", "--to", "2026-03-01", "--against", "previous")
    text = " ".join(said.stdout.decode().split())
    assert "Nobody is counted before the change" in text, text
    row = rows(folder / "out")["completion_rate", "all"]
    assert (row["before"], row["p_adjusted"]) == ("", ""), row


def test_without_history_both_periods_look_back_equally_far(folder):
    two_months(folder / "dump.ndjson")
    (folder / "flow.yaml").write_text(FLOW.replace("history: 31d\n", ""))
    # Known from before the look-back of February, which begins 43 days after the data: existing
    # users in March's own report, new in what is held against February.
    with (folder / "dump.ndjson").open("a") as dump:
        for number in range(40):
            for day, name in (("2025-12-20", "onboarding_completed"), ("2026-03-05", "onboarding_started")):
                dump.write(json.dumps({"event": name, "user_id": f"old-{number}",
                                       "timestamp": f"{day}T10:00:00Z"}) + "\n")
    march = ("--from", "2026-03-01", "--to", "2026-03-29")
    said = made(folder, "out", *march, "--against", "previous")
    text = " ".join(said.stdout.decode().split())
    assert "Completion rose" in text and "as if the data began 43 days before the first start" in text, text
    row = rows(folder / "out")["completion_rate", "all"]
    assert (row["numerator"], row["denominator"], row["changed"]) == ("320", "440", "1"), row
    # The recount is what a run over the same look-back says.
    made(folder, "february", "--from", "2026-02-01", "--to", "2026-03-01", "-q")
    made(folder, "by-folder", *march, "--history-from", "2026-01-17", "--against", folder / "february")
    assert rows(folder / "by-folder") == rows(folder / "out")
    assert "80.0 %" in (folder / "out" / "report.md").read_text().split("### Against")[0]


def test_a_baseline_has_no_cohorts_to_hold_days_against(folder):
    two_months(folder / "dump.ndjson")
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, not_worse_by: 5%}]\n")
    firstmile("check", folder / "dump.ndjson", "--flow", folder / "flow.yaml", "--gate", folder / "gate.yaml",
              "--from", "2026-02-01", "--to", "2026-03-01", "--as-of", "2026-05-01",
              "--baseline", folder / "baseline.json", "--accept")
    said = made(folder, "out", "--from", "2026-03-01", "--to", "2026-03-29", "--against", folder / "baseline.json")
    text = " ".join(said.stdout.decode().split())
    assert "Completion rose" in text and "How much cohorts differ isn’t known" in text, text
