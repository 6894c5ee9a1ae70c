"""What reports say of personal text and crawlers is the same however the input is cut, and no value travels."""

import csv
import functools
import gzip
import io
import json
import pathlib
import random
import tempfile

import pytest

from harness import ROOT, SAMPLE, assert_same, contents, firstmile, json_objects, report
from parties import DAYS, counted, regions, secret, surveyed
from partitioned import divide, report_of_parts, reported, stitched, tallied
from sealed_files import sealed_segment, segments, unsealed
from test_partition import refused, scattered
from test_regions import lines_of

WORDS = "amber basil cedar delta ember fjord grove haven inlet jetty knoll larch maple north ocean pearl".split()
CHECKS = ("personal_text", "crawlers")
SAMPLED = 6


@functools.cache
def lines_with(seed, persons):
    """Lines of simulated events, with aliases and shared devices."""
    with tempfile.TemporaryDirectory() as folder:
        return [line for path in sorted(scattered(pathlib.Path(folder), seed=seed, persons=persons, files=1).iterdir())
                for line in gzip.decompress(path.read_bytes()).splitlines()]


def events_of(seed, persons=250):
    return list(json_objects(lines_with(seed, persons)))


def with_personal_text(events, seed):
    """Properties of all kinds: some are of a few events, some have one value for everybody."""
    chance = random.Random(seed)
    for event in events:
        person = str(event.get("user_id") or event.get("device_id") or "nobody")
        mark = sum(person.encode())
        own = event.setdefault("properties", {})
        own["support"] = "help@example.com"
        own["plan"] = "basic plan with all" if mark % 3 else "no plan"
        if chance.random() < 0.3:
            own["mail"] = f"{person.lower()}@example.com"
        if chance.random() < 0.02:
            own["callback"] = f"+49 30 {1000000 + mark * 37 % 9000000}"
        if chance.random() < 0.5:
            own["note"] = " ".join(chance.choices(WORDS, k=chance.randint(3, 11)))
        # Keys without end are values, and after so many they are not distinguished.
        own["seen"] = {f"{chance.choice(WORDS)}{chance.randrange(400)}": " ".join(chance.choices(WORDS, k=4))}
        own["friends"] = [{"first_name": chance.choice(WORDS).title()}, {f"{person}@x.example".lower(): 1}]
        event.setdefault("context", {})["ip"] = f"81.20.{mark % 200}.{chance.randrange(9)}"
    return events


def with_crawlers(events, seed):
    chance = random.Random(seed)
    for event in events:
        context = event.setdefault("context", {})
        context["user_agent"] = chance.choice(
            ["Mozilla/5.0 (compatible; Googlebot/2.1)"] + ["Mozilla/5.0 (iPhone)"] * 30 + ["curl/8.1"])
        if chance.random() < 0.01:
            event.setdefault("properties", {})["is_bot"] = True
    return events


CHANGES = {"neither": lambda events, _: events, "personal": with_personal_text, "crawlers": with_crawlers,
           "both": lambda events, seed: with_crawlers(with_personal_text(events, seed), seed)}


def written(folder, lines, files):
    folder.mkdir()
    for number in range(files):
        (folder / f"{number}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines[number::files]))
    return sorted(folder.iterdir())


def found(out):
    """What a report says of the sample, as rows of quality.csv."""
    rows = csv.DictReader(io.StringIO((out / "quality.csv").read_text()))
    return sorted(tuple(row.values()) for row in rows if row["check"] in CHECKS)


@pytest.mark.parametrize("kind", sorted(CHANGES))
def test_any_cut_has_the_findings_of_one_machine(kind, folder):
    lines = [json.dumps(event).encode() for event in CHANGES[kind](events_of(41), 41)]
    mixed = random.Random(41)
    seen = set()
    for files, partitions in ((1, 1), (2, 3), (7, 2)):
        mixed.shuffle(lines)
        place = folder / str(files)
        place.mkdir()
        names = written(place / "dump", lines, files)
        report(names, place / "one")
        cut = mixed.randrange(files + 1)
        tasks = [task for task in (names[cut:], names[:cut]) if task]
        parts = report_of_parts(tasks, partitions, place, SAMPLE)
        assert_same(contents(place / "one"), contents(parts), f"{kind}, {files} files")
        seen.add(tuple(found(parts)))
    # One of the checks is there for each of what was put in, whatever the cut.
    (rows,) = seen
    checks = {row[0] for row in rows}
    assert checks >= {"neither": set(), "personal": {CHECKS[0]}, "crawlers": {CHECKS[1]},
                      "both": set(CHECKS)}[kind], rows
    if kind == "personal":
        paths = {row[1] for row in rows}
        assert {"properties.mail", "properties.note", "properties.callback", "context.ip"} <= paths, rows
        assert not {"properties.support", "properties.plan"} & paths, rows
        assert "properties.seen.*" in paths, rows


@pytest.mark.parametrize("identity", ["user", "device"])
def test_events_without_the_needed_id_are_not_sampled(identity, folder):
    flow = folder / "flow.yaml"
    text = (ROOT / f"flows/{SAMPLE}.yaml").read_text()
    assert "identity: stitched" in text
    flow.write_text(text.replace("identity: stitched", f"identity: {identity}"))
    events = with_crawlers(with_personal_text(events_of(42), 42), 42)
    for number, event in enumerate(events):
        if number % 5 == 0:
            event.pop(f"{identity}_id", None)
    names = written(folder / "cut", [json.dumps(event).encode() for event in events], 4)
    report(names, folder / "one", "--max-reject-rate", "100%", flow=flow)
    divide(names, 2, folder / "segments", "--max-reject-rate", "100%", flow=flow)
    tallies = tallied(folder / "segments", folder, flow)
    reported(tallies, folder / "parts", flow, "--max-reject-rate", "100%")
    assert_same(contents(folder / "one"), contents(folder / "parts"), identity)
    assert {row[0] for row in found(folder / "parts")} == set(CHECKS)


def test_redacted_properties_are_not_looked_at_in_parts(folder):
    flow = folder / "flow.yaml"
    text = (ROOT / f"flows/{SAMPLE}.yaml").read_text()
    flow.write_text(text + "\nredact: [properties.mail, properties.friends.*]\n")
    lines = [json.dumps(event).encode() for event in with_personal_text(events_of(43), 43)]
    names = written(folder / "cut", lines, 3)
    report(names, folder / "one", flow=flow)
    parts = report_of_parts([[name] for name in names], 2, folder, flow)
    assert_same(contents(folder / "one"), contents(parts), "redacted")
    paths = {row[1] for row in found(parts)}
    assert "properties.note" in paths and not {"properties.mail", "properties.friends.first_name"} & paths
    # A flow that looks at more than the one for which inputs were divided gets no judgement.
    tallies = tallied(folder / "segments", folder / "plain", SAMPLE)
    reported(tallies, folder / "plain/report", SAMPLE)
    assert found(folder / "plain/report") == []


def test_no_value_is_in_a_sample(folder):
    events = with_crawlers(with_personal_text(events_of(44), 44), 44)
    names = written(folder / "cut", [json.dumps(event).encode() for event in events], 3)
    divide(names, 2, folder / "segments", flow=SAMPLE)
    tallied(folder / "segments", folder, SAMPLE)
    kept = [one for path in sorted((folder / "segments").iterdir())
            for one in segments(path.read_bytes()) if one[0][2] == SAMPLED]
    assert len(kept) == 3
    text = b"".join(header + body for _, header, body in kept)
    text += b"".join(contents(folder / "surveys").values()) + b"".join(contents(folder / "tallies").values())
    values = {str(event[name]) for event in events for name in ("user_id", "device_id") if event.get(name)}
    for event in events:
        own = event["properties"]
        values |= {own[name] for name in ("mail", "callback", "note", "support", "plan") if own.get(name)}
        values |= {*own["seen"].values(), own["friends"][0]["first_name"], *own["friends"][1]}
    there = [value for value in values if value.encode() in text]
    # Names of browsers that are crawlers are; words of the generator are names of keys as well.
    assert not [value for value in there if value.lower() not in WORDS], there[:3]
    assert b"Googlebot" in text
    # What was sampled is only in the surveys of single partitions.
    survey = unsealed((folder / "surveys/0.survey").read_bytes())
    assert survey["sample"] and "findings" not in survey
    firstmile("survey", "--merge", folder / "surveys", "--flow", SAMPLE, "--out", folder / "all.survey")
    whole = unsealed((folder / "all.survey").read_bytes())
    assert "sample" not in whole and whole["findings"]["personal"]


def test_a_sample_that_is_missing_or_damaged_is_found(folder):
    events = with_crawlers(events_of(45, persons=40), 45)
    names = written(folder / "cut", [json.dumps(event).encode() for event in events], 2)
    divide(names, 2, folder / "segments", flow=SAMPLE)
    stitched(folder / "segments", folder / "stitched", SAMPLE)
    path = sorted((folder / "segments").iterdir())[0]
    all_segments = segments(path.read_bytes())
    (place,) = [number for number, one in enumerate(all_segments) if one[0][2] == SAMPLED]
    head, header, body = all_segments[place]
    survey = ["survey", folder / "segments", folder / "stitched", "--flow", SAMPLE, "--out", folder / "surveys"]

    def write(*changed):
        kept = all_segments[:place] + list(changed) + all_segments[place + 1:]
        path.write_bytes(b"".join(sealed_segment(*one) for one in kept))

    write()
    refused("events that the task", *survey)
    refused("events that the task", "survey", "--merge", folder / "surveys", "--flow", SAMPLE, "--out",
            folder / "x.survey")
    for content in (body[:-1], body + b"\0", body[:9], b"", b"\xff" * 40, body[:-2] + b"\x0f\xff"):
        write((head, header, content))
        refused("make no sense", *survey)
    fewer = json.dumps({**json.loads(header), "events": 1}).encode()
    write((head, fewer, body))
    refused("make no sense", *survey)
    write((head, header, body))
    firstmile(*survey)


def test_parties_add_up_what_each_found(folder):
    events = with_crawlers(list(json_objects(lines_of(SAMPLE))), 46)
    for number, event in enumerate(events):
        event.setdefault("properties", {})["mail"] = f"a{number}@example.com"
    regions(folder, [json.dumps(event).encode() for event in events])
    key = secret(folder)
    for name in ("eu", "us"):
        surveyed(folder, name, key=key)
    tallies = counted(folder, "eu", "us")
    for name in ("eu", "us"):
        report([folder / name], folder / f"alone-{name}", *DAYS)
    firstmile("report", "--tallies", *tallies, "--flow", SAMPLE, "--out", folder / "all", "--quiet")
    sums = {}
    for name in ("eu", "us"):
        for check, item, count, of, *_ in found(folder / f"alone-{name}"):
            known = sums.setdefault((check, item), [0, 0])
            known[0] += int(count)
            known[1] += int(of)
    assert sums and all(of == 1024 for _, of in sums.values())
    assert {row[:2]: [int(row[2]), int(row[3])] for row in found(folder / "all")} == sums
