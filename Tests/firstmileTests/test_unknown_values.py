"""Words that no definition knows, in the place of a permission's status or a completion's method."""

import csv
import json

import pytest

from harness import firstmile

FLOW = """flow: app
skip: ends
steps: [welcome, {id: push, asks: notifications}]
permissions: [notifications]
"""


def dump(path, statuses, methods):
    """A person each: asked, answered with a status, completed with a method; `None` where there is none."""
    lines = []
    for person, (status, method) in enumerate(zip(statuses, methods)):
        def event(name, second, **properties):
            lines.append({"event": name, "timestamp": f"2026-03-{1 + person % 20:02}T10:00:{second:02}Z",
                          "user_id": f"u{person}", "properties": properties})
        event("onboarding_page_viewed", 0, page_name="welcome")
        event("onboarding_page_viewed", 1, page_name="push")
        event("permission_prompted", 2, permission="notifications")
        event("permission_result", 3, permission="notifications", prompted=True,
              **({"status": status} if status else {}))
        event("onboarding_completed", 4, **({"completion_method": method} if method else {}))
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def made(folder, statuses, methods, flow=FLOW):
    dump(folder / "dump.ndjson", statuses, methods)
    (folder / "app.yaml").write_text(flow)
    firstmile("report", folder / "dump.ndjson", "--flow", folder / "app.yaml", "--out", folder / "out", "-q",
              "--as-of", "2026-05-01")
    rows = {row["metric"]: row for row in csv.DictReader((folder / "out/metrics.csv").open())
            if row["step"] in ("all", "notifications") and row["breakdown"] == row["cohort"] == "all"}
    quality = {row["check"]: int(row["count"]) for row in csv.DictReader((folder / "out/quality.csv").open())
               if not row["item"]}
    return rows, quality, (folder / "out/report.md").read_text()


@pytest.mark.parametrize("word", ["authorized", "Granted", None])
def test_answers_that_say_nothing_are_no_refusals(folder, word):
    rows, quality, text = made(folder, [word] * 40, ["finished"] * 40)
    for metric in ("permission_opt_in", "permission_acceptance", "permission_class_no_result"):
        assert rows[metric]["value"] == "", (metric, rows[metric])
    assert rows["completion_rate"]["value"] != ""
    assert quality["unknown_statuses"] == 40
    assert "has a status that is known" in text and "40 of 40 permission results have a status that is not known" in text
    assert "of people opt in" not in text and "data quality **D**" in text
    if word:
        # What it says to write is what helps.
        (advice,) = set(line.partition("map them: ")[2].rpartition("}}}")[0] + "}}}" for line in text.replace("\\", "").splitlines()
                        if "map them: " in line)
        mended, quality, _ = made(folder, [word] * 40, ["finished"] * 40, FLOW + advice + "\n")
        assert mended["permission_opt_in"]["value"] == "1" and quality["unknown_statuses"] == 0


def test_a_few_unknown_words_are_counted_and_named(folder):
    rows, quality, text = made(folder, ["granted"] * 60 + ["denied"] * 37 + ["limited"] * 3, ["finished"] * 98 + ["Skipped", "skip"])
    assert rows["permission_opt_in"]["numerator"] == "60" and rows["permission_opt_in"]["denominator"] == "100"
    assert (quality["unknown_statuses"], quality["unknown_methods"]) == (3, 2)
    assert "'limited'" in text and "'skip'" in text and "'Skipped'" in text
    # Never a meaning that the word hasn't.
    assert "values: {limited: reduced}" in text.replace("\\", "")
    assert rows["completion_rate"]["numerator"] == "100"


def test_known_words_are_nothing_to_report(folder):
    statuses = ["granted", "provisional", "ephemeral", "when_in_use", "always", "reduced", "denied", "error",
                "restricted", "not_now", "not_determined"]
    _, quality, text = made(folder, statuses, (["finished", "skipped", None] * 4)[:11])
    assert (quality["unknown_statuses"], quality["unknown_methods"]) == (0, 0)
    assert "not known" not in text


def test_validate_and_a_draft_know_the_words_too(folder):
    dump(folder / "dump.ndjson", ["authorized"] * 25 + ["notDetermined"] * 3 + ["refusé"] * 12, ["SKIPPED"] * 20 + ["finished"] * 20)
    (folder / "app.yaml").write_text(FLOW)
    said = firstmile("validate", folder / "dump.ndjson", "--flow", folder / "app.yaml", expect=(0, 1, 4)).stdout.decode()
    assert "unknown statuses: 40 of 40" in said and "unknown methods: 20 of 40" in said and "'authorized' 25" in said, said
    # The systems' own words are mapped in a draft, others are left to people.
    draft = firstmile("flow", "init", folder / "dump.ndjson").stdout.decode()
    assert "  status: {path: properties.status, values: {\"authorized\": granted, \"notDetermined\": not_determined}}" in draft, draft
    assert "  completion_method: {path: properties.completion_method, values: {\"SKIPPED\": skipped}}" in draft, draft


def test_what_is_advised_is_what_the_word_means(folder):
    _, _, text = made(folder, ["Denied"] * 20 + ["allowed"] * 10, ["finished"] * 30)
    assert "values: {Denied: denied, allowed: …}" in text.replace("\\", ""), text


def test_a_flow_is_checked_against_the_words_of_dumps(folder):
    dump(folder / "dump.ndjson", ["Denied"] * 20, ["skip"] * 20)
    (folder / "app.yaml").write_text(FLOW)
    said = firstmile("flow", "check", folder / "app.yaml", "--against", folder / "dump.ndjson", expect=(0, 1)).stdout.decode()
    assert "status Denied  20 times  is it 'denied'?" in said and "completion_method skip  20 times  is it 'skipped'?" in said, said


@pytest.mark.parametrize("yes, no", [
    ("true", "false"), ("True", "False"), ("TRUE", "FALSE"), ("1", "0"), ("1.0", "0.0"), ("T", "F"), ("t", "f"), ("Y", "N"), ("yes", "no")])
def test_a_mapping_of_truth_values_holds_in_tables_however_they_are_spelt(folder, yes, no):
    rows = ["event,timestamp,user_id,page_name,permission,status"]
    for person in range(40):
        for second, (event, *values) in enumerate([
                ("onboarding_page_viewed", "push", "", ""), ("permission_prompted", "", "notifications", ""),
                ("permission_result", "", "notifications", yes if person < 25 else no)]):
            rows.append(",".join([event, f"2026-03-02T10:00:{second:02}Z", f"u{person}", *values]))
    (folder / "dump.csv").write_text("\n".join(rows) + "\n")
    (folder / "app.yaml").write_text(FLOW.replace("welcome, ", "") + "fields: {status: {path: status, values: {true: granted, false: denied}}}\n")
    firstmile("report", folder / "dump.csv", "--flow", folder / "app.yaml", "--out", folder / "out", "-q", "--as-of", "2026-05-01")
    (opt_in,) = [row for row in csv.DictReader((folder / "out/metrics.csv").open())
                 if row["metric"] == "permission_opt_in"
                 and row["breakdown"] == row["cohort"] == row["variant"] == row["version"] == "all"]
    assert (opt_in["numerator"], opt_in["denominator"]) == ("25", "40")


AMOUNTS = ["9.99", "1,200", "9,99", "12", "EUR 5", "1e12", "", "-3.5"]


@pytest.mark.parametrize("form", ["csv", "ndjson"])
def test_amounts_that_are_no_numbers_are_counted_and_named(folder, form):
    rows = [("event", "timestamp", "user_id", "page_name", "price")]
    for person in range(80):
        rows.append(("onboarding_page_viewed", f"2026-03-02T10:00:{person % 60:02}Z", f"u{person}", "welcome", ""))
        rows.append(("purchase", f"2026-03-03T10:00:{person % 60:02}Z", f"u{person}", "", AMOUNTS[person % 8]))
    dump = folder / f"dump.{form}"
    with dump.open("w", newline="") as file:
        if form == "csv":
            csv.writer(file).writerows(rows)
        else:
            for row in rows[1:]:
                values = {key: value for key, value in zip(rows[0], row) if value}
                file.write(json.dumps(values) + "\n")
    (folder / "app.yaml").write_text("flow: app\nsteps: [welcome]\ngoals: [{id: purchase, event: purchase, value: price, within: 7d}]\n")
    firstmile("report", dump, "--flow", folder / "app.yaml", "--out", folder / "out", "-q", "--as-of", "2026-05-01")
    (total,) = [row for row in csv.DictReader((folder / "out/metrics.csv").open()) if row["metric"] == "goal_value_total"
                and row["breakdown"] == row["cohort"] == row["variant"] == row["version"] == "all"]
    assert float(total["value"]) == pytest.approx(10 * (9.99 + 12 - 3.5))
    (line,) = [row for row in csv.DictReader((folder / "out/quality.csv").open()) if row["check"] == "unknown_amounts"]
    assert line["count"] == "40"
    text = (folder / "out/report.md").read_text().replace("\\", "")
    assert "40 of 70 goal events with an amount have one that is no number and add nothing to the goal's sum" in text
    assert "'1,200', '1e12', '9,99'" in text and "data quality **D**" in text
    # A gate judges nothing by it.
    (folder / "gate.yaml").write_text("rules: [{metric: completion_rate, at_least: 0}]\n")
    said = firstmile("check", dump, "--flow", folder / "app.yaml", "--gate", folder / "gate.yaml", "--as-of", "2026-05-01",
                     expect=(1, 3, 4)).stdout.decode()
    assert "amounts of goals that are no numbers: 57.1 % (40/70), at most 10 % are allowed" in " ".join(said.split()), said


def test_a_goal_whose_amount_is_in_no_event_is_not_measured(folder):
    lines = []
    for person in range(40):
        lines.append({"event": "onboarding_page_viewed", "timestamp": f"2026-03-02T10:00:{person:02}Z", "user_id": f"u{person}",
                      "properties": {"page_name": "welcome"}})
        lines.append({"event": "purchase", "timestamp": f"2026-03-03T10:00:{person:02}Z", "user_id": f"u{person}", "properties": {"price": 5}})
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    for value, is_known in [("price", True), ("prize", False)]:
        (folder / "app.yaml").write_text(f"flow: app\nsteps: [welcome]\ngoals: [{{id: bought, event: purchase, value: {value}, within: 7d}}]\n")
        firstmile("report", folder / "dump.ndjson", "--flow", folder / "app.yaml", "--out", folder / "out", "-q", "--as-of", "2026-05-01")
        (total,) = [row for row in csv.DictReader((folder / "out/metrics.csv").open()) if row["metric"] == "goal_value_total"
                    and row["breakdown"] == row["cohort"] == row["variant"] == row["version"] == "all"]
        text = (folder / "out/report.md").read_text().replace("\\", "")
        assert (total["value"] == "200") == is_known and (total["value"] == "") != is_known
        assert ("no 'purchase' has a number in 'prize'" in text) != is_known, text
