"""One person of other tools is one person here: ids as the vendors mean them."""

import gzip
import json

import pytest

from harness import APPS, FORMATS, facts_of, firstmile, numbers, report, total

FLOW = """flow: shop
steps: [welcome, plan]
skip: ends
events: {opened: onboarding_started, page: onboarding_page_viewed, paid: onboarding_completed}
fields: {page_name: page}
"""
START = 1_770_000_000


def mixpanel(event, seconds, **properties):
    named = {{"device": "$device_id", "user": "$user_id", "before": "$distinct_id_before_identity"}
             .get(name, name): value for name, value in properties.items()}
    return {"event": event, "properties": {"time": START + seconds, **named}}


def posthog(event, seconds, distinct_id, **properties):
    named = {{"device": "$device_id", "is_identified": "$is_identified", "user": "$user_id", "library": "$lib",
              "anonymous": "$anon_distinct_id"}.get(name, name): value
             for name, value in properties.items()}
    return {"uuid": f"{seconds}", "event": event, "distinct_id": distinct_id,
            "timestamp": f"2026-02-02 02:{seconds // 60:02}:{seconds % 60:02}.000000",
            "properties": named}


# A phone's events and a server's, and how many persons they are; all of whom pay.
WORLDS = {
    "the phone names its device, the server nothing but the id": (1, [
        mixpanel("opened", 1, distinct_id="a", device="a"),
        mixpanel("paid", 9, distinct_id="a")]),
    "the same with a mark before the device": (1, [
        mixpanel("opened", 1, distinct_id="$device:a", device="a"),
        mixpanel("paid", 9, distinct_id="$device:a")]),
    "signed in on the phone, paid before that at the server": (1, [
        mixpanel("opened", 1, distinct_id="$device:a", device="a"),
        mixpanel("paid", 5, distinct_id="a"),
        mixpanel("page", 7, distinct_id="u", user="u", device="a")]),
    "signed in on the phone, paid after that at the server": (1, [
        mixpanel("opened", 1, distinct_id="$device:a", device="a"),
        mixpanel("page", 7, distinct_id="u", user="u", device="a"),
        mixpanel("paid", 9, distinct_id="u")]),
    "the vendor's own id on two phones": (1, [
        mixpanel("opened", 1, distinct_id="a", device="a"),
        mixpanel("paid", 9, distinct_id="a", device="b")]),
    "another id since the export before": (1, [
        mixpanel("opened", 1, distinct_id="a", device="a"),
        mixpanel("paid", 9, distinct_id="u", before="a")]),
    "a vendor's id that is another user's, and the user's own": (1, [
        mixpanel("opened", 1, distinct_id="c", device="a"),
        mixpanel("paid", 9, distinct_id="c", user="u", device="b")]),
    "two who have nothing in common": (2, [
        mixpanel("opened", 1, distinct_id="a", device="a"),
        mixpanel("opened", 1, distinct_id="b"),
        mixpanel("paid", 9, distinct_id="a"), mixpanel("paid", 9, distinct_id="b")]),
    "posthog: the phone names its device, the server nothing but the id": (1, [
        posthog("opened", 1, "a", device="a"), posthog("paid", 9, "a")]),
    "posthog: nobody has signed in": (1, [
        posthog("opened", 1, "a", device="x", is_identified=False), posthog("paid", 9, "a")]),
    "posthog: identified, then paid at the server": (1, [
        posthog("opened", 1, "a", device="a"),
        posthog("$identify", 5, "u", anonymous="a"), posthog("paid", 9, "u")]),
    "posthog: two who sign in and out on one phone, with a word of who is identified": (2, [
        posthog("opened", 1, "x", device="a", is_identified=False),
        posthog("$identify", 5, "u", anonymous="x", device="a", is_identified=True),
        posthog("paid", 9, "u", device="a", is_identified=True),
        posthog("opened", 11, "y", device="a", is_identified=False),
        posthog("$identify", 15, "v", anonymous="y", device="a", is_identified=True),
        posthog("paid", 19, "v", device="a", is_identified=True)]),
    # posthog-js before April 2024: a reset makes a new id, and the browser stays.
    "posthog: two who sign in and out in one browser that names users": (2, [
        posthog("opened", 1, "a", device="a", library="web"),
        posthog("$identify", 5, "u", anonymous="a", device="a", user="u", library="web"),
        posthog("paid", 9, "u", device="a", user="u", library="web"),
        posthog("opened", 11, "y", device="a", library="web"),
        posthog("$identify", 15, "v", anonymous="y", device="a", user="v", library="web"),
        posthog("paid", 19, "v", device="a", user="v", library="web")]),
    "posthog: two who sign in on one phone, whose first id is sent again": (2, [
        posthog("$identify", 1, "u", anonymous="x", device="a"), posthog("opened", 5, "u", device="a"),
        posthog("paid", 9, "u", device="a"),
        posthog("$identify", 11, "v", anonymous="x", device="a"), posthog("opened", 15, "v", device="a"),
        posthog("paid", 19, "v", device="a")]),
}


# Long after: everybody's time is over.
LATER = ["--as-of", "2026-03-01"]


def rows(folder):
    lines = (folder / "metrics.csv").read_text().splitlines()
    head = lines[0].split(",")
    return [dict(zip(head, line.split(","))) for line in lines[1:]]


@pytest.fixture
def shop(folder):
    (folder / "shop.yaml").write_text(FLOW)
    return folder / "shop.yaml"


@pytest.mark.parametrize("options", [[], ["--memory-limit", "1K"]], ids=["memory", "disk"])
@pytest.mark.parametrize("name", WORLDS)
def test_one_id_is_one_person(folder, shop, name, options):
    persons, events = WORLDS[name]
    for order in (events, events[::-1]):
        (folder / "dump.ndjson").write_text("".join(json.dumps(event) + "\n" for event in order))
        numbers([folder / "dump.ndjson"], folder / "out", *LATER, *options, flow=shop)
        assert total(folder / "out", "completion_rate") == (persons, persons)


@pytest.mark.parametrize("share", [0.2, 0.8])
def test_ids_that_change_on_the_way_are_the_first_finding(folder, shop, share):
    """Nothing says who is who: one half of a person abandons, and the other has no start."""
    events = []
    for person in range(100):
        at, other = 60 * person, "u" if person < 100 * share else "d"
        events += [mixpanel("opened", at, distinct_id=f"d{person}"), mixpanel("page", at + 2, distinct_id=f"d{person}", page="welcome"),
                   mixpanel("page", at + 5, distinct_id=f"{other}{person}", page="plan"),
                   mixpanel("paid", at + 9, distinct_id=f"{other}{person}")]
    (folder / "dump.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    said = firstmile("report", folder / "dump.ndjson", "--flow", shop, "--out", folder / "out", *LATER, expect=(0, 3, 4)).stdout.decode()
    found = f"{int(100 * share)} people have onboarding events but no recorded start and are in no number"
    for text in (" ".join(said.split()), (folder / "out/report.md").read_text()):
        assert (found in text) == (share > 0.5), text


def test_explain_and_forget_find_both_kinds_of_id(folder, shop):
    _, events = WORLDS["signed in on the phone, paid before that at the server"]
    (folder / "dump.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    for person in ("u", "a", "$device:a"):
        said = firstmile("explain", person, folder / "dump.ndjson", "--flow", shop).stdout.decode()
        for event in ("onboarding_started", "onboarding_page_viewed", "onboarding_completed"):
            assert event in said, (person, said)
    for person in ("u", "a"):
        store = folder / f"{person}.sqlite"
        firstmile("ingest", folder / "dump.ndjson", "--store", store, "--flow", shop)
        done = firstmile("store", "forget", store, person).stdout.decode()
        assert "3 facts" in done, done


def test_a_server_that_knows_one_id_can_forget_it(folder, shop):
    (folder / "dump.ndjson").write_text(json.dumps(mixpanel("paid", 9, distinct_id="u")) + "\n")
    store = folder / "store.sqlite"
    firstmile("ingest", folder / "dump.ndjson", "--store", store, "--flow", shop)
    assert "1 fact" in firstmile("store", "forget", store, "u").stdout.decode()
    # What comes late stays away.
    (folder / "late.ndjson").write_text(json.dumps(mixpanel("opened", 1, distinct_id="u")) + "\n")
    firstmile("ingest", folder / "late.ndjson", "--store", store, "--flow", shop)
    report([], folder / "out", "--store", store, *LATER, flow=shop, expect=(0, 3, 4))
    assert rows(folder / "out")[0]["numerator"] == "0"


def test_amplitudes_merges_are_no_events(folder):
    flow = folder / "flow.yaml"
    flow.write_text(FLOW)
    merges = [{"scope": 1, "merge_time": 1, "merge_server_time": 2, "amplitude_id": 9,
               "merged_amplitude_id": 8}] * 3
    events = [{"event_type": "opened", "event_time": "2026-02-02 02:40:00.000000", "amplitude_id": 9,
               "device_id": "z"}]
    for name, lines in (("apart", merges), ("mixed", merges[:1] + events + merges[1:])):
        (folder / name).mkdir()
        (folder / name / "-189524_2020-01-25_17.json.gz").write_bytes(
            gzip.compress("".join(json.dumps(line) + "\n" for line in lines).encode()))
        (folder / name / "187520_2020-01-25_17#1.json.gz").write_bytes(
            gzip.compress(json.dumps(events[0]).encode()))
        numbers([folder / name], folder / f"{name}-out", flow=flow)
        sources = json.loads((folder / f"{name}-out/metrics.json").read_text())["provenance"]["sources"]
        assert [source["rejects"] for source in sources] == [0, 0], sources
        assert sum(source["events"] for source in sources) == len(events) + (name == "mixed")


@pytest.mark.parametrize("lines", [
    [mixpanel("Tutorial Started", 1, distinct_id="a"), mixpanel("Tutorial Completed", 9, distinct_id="a")],
    [posthog("tutorial started", 1, "a"), posthog("tutorial completed", 9, "a")],
], ids=["mixpanel", "posthog"])
def test_a_draft_reads_the_dump_it_was_made_from(folder, lines):
    dump = folder / "dump.ndjson"
    dump.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "flow.yaml").write_bytes(firstmile("flow", "init", dump).stdout)
    numbers([dump], folder / "out", *LATER, flow=folder / "flow.yaml")
    (source,) = json.loads((folder / "out/metrics.json").read_text())["provenance"]["sources"]
    assert (source["events"], source["rejects"]) == (2, 0)
    assert total(folder / "out", "completion_rate") == (1, 1)


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("app", APPS)
def test_a_draft_runs_at_once_and_rejects_no_more_than_the_apps_own_flow(folder, app, format):
    firstmile("simulate", "--flow", app, "--persons", "60", "--seed", "3", "--format", format,
              "--files", "1", "--compression", "none", "--out", folder / "dump", "--quiet")
    (folder / "draft.yaml").write_bytes(firstmile("flow", "init", folder / "dump").stdout)
    firstmile("flow", "check", folder / "draft.yaml")
    rejects = []
    for name, flow in (("own", app), ("draft", folder / "draft.yaml")):
        numbers([folder / "dump"], folder / name, "--max-reject-rate", "100%", flow=flow)
        (source,) = json.loads((folder / name / "metrics.json").read_text())["provenance"]["sources"]
        rejects.append(source["rejects"])
    assert rejects[1] <= rejects[0]
    assert b'"metric":"finished"' in facts_of(folder / "draft")["rows"]


DAY = 86_400


def changing(people, form):
    """People who get another id on the same device when they sign up, without a word of it. Every
    second one comes back a day later."""
    for number in range(people):
        device, at = f"device-{number}", number * 60

        def sent(name, seconds, user):
            if form == "posthog":
                return posthog_event(name, START + at + seconds, user, device)
            moment = START + at + seconds
            return {"event": name, "timestamp": moment, "user_id": user, "device_id": device}

        anonymous = device if form == "canonical" else f"anonymous-{number}"
        yield sent("opened", 0, anonymous)
        yield sent("page", 5, anonymous) | {"page": "welcome"}
        yield sent("paid", 9, f"user-{number}")
        if number % 2 == 0:
            yield sent("read", DAY + 10, f"user-{number}")


def posthog_event(name, moment, distinct_id, device):
    return {"uuid": f"{distinct_id}-{moment}", "event": name, "distinct_id": distinct_id,
            "timestamp": f"2026-02-{2 + (moment - START) // DAY:02} "
                         f"{(moment - START) % DAY // 3600:02}:{(moment - START) // 60 % 60:02}:"
                         f"{(moment - START) % 60:02}.000000",
            "properties": {"$device_id": device}}


def quality(folder, check):
    lines = (folder / "quality.csv").read_text().splitlines()
    return [tuple(line.split(",")[1:4]) for line in lines if line.startswith(f"{check},")]


@pytest.mark.parametrize("form", ["canonical", "posthog"])
def test_ids_that_change_at_sign_up_are_named(folder, shop, form):
    events = list(changing(40, form))
    dump = folder / "dump.ndjson"
    dump.write_text("".join(json.dumps(event) + "\n" for event in events))
    report([dump], folder / "out", *LATER, flow=shop)
    assert quality(folder / "out", "devices_with_several_users") == [("", "40", "")]
    assert quality(folder / "out", "devices_with_users") == [("", "40", "")]
    page = (folder / "out/report.md").read_text()
    assert "data quality **D**" in page
    assert "100 % of the devices that people use while signed in have several users" in page
    checks = firstmile("validate", dump, "--flow", shop, *LATER, expect=(0, 4)).stdout.decode()
    assert "devices_with_several_users" in checks.replace(" ", "_")
    # The advice that is given there helps.
    shop.write_text(FLOW + "identity: device\n")
    report([dump], folder / "device", *LATER, flow=shop)
    assert total(folder / "device", "completion_rate") == (40, 40)
    assert quality(folder / "device", "devices_with_users") == []
    assert "several users" not in (folder / "device/report.md").read_text()


def test_an_earlier_id_that_is_sent_makes_one_user_of_both(folder, shop):
    events = [event | {"previous_id": event["device_id"].replace("device", "anonymous")}
              if event["event"] == "paid" else event for event in changing(40, "other")]
    (folder / "dump.ndjson").write_text("".join(json.dumps(event) + "\n" for event in events))
    report([folder / "dump.ndjson"], folder / "out", *LATER, flow=shop)
    assert total(folder / "out", "completion_rate") == (40, 40)
    assert quality(folder / "out", "devices_with_several_users") == [("", "0", "")]
    assert "several users" not in (folder / "out/report.md").read_text()
