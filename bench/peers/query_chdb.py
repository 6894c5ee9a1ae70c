"""ClickHouse in process (chdb): typed JSONExtract, two groupings. usage: query_chdb.py FILE...

JSONExtract with one tuple type parses each line once. The narrow table in memory spares the second pass the reading.
"""
import json
import os
import sys

from chdb.session import Session

from questions import DAY, HORIZON, STEPS, answer

folder = os.path.commonpath([os.path.dirname(os.path.abspath(path)) for path in sys.argv[1:]])
names = ",".join(os.path.basename(path) for path in sys.argv[1:])
pattern = f"{folder}/{{{names}}}" if len(sys.argv) > 2 else os.path.abspath(sys.argv[1])
pages = ", ".join(f"event = 'onboarding_page_viewed' AND page = '{step}', {code}"
                  for code, step in enumerate(STEPS))

FACTS = f"""
CREATE TABLE facts ENGINE = Memory AS
WITH JSONExtract(line, 'Tuple(event LowCardinality(String), user_id UUID, timestamp String,
    variant LowCardinality(String),
    properties Tuple(page_name LowCardinality(String),
                     completion_method LowCardinality(String)))') AS f,
  f.event AS event, f.properties.page_name AS page
SELECT f.user_id AS person,
  toUnixTimestamp64Milli(parseDateTime64BestEffort(f.timestamp, 3, 'UTC')) AS time,
  toUInt8(multiIf(f.variant = 'long', 1, f.variant = 'three_screen', 2, 0)) AS variant,
  toUInt8(multiIf({pages}, event = 'onboarding_started', 10, event = 'onboarding_skipped', 11,
    event = 'onboarding_completed', if(f.properties.completion_method = 'skipped', 13, 12),
    event IN ('push_delivered', 'widget_refreshed'), 40, 30)) AS code
FROM file('{pattern}', 'LineAsString', 'line String')
WHERE time <= {HORIZON}
"""

PERSONS = f"""
WITH entries AS (
  SELECT person, min(time) AS entry FROM facts WHERE code IN (0, 10) GROUP BY person
), persons AS (
  SELECT any(e.entry) AS entry, min(time) AS first,
    minIf(time * 4 + code - 11,
      code BETWEEN 11 AND 13 AND time BETWEEN e.entry AND e.entry + {DAY}) AS outcome,
    {", ".join(f"minIf(time, code = {k} AND time >= e.entry) AS view{k}" for k in range(5))},
    minIf(time, variant = 1) AS long, minIf(time, variant = 2) AS short,
    max(code < 40 AND time >= e.entry + {DAY} AND time < e.entry + {2 * DAY}) AS day1,
    max(code < 40 AND time >= e.entry + {7 * DAY} AND time < e.entry + {8 * DAY}) AS day7
  FROM facts JOIN entries AS e USING (person) GROUP BY person HAVING first >= entry - {DAY}
), attempts AS (
  SELECT *, if(outcome > 0, intDiv(outcome, 4), entry + {DAY}) AS ends,
    entry + {DAY} <= {HORIZON} AS mature, outcome > 0 AND outcome % 4 = 1 AS finished,
    outcome > 0 AND outcome % 4 IN (0, 2) AS skipped,
    long > 0 AND long <= ends AS hasLong, short > 0 AND short <= ends AS hasShort,
    multiIf(hasLong AND hasShort, 'both', hasLong, 'long', hasShort, 'three_screen', 'none')
      AS chosen
  FROM persons
)
SELECT chosen, count(), countIf(mature), countIf(mature AND finished), countIf(mature AND skipped),
  {", ".join(f"countIf(mature AND view{k} > 0 AND view{k} <= ends)" for k in range(5))},
  countIf(mature AND entry + {2 * DAY} <= {HORIZON + 1} AND day1),
  countIf(mature AND entry + {2 * DAY} <= {HORIZON + 1}),
  countIf(mature AND entry + {8 * DAY} <= {HORIZON + 1} AND day7),
  countIf(mature AND entry + {8 * DAY} <= {HORIZON + 1})
FROM attempts GROUP BY chosen
"""

session = Session()
session.query(FACTS)
rows = str(session.query(PERSONS, "JSONCompactEachRow")).splitlines()
answer([json.loads(row) for row in rows if row])
