"""`firstmile explain`."""

import gzip
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


def test_a_damaged_input_may_hold_more_of_a_person(folder):
    def line(user, event, second):
        return json.dumps({"event": event, "user_id": user,
                           "timestamp": f"2026-01-05T10:00:{second:02d}Z"}) + "\n"

    lines = "".join(line(f"u{number}", "onboarding_started", number % 60) for number in range(20_000))
    (folder / "cut.ndjson.gz").write_bytes(gzip.compress(lines.encode(), mtime=0)[:-2000])
    (folder / "f.yaml").write_text("flow: f\nsteps: [w]\nwindow: 1s\n")
    end = ["--flow", folder / "f.yaml", "--as-of", "2026-01-06"]
    for command in (["explain", "u1"], ["timelines", "--left-at", "(entry)", "--page", folder / "t.html"]):
        done = firstmile(*command, folder / "cut.ndjson.gz", *end, expect=4)
        assert b"cut.ndjson.gz" in done.stderr and b"byte" in done.stderr, done.stderr
    assert b"onboarding_started" in firstmile(
        "explain", "u1", folder / "cut.ndjson.gz", *end, expect=4).stdout


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


def test_explain_says_where_a_person_stands_in_an_experiment(folder):
    (folder / "tone.yaml").write_text(
        "flow: tone\nsteps: [welcome, done]\nexperiments:\n"
        "  copy: {control: A, end: 2026-02-01, exposure: {event: paywall}, splits: ["
        "{from: 2026-01-05, A: 90%, B: 10%}, {from: 2026-01-12, A: 50%, B: 50%}]}\n")
    people = {"early": ("2026-01-01", ["A"], False), "first": ("2026-01-06", ["A"], True),
              "second": ("2026-01-13", ["B", "A"], True), "hidden": ("2026-01-13", ["B"], False),
              "neither": ("2026-01-13", [], False)}
    lines = []
    for person, (day, variants, exposed) in people.items():
        def add(minute, event, variant=None):
            lines.append(json.dumps({
                "event": event, "user_id": person, "timestamp": f"{day}T10:{minute:02d}:00Z",
                **({"experiments": {"copy": variant}} if variant else {})}))
        add(0, "onboarding_started")
        for minute, variant in enumerate(variants, 1):
            add(minute, "seen", variant)
        if exposed:
            add(9, "paywall")
    (folder / "tone.ndjson").write_text("\n".join(lines) + "\n")
    wanted = {
        "early": "experiment copy: outside: entered before it began or after it ended (seen with A)",
        "first": "experiment copy: variant A; period 1 of the split",
        "second": "experiment copy: variant B, seen first; also seen with A; period 2 of the split",
        "hidden": "experiment copy: variant B; not exposed, so not compared; period 2 of the split",
        "neither": "experiment copy: unassigned",
    }
    for person, text in wanted.items():
        said = firstmile("explain", person, "tone.ndjson", "--flow", "tone.yaml", "--as-of",
                         "2026-06-01", cwd=folder).stdout.decode()
        assert any(line.strip(" •") == text for line in said.splitlines()), (person, said)


def test_explain_says_what_a_goal_counted(folder):
    (folder / "shop.yaml").write_text(
        "flow: shop\nsteps: [welcome]\ngoals:\n"
        "  - {id: bought, event: purchase, by: {property: status, prefer: [paid, failed]}, value: price}\n")
    events = [("onboarding_started", 0, {}), ("onboarding_page_viewed", 1, {"page_name": "welcome"}),
              ("purchase", 2, {"status": "failed"}), ("purchase", 3, {"status": "paid", "price": 12.99}),
              ("purchase", 4, {"status": "odd", "price": "-0.5"})]
    write(folder / "shop.ndjson", "shop", "u", events)
    said = reasons("u", folder / "shop.ndjson", folder / "shop.yaml")
    assert ("goal bought: reached 2 min after its anchor, counted with status=paid, "
            "sum of price: 12.49") in said, said


def test_explain_says_whether_people_resumed_where_they_left(folder):
    (folder / "two.yaml").write_text("flow: two\nsteps: [one, two]\n")
    for person, page in (("same", "one"), ("other", "two")):
        write(folder / f"{person}.ndjson", "two", person, [
            ("onboarding_started", 0, {}), ("onboarding_page_viewed", 1, {"page_name": "one"}),
            ("onboarding_page_viewed", 60, {"page_name": page})])
    assert "resumed within the attempt on the page left" in reasons(
        "same", folder / "same.ndjson", folder / "two.yaml")
    assert "resumed within the attempt on another page" in reasons(
        "other", folder / "other.ndjson", folder / "two.yaml")


def test_explain_covers_every_attempt_of_a_flow_that_begins_with_an_event(folder):
    (folder / "news.yaml").write_text(
        "flow: news\nsteps: [page]\nentry: {event: app_updated, where: {to: ['2.0', '3.0']}}\n"
        "window: 1h\nnew_attempt_after: 24h\ncount: attempts\n")
    day = 24 * 60
    write(folder / "news.ndjson", "news", "u", [
        ("app_updated", 0, {"to": "2.0"}), ("onboarding_page_viewed", 1, {"page_name": "page"}),
        ("onboarding_completed", 2, {}), ("app_updated", 9 * day, {"to": "3.0"}),
        ("app_updated", 20 * day, {"to": "4.0"})])
    write(folder / "orphan.ndjson", "news", "v", [("onboarding_completed", 0, {})])
    said = reasons("u", folder / "news.ndjson", folder / "news.yaml")
    assert [line for line in said if line.startswith("entry: ")] == [
        "entry: the first app_updated[to=2.0|3.0]", "entry: a later app_updated[to=2.0|3.0]"], said
    assert sum(line.startswith("finished: ") for line in said) == 1, said
    assert sum(line.startswith("abandoned: ") for line in said) == 1, said
    assert reasons("v", folder / "orphan.ndjson", folder / "news.yaml") == [
        "onboarding facts, but none of the event that begins this flow: an orphan"]


def write(path, flow, person, events):
    """Events as (name, minute, properties)."""
    path.write_text("".join(json.dumps({
        "event": name, "user_id": person, "flow": flow, "timestamp": 1_770_000_000 + 60 * minute,
        "properties": properties}) + "\n" for name, minute, properties in events))


def reasons(person, dump, flow):
    said = firstmile("explain", person, dump, "--flow", flow, "--as-of", "2026-12-31").stdout.decode()
    return [line.removeprefix("  • ") for line in said.splitlines() if line.startswith("  • ")]
