"""Lines of JSON of Segment's tables that have no column for the event's name."""

import json

from harness import firstmile, report

FLOW = "flow: t\nwindow: 24h\nsteps: [a]\nidentity: stitched\n"
AT = "2026-01-05T10:00:00Z"


def row(id, **columns):
    return {"id": id, "received_at": AT, "timestamp": AT} | columns


def started(id, device, user=None):
    return row(id, event="onboarding_started", event_text="onboarding_started", anonymous_id=device,
               **({"user_id": user} if user else {}))


TABLES = {
    "onboarding_started": [started("1", "d1", "n1"), started("2", "d2", "n2"), started("3", "d3")],
    # BigQuery leaves out what is null.
    "aliases": [row("4", anonymous_id="d1", user_id="n1", previous_id="n2")],
    "identifies": [row("5", anonymous_id="d3", user_id="n1", name="Bo", email="b@o.io",
                       context_library_name="analytics-ios")],
}


def persons(folder, names):
    (folder / "flow.yaml").write_text(FLOW)
    (folder / "dump").mkdir()
    for name in names:
        (folder / f"dump/{name}.ndjson").write_text(
            "".join(json.dumps(row) + "\n" for row in TABLES[name]))
    report([folder / "dump"], folder / "out", "--as-of", "2026-02-01", flow=folder / "flow.yaml",
           expect=(0, 4))
    rows = [line.split(",") for line in (folder / "out/metrics.csv").read_text().splitlines()]
    return next(int(row[8]) for row in rows if row[6] == "entered" and row[2] == "all")


def test_aliases_and_identifies_unite_people(folder):
    for number, (names, count) in enumerate(((["onboarding_started"], 3),
                                             (["onboarding_started", "aliases"], 2),
                                             (["onboarding_started", "identifies"], 2),
                                             (list(TABLES), 1))):
        (folder / str(number)).mkdir()
        assert persons(folder / str(number), names) == count, names


def test_a_table_of_others_keeps_its_names(folder):
    (folder / "flow.yaml").write_text(FLOW)
    line = row("1", anonymous_id="a1", user_id="u1", name="onboarding_started")
    (folder / "t.ndjson").write_text(json.dumps(line) + "\n")
    said = firstmile("validate", folder / "t.ndjson", "--flow", folder / "flow.yaml",
                     expect=(0, 4)).stdout.decode()
    assert "format table: 1" in said, said
