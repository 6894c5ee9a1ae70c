"""Plain Python with orjson and ISA-L's igzip, one process. usage: query_python.py FILE..."""
import sys

import orjson
from isal import igzip

from questions import DAY, FIELDS, HORIZON, STEPS, answer

CODES = {"onboarding_started": 10, "onboarding_skipped": 11, "onboarding_completed": 12,
         "onboarding_page_viewed": 0, "push_delivered": 40, "widget_refreshed": 40}
PAGES = {step: code for code, step in enumerate(STEPS)}
VARIANTS = {"long": 1, "three_screen": 2}


def read(paths):
    """Facts as integers (time, variant, code packed) by person."""
    from datetime import datetime, timezone

    loads, variant_of, code_of = orjson.loads, VARIANTS.get, CODES.get
    days, persons = {}, {}
    for path in paths:
        with igzip.open(path, "rb") if path.endswith(".gz") else open(path, "rb") as lines:
            for line in lines:
                event = loads(line)
                text = event["timestamp"]
                date = text[:10]
                day = days.get(date)
                if day is None:
                    moment = datetime.fromisoformat(date).replace(tzinfo=timezone.utc)
                    day = days[date] = int(moment.timestamp()) * 1000
                time = (day + int(text[11:13]) * 3_600_000 + int(text[14:16]) * 60_000
                        + int(text[17:19]) * 1000 + int(text[20:23]))
                if time > HORIZON:
                    continue
                code = code_of(event["event"], 30)
                if code == 0:
                    code = PAGES.get(event["properties"].get("page_name"), 30)
                elif code == 12 and event["properties"].get("completion_method") == "skipped":
                    code = 13
                fact = time << 8 | variant_of(event.get("variant"), 0) << 6 | code
                person = event["user_id"]
                facts = persons.get(person)
                if facts is None:
                    persons[person] = [fact]
                else:
                    facts.append(fact)
    return persons


def count(facts, counts):
    facts.sort()
    entry = next((f >> 8 for f in facts if f & 63 in (0, 10)), None)
    if entry is None or facts[0] >> 8 < entry - DAY:
        return
    outcome = None
    end = entry + DAY
    endings = [(f >> 8, f & 63) for f in facts if 11 <= f & 63 <= 13 and entry <= f >> 8 <= end]
    if endings:
        end, outcome = min(endings)
    variants, seen, back1, back7 = 0, set(), False, False
    for fact in facts:
        time, code = fact >> 8, fact & 63
        if time <= end:
            variants |= fact >> 6 & 3
            if time >= entry and code < 5:
                seen.add(code)
        if code < 40:
            day = (time - entry) // DAY
            back1 = back1 or day == 1
            back7 = back7 or day == 7
    row = counts[variants]
    row[0] += 1
    if entry + DAY > HORIZON:
        return
    row[1] += 1
    row[2] += outcome == 12
    row[3] += outcome in (11, 13)
    for step in seen:
        row[4 + step] += 1
    if entry + 2 * DAY <= HORIZON + 1:
        row[9] += back1
        row[10] += 1
    if entry + 8 * DAY <= HORIZON + 1:
        row[11] += back7
        row[12] += 1


counts = {variants: [0] * len(FIELDS) for variants in range(4)}
for facts in read(sys.argv[1:]).values():
    count(facts, counts)
names = ["none", "long", "three_screen", "both"]
answer([[names[variants], *row] for variants, row in counts.items()])
