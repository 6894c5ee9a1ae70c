"""What the files of a report hold, and what they leave out."""

import csv
import json
import re

import pytest

from harness import APPS, SAMPLE, firstmile, report, sample_files

CUTS = ("version", "experiment", "variant", "cohort", "breakdown")
NAME = (*CUTS, "metric", "step")


def table(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def rows(folder):
    return {tuple(row[name] for name in NAME): row for row in table(folder / "metrics.csv")}


def is_left_to_tables(cut):
    """What neither the page nor `compare` reads of single versions and variants: docs/metrics.md."""
    if all(cut[name] == "all" for name in CUTS):
        return cut["metric"].startswith(("time_on_step_", "time_to_move_on_")) and cut["metric"][-4:] in (
            "_p75", "_p95", "_p99")
    metric, is_of_version = cut["metric"], cut["variant"] == "all"
    if metric in ("goal_rate_overall", "funnel_step", "incidence_finished"):
        return is_of_version
    # The what-if of a version is reckoned from it.
    if metric == "step_completion":
        return not is_of_version
    if metric == "goal_rate":
        return is_of_version and ":" in cut["step"]
    return metric.startswith(("time_on_step_", "time_to_move_on_", "time_to_goal_")) or metric in (
        "step_next_event", "time_to_next_event_p50", "step_transition", "step_return", "returned_by", "incidence_abandoned", "incidence_skipped")


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The same report as people get it, and with every number."""
    folder = tmp_path_factory.mktemp("files")
    sample_files()
    for name, options in (("short", []), ("whole", ["--all-slices"])):
        report([f"sample-events/{SAMPLE}"], folder / name, *options)
    return folder


@pytest.mark.parametrize("app", APPS)
def test_a_report_of_a_few_hundred_people_is_small(folder, app):
    report([f"sample-events/{app}"], folder / "out", flow=app)
    sizes = {path.name: path.stat().st_size for path in (folder / "out").iterdir()}
    assert sum(sizes.values()) < 1_000_000 and sizes["report.html"] <= 300_000, sizes


def test_what_is_left_out_is_counted_everywhere(both):
    short, whole = rows(both / "short"), rows(both / "whole")
    document = json.loads((both / "short/metrics.json").read_text())["metrics"]
    omitted = len(whole) - len(short)
    assert omitted > 1000
    assert document["left_out"]["rows"] == omitted and document["left_out"]["of"] == len(whole)
    assert len(document["rows"]) == len(short)
    (line,) = [row for row in table(both / "short/quality.csv") if row["check"] == "rows_left_out"]
    assert (int(line["count"]), int(line["of"])) == (omitted, len(whole))
    assert f"{omitted:,} of {len(whole):,} numbers" in " ".join((both / "short/README.txt").read_text().split())
    (line,) = [row for row in table(both / "whole/quality.csv") if row["check"] == "rows_left_out"]
    assert line["count"] == "0" and "Nothing is left out" in (both / "whole/README.txt").read_text()
    assert json.loads((both / "whole/metrics.json").read_text())["metrics"]["left_out"]["rows"] == 0


def test_what_is_there_is_the_same_and_slices_that_are_not_cut_are_whole(both):
    short, whole = rows(both / "short"), rows(both / "whole")
    assert all(whole[name] == row for name, row in short.items())
    people = {name[:5]: int(row["numerator"]) for name, row in whole.items() if name[5] == "entered"}
    assert min(people.values()) < 10, "the sample should have small groups"
    for name, row in whole.items():
        cut = dict(zip(NAME, name))
        is_cut = cut["cohort"] != "all" or cut["breakdown"] != "all"
        is_of_all = cut["version"] == cut["variant"] == "all"
        if is_left_to_tables(cut):
            assert name not in short, name
        elif cut["variant"] in ("(unassigned)", "(outside)") and is_cut:
            assert name not in short, name
        elif cut["variant"] in ("(unassigned)", "(outside)"):
            assert (name in short) or cut["metric"] not in ("persons", "completion_rate", "step_reach"), name
        elif not is_cut or (is_of_all and cut["metric"] in ("persons", "completion_rate", "retention_d7")
                         and people[name[:5]] > 0):
            assert name in short, f"{name} is missing"
        elif is_of_all and cut["breakdown"] != "all" and cut["metric"] == "abandon_rate":
            is_chosen = cut["breakdown"].startswith(("outcome=", "used_skip="))
            assert (name in short) == (is_chosen or people[name[:5]] >= 100), name
        elif not is_of_all and cut["cohort"] != "all":
            is_shown = people[name[:5]] >= 100 and cut["metric"] in ("persons", "completion_rate")
            assert name in short if is_shown else people[name[:5]] >= 100 or name not in short, name
        elif not is_of_all and cut["breakdown"] != "all":
            # By the completion of groups two variants are taken apart; what versions have is in the strata.
            is_needed = cut["metric"] == "completion_rate" and not cut["variant"].startswith(("all", "(")) \
                and people[name[:5]] > 0 and not cut["breakdown"].startswith(("outcome=", "used_skip="))
            assert (name in short) == is_needed, f"{name} is of {people[name[:5]]} people"
        elif cut["metric"] == "step_conversion":
            assert name not in short, name


def test_cohorts_of_variants_are_there_where_they_have_a_hundred_people(folder):
    (folder / "flow.yaml").write_text("flow: app\nsteps: [welcome]\nexperiments: {copy: {control: a, variants: [a, b]}}\n")
    lines = [{"event": event, "user_id": f"{month}-{person}", "timestamp": f"2026-0{month}-{1 + person % 25:02}T10:00:0{second}Z",
              "experiments": {"copy": "ab"[person % 2]}}
             for month, count in ((1, 200), (2, 198)) for person in range(count)
             for second, event in enumerate(("onboarding_started", "onboarding_completed")[:1 + person % 3 % 2])]
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    report([folder / "dump.ndjson"], folder / "out", "--cohorts", "month", "--as-of", "2026-04-01", flow=folder / "flow.yaml")
    assert {name[3] for name in rows(folder / "out") if name[2] == "a"} == {"all", "2026-01"}
    page = (folder / "out/report.html").read_text()
    table = re.search(r"<caption>Completion by when people began.*?</table>", page, re.S)[0]
    assert "a (control)" in table
    january, february = re.findall(r"<tr><th>2026-0\d.*?(?=<tr>|</tbody>)", table, re.S)
    assert january.count("%") == february.count("%") + 2, "no rates of 99 people of a variant"


def test_what_is_left_to_tables_is_there_for_every_version_and_variant(both):
    whole = rows(both / "whole")
    found = {(*(row[name] for name in CUTS), f"{row['measure']}_p75", row["step"]): row["p75_seconds"]
             for row in table(both / "short/timing.csv")}
    found |= {(*(row[name] for name in CUTS), "step_transition", f"{row['from']}>{row['to']}"): row["share"]
              for row in table(both / "short/transitions.csv")}
    found |= {(*(row[name] for name in CUTS), "funnel_step", f"{row['id']}:{row['value']}"): row["rate"]
              for row in table(both / "short/goals.csv") if row["kind"] == "funnel_step"}
    for metric in ("time_on_step_p75", "time_to_move_on_p75", "time_to_goal_p75", "step_transition", "funnel_step"):
        named = [name for name in whole if name[5] == metric and name[3] == name[4] == "all" and name[2][0] != "("]
        assert {name[0] != "all" for name in named} == {name[2] != "all" for name in named} == {True, False}, metric
        for name in named:
            assert found[name] == whole[name]["value"], name


def test_the_tables_have_the_slices_of_the_rule(both):
    people = {name[:5]: int(row["numerator"]) for name, row in rows(both / "whole").items()
              if name[5] == "entered"}
    for name in ("steps.csv", "skips.csv", "timing.csv"):
        for row in table(both / "short" / name):
            cut = tuple(row[column] for column in CUTS)
            is_cut = cut[3] != "all" or cut[4] != "all"
            assert not is_cut or (cut[0] == cut[2] == "all" and people[cut] >= 100), (name, row)
    cohorts = [row for row in table(both / "short/retention.csv") if row["cohort"] != "all"]
    assert cohorts and all(row["version"] == row["variant"] == "all" for row in cohorts)
    weeks = {row["cohort"]: (row["cohort_from"], row["cohort_to"]) for row in cohorts}
    assert weeks["2026-W02"] == ("2026-01-05", "2026-01-11"), weeks


def test_a_comparison_takes_dimensions_apart_all_the_same(both):
    firstmile("report", *sample_files()[:3], "--flow", SAMPLE, "--out", both / "half", "--quiet", expect=(0, 4))
    firstmile("report", *sample_files()[:3], "--flow", SAMPLE, "--out", both / "half-whole", "--quiet",
              "--all-slices", expect=(0, 4))
    short = firstmile("compare", both / "half", both / "short", "--all").stdout.decode()
    whole = firstmile("compare", both / "half-whole", both / "whole", "--all").stdout.decode()
    assert "First test started" in short and short.partition("WHERE")[0].count("locale") > 5, short
    # Friction and the reach of a step stand in no strata: of small groups they are left out.
    for name in ("Completion", "Abandoned", "Day 7 retention"):
        def part(text):
            lines = text.partition("WHO CAME")[2].partition("WHERE")[0].split("\n")
            start = next(place for place, line in enumerate(lines) if line.strip() == name)
            end = next(place for place in range(start + 1, len(lines))
                       if not lines[place].startswith("    "))
            return lines[start:end]
        assert part(short) == part(whole), name


def test_the_overview_has_a_row_for_everyone_each_version_and_each_variant(both):
    overview, metrics = table(both / "short/overview.csv"), rows(both / "short")
    slices = list(dict.fromkeys(name[:3] for name in metrics if name[3] == name[4] == "all"))
    assert [tuple(row[name] for name in CUTS[:3]) for row in overview] == slices
    assert overview[0]["started_from"] == "2026-01-05"
    for row in overview:
        def number(metric, field, step="all"):
            return metrics[*(row[name] for name in CUTS[:3]), "all", "all", metric, step][field]
        for column, metric, field in (
                ("entered", "entered", "numerator"), ("people", "persons", "numerator"),
                ("too_recent", "immature", "numerator"), ("finished", "completion_rate", "numerator"),
                ("completion_rate", "completion_rate", "value"), ("skip_rate", "skip_rate", "value"),
                ("completion_rate_ci_low", "completion_rate", "ci_low"),
                ("median_seconds_to_finish", "time_to_complete_p50", "value"),
                ("retention_d7", "retention_d7", "value"), ("retention_d7_of", "retention_d7", "denominator")):
            assert row[column] == number(metric, field), (row["variant"], column)
    (control,) = [row for row in overview if row["is_control"]]
    (treated,) = [row for row in overview if row["completion_verdict"]]
    assert control["variant"] == "A" and treated["variant"] == "B" and treated["completion_difference"]


def test_the_readme_names_every_file(both):
    text = (both / "short/README.txt").read_text()
    names = {path.name for path in (both / "short").iterdir()} - {"README.txt"}
    assert {line.split()[0] for line in text.splitlines() if line.startswith("  ")} == names
    assert all(len(line) <= 80 for line in text.splitlines())


def test_the_days_of_the_start_are_those_of_the_flow_and_of_the_data(folder):
    """A week reaches beyond the days on which somebody started, which are those of the flow's time zone."""
    (folder / "flow.yaml").write_text("flow: app\ntime_zone: Asia/Tokyo\nsteps: [welcome]\n")
    lines = [{"event": "onboarding_started", "user_id": user, "timestamp": f"2026-01-{time}Z"}
             for user, time in (("a", "05T10:00:00"), ("c", "06T16:00:00"), ("b", "07T20:00:00"))]
    (folder / "dump.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    shown = firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--cohorts", "week", "--out", "out",
                      cwd=folder).stdout.decode()
    (row,) = [row for row in table(folder / "out/overview.csv") if row["version"] == "all"]
    assert (row["started_from"], row["started_to"]) == ("2026-01-05", "2026-01-08"), row
    assert "started 5 Jan – 8 Jan 2026" in shown and "started 5 Jan – 8 Jan 2026" in (
        folder / "out/report.html").read_text(), shown
    # The day of --to is the first that is not in the period, on every page that says when people started.
    shown = firstmile("report", "dump.ndjson", "--flow", "flow.yaml", "--cohorts", "week", "--to", "2026-01-08",
                      "--out", "before", cwd=folder).stdout.decode()
    for text in (shown, (folder / "before/report.html").read_text(), (folder / "before/report.md").read_text()):
        assert "started 5 Jan – 7 Jan 2026" in text, text[:2000]
    (row,) = [row for row in table(folder / "before/overview.csv") if row["version"] == "all"]
    assert (row["started_to"], row["entered"]) == ("2026-01-07", "2"), row
