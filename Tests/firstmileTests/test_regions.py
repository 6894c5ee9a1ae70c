"""Parties that count the events of different people, and exchange surveys and tallies alone."""

import gzip
import json
import shutil

import pytest

from harness import APPS, ROOT, SAMPLE, assert_same, contents, firstmile, json_objects, report
from parties import DAYS, counted, regions, secret, surveyed, tally_words
from partitioned import reported
from sealed_files import crafted, sealed, unsealed
from test_partition import files_of, refused, scattered


def lines_of(app, files=None):
    return [line for path in files_of(app)[:files]
            for line in gzip.decompress(path.read_bytes()).splitlines()]


def union(folder, out, *names, flow=SAMPLE, partitions=(2, 2), days=DAYS, options=(), expect=0):
    key = secret(folder)
    for name, count in zip(names, partitions):
        surveyed(folder, name, flow, key=key, partitions=count, days=days)
    tallies = counted(folder, *names, flow=flow, days=days, options=options)
    firstmile("report", "--tallies", *tallies, "--flow", flow, "--out", out, "--quiet", expect=expect)
    return out


@pytest.mark.parametrize("app", APPS)
def test_two_regions_have_the_bytes_of_one_run(app, folder):
    regions(folder, lines_of(app))
    report(["eu", "us"], folder / "one", *DAYS, flow=app, cwd=folder)
    union(folder, folder / "both", "eu", "us", flow=app, partitions=(3, 1))
    assert_same(contents(folder / "one"), contents(folder / "both"), app)


def test_three_parties_agree_on_dates_without_as_of(folder):
    lines = [line for path in sorted(scattered(folder, seed=31).iterdir())
             for line in gzip.decompress(path.read_bytes()).splitlines()]
    names = ("eu", "jp", "us")
    found = regions(folder, lines, names)
    assert all(found.values())
    chosen = ["--from", "2026-01-20", "--cohorts", "day"]
    report(names, folder / "one", *chosen, cwd=folder)
    union(folder, folder / "all", *names, partitions=(1, 2, 5), days=(), options=chosen)
    assert_same(contents(folder / "one"), contents(folder / "all"), "three parties")
    # Alone, each would have other data, and says so.
    for name in names:
        firstmile(*tally_words(folder, name, days=(), options=["--out", folder / f"alone-{name}"]))
    refused("are of two runs", "report", "--tallies", *[folder / f"alone-{name}" for name in names], "--flow",
            SAMPLE, "--out", folder / "x")


def test_people_who_are_in_two_regions_are_found(folder):
    regions(folder, lines_of(SAMPLE), shared=3)
    key = secret(folder)
    for name in ("eu", "us"):
        surveyed(folder, name, key=key)
    done = firstmile(*tally_words(folder, "eu", folder / "exchange/us.survey"), expect=2)
    said = done.stderr.decode()
    assert "at least " in said and "are in the survey of this run as well" in said, said
    # Each of the three has a device, and some of them a user.
    assert 3 <= int(said.split("at least ")[1].split()[0]) <= 9, said
    assert not (folder / "tallies-eu").exists()


def test_a_device_of_two_regions_and_an_alias_are_found(folder):
    lines = lines_of(SAMPLE, 3)
    found = regions(folder, lines)
    key = secret(folder)
    surveyed(folder, "us", key=key)
    users = {name: next(event for event in json_objects(lines) if event.get("user_id") and event.get("device_id"))
             for name, lines in found.items()}
    other = users["us"]
    added = {"device": dict(users["eu"], device_id=other["device_id"]),
             "alias": dict(users["eu"], previous_id=other["user_id"])}
    for kind, event in added.items():
        (folder / "eu/more.ndjson").write_text(json.dumps(event) + "\n")
        surveyed(folder, "eu", key=key)
        refused("at least 1 user or device of", *tally_words(folder, "eu", folder / "exchange/us.survey"))
        # What comes after the end of the data shows nobody.
        (folder / "eu/more.ndjson").write_text(json.dumps(dict(event, timestamp="2026-09-01T00:00:00Z")) + "\n")
        surveyed(folder, "eu", key=key)
        firstmile(*tally_words(folder, "eu", folder / "exchange/us.survey"))


def dump(folder, name, numbers, days=28):
    """Somebody starts with each number, on one of the first days of January."""
    (folder / name).mkdir()
    made = (json.dumps({"event": "onboarding_started", "user_id": f"u{number}",
                        "timestamp": f"2026-01-{number % days + 1:02}T10:00:00Z"}) for number in numbers)
    (folder / name / "0.ndjson").write_text("\n".join(made) + "\n")


def test_a_few_of_many_people_are_found(folder):
    """Beyond 8,192 ids a sketch is a sample."""
    dump(folder, "eu", range(40_000))
    dump(folder, "us", range(39_600, 80_000))
    key = secret(folder)
    for name in ("eu", "us"):
        surveyed(folder, name, key=key)
    done = firstmile(*tally_words(folder, "us", folder / "exchange"), expect=2)
    said = done.stderr.decode()
    found = int(said.split("at least ")[1].split()[0])
    estimate = int(said.split("some ")[1].split(")")[0])
    # Of 400 common people a fifth is expected in the sample.
    assert 40 < found < 130 and 200 < estimate < 700, said


def test_a_party_whose_data_end_early_is_reported(folder):
    dump(folder, "eu", range(900))
    dump(folder, "us", range(900, 1800), days=20)
    key = secret(folder)
    for name in ("eu", "us"):
        surveyed(folder, name, key=key)
    said = firstmile(*tally_words(folder, "eu", folder / "exchange")).stderr.decode()
    assert "us.survey' end at 2026-01-20T10:00:00Z, those of all parties at 2026-01-28" in said, said
    assert said.count("choose an --as-of") == 1
    assert b"choose" not in firstmile(*tally_words(folder, "eu")).stderr


@pytest.fixture
def two(folder):
    regions(folder, lines_of(SAMPLE, 3))
    for name in ("eu", "us"):
        surveyed(folder, name, key=secret(folder))
    return folder


def more_people(folder):
    """Somebody new in the United States, whom an older survey does not know."""
    text = gzip.decompress((folder / "us/0.ndjson.gz").read_bytes())
    event = next(event for event in json_objects(text.splitlines()) if event.get("user_id"))
    (folder / "us/more.ndjson").write_text(json.dumps(dict(event, user_id="new", device_id="new")) + "\n")
    surveyed(folder, "us", key=folder / "secret")


def test_what_parties_did_not_agree_on_is_refused(two):
    theirs = two / "exchange/us.survey"
    tally = tally_words(two, "eu", theirs)
    surveyed(two, "us", key=secret(two, "other", b"another secret.."))
    refused("are hashed with another key", *tally)
    surveyed(two, "us")
    refused("are hashed with another key", *tally)
    surveyed(two, "eu")
    refused("the key that everybody knows", *tally)
    surveyed(two, "eu", key=two / "secret")
    surveyed(two, "us", key=two / "secret", days=("--as-of", "2026-05-01"))
    refused("with an --as-of that ends at 2026-05-01T23:59:59", *tally)
    surveyed(two, "us", key=two / "secret", days=())
    refused("was made without --as-of", *tally)
    text = (ROOT / f"flows/{SAMPLE}.yaml").read_text()
    assert "window: " in text
    changed = two / "changed.yaml"
    changed.write_text(text.replace("\nwindow: ", "\nwindow: 9h # ", 1))
    surveyed(two, "us", changed, key=two / "secret")
    refused("agree on one flow file", *tally)
    refused("ask for what `firstmile survey --merge` writes",
            *tally_words(two, "eu", two / "work-us/surveys/0.survey"))
    surveyed(two, "us", key=two / "secret")
    shutil.copy(theirs, two / "again.survey")
    refused("is the same survey as", *tally_words(two, "eu", theirs, two / "again.survey"))
    refused("is named twice", *tally_words(two, "eu", theirs, theirs))
    refused("something else than a survey", *tally_words(two, "eu", two / "eu/0.ndjson.gz"))
    refused("no such file", *tally_words(two, "eu", two / "nothing.survey"))
    refused("name those of another run with `firstmile tally --with`", "survey", "--merge", two / "exchange", "--flow", SAMPLE, "--out",
            two / "x.survey")


def test_an_older_survey_of_a_party_does_not_count_it_twice(two):
    shutil.copy(two / "exchange/us.survey", two / "exchange/old.survey")
    more_people(two)
    refused("name the newer one only", *tally_words(two, "eu", two / "exchange"))
    refused("name the newer one only", *tally_words(two, "us", two / "exchange"))


def test_tallies_of_parties_that_do_not_add_up_are_refused(two):
    def refuse(text, *named):
        refused(text, "report", "--tallies", *named, "--flow", SAMPLE, "--out", two / "out", "--quiet")
        refused(text, "share", *named, "--flow", SAMPLE)
        assert not (two / "out").exists()

    eu, us = counted(two, "eu", "us")
    refuse("the tallies of the run over 'us/0.ndjson.gz' and 2 more are missing", eu)
    (two / "part").mkdir()
    shutil.copy(us / "1.tally", two / "part/1.tally")
    refuse("1 of 2 partitions of the run over 'us/0.ndjson.gz' and 2 more are missing: 0", eu, two / "part")
    shutil.copytree(us, two / "copy")
    refuse("would count twice", eu, us, two / "copy")
    refuse("is named twice", eu, us, us)
    (two / "broken.tally").write_bytes((us / "1.tally").read_bytes()[:-100])
    refuse("truncated", eu, us / "0.tally", two / "broken.tally")
    (two / "broken.tally").write_bytes((us / "1.tally").read_bytes().replace(b'"facts":', b'"factz":', 1))
    refuse("damaged", eu, us / "0.tally", two / "broken.tally")
    # Counted by itself, or with an older survey of the other party.
    firstmile(*tally_words(two, "us"))
    refuse("with other surveys, of 2 and 1 parties", us, eu)
    firstmile(*tally_words(two, "us", two / "exchange", options=["--from", "2026-02-01"]))
    refuse("they chose other options (from ", us, eu)
    more_people(two)
    counted(two, "us")
    refuse("with other surveys, of 2 and 2 parties", us, eu)
    counted(two, "eu")
    firstmile("report", "--tallies", eu, us, "--flow", SAMPLE, "--out", two / "out", "--quiet")
    firstmile("share", eu, us, "--flow", SAMPLE)


def test_partitions_of_different_runs_are_no_run(folder):
    """Two runs that found nothing to stitch, with one horizon: neither partition of a number is theirs alone."""
    lines = [json.dumps({key: value for key, value in event.items() if key != "device_id"}).encode()
             for event in json_objects(lines_of(SAMPLE)) if event.get("user_id")]
    regions(folder, lines)
    for name in ("eu", "us"):
        surveyed(folder, name)
        firstmile(*tally_words(folder, name))
    refused("are of two runs: they were counted from other surveys", "report", "--tallies",
            folder / "tallies-eu/0.tally", folder / "tallies-us/1.tally", "--flow", SAMPLE, "--out", folder / "x")


def test_regions_without_people_add_nothing(folder):
    regions(folder, lines_of(SAMPLE, 3))
    (folder / "no").mkdir()
    (folder / "no/0.ndjson").write_bytes(b"")
    (folder / "id").mkdir()
    event = json.loads(lines_of(SAMPLE, 1)[0])
    (folder / "id/0.ndjson").write_text(
        json.dumps({key: value for key, value in event.items() if not key.endswith("_id")}) + "\n")
    names = ("eu", "id", "no", "us")
    report(names, folder / "one", *DAYS, "--max-reject-rate", "10%", cwd=folder)
    key = secret(folder)
    for name in names:
        surveyed(folder, name, key=key, expect=(0, 4))
    firstmile("report", "--tallies", *counted(folder, *names), "--flow", SAMPLE, "--out", folder / "all", "--quiet",
              "--max-reject-rate", "10%")
    assert_same(contents(folder / "one"), contents(folder / "all"), "with empty regions")
    # Nobody anywhere: zeros, and the exit code of a report of nothing.
    shutil.rmtree(folder / "exchange")
    shutil.copytree(folder / "no", folder / "none")
    (folder / "none/0.ndjson").write_bytes(b"\n")
    for name in ("no", "none"):
        surveyed(folder, name, key=key)
    reported(counted(folder, "no", "none")[0], folder / "x", SAMPLE, expect=2)
    done = firstmile("report", "--tallies", *counted(folder, "no", "none"), "--flow", SAMPLE, "--out",
                     folder / "nobody", "--quiet", expect=4)
    assert b"no event in the input" in done.stderr
    refused("no input", "report", "--tallies", "--flow", SAMPLE, "--out", folder / "y")


def test_surveys_and_tallies_that_are_sent_hold_no_ids(two):
    ids = set()
    for event in json_objects(lines_of(SAMPLE, 3)):
        ids |= {event.get("user_id"), event.get("device_id")} - {None, ""}
    text = b"".join(contents(two / "exchange").values())
    text += b"".join(b"".join(contents(one).values()) for one in counted(two, "eu", "us"))
    assert not [one for one in ids if str(one).encode() in text][:3]
    # Without a secret there is nothing that could be compared with hashes of guessed ids.
    assert "sketch" in unsealed((two / "exchange/eu.survey").read_bytes())
    assert "sketch" not in unsealed(surveyed(two, "eu").read_bytes())


def test_crafted_documents_of_other_parties_are_refused(two):
    survey = (two / "exchange/us.survey").read_bytes()
    eu, us = counted(two, "eu", "us")
    tally = (us / "1.tally").read_bytes()
    changes = {
        "survey": [
            lambda value: value.update(sketch="AAAA"),
            lambda value: value.update(sketch="AQAAAAAAAAAAAAAAAAAAAA=="),
            lambda value: value["rule"].update(asOfMilliseconds=-(1 << 63)),
        ],
        "tally": [
            lambda value: value["run"].update(parties=[]),
            lambda value: value["run"].update(survey="0"),
            lambda value: value["run"]["parties"].append(value["run"]["parties"][0]),
            lambda value: value["run"]["parties"][0].update(partitionCount=1 << 40),
            lambda value: value["run"].update(horizonMilliseconds=-(1 << 63)),
        ],
    }
    words = {
        "survey": lambda path: tally_words(two, "eu", path),
        "tally": lambda path: ["report", "--tallies", eu, us / "0.tally", path, "--flow", SAMPLE, "--out", two / "out"],
    }
    for kind, document in (("survey", survey), ("tally", tally)):
        for path in crafted(document, kind, changes[kind], two):
            done = firstmile(*words[kind](path), expect=2)
            assert b"damaged" in done.stderr, (path, done.stderr)
    value = unsealed(tally)
    value["run"]["counts"]["stitchedFacts"] += 1
    (two / "other.tally").write_bytes(sealed(value, "tally"))
    refused("disagree on what stitching", "report", "--tallies", eu, us / "0.tally", two / "other.tally", "--flow",
            SAMPLE, "--out", two / "out")
