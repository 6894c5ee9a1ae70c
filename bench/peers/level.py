"""Levels a simulated dump for the comparison, so that every tool can read it and means the same.

    python level.py RAW_FOLDER OUTPUT_FOLDER

What it does, all of it in favour of the peers:
- lines that no JSON reader takes, and events without a name, an id or a time from 2000 to 2099,
  are left out: DuckDB and polars stop at the first such line, FirstMile puts it aside;
- every event gets a user_id: the user of its device, else the device's id. The peers are spared
  the join that finds the person behind a device; FirstMile still does it;
- every timestamp is text in UTC with milliseconds, so that a typed column can be declared;
- every page view has its page_name, every variant stands in experiment and variant.
Repeated, late and misdated events stay.
"""
import glob
import gzip
import os
import re
import sys
from concurrent.futures import ProcessPoolExecutor
from datetime import datetime, timezone

import orjson
from isal import igzip

LISTS = {
    "long": ["welcome", "stack_concept", "active_focus", "create_first_stack", "ready"],
    "three_screen": ["welcome", "create_first_stack", "ready"],
}
# What FirstMile takes for a time at all: from 2000 to 2099.
FIRST_TIME, END_TIME = 946_684_800_000, 4_102_444_800_000
EMPTY = re.compile(r"^[0-]*$")


def identifier(event, key):
    value = event.get(key)
    return value if isinstance(value, str) and not EMPTY.match(value) else None


def milliseconds(value):
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return int(value if value > 1e11 else value * 1000)
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=timezone.utc)
    return round(moment.timestamp() * 1000)


def events(path):
    with igzip.open(path, "rb") as lines:
        for line in lines:
            try:
                event = orjson.loads(line)
            except orjson.JSONDecodeError:
                continue
            if isinstance(event, dict) and event.get("event"):
                yield event


def owners(path):
    """The users seen on each device."""
    found = {}
    for event in events(path):
        user, device = identifier(event, "user_id"), identifier(event, "device_id")
        if user and device:
            found.setdefault(device, set()).add(user)
    return found


def level(path, output, users):
    written = left_out = 0
    with gzip.open(output, "wb", compresslevel=6) as target:
        for event in events(path):
            time = milliseconds(event.get("timestamp"))
            user, device = identifier(event, "user_id"), identifier(event, "device_id")
            person = user or users.get(device) or device
            if time is None or not FIRST_TIME <= time < END_TIME or person is None:
                left_out += 1
                continue
            event["user_id"] = person
            event["device_id"] = device
            moment = datetime.fromtimestamp(time / 1000, timezone.utc)
            event["timestamp"] = moment.isoformat(timespec="milliseconds")[:23] + "Z"
            chosen = event.pop("experiments", None)
            if isinstance(chosen, dict) and "length" in chosen:
                event["experiment"], event["variant"] = "length", chosen["length"]
            name_page(event)
            target.write(orjson.dumps(event) + b"\n")
            written += 1
    return written, left_out


def name_page(event):
    properties = event.get("properties")
    if event["event"] != "onboarding_page_viewed" or properties.get("page_name"):
        return
    pages = LISTS.get(event.get("variant"), LISTS["long"])
    place = properties.get("page_index")
    if place is None:
        place = int(properties["page_number"]) - 1
    if 0 <= int(place) < len(pages):
        properties["page_name"] = pages[int(place)]


def main():
    source, target = sys.argv[1:3]
    paths = sorted(glob.glob(os.path.join(source, "*.ndjson.gz")))
    os.makedirs(target, exist_ok=True)
    with ProcessPoolExecutor() as pool:
        users = {}
        for found in pool.map(owners, paths):
            for device, names in found.items():
                users.setdefault(device, set()).update(names)
        several = sum(len(names) > 1 for names in users.values())
        if several:
            sys.exit(f"{several} devices have several users: choose another simulation")
        users = {device: min(names) for device, names in users.items()}
        outputs = [os.path.join(target, os.path.basename(path)) for path in paths]
        counts = list(pool.map(level, paths, outputs, [users] * len(paths)))
    print(f"{sum(c[0] for c in counts)} events, {sum(c[1] for c in counts)} left out")


if __name__ == "__main__":
    main()
