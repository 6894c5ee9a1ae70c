"""A run on several machines has the bytes of a run on one."""

import gzip
import itertools
import json
import os
import random
import shutil
import subprocess

import pytest

from harness import (
    APPS, BINARY, ROOT, SAMPLE, assert_same, contents, firstmile, json_objects, report,
)
from partitioned import divide, report_of_parts, reported, stitched, tallied
from sealed_files import crafted, sealed, sealed_segment, segments, unsealed


def files_of(app):
    return sorted(ROOT.glob(f"sample-events/{app}/*.gz"))


# script/test --slow divides each sample among few and among many.
IS_SLOW = bool(os.environ.get("FIRSTMILE_SLOW"))
PARTITIONS = [(2, 7)] * 5 if IS_SLOW else [(2,), (7,), (3,), (5,), (4,)]


@pytest.mark.parametrize(("app", "counts"), list(zip(APPS, PARTITIONS)))
def test_samples_in_parts_give_the_bytes_of_one_run(app, counts, folder):
    names = [str(path.relative_to(ROOT)) for path in files_of(app)]
    report([f"sample-events/{app}"], folder / "one", flow=app)
    mixed = random.Random(7)
    for partitions in counts:
        mixed.shuffle(names)
        tasks = [names[:2], *([name] for name in names[2:])]
        parts = report_of_parts(tasks, partitions, folder / str(partitions), app)
        assert_same(contents(folder / "one"), contents(parts), f"{app}, {partitions} partitions")


def scattered(folder, seed=11, persons=400, files=9):
    """A simulated dump whose lines lie shuffled in several files: one person's in many of them."""
    firstmile("simulate", "--flow", "aiq", "--persons", persons, "--seed", seed, "--out",
              folder / "made")
    lines = []
    for path in sorted((folder / "made").glob("*.gz")):
        lines += gzip.decompress(path.read_bytes()).splitlines()
    lines += aliases(lines)
    mixed = random.Random(seed)
    lines += mixed.sample(lines, len(lines) // 50)
    mixed.shuffle(lines)
    dump = folder / "dump"
    dump.mkdir()
    for number in range(files):
        (dump / f"{number}.ndjson.gz").write_bytes(
            gzip.compress(b"\n".join(lines[number::files]) + b"\n"))
    return dump


def aliases(lines):
    """Events that make chains of users one person, and devices that several users share."""
    users, made = {}, []
    for event in json_objects(lines):
        if event.get("user_id"):
            users.setdefault(event["user_id"], event)
    known = sorted(users)
    linked = min(300, len(known) * 3 // 4)
    for number in range(0, linked - 3, 3):
        for other in (known[number + 1], known[number + 2]):
            made.append(dict(users[known[number]], previous_id=other))
    # Another user on a device, a day later, and facts of the device alone between them.
    for number in range(linked, min(500, len(known)) - 1, 2):
        event = users[known[number]]
        if not event.get("device_id"):
            continue
        guest = dict(users[known[number + 1]], device_id=event["device_id"])
        alone = {key: value for key, value in guest.items() if key != "user_id"}
        made += [guest, alone]
    return [json.dumps(event).encode() for event in made]


def test_stitched_people_and_aliases_lie_in_any_partition(folder):
    dump = scattered(folder)
    report([dump], folder / "one")
    counts = json.loads((folder / "one/metrics.json").read_text())
    assert "stitched_facts" in json.dumps(counts)
    names = sorted(dump.iterdir())
    for partitions in (1, 7, 64):
        tasks = [names[:1], names[1:5], names[5:]]
        parts = report_of_parts(tasks, partitions, folder / str(partitions), SAMPLE)
        assert_same(contents(folder / "one"), contents(parts), f"{partitions} partitions")


def test_segments_beside_their_dumps_are_no_dumps(folder):
    """Folders get mixed up: what was divided into the dumps' own folder counts nothing twice."""
    (folder / "dumps").mkdir()
    for path in files_of(SAMPLE):
        shutil.copy(path, folder / "dumps")
    report([folder / "dumps"], folder / "one")
    divide([folder / "dumps"], 2, folder / "dumps", flow=SAMPLE)
    made = sorted((folder / "dumps").glob("*.segments"))
    done = report([folder / "dumps"], folder / "two")
    assert_same(contents(folder / "one"), contents(folder / "two"), "beside segments")
    assert done.stderr.count(b".segments (a file of segments)") == len(made) == len(files_of(SAMPLE))
    refused("`firstmile partition` made", "report", made[0], "--flow", SAMPLE, "--out", folder / "no")
    assert not (folder / "no").exists()


def test_tasks_name_their_inputs_as_asked(folder):
    report(files_of(SAMPLE), folder / "one", "--digest", "sha256")
    parts = report_of_parts([files_of(SAMPLE)], 2, folder / "parts", SAMPLE,
                            partition_options=["--digest", "sha256"])
    assert_same(contents(folder / "one"), contents(parts), "named by SHA-256")
    assert "sha256:" in (parts / "metrics.json").read_text()


def test_dates_and_options_are_those_of_one_run(folder):
    dump = scattered(folder, seed=12)
    days = ["--as-of", "2026-03-01"]
    form = ["--format", "canonical"]
    chosen = ["--from", "2026-01-20", "--to", "2026-02-20", "--cohorts", "day", *form]
    report([dump], folder / "one", *days, *chosen)
    parts = report_of_parts([[dump]], 3, folder / "parts", SAMPLE, as_of=days, options=chosen,
                            partition_options=form)
    assert_same(contents(folder / "one"), contents(parts), "with dates")


def test_later_events_take_no_names_place(folder):
    """With --as-of a run is what it would be if later events had not been read: what they alone are called, too."""
    flow = folder / "wide.yaml"
    flow.write_text("flow: wide\nsteps: [welcome]\ndimensions: [{id: kind, path: properties.kind}]\n"
                    "goals: [{id: paid, event: pay, value: price}]\n")
    lines = {"before": [], "after": []}
    for number in range(2600):
        name, day = ("before", 1 + number % 5) if number < 150 else ("after", 20 + number % 8)
        common = {"user_id": f"u{number}", "timestamp": f"2026-03-{day:02}T10:00:00Z"}
        lines[name] += [{**common, "event": "onboarding_page_viewed",
                         "properties": {"page_name": "welcome", "kind": f"k{number}"}},
                        {**common, "event": "pay", "properties": {"price": number}},
                        {**common, "event": "onboarding_completed", "properties": {"kind": f"k{number}"}}]
    for name in lines:
        (folder / f"{name}.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines[name]))
    days, both = ["--as-of", "2026-03-10"], [folder / "before.ndjson", folder / "after.ndjson"]
    report(both[:1], folder / "early", *days, flow=flow)
    report(both, folder / "one", *days, flow=flow)
    early = (folder / "early/metrics.csv").read_text()
    assert early == (folder / "one/metrics.csv").read_text()
    assert "kind=(other)" in early and early.count("kind=k") > 100
    parts = report_of_parts([both], 3, folder / "parts", flow, as_of=days)
    assert_same(contents(folder / "one"), contents(parts), "in parts")


def test_a_task_that_runs_twice_changes_nothing(folder):
    names = files_of(SAMPLE)
    divide(names, 3, folder / "once", flow=SAMPLE)
    before = contents(folder / "once")
    for threads in (1, 3):
        divide(names[1:3], 3, folder / "once", "--threads", threads, flow=SAMPLE)
        assert_same(before, contents(folder / "once"), "the tasks once more")
    asked = firstmile("stitch", folder / "once", "--flow", SAMPLE, "--check", "--out", "-")
    assert json.loads(asked.stdout) == {"isNeeded": True}
    stitched(folder / "once", folder / "stitched", SAMPLE)
    before = contents(folder / "stitched")
    stitched(folder / "once", folder / "stitched", SAMPLE)
    assert_same(before, contents(folder / "stitched"), "stitching once more")


def test_a_stream_that_is_closed_is_named(folder):
    reading, writing = os.pipe()
    os.close(reading)
    with subprocess.Popen([str(BINARY), "partition", str(files_of(SAMPLE)[0]), "--flow", SAMPLE, "--partitions", "2",
                           "--out", "-", "--quiet"], stdout=writing, stderr=subprocess.PIPE) as process:
        os.close(writing)
        said = process.stderr.read()
    assert process.returncode == 2 and b"standard output could not be written to" in said, said
    assert b"NSCocoa" not in said and said.count(b"\n") == 1, said


def test_a_stream_is_the_files_one_after_the_other(folder):
    names = files_of(SAMPLE)[:2]
    divide(names, 4, folder / "files", flow=SAMPLE)
    done = divide(names, 4, "-", flow=SAMPLE)
    assert len(done.stdout) == sum(map(len, contents(folder / "files").values()))
    (folder / "joined.segments").write_bytes(done.stdout)
    one = tallied(folder / "files", folder / "a", SAMPLE)
    other = tallied(folder / "joined.segments", folder / "b", SAMPLE)
    assert_same(contents(one), contents(other), "joined")


def test_broken_and_missing_inputs_are_told_as_on_one_machine(folder):
    names = files_of(SAMPLE)
    dump = folder / "dump"
    dump.mkdir()
    for path in names[:3]:
        shutil.copy(path, dump)
    whole = names[1].read_bytes()
    (dump / names[1].name).write_bytes(whole[:len(whole) * 2 // 3])
    (dump / names[2].name).write_bytes(names[2].read_bytes()
                                       + gzip.compress(b"no json\n{}\n" * 40))
    one = report([dump], folder / "one", expect=4)
    parts = report_of_parts([[path] for path in sorted(dump.iterdir())], 5, folder / "parts",
                            SAMPLE, expect=4)
    assert_same(contents(folder / "one"), contents(parts), "damaged")
    assert b"damaged" in one.stderr
    # By name it stands between the others.
    shutil.copy(names[0], folder / "a.ndjson.gz")
    shutil.copy(names[1], folder / "z.ndjson.gz")
    asked = [folder / name for name in ("a.ndjson.gz", "gone.ndjson", "z.ndjson.gz")]
    missing = report(asked, folder / "less", expect=2)
    assert b"gone.ndjson" in missing.stderr
    divide(asked, 2, folder / "segments", flow=SAMPLE, expect=2)
    tallies = tallied(folder / "segments", folder / "rest", SAMPLE)
    reported(tallies, folder / "rest/report", SAMPLE, expect=2)
    assert_same(contents(folder / "less"), contents(folder / "rest/report"), "missing")


def device_then_user(names):
    """People who start on a device and finish signed in: nobody has finished without stitching."""
    lines = []
    for number, name in enumerate(names):
        when = f"2026-03-{1 + number % 20:02}T10:00:0"
        lines += [{"event": "onboarding_started", "device_id": f"d-{name}", "timestamp": f"{when}0Z"},
                  {"event": "onboarding_completed", "device_id": f"d-{name}", "user_id": f"u-{name}",
                   "timestamp": f"{when}2Z"}]
    return "".join(json.dumps(line) + "\n" for line in lines)


@pytest.fixture
def two_days(folder):
    """Two inputs of other people, divided, stitched and surveyed."""
    for day in "xy":
        (folder / f"{day}.ndjson").write_text(device_then_user(f"{day}{number}" for number in range(50)))
    divide([folder / "x.ndjson", folder / "y.ndjson"], 3, folder / "segments", flow=SAMPLE)
    stitched(folder / "segments", folder / "stitched", SAMPLE)
    firstmile(*survey(folder / "segments", folder / "stitched"), folder / "surveys")
    return folder


def tally_of(folder, *segments):
    return ["tally", *segments, "--flow", SAMPLE, "--surveys", folder / "surveys", "--out", folder / "tallies"]


def test_what_is_counted_is_what_was_surveyed(two_days):
    segments, made = two_days / "segments", two_days / "stitched"
    whole = tally_of(two_days, segments, made)
    firstmile(*whole)
    shutil.rmtree(two_days / "tallies")
    refused("name all that `firstmile stitch` wrote", *tally_of(two_days, segments))
    for partition in range(3):
        (made / f"stitched-{partition}.segments").rename(two_days / "aside")
        refused("name all that `firstmile stitch` wrote", *whole)
        (two_days / "aside").rename(made / f"stitched-{partition}.segments")
    # A day that came after the surveys.
    (two_days / "z.ndjson").write_text(device_then_user(f"z{number}" for number in range(50)))
    divide([two_days / "z.ndjson"], 3, segments, flow=SAMPLE)
    refused("the surveys know 2 inputs, and these segments are of 3", *whole)
    # One that was read again, with other content and as many facts.
    next(segments.glob("z*")).unlink()
    text = (two_days / "y.ndjson").read_text()
    (two_days / "y.ndjson").write_text(text.replace("onboarding_started", "app_opened"))
    divide([two_days / "y.ndjson"], 3, segments, flow=SAMPLE)
    refused("the surveys know 2 inputs, and these segments are of others", *whole)
    assert not list((two_days / "tallies").glob("*"))


def test_stitching_of_other_inputs_is_refused(two_days):
    segments, made = two_days / "segments", two_days / "stitched"
    anew = survey(segments, made)
    day = next(segments.glob("y*"))
    shutil.copy(day, two_days / "aside")
    # Deleted since.
    day.unlink()
    refused("was stitched with 2 inputs, and the segments are of 1",
            "tally", segments, made, "--flow", SAMPLE, "--out", two_days / "tallies",
            *surveys_of(two_days, anew))
    # Read again since, with as many facts of the same people.
    text = (two_days / "y.ndjson").read_text()
    (two_days / "y.ndjson").write_text(text.replace("onboarding_started", "app_opened"))
    divide([two_days / "y.ndjson"], 3, segments, flow=SAMPLE)
    refused("was stitched with other content of these inputs",
            "tally", segments, made, "--flow", SAMPLE, "--out", two_days / "tallies",
            *surveys_of(two_days, anew))
    shutil.copy(two_days / "aside", day)
    surveys_of(two_days, anew)
    firstmile(*tally_of(two_days, segments, made))


def surveys_of(folder, words):
    shutil.rmtree(folder / "surveys")
    # It says what `tally` says of them.
    firstmile(*words, folder / "surveys", expect=(0, 2))
    return ["--surveys", folder / "surveys"]


def test_each_process_keeps_the_lines_that_it_could_not_use(folder):
    for name, broken in (("a", 3), ("b", 1), ("c", 0)):
        (folder / f"{name}.ndjson").write_text(f"no json of {name}\n" * broken + device_then_user([name]))
        divide([folder / f"{name}.ndjson"], 2, folder / "segments", "--max-reject-rate", "100%", flow=SAMPLE)
    rejects = folder / "segments-rejects"
    kept = {json.loads(line)["text"] for path in rejects.iterdir() for line in path.read_text().splitlines()}
    lines = sum(len(path.read_text().splitlines()) for path in rejects.iterdir())
    assert kept == {"no json of a", "no json of b"} and lines == 4, (kept, lines)
    assert rejects.stat().st_mode & 0o777 == 0o700
    # At one time, too.
    for number in range(6):
        (folder / f"m{number}.ndjson").write_text("no json at all\n" * (number % 2) + device_then_user([str(number)]))
    running = [subprocess.Popen([str(BINARY), "partition", str(folder / f"m{number}.ndjson"), "--flow", SAMPLE, "--partitions", "2",
                                 "--out", str(folder / "many"), "--max-reject-rate", "100%", "--quiet"], stderr=subprocess.PIPE)
               for number in range(6)]
    assert [process.communicate()[1] for process in running if process.wait()] == []
    assert len(list((folder / "many-rejects").glob("*-rejects.ndjson"))) == 3
    # What is whole now has nothing to keep.
    for name in "ab":
        (folder / f"{name}.ndjson").write_text(device_then_user([name]))
        divide([folder / f"{name}.ndjson"], 2, folder / "segments", flow=SAMPLE)
    assert not list(rejects.iterdir())


def refused(text, *arguments):
    done = firstmile(*arguments, expect=2)
    said = done.stderr.decode()
    assert text in said, f"{text!r} is not in:\n{said}"
    assert done.stdout == b""


def survey(*arguments, flow=SAMPLE):
    return ["survey", *arguments, "--flow", flow, "--out"]


@pytest.fixture
def parts(folder):
    divide(files_of(SAMPLE)[:3], 2, folder / "segments", flow=SAMPLE)
    tallied(folder / "segments", folder, SAMPLE)
    return folder


def test_files_that_are_no_segments_are_refused(parts):
    first = sorted((parts / "segments").iterdir())[0]
    whole = first.read_bytes()
    broken = parts / "broken.segments"
    out = parts / "x.survey"

    def expect(text, content):
        broken.write_bytes(content)
        refused(text, *survey(broken, "--partition", 1), out)
        assert not out.exists()

    expect("something else than a segment", b"{}\n" * 100)
    expect("something else than a segment", b"FM")
    expect("no segment of partition", b"")
    expect("truncated", whole[:-1])
    expect("truncated", whole[:len(whole) // 2])
    expect("version 9", whole[:6] + b"\x09" + whole[7:])
    expect("something else than a segment", whole + b"more than a head of a segment, and no segment")
    for place in range(8, len(whole), len(whole) // 23):
        changed = bytearray(whole)
        changed[place] ^= 4
        broken.write_bytes(changed)
        for command, partition in itertools.product(("stitch", "survey"), (0, 1)):
            done = firstmile(command, broken, "--flow", SAMPLE, "--partition", partition, "--out",
                             parts / "y", expect=(0, 2))
            if done.returncode == 2:
                break
        else:
            raise AssertionError(f"byte {place} was changed and nothing was said")


def test_parts_that_do_not_belong_together_are_refused(parts):
    segments, out = parts / "segments", parts / "x"
    first = sorted(segments.iterdir())[0]
    refused("choose one partition with --partition", *survey("-"), out)
    refused("no partition 2", *survey(segments, "--partition", 2), out)
    refused("is named twice", *survey(segments, first, "--partition", 0), out)
    shutil.copy(first, parts / "copy.segments")
    refused("would count twice", *survey(segments, parts / "copy.segments", "--partition", 0), out)
    divide([files_of(SAMPLE)[3]], 3, parts / "three", flow=SAMPLE)
    refused("among 3 partitions", *survey(segments, parts / "three", "--partition", 0), out)
    (parts / "key").write_bytes(b"k" * 16)
    divide([files_of(SAMPLE)[3]], 2, parts / "keyed", "--key-file", parts / "key", flow=SAMPLE)
    refused("another key", *survey(segments, parts / "keyed", "--partition", 0), out)
    refused("did not keep what flow", *survey(segments, "--partition", 0, flow="dequeue"), out)


def test_nothing_is_counted_before_all_is_known(parts):
    segments, out = parts / "segments", parts / "x"
    tally = ["tally", segments, parts / "stitched", "--flow", SAMPLE, "--partition", 0, "--out", out]
    one = parts / "surveys/0.survey"
    refused("missing: 1", *tally, "--surveys", one)
    refused("missing: 1", "survey", "--merge", one, "--flow", SAMPLE, "--out", out)
    refused("partitions; missing", *tally)
    refused("is named twice", *tally, "--surveys", one, one)
    shutil.copy(one, parts / "again.survey")
    refused("partition 0 is in two surveys", *tally, "--surveys", one, parts / "again.survey")
    refused("something else than a survey", *tally, "--surveys", parts / "tallies/0.tally")
    text = one.read_bytes()
    for content, words in ((text[:-30], "truncated"), (text.replace(b'"people":1', b'"people":2', 1),
                                                      "damaged")):
        (parts / "broken.survey").write_bytes(content)
        refused(words, *tally, "--surveys", parts / "broken.survey", parts / "surveys/1.survey")
    # One of the tasks' files is missing in one of the partitions.
    names = [path.stem for path in sorted(segments.iterdir())]
    rest = sorted(segments.iterdir())[1:]
    firstmile(*survey(*rest, parts / "stitched", "--partition", 1), parts / "less")
    refused(names[0], *tally, "--surveys", one, parts / "less/1.survey")
    refused("was not stitched", *survey(segments), parts / "early")
    refused("was not stitched", "survey", "--merge", parts / "early", "--flow", SAMPLE, "--out", out)
    assert not out.exists()


def test_tallies_that_do_not_make_a_run_are_refused(parts):
    tallies = parts / "tallies"

    def refuse(text, *named, flow=SAMPLE, options=()):
        refused(text, "report", "--tallies", *named, "--flow", flow, "--out", parts / "out",
                "--quiet", *options)
        assert not (parts / "out").exists()

    refuse("missing: 1", tallies / "0.tally")
    refuse("is named twice", tallies, tallies / "0.tally")
    shutil.copy(tallies / "0.tally", parts / "again.tally")
    refuse("would count twice", tallies, parts / "again.tally")
    refuse("was counted for the flow 'aiq'", tallies, flow="dequeue")
    refuse("something else than a tally", parts / "surveys/0.survey")
    refuse("no such file", parts / "nothing")
    refuse("no file in it is called", parts / "segments")
    refuse("--as-of was chosen when", tallies, options=("--as-of", "2026-03-01"))
    refuse("tallies know no people", tallies, options=("--people", parts / "p.csv"))
    text = (tallies / "1.tally").read_bytes()
    (parts / "broken.tally").write_bytes(text[:-1000])
    refuse("truncated", tallies / "0.tally", parts / "broken.tally")
    (parts / "broken.tally").write_bytes(text.replace(b'"group":0', b'"group":1', 1))
    refuse("damaged", tallies / "0.tally", parts / "broken.tally")
    firstmile("tally", parts / "segments", parts / "stitched", "--flow", SAMPLE, "--partition", 1,
              "--surveys", parts / "surveys", "--out", parts / "other", "--from", "2026-02-01")
    refuse("are of two runs", tallies / "0.tally", parts / "other/1.tally")


def test_crafted_documents_with_a_right_checksum_are_refused(parts):
    """What nobody wrote but somebody may craft: lengths that don't fit, counts without a sum."""
    most = (1 << 63) - 1
    # The sources are in the tally of one partition, by where they lie.
    other, path = sorted((parts / "tallies").iterdir(), key=lambda path: len(unsealed(path.read_bytes())["sources"]))
    tally = path.read_bytes()
    survey = (parts / "surveys/1.survey").read_bytes()
    # A task is in the survey of one partition.
    task = (unsealed(survey)["tasks"] + unsealed((parts / "surveys/0.survey").read_bytes())["tasks"])[0]
    assert sealed(unsealed(tally), "tally").split(b"\n")[1] == tally.split(b"\n")[1]
    inner = lambda value: value["tally"]  # noqa: E731
    changes = {
        "tally": [
            lambda value: value["run"].update(partitionCount=-1),
            lambda value: value.update(partitions=[2]),
            # More events than lines, and more rejects.
            lambda value: [one.update(events=one["lines"] + 1) for one in value["sources"]],
            lambda value: [one["rejects"].update(missing_id=1) for one in value["sources"]],
            lambda value: value["counts"].update(facts=most),
            lambda value: value["run"]["findings"].update(sampledEvents=-1),
            lambda value: value["run"]["findings"].update(
                crawlers=[{"name": "a", "events": 2, "sampledEvents": 1}]),
            lambda value: value["run"]["findings"].update(personal=[{"path": "a", "kind": "thing"}]),
            lambda value: inner(value)["cells"][0].update(counts=[]),
            lambda value: inner(value)["cells"][0]["counts"].__setitem__(0, most),
            lambda value: inner(value)["strata"][0].update(counts=[]),
            lambda value: [row["values"].pop() for row in inner(value)["strata"] if len(row["values"]) > 1],
            lambda value: inner(value)["survival"][0]["buckets"].__setitem__(1, most),
            # A number that is gone makes counts of edges.
            lambda value: inner(value)["survival"][-1]["buckets"].pop(),
            lambda value: inner(value)["times"][0]["buckets"].pop(0),
            lambda value: inner(value)["nextEvents"][0]["buckets"].pop(),
            lambda value: inner(value)["nextEvents"][0].update(furthest=-1 << 63),
            lambda value: value["run"].update(knownFromMilliseconds=-1 << 63),
            lambda value: value["run"]["findings"].update(
                personal=[{"path": "a", "kind": "email", "events": 0, "sampledEvents": -1}]),
            lambda value: value["run"]["findings"].update(
                crawlers=[{"name": "a", "events": -5, "sampledEvents": -1}]),
            lambda value: inner(value)["quality"].update(orphans=most),
            lambda value: inner(value)["groups"][0].update(periods=[7] * len(inner(value)["groups"][0]["periods"])),
            lambda value: inner(value)["people"]["groups"].update(keys=[]),
        ],
        "survey": [
            lambda value: value.update(partitionCount=-1),
            lambda value: value.update(partitions=[99]),
            lambda value: value["days"][0].update(people=most),
            lambda value: value["names"].pop(),
            lambda value: value.update(names=[]),
            lambda value: value.update(sample="AAAB"),
            lambda value: value.update(sample="//////8="),
            lambda value: value.update(tasks=[{**task, "facts": []}]),
            lambda value: value.update(tasks=[{**task, "links": -1}]),
        ],
    }
    words = {
        "tally": lambda path: ["report", "--tallies", other, path],
        "survey": lambda path: ["tally", parts / "segments", parts / "stitched", "--partition", 0, "--surveys",
                                parts / "surveys/0.survey", path],
    }
    for kind, document in (("tally", tally), ("survey", survey)):
        for path in crafted(document, kind, changes[kind], parts):
            done = firstmile(*words[kind](path), "--flow", SAMPLE, "--out", parts / "crafted-out", expect=2)
            allowed = (b"damaged", b"does not fit the flow", b"differ in the flow")
            assert any(one in done.stderr for one in allowed), (path, done.stderr)
            assert not (parts / "crafted-out").exists()


def test_segments_are_sealed_as_the_documents_say(parts):
    for path in sorted((parts / "segments").iterdir()):
        content = path.read_bytes()
        assert b"".join(sealed_segment(*one) for one in segments(content)) == content


def test_tallies_hold_no_ids(parts):
    ids = set()
    for path in files_of(SAMPLE)[:3]:
        for event in json_objects(gzip.decompress(path.read_bytes()).splitlines()):
            ids |= {event.get("user_id"), event.get("device_id")} - {None, ""}
    text = b"".join(contents(parts / "tallies").values())
    found = [one for one in ids if str(one).encode() in text]
    assert not found, found[:3]


def test_without_devices_and_aliases_nothing_needs_stitching(folder):
    lines = []
    for event in json_objects(gzip.decompress(b"".join(
            path.read_bytes() for path in files_of(SAMPLE))).splitlines()):
        if event.get("user_id"):
            event.pop("device_id", None)
            lines.append(json.dumps(event).encode())
    for number in range(2):
        (folder / f"{number}.ndjson").write_bytes(b"\n".join(lines[number::2]) + b"\n")
    names = [folder / "0.ndjson", folder / "1.ndjson"]
    report(names, folder / "one")
    divide(names, 3, folder / "segments", flow=SAMPLE)
    asked = firstmile("stitch", folder / "segments", "--flow", SAMPLE, "--check", "--out", "-")
    assert json.loads(asked.stdout) == {"isNeeded": False}
    firstmile("survey", folder / "segments", "--flow", SAMPLE, "--out", folder / "surveys")
    firstmile("tally", folder / "segments", "--flow", SAMPLE, "--surveys", folder / "surveys",
              "--out", folder / "tallies")
    reported(folder / "tallies", folder / "two", SAMPLE)
    assert_same(contents(folder / "one"), contents(folder / "two"), "without stitching")
