"""DuckDB: explicit columns, ids as UUID, two grouping passes. usage: query_duckdb.py FILE..."""
import sys

import duckdb

from questions import DAY, HORIZON, STEPS, answer

QUERY = f"""
CREATE TEMP TABLE facts AS
SELECT user_id, epoch_ms("timestamp") AS time,
  CASE variant WHEN 'long' THEN 1 WHEN 'three_screen' THEN 2 ELSE 0 END::UTINYINT AS variant,
  CASE event
    WHEN 'onboarding_started' THEN 10
    WHEN 'onboarding_page_viewed' THEN CASE properties.page_name
      {" ".join(f"WHEN '{step}' THEN {code}" for code, step in enumerate(STEPS))} ELSE 30 END
    WHEN 'onboarding_skipped' THEN 11
    WHEN 'onboarding_completed' THEN
      CASE WHEN properties.completion_method = 'skipped' THEN 13 ELSE 12 END
    WHEN 'push_delivered' THEN 40 WHEN 'widget_refreshed' THEN 40
    ELSE 30 END::UTINYINT AS code
FROM read_json($files, format = 'newline_delimited', columns = {{
  event: 'VARCHAR', user_id: 'UUID', "timestamp": 'TIMESTAMP', variant: 'VARCHAR',
  properties: 'STRUCT(page_name VARCHAR, completion_method VARCHAR)'}})
WHERE "timestamp" <= epoch_ms({HORIZON})
"""

PERSONS = f"""
WITH entries AS (
  SELECT user_id, min(time) AS entry FROM facts WHERE code IN (0, 10) GROUP BY user_id
), persons AS (
  SELECT any_value(entry) AS entry, min(time) AS first,
    min(time * 4 + code - 11)
      FILTER (code BETWEEN 11 AND 13 AND time BETWEEN entry AND entry + {DAY}) AS outcome,
    {", ".join(f"min(time) FILTER (code = {k} AND time >= entry) AS view{k}" for k in range(5))},
    min(time) FILTER (variant = 1) AS long, min(time) FILTER (variant = 2) AS short,
    count(*) FILTER (code < 40 AND time >= entry + {DAY} AND time < entry + {2 * DAY}) AS day1,
    count(*) FILTER (code < 40 AND time >= entry + {7 * DAY} AND time < entry + {8 * DAY}) AS day7
  FROM facts JOIN entries USING (user_id) GROUP BY user_id HAVING first >= any_value(entry) - {DAY}
), attempts AS (
  SELECT *, coalesce(outcome // 4, entry + {DAY}) AS ends, entry + {DAY} <= {HORIZON} AS mature,
    outcome % 4 = 1 AS finished, outcome % 4 IN (0, 2) AS skipped,
    CASE WHEN long <= ends AND short <= ends THEN 'both' WHEN long <= ends THEN 'long'
      WHEN short <= ends THEN 'three_screen' ELSE 'none' END AS chosen
  FROM persons
)
SELECT chosen, count(*), count(*) FILTER (mature), count(*) FILTER (mature AND finished),
  count(*) FILTER (mature AND skipped),
  {", ".join(f"count(*) FILTER (mature AND view{k} <= ends)" for k in range(5))},
  count(*) FILTER (mature AND entry + {2 * DAY} <= {HORIZON + 1} AND day1 > 0),
  count(*) FILTER (mature AND entry + {2 * DAY} <= {HORIZON + 1}),
  count(*) FILTER (mature AND entry + {8 * DAY} <= {HORIZON + 1} AND day7 > 0),
  count(*) FILTER (mature AND entry + {8 * DAY} <= {HORIZON + 1})
FROM attempts GROUP BY chosen
"""

connection = duckdb.connect()
connection.execute("SET preserve_insertion_order = false")
connection.execute(QUERY, {"files": sys.argv[1:]})
answer(connection.execute(PERSONS).fetchall())
