"""A window of minutes says how soon people must finish, not how little of them is looked at before."""

import json

from harness import numbers

FLOW = """flow: app
window: {window}
steps: [welcome, done]
dimensions: [os]
experiments:
  copy: {{control: A, variants: [A, B], exposure: {{event: copy_shown}}}}
retention:
  - {{id: from_install, anchor: {{event: app_installed}}, days: [7]}}
"""
START = 1_767_571_200  # 2026-01-05
HOUR = 3600


def write(path, before):
    """People who installed and opened the app `before` seconds before they start; one in two finishes."""
    lines = []
    for person in range(40):
        start = START + 2 * 24 * HOUR + person * 60
        known = {"context": {"os": "ios" if person % 4 else "android"}}
        tried = {"experiments": {"copy": "AB"[person % 2]}}
        events = [("app_installed", start - before, known), ("app_opened", start - before + 5, tried),
                  ("copy_shown", start - before + 6, tried), ("onboarding_started", start, {})]
        if person % 2:
            events.append(("onboarding_completed", start + 300, {}))
        lines += [{"event": name, "timestamp": at, "user_id": f"u{person}", **more} for name, at, more in events]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def rows(folder, window, before):
    (folder / "flow.yaml").write_text(FLOW.format(window=window))
    write(folder / "dump.ndjson", before)
    numbers([folder / "dump.ndjson"], folder / "out", "--as-of", "2026-01-20", flow=folder / "flow.yaml")
    rows = json.loads((folder / "out/metrics.json").read_text())["metrics"]["rows"]
    return {(row["metric"], row.get("variant", "all"), row.get("breakdown", "all")):
            (row["numerator"], row.get("denominator"))
            for row in rows if row.get("version", "all") == "all"
            and row["metric"] in ("completion_rate", "existing_users", "unassigned", "retention_from_install_d7")}


def test_what_lies_hours_before_belongs_to_the_beginning(folder):
    short = rows(folder, "30m", 5 * HOUR)
    assert short["completion_rate", "all", "all"] == (20, 40), short
    assert short["completion_rate", "A", "all"] == (0, 20), short
    assert short["completion_rate", "all", "os=android"] == (0, 10), short
    assert short["retention_from_install_d7", "all", "all"] == (0, 40), short
    assert short == rows(folder, "24h", 5 * HOUR)


def test_what_lies_days_before_makes_an_existing_user(folder):
    for window, before in [("30m", 25 * HOUR), ("24h", 25 * HOUR), ("30m", 24 * HOUR + 7)]:
        found = rows(folder, window, before)
        assert found["existing_users", "all", "all"][0] == 40, (window, before, found)
    # A longer window reaches further back, as ever.
    assert rows(folder, "3d", 25 * HOUR)["completion_rate", "all", "all"] == (20, 40)
