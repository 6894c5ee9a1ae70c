"""`firstmile validate`."""

import csv
import json

import pytest

from harness import SAMPLE, firstmile


def test_a_dump_is_graded_and_the_grade_can_fail(folder):
    dump = folder / "dump"
    firstmile("simulate", "--flow", SAMPLE, "--persons", 200, "--out", dump, "--files", 9, "--tidy",
              "--quiet")
    fine = json.loads(firstmile("validate", dump, "--flow", SAMPLE, "--output", "json").stdout)
    assert fine["grade"] in "AB", fine["reasons"]
    (dump / "broken.ndjson").write_text("no json\n" * 400)
    firstmile("validate", dump, "--flow", SAMPLE)
    firstmile("validate", dump, "--flow", SAMPLE, "--at-least", "B", expect=4)
    other = firstmile("validate", dump, "--flow", "trendy", expect=4).stdout.decode()
    assert other.startswith("Trust grade F") or " F" in other.splitlines()[0], other[:200]


def test_no_grade_is_better_than_the_reports(folder):
    dump = folder / "dump"
    firstmile("simulate", "--flow", SAMPLE, "--persons", 200, "--out", dump, "--files", 2, "--tidy",
              "--quiet")
    (folder / "guessed.yaml").write_text(
        firstmile("flow", "show", SAMPLE).stdout.decode() + "\nguessed: [steps]\n")
    assert b"data quality C" in firstmile("report", dump, "--flow", folder / "guessed.yaml").stdout
    done = firstmile("validate", dump, "--flow", folder / "guessed.yaml", "--output", "json")
    assert json.loads(done.stdout)["grade"] == "C", done.stdout
    firstmile("validate", dump, "--flow", folder / "guessed.yaml", "--at-least", "B", expect=4)


FLOW = "flow: app\nwindow: 1h\nskip: never\nsteps: [welcome, plan]\n"


def people(day, count, *events, name):
    """So many people of a day; an event is its name, its minute and its properties."""
    return [
        json.dumps({"event": event, "user_id": f"{name}{day}-{person}", "properties": more,
                    "timestamp": f"2026-{day[:2]}-{day[3:]}T10:{minute:02}:{person % 60:02}Z"}) + "\n"
        for person in range(count) for event, minute, more in events]


STARTED, VIEWED, COMPLETED = (("onboarding_started", 1, {}), ("onboarding_page_viewed", 2, {"page_name": "welcome"}),
                              ("onboarding_completed", 5, {}))
ASKED, ANSWERED = (("permission_prompted", 4, {"permission": "push"}),
                   ("permission_result", 3, {"permission": "push", "status": "granted", "prompted": True}))


def test_people_of_other_dates_are_in_no_check(folder):
    """The start without a page, the late view, the early answer and the orphans are all of February's people."""
    (folder / "flow.yaml").write_text(FLOW + "permissions: [push]\n")
    march = people("03-02", 30, STARTED, VIEWED, COMPLETED, name="new")
    february = (
        people("02-02", 10, STARTED, COMPLETED, name="unseen")
        + people("02-03", 10, VIEWED, ("onboarding_started", 3, {}), name="early")
        + people("02-04", 10, STARTED, VIEWED, ("onboarding_completed", 0, {}), name="late")
        + people("02-05", 10, STARTED, VIEWED, ASKED, ANSWERED, name="asked")
        + people("02-06", 10, COMPLETED, name="orphan"))
    (folder / "dump.ndjson").write_text("".join(february + march))
    (folder / "march.ndjson").write_text("".join(march))

    def checks(dump, *options):
        done = firstmile("validate", dump, "--flow", "flow.yaml", "--as-of", "2026-03-05", "--output", "json",
                         *options, cwd=folder)
        counted = ("orphans", "starts_without_views", "completions_without_starts", "completions_before_start",
                   "views_before_start", "answers_before_prompt", "persons_with_onboarding")
        return {check["check"]: (check["count"], check.get("total")) for check in json.loads(done.stdout)["checks"]
                if check["check"] in counted}

    assert checks("dump.ndjson", "--from", "2026-03-01") == checks("march.ndjson")
    whole = checks("dump.ndjson")
    assert whole["orphans"][0] == whole["views_before_start"][0] == whole["answers_before_prompt"][0] == 10, whole
    # An orphan is of the day of the first event that there is.
    assert checks("dump.ndjson", "--from", "2026-02-06", "--to", "2026-02-07")["orphans"] == (10, 10)


@pytest.mark.parametrize("as_of, days, grade, later", [
    ("2026-03-02", None, "A", None), ("2026-03-05", 3, "B", None), ("2026-03-12", 10, "C", None),
    # People behind a gap are the data's end where somebody says that the data reach so far.
    ("2026-06-01", None, "A", "06-01"), ("2026-06-03", 2, "B", "06-01")])
def test_an_end_behind_the_data_is_said(folder, as_of, days, grade, later):
    (folder / "flow.yaml").write_text(FLOW)
    dump = [line for day in range(1, 3) for line in people(f"03-0{day}", 40, STARTED, VIEWED, COMPLETED, name="p")]
    dump += people(later, 4, ("app_opened", 1, {}), name="q") if later else []
    (folder / "dump.ndjson").write_text("".join(dump))
    firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--as-of", as_of, "--out", "out", "--quiet", cwd=folder)
    rows = {row["check"]: row for row in csv.DictReader((folder / "out/quality.csv").open())}
    assert (int(rows["days_after_data"]["count"]) if days else None) == days, rows.keys()
    said = (folder / "out/report.md").read_text()
    assert (f"The data end {days} days before" in said) == (days is not None), said
    done = firstmile("validate", "dump.ndjson", "--flow", "flow.yaml", "--as-of", as_of, "--output", "json", cwd=folder)
    found = [check for check in json.loads(done.stdout)["checks"] if check["check"] == "days_after_data"]
    assert [check["grade"] for check in found] == ([grade] if days else []), found


def test_existing_users_who_count_have_no_row(folder):
    dump = people("03-02", 20, STARTED, VIEWED, COMPLETED, name="p")
    dump += people("02-20", 20, ("app_opened", 1, {}), name="p") + people("03-04", 20, ("app_opened", 1, {}), name="q")
    text = "".join(dump).replace("p02-20", "p03-02")
    (folder / "dump.ndjson").write_text(text)
    for setting, count in (("exclude", "20"), ("include", None)):
        (folder / "flow.yaml").write_text(FLOW + f"existing_users: {setting}\n")
        firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--out", setting, "--quiet", cwd=folder)
        rows = {row["check"]: row["count"] for row in csv.DictReader((folder / setting / "quality.csv").open())}
        assert rows.get("existing_users") == rows.get("existing_users_finished") == count, rows
