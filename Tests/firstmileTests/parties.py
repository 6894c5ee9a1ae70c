"""Regions whose people are counted apart, and what each party runs until tallies can be added up."""

import gzip
import json

from harness import SAMPLE, firstmile, json_objects
from partitioned import divide, stitched

DAYS = ("--as-of", "2026-06-01")


def people_of(lines):
    """For each event the person's number: users who share a device or are each other's alias are one."""
    parents = {}

    def root(one):
        while parents.setdefault(one, one) != one:
            parents[one] = one = parents[parents[one]]
        return one

    events = list(json_objects(lines))
    for event in events:
        ids = [(kind, str(event[name])) for kind, name in
               (("user", "user_id"), ("device", "device_id"), ("user", "previous_id")) if event.get(name)]
        for other in ids[1:]:
            parents[root(ids[0])] = root(other)
        event["_person"] = ids[0] if ids else ("", "")
    return [(root(event.pop("_person")), event) for event in events]


def regions(folder, lines, names=("eu", "us"), shared=0):
    """Dumps of the events of different people, of some in two of them; their folders."""
    events = people_of(lines)
    persons = sorted({person for person, _ in events})
    places = {person: [number % len(names)] for number, person in enumerate(persons)}
    # The first ones are people without an id, or with one of zeros.
    for person in persons[len(persons) - shared:]:
        places[person] = [0, 1]
    found = {name: [] for name in names}
    for person, event in events:
        for place in places[person]:
            found[names[place]].append(json.dumps(event).encode())
    for name, kept in found.items():
        (folder / name).mkdir()
        for number in range(3):
            (folder / name / f"{number}.ndjson.gz").write_bytes(
                gzip.compress(b"\n".join(kept[number::3]) + b"\n", mtime=0))
    return found


def secret(folder, name="secret", content=b"0123456789abcdef"):
    (folder / name).write_bytes(content)
    return folder / name


def surveyed(folder, region, flow=SAMPLE, *, key=None, partitions=2, days=DAYS, expect=0):
    """The steps of one party up to the survey that it sends, which lies in `exchange`."""
    work = folder / f"work-{region}"
    keyed = ("--key-file", key) if key else ()
    divide([region], partitions, work / "segments", *keyed, flow=flow, cwd=folder, expect=expect)
    stitched(work / "segments", work / "stitched", flow, *days)
    firstmile("survey", work / "segments", work / "stitched", "--flow", flow, "--out", work / "surveys", *days)
    (folder / "exchange").mkdir(exist_ok=True)
    firstmile("survey", "--merge", work / "surveys", "--flow", flow, "--out", folder / f"exchange/{region}.survey")
    return folder / f"exchange/{region}.survey"


def tally_words(folder, region, *others, flow=SAMPLE, days=DAYS, options=()):
    work = folder / f"work-{region}"
    return ["tally", work / "segments", work / "stitched", "--flow", flow, "--surveys", work / "surveys",
            *(("--with", *others) if others else ()), "--out", folder / f"tallies-{region}", *days, *options]


def counted(folder, *names, options=(), **more):
    """What every party does once it has the surveys of all; the folders of tallies."""
    for name in names:
        firstmile(*tally_words(folder, name, folder / "exchange", options=options, **more))
    return [folder / f"tallies-{name}" for name in names]
