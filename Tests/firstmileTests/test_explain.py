"""`firstmile explain`."""

import json

from harness import SAMPLE, firstmile, sample_events


def test_explain_tells_one_person(folder):
    user = next(event["user_id"] for event in sample_events()
                if event.get("user_id") and event.get("event") == "onboarding_page_viewed")
    dump = [f"sample-events/{SAMPLE}", "--flow", SAMPLE]
    assert b"onboarding_page_viewed" in firstmile("explain", user, *dump).stdout
    firstmile("explain", "nobody-by-this-name", *dump, expect=2)
    said = firstmile("explain", "#7", *dump, expect=2).stderr
    assert b"'##7' for '#7'" in said, said
    # What can't be read may hold more of the same person.
    more = firstmile("explain", user, folder / "none.ndjson", *dump, expect=2)
    assert b"onboarding_page_viewed" in more.stdout and b"none.ndjson" in more.stderr, more.stderr


def test_an_id_that_begins_with_a_hash_sign_is_not_taken_for_a_hash(folder):
    flow = "flow: small\nwindow: 24h\nsteps: [welcome]\n"
    (folder / "flow.yaml").write_text(flow)
    for user in ("#7", "#" + "0123456789abcdef" * 2, "##"):
        (folder / "dump.ndjson").write_text(json.dumps({
            "event": "onboarding_page_viewed", "timestamp": 1770000000, "user_id": user, "flow": "small",
            "properties": {"page_name": "welcome"}}) + "\n")
        words = ["dump.ndjson", "--flow", "flow.yaml"]
        assert b"onboarding_page_viewed" in firstmile("explain", "#" + user, *words, cwd=folder).stdout
        firstmile("explain", user, *words, cwd=folder, expect=2)
        store = folder / f"{len(user)}.sqlite"
        firstmile("ingest", *words, "--store", store, "--quiet", cwd=folder)
        said = firstmile("store", "forget", store, user, expect=2).stderr
        assert b"Nothing was" in said or b"no hash" in said or b"nothing in the store" in said, said
        assert b"erased 1 fact " in firstmile("store", "forget", store, "#" + user).stdout


def test_explain_says_where_the_visit_of_the_attempt_ends(folder):
    (folder / "night.yaml").write_text(
        "flow: night\nsteps: [welcome, done]\nday: calendar\nretention: [{days: [1]}]\n")
    times = [("onboarding_started", "23:30:00"), ("onboarding_completed", "23:50:00"),
             ("home_opened", "00:10:00")]
    (folder / "night.ndjson").write_text("".join(
        f'{{"event": "{name}", "user_id": "u", "timestamp": "2026-01-0{5 if time > "12" else 6}T{time}Z"}}\n'
        for name, time in times))
    said = firstmile("explain", "u", folder / "night.ndjson", "--flow", folder / "night.yaml",
                     "--as-of", "2026-02-01").stdout.decode()
    assert "visit: ends 40 min after entry; only what follows can be a return" in said, said
    assert "retention d1: did not come back" in said, said
