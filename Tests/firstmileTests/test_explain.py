"""`firstmile explain`."""

from harness import SAMPLE, firstmile, sample_events


def test_explain_tells_one_person(folder):
    user = next(event["user_id"] for event in sample_events()
                if event.get("user_id") and event.get("event") == "onboarding_page_viewed")
    dump = [f"sample-events/{SAMPLE}", "--flow", SAMPLE]
    assert b"onboarding_page_viewed" in firstmile("explain", user, *dump).stdout
    firstmile("explain", "nobody-by-this-name", *dump, expect=2)
    # What can't be read may hold more of the same person.
    more = firstmile("explain", user, folder / "none.ndjson", *dump, expect=2)
    assert b"onboarding_page_viewed" in more.stdout and b"none.ndjson" in more.stderr, more.stderr
