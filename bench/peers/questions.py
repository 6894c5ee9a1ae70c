"""What every peer is asked: counts by variant, printed as JSON.

entered, persons (mature), finished, skipped, those who reached each step, back on day 1 and
day 7 with their denominators. docs/definitions.md says what each means.
"""
import json

DAY = 86_400_000
# The last millisecond of 2026-03-31 in UTC: --as-of 2026-03-31.
HORIZON = 1_775_001_599_999
STEPS = ["welcome", "stack_concept", "active_focus", "create_first_stack", "ready"]
FIELDS = (
    ["entered", "persons", "finished", "skipped"]
    + [f"reached {step}" for step in STEPS]
    + ["day 1", "of day 1", "day 7", "of day 7"]
)


def answer(rows):
    """Rows are (variant, then the fields in order); variants are long, three_screen, both, none."""
    by_variant = {row[0]: dict(zip(FIELDS, map(int, row[1:]))) for row in rows}
    for step in STEPS[1:3]:  # The short list does not have them.
        for variant, values in by_variant.items():
            if variant == "three_screen":
                del values[f"reached {step}"]
    everyone = {
        field: sum(values[field] for values in by_variant.values())
        for field in FIELDS
        if field not in (f"reached {step}" for step in STEPS[1:3])
    }
    result = {name: by_variant[name] for name in ("long", "three_screen")}
    print(json.dumps({"all": everyone, **result}, sort_keys=True))
