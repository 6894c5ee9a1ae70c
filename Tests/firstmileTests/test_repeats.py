"""What is delivered twice counts once; two events of one moment with ids of their own are two."""

import json

import pytest

from harness import firstmile

FLOW = """flow: shop
window: 24h
steps: [welcome, plan]
goals:
  - {id: paid, event: purchase, value: price, within: 7d}
funnels:
  - {id: twice, window: 1h, steps: [purchase, purchase]}
"""
DAY = "2026-01-05"
# Seconds since 1970 of that day.
MIDNIGHT = 1_767_571_200

# How an event is written by format: name, second of the day, person, its own id (None for none).
WRITERS = {
    "canonical": lambda name, second, person, id, properties: {
        "event": name, "timestamp": f"{DAY}T00:{second // 60:02}:{second % 60:02}Z",
        "user_id": person, "message_id": id, "properties": properties},
    "segment": lambda name, second, person, id, properties: {
        "type": "track", "event": name, "messageId": id, "userId": person, "anonymousId": None,
        "timestamp": f"{DAY}T00:{second // 60:02}:{second % 60:02}Z", "properties": properties},
    "amplitude": lambda name, second, person, id, properties: {
        "event_type": name, "event_time": f"{DAY} 00:{second // 60:02}:{second % 60:02}.000000",
        "user_id": person, "$insert_id": id, "event_properties": properties},
    "mixpanel": lambda name, second, person, id, properties: {
        "event": name, "properties": {"time": MIDNIGHT + second, "distinct_id": person,
                                      "$insert_id": id, **properties}},
    "posthog": lambda name, second, person, id, properties: {
        "uuid": id, "event": name, "distinct_id": person,
        "timestamp": f"{DAY} 00:{second // 60:02}:{second % 60:02}.000000",
        "properties": properties},
}


def written(format, events):
    write = WRITERS[format]
    return "".join(json.dumps(write(*event)) + "\n" for event in events)


def purchases(person, *ids):
    started = ("onboarding_started", 0, person, f"{person}-0", {})
    return [started] + [("purchase", 60, person, id, {"price": 3}) for id in ids]


# By person the ids of the purchases of one moment, and how many they are.
PERSONS = {
    "two": (["9f0c2f4e-6a56-4a3e-8f7e-0d7f4f3c2a11", "1b0c2f4e-6a56-4a3e-8f7e-0d7f4f3c2a12"], 2),
    "delivered-twice": (["m-3", "m-3"], 1),
    "without-ids": ([None, None], 1),
    "with-and-without": (["m-4", None], 2),
    "ids-of-nothing": (["0000-0000", None], 1),
    "three": (["a", "b", "c"], 3),
}


def numbers(folder):
    lines = (folder / "metrics.csv").read_text().splitlines()
    head = lines[0].split(",")
    found = {}
    for row in (dict(zip(head, line.split(","))) for line in lines[1:]):
        if {row[name] for name in ("version", "variant", "cohort", "breakdown")} == {"all"}:
            found[row["metric"], row["step"]] = row
    return found


def check(folder, persons):
    found = numbers(folder)
    sums = float(found["goal_value_total", "paid"]["value"])
    assert sums == 3 * sum(PERSONS[person][1] for person in persons)
    assert int(found["funnel_step", "twice:1"]["numerator"]) == len(persons)
    assert int(found["funnel_step", "twice:2"]["numerator"]) == sum(
        PERSONS[person][1] > 1 for person in persons)


def delivered_again(format, events, **more):
    """What the same events look like that come once more with other or further properties."""
    return written(format, [event[:4] + (event[4] | more,) for event in events])


def same_ids(folder):
    rows = [line.split(",") for line in (folder / "quality.csv").read_text().splitlines()]
    return sum(int(row[2]) for row in rows if row[0] == "facts_with_same_id")


@pytest.mark.parametrize("format", WRITERS)
def test_a_second_delivery_with_other_content_is_counted_and_named(folder, format):
    flow = folder / "shop.yaml"
    flow.write_text(FLOW)
    events = [event for person in range(8)
              for event in purchases(f"u{person}", f"a{person}", f"b{person}", f"c{person}")]
    files = {"first": written(format, events),
             # As a table's writer spells the amount of half of them; what nobody asks for changes nothing.
             "second": delivered_again(format, events[:16], price="3.0")
             + delivered_again(format, events[16:], colour="red")}
    (folder / "dump").mkdir()
    for name, text in files.items():
        (folder / "dump" / f"{name}.ndjson").write_text(text)
    late = ["--as-of", "2026-02-01", "--quiet"]

    def reported(name, *inputs):
        firstmile("report", *inputs, "--flow", flow, "--out", folder / name, *late)
        # The events of four people, each of which says another price now; starts are no goal.
        assert same_ids(folder / name) == 16, name
        assert float(numbers(folder / name)["goal_value_total", "paid"]["value"]) == 3 * (24 + 12)

    reported("plain", folder / "dump")
    reported("one-thread", folder / "dump", "--threads", "1")
    reported("spilled", folder / "dump", "--memory-limit", "1K")
    store = folder / "store.sqlite"
    for name in files:
        firstmile("ingest", folder / "dump" / f"{name}.ndjson", "--store", store, "--flow", flow,
                  "--quiet")
    reported("stored", "--store", store)
    firstmile("store", "compact", store)
    reported("compact", "--store", store)
    said = firstmile("validate", folder / "dump", "--flow", flow, "--as-of", "2026-02-01",
                     expect=(0, 4)).stdout.decode()
    assert "facts with same id: 16 of 48" in said
    once = firstmile("validate", folder / "dump" / "first.ndjson", "--flow", flow, "--as-of",
                     "2026-02-01", expect=(0, 4)).stdout.decode()
    assert "facts with same id: 0 of 32" in once
    firstmile("report", folder / "dump" / "first.ndjson", "--flow", flow, "--out",
              folder / "once", *late)
    assert same_ids(folder / "once") == 0


@pytest.mark.parametrize("format", WRITERS)
def test_distinct_ids_of_one_moment_are_distinct_events(folder, format):
    flow = folder / "shop.yaml"
    flow.write_text(FLOW)
    text = written(format, [event for person, (ids, _) in PERSONS.items()
                            for event in purchases(person, *ids)])
    # Delivered once more, in another file and in another order.
    (folder / "dump").mkdir()
    (folder / "dump" / "first.ndjson").write_text(text)
    (folder / "dump" / "second.ndjson").write_text("".join(
        sorted(text.splitlines(keepends=True), reverse=True)))
    late = ["--as-of", "2026-02-01", "--quiet"]
    firstmile("report", folder / "dump", "--flow", flow, "--out", folder / "plain", *late)
    check(folder / "plain", PERSONS)
    firstmile("report", folder / "dump", "--flow", flow, "--out", folder / "spilled",
              "--memory-limit", "1K", *late)
    store = folder / "store.sqlite"
    for name in ("second", "first"):
        firstmile("ingest", folder / "dump" / f"{name}.ndjson", "--store", store, "--flow", flow,
                  "--quiet")
    firstmile("report", "--store", store, "--flow", flow, "--out", folder / "stored", *late)
    firstmile("store", "compact", store)
    firstmile("report", "--store", store, "--flow", flow, "--out", folder / "compact", *late)
    metrics = (folder / "plain" / "metrics.csv").read_bytes()
    for way in ("spilled", "stored", "compact"):
        assert (folder / way / "metrics.csv").read_bytes() == metrics, way


RETRIES = {
    # By person the seconds and ids of purchases, and how many these are.
    "corrected-anew": ([(60.05, "r1"), (60.09, "r1"), (60.2, "r1")], 1),
    "cut-to-seconds": ([(60.35, "c1"), (60, "c1")], 1),
    # An id that is used for ten seconds is not the event's own.
    "in-steps": ([(60, "s1"), (66, "s1"), (72, "s1")], 3),
    "ten-seconds-later": ([(60, "m1"), (70, "m1")], 2),
    "with-others-between": ([(60, "b1")] + [(61, f"o{i}") for i in range(200)] + [(62, "b1")], 201),
    "no-ids": ([(60, None), (60.05, None)], 2),
    "other-ids": ([(60, "d1"), (60.05, "d2")], 2),
}


def test_an_event_that_is_sent_again_with_another_clock_is_one(folder):
    (folder / "shop.yaml").write_text(FLOW)
    lines = []
    for person, (sent, _) in RETRIES.items():
        lines.append({"event": "onboarding_started", "timestamp": MIDNIGHT, "user_id": person,
                      "message_id": f"{person}-0"})
        lines += [{"event": "purchase", "timestamp": MIDNIGHT + second, "user_id": person,
                   "message_id": id, "properties": {"price": 3}} for second, id in sent]
    texts = [json.dumps(line) + "\n" for line in lines]
    (folder / "dump").mkdir()
    # Retries are in other files than what they repeat.
    for part in range(2):
        (folder / "dump" / f"{part}.ndjson").write_text("".join(texts[1 - part::2]))
    late = ["--as-of", "2026-02-01", "--quiet"]
    store = folder / "store.sqlite"
    for part in range(2):
        firstmile("ingest", folder / "dump" / f"{part}.ndjson", "--store", store, "--flow",
                  folder / "shop.yaml", "--quiet")
    ways = {"plain": [folder / "dump"], "spilled": [folder / "dump", "--memory-limit", "1K"],
            "stored": ["--store", store]}
    for way, inputs in ways.items():
        firstmile("report", *inputs, "--flow", folder / "shop.yaml", "--out", folder / way, *late)
        found = numbers(folder / way)
        assert float(found["goal_value_total", "paid"]["value"]) == 3 * sum(
            count for _, count in RETRIES.values()), way
        assert int(found["funnel_step", "twice:2"]["numerator"]) == sum(
            count > 1 for _, count in RETRIES.values()), way


def test_several_flows_of_a_run_count_them_as_one_does(folder):
    (folder / "shop.yaml").write_text(FLOW)
    other = FLOW.replace("flow: shop", "flow: other").replace(
        "event: purchase,", "event: purchase, by: colour,")
    (folder / "other.yaml").write_text(other)
    (folder / "d.ndjson").write_text(written("canonical", purchases("two", *PERSONS["two"][0])))
    firstmile("report", folder / "d.ndjson", "--flow", folder / "shop.yaml", "--flow",
              folder / "other.yaml", "--out", folder / "out", "--as-of", "2026-02-01", "--quiet")
    check(folder / "out" / "shop", ["two"])
    check(folder / "out" / "other", ["two"])


def test_an_app_that_sends_a_view_twice_shows_one(folder):
    (folder / "flow.yaml").write_text("flow: twice\nsteps: [welcome, plan]\n")
    page = ("onboarding_page_viewed", 5, "u", "p1", {"page_name": "welcome"})
    events = [("onboarding_started", 0, "u", "s1", {}), ("onboarding_started", 0, "u", "s2", {}),
              page, page[:3] + ("p2",) + page[4:], ("onboarding_completed", 9, "u", "c", {})]
    (folder / "d.ndjson").write_text(written("canonical", events))
    firstmile("report", folder / "d.ndjson", "--flow", folder / "flow.yaml", "--out",
              folder / "out", "--as-of", "2026-02-01", "--quiet")
    found = numbers(folder / "out")
    assert found["resumed", "all"]["numerator"] == "0"
    assert found["step_reach", "welcome"]["numerator"] == "1"
    assert found["step_went_back", "welcome"]["numerator"] == "0"
