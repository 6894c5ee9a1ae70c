#!/usr/bin/env python3
"""Writes the events of plain dumps as one table: columns are paths, `properties.page_name`.

    bench/table.py DUMP... > events.csv
"""

import csv
import json
import sys


def flat(value, name=""):
    if not isinstance(value, dict):
        return {name: "" if value is None else json.dumps(value) if isinstance(value, bool) else value}
    return {path: inner for key, part in value.items()
            for path, inner in flat(part, f"{name}.{key}" if name else key).items()}


def events(paths):
    for path in paths:
        with open(path, "rb") as lines:
            for line in lines:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                if isinstance(event, dict):
                    yield flat(event)


columns = list(dict.fromkeys(name for event in events(sys.argv[1:]) for name in event))
writer = csv.DictWriter(sys.stdout, columns, restval="", lineterminator="\n")
writer.writeheader()
writer.writerows(events(sys.argv[1:]))
