"""`firstmile compare`."""

import datetime
import json

from harness import ROOT, SAMPLE, firstmile, report, sample_report


def test_compare_takes_folders_and_tells_what_it_wants(folder):
    sample_report(folder / "out")
    by_folder = firstmile("compare", folder / "out", folder / "out").stdout
    by_file = firstmile("compare", folder / "out/metrics.json", folder / "out/metrics.json").stdout
    assert by_folder == by_file and by_file, by_folder
    (folder / "empty").mkdir()
    done = firstmile("compare", folder / "empty", folder / "out", expect=2)
    assert b"has no metrics.json; wanted is a metrics.json, or the folder" in done.stderr, done.stderr
    for words, told in ((["version=1"], "has no version '1'; it has none"),
                        (["experiment=copi", "variant=A"], "did you mean 'copy'?"),
                        (["experiment=copy", "variant=C"], "variant 'C' of experiment 'copy'; there are "
                         "A, B")):
        options = [option for word in words for option in ("--before", word)]
        done = firstmile("compare", folder / "out", folder / "out", *options, expect=2)
        assert told in done.stderr.decode(), done.stderr
    (folder / "next.json").write_text('{"schema": "firstmile.metrics/7", "all": "new"}')
    done = firstmile("compare", folder / "next.json", folder / "out", expect=2)
    assert b"'firstmile.metrics/7', this program reads 'firstmile.metrics/2'" in done.stderr, done.stderr


def test_two_arms_are_decided_by_their_report(folder):
    report(["sample-events/" + SAMPLE], folder / "out")
    arms = json.loads((folder / "out" / "metrics.json").read_text())["metrics"]["experiments"][0]
    sides = [word for option, arm in zip(("--before", "--after"), arms["arms"])
             for word in (option, f"experiment={arms['id']}", option, f"variant={arm['variant']}")]
    said = firstmile("compare", folder / "out", folder / "out", *sides).stdout.decode()
    said = " ".join(said.split())
    assert "two variants of one experiment" in said and "of the same inputs" not in said, said


def funnel_dump(path, people, finishers):
    """People of whom the first so many finish."""
    lines = []
    for number in range(people):
        names = ["onboarding_started"] + ["onboarding_completed"] * (number < finishers)
        for second, name in enumerate(names):
            lines.append(json.dumps({
                "event": name, "user_id": f"{path.stem}-{number}",
                "timestamp": f"2026-03-{1 + number % 9:02}T10:00:0{second}Z",
                "properties": {"completion_method": "finished"} if second else {}}) + "\n")
    path.write_text("".join(lines))


def test_a_verdict_comes_first_and_what_changed_is_marked(folder):
    (folder / "flow.yaml").write_text("flow: f\nwindow: 1h\nidentity: user\nsteps: [welcome]\n")
    for name, finishers in (("half", 200), ("most", 320), ("same", 205)):
        funnel_dump(folder / f"{name}.ndjson", 400, finishers)
        firstmile("report", folder / f"{name}.ndjson", "--flow", folder / "flow.yaml", "--out",
                  folder / name, "--quiet", "--as-of", "2026-04-01")

    def compared(before, after):
        return firstmile("compare", folder / before, folder / after).stdout.decode()

    rose, fell = compared("half", "most"), compared("most", "half")
    second = " ".join(" ".join(rose.splitlines()[1:3]).split())
    assert second.startswith("Completion rose from 50.0 % to 80.0 % (+30.0 points, +"), rose
    assert "Completion fell from 80.0 % to 50.0 % (−30.0 points, −" in " ".join(fell.split()), fell
    assert "\n▲ Completion" in rose and "\n▼ Abandoned" in rose, rose
    assert "\n▼ Completion" in fell and "\n▲ Abandoned" in fell, fell
    same = compared("half", "same")
    assert "Completion did not change beyond chance (from 50.0 % to 51.2 %" in " ".join(same.split())
    rows = same[same.index("WHAT CHANGED"):].split("\n", 1)[1]
    assert "▲" not in rows and "▼" not in rows and "Nor did any other rate." in same, same


def test_finishing_and_abandoning_are_one_test_where_nobody_can_skip(folder):
    """Holm's correction would else double the p of completion."""
    for name, finishers in (("half", 200), ("more", 225)):
        funnel_dump(folder / f"{name}.ndjson", 400, finishers)

    def compared(skip):
        (folder / "flow.yaml").write_text(f"flow: f\nwindow: 1h\nidentity: user\nsteps: [welcome]\n{skip}")
        for name in ("half", "more"):
            firstmile("report", folder / f"{name}.ndjson", "--flow", folder / "flow.yaml", "--out",
                      folder / name, "--quiet", "--as-of", "2026-04-01")
        return firstmile("compare", folder / "half", folder / "more").stdout.decode()

    assert "Abandoned" in compared("skip: ends\n")
    assert "Abandoned" not in compared("skip: never\n")


def test_a_report_of_one_version_is_compared_by_its_name(folder):
    for name, options in (("all", []), ("second", ["--flow-version", "2"])):
        firstmile("report", ROOT / "sample-events/trendy", "--flow", "trendy", "--out", folder / name,
                  "--quiet", *options)
    said = firstmile("compare", folder / "all", folder / "second").stdout.decode()
    assert "flow version 2" in said, said
    said = firstmile("compare", folder / "all", folder / "all").stdout.decode()
    assert "flow version" not in said, said


def test_what_nobody_counts_for_on_one_side_is_named(folder):
    """Without prompts nobody is known to be asked, so that of nobody it is known who agreed."""
    (folder / "flow.yaml").write_text(
        "flow: f\nwindow: 1h\nidentity: user\nsteps: [welcome]\npermissions: [camera]\nskip: never\n")
    for name, prompts in (("asked", True), ("silent", False)):
        lines = []
        for number in range(200):
            names = [("onboarding_started", {})]
            names += [("permission_prompted", {"permission": "camera"})] * prompts
            names += [("permission_result", {"permission": "camera", "status": ["granted", "denied"][number % 2]}),
                      *[("onboarding_completed", {})] * (number % 3 > 0)]
            for second, (event, properties) in enumerate(names):
                lines.append(json.dumps({
                    "event": event, "user_id": f"{name}-{number}", "properties": properties,
                    "timestamp": f"2026-03-{1 + number % 9:02}T10:00:0{second}Z"}) + "\n")
        (folder / f"{name}.ndjson").write_text("".join(lines))
        firstmile("report", folder / f"{name}.ndjson", "--flow", folder / "flow.yaml", "--out",
                  folder / name, "--quiet", "--as-of", "2026-04-01")
    said = " ".join(firstmile("compare", folder / "asked", folder / "silent").stdout.decode().split())
    assert "unknown on one side: after, “Asked for camera”." in said, said
    assert "nobody counts for them on one side: after, “Camera acceptance”." in said, said
    assert "Nor did any other rate that both sides have." in said, said
    same = " ".join(firstmile("compare", folder / "asked", folder / "asked").stdout.decode().split())
    assert "Nor did any other rate." in same and "on one side" not in same, same


def weekly_dump(path, first_week, percents, people=500, event="onboarding_completed"):
    """In each week as many people start, of whom the stated percent finish."""
    lines = []
    for week, percent in enumerate(percents):
        # 2026-03-02 is a Monday.
        for number in range(people):
            day = datetime.date(2026, 3, 2) + datetime.timedelta(7 * (first_week + week) + number % 7)
            # Spread evenly over the week's days.
            isFinished = (number * 37) % 100 < percent
            for second, name in enumerate(["onboarding_started"] + [event] * isFinished):
                lines.append(json.dumps({
                    "event": name, "user_id": f"{first_week + week}-{number}",
                    "timestamp": f"{day}T10:00:0{second}Z",
                    "properties": {"completion_method": "finished"} if second else {}}) + "\n")
    path.write_text("".join(lines))


def test_a_change_is_more_than_weeks_differ_by(folder):
    (folder / "flow.yaml").write_text("flow: f\nwindow: 1h\nidentity: user\nsteps: [welcome]\n")
    dumps = {"early": (0, (62, 54, 60, 52)), "late": (4, (66, 58, 65, 57)), "better": (4, (86, 78, 85, 77)),
             "week": (4, (66,))}
    for name, (first, percents) in dumps.items():
        weekly_dump(folder / f"{name}.ndjson", first, percents)
        firstmile("report", folder / f"{name}.ndjson", "--flow", folder / "flow.yaml", "--out",
                  folder / name, "--quiet", "--as-of", "2026-05-01", "--history-from", "2026-03-02")

    def compared(before, after):
        return " ".join(firstmile("compare", folder / before, folder / after).stdout.decode().split())

    # 57.0 % of 2,000 and 61.5 % of 2,000: p is 0.004 if all are drawn alike.
    late = compared("early", "late")
    assert "Completion did not change beyond chance (from 57.0 % to 61.5 %: +4.5 points" in late, late
    assert "▲ Completion" not in late and "Nor did any other rate" in late, late
    assert "started at other times, and cohorts differ by more than chance" in late, late
    better = compared("early", "better")
    assert "Completion rose from 57.0 % to 81.5 % (+24.5 points" in better, better
    assert "▲ Completion" in better, better
    # One week says nothing of how weeks differ.
    week = compared("early", "week")
    assert "Completion rose from 57.0 % to 66.0 %" in week and "takes 2 cohorts or more" in week, week
    # Also of a goal where completion is unknown.
    (folder / "goal.yaml").write_text(
        "flow: f\nwindow: 1h\nidentity: user\nsteps: [welcome]\ngoals: [{id: paid, event: charged, within: 1h}]\n")
    for name in ("early", "late", "better"):
        first, percents = dumps[name]
        weekly_dump(folder / "goal.ndjson", first, percents, event="charged")
        firstmile("report", folder / "goal.ndjson", "--flow", folder / "goal.yaml", "--out", folder / f"goal-{name}",
                  "--quiet", "--as-of", "2026-05-01", "--history-from", "2026-03-02", expect=(0, 4))
    late = compared("goal-early", "goal-late")
    assert "▲ Paid" not in late and "started at other times, and cohorts differ by more than chance" in late, late
    assert "▲ Paid" in compared("goal-early", "goal-better")
    # The same weeks once more are no other times.
    same = compared("late", "better")
    assert "Completion rose" in same and "other times" not in same, same
