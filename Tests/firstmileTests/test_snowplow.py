"""Snowplow's entities and self-describing events, in the shapes in which its loaders write them."""

import csv
import datetime
import functools
import io
import json
import pathlib
import random
import tempfile

import pytest

from harness import facts_of, firstmile, numbers, report

START = 1_768_989_600
HOUR = 3600
COLUMNS = 131
# By their numbers in the list that Snowplow's SDKs have.
NUMBERS = {"app_id": 1, "platform": 2, "collector_tstamp": 4, "event": 6, "event_id": 7, "user_id": 13,
           "domain_userid": 16, "contexts": 53, "unstruct_event": 59, "derived_tstamp": 125,
           "event_name": 127}


def people(count=240):
    """Who, when, what and on which page, with the person's variant and plan."""
    chance = random.Random(5)
    for person in range(count):
        begin = START + person * HOUR
        about = {"variant": chance.choice(["control", "short"]), "plan": chance.choice(["free", "pro"])}
        yield person, begin, "signup_started", {}, about
        for place, page in enumerate(["welcome", "plan", "pay"]):
            yield person, begin + 20 * (place + 1), "page_shown", {"page": page}, about
        if chance.random() < 0.6:
            yield person, begin + 100, "signup_finished", {}, about


def row(person, at, event):
    time = datetime.datetime.fromtimestamp(at, datetime.timezone.utc).strftime("%Y-%m-%d %H:%M:%S.000")
    return {"app_id": "shop", "platform": "mob", "event": "unstruct", "user_id": f"u{person}",
            "event_id": f"c6ef0000-0000-4000-8000-{at * 100 + person % 100:012}", "domain_userid": f"d{person}",
            "derived_tstamp": time, "collector_tstamp": time, "event_name": event}


def entities(person, about):
    """Schemas by the names that they have in data and in the members of the SDKs, with what they say."""
    return [
        ("com.acme/user/jsonschema/1-0-0", "com_acme_user_1",
         {"email": f"qzx{person}@example.org", "plan": about["plan"]}),
        ("com.acme/testGroup/jsonschema/1-0-2", "com_acme_test_group_1", {"variant": about["variant"]}),
        ("com.acme/product/jsonschema/1-0-0", "com_acme_product_1", {"name": "a"}),
        ("com.acme/product/jsonschema/1-0-0", "com_acme_product_1", {"name": "xyz"[person % 3]}),
    ]


def of_schema(name, data):
    return {"schema": f"iglu:{name}", "data": data}


def raw_rows():
    for person, at, event, properties, about in people():
        said = properties | {"note": f"qzx{person}@example.com"}
        yield row(person, at, event) | {
            "contexts": of_schema("x/contexts/jsonschema/1-0-0", [
                of_schema(schema, data) for schema, _, data in entities(person, about)]),
            "unstruct_event": of_schema("x/unstruct_event/jsonschema/1-0-0", of_schema(
                f"com.acme/{event}/jsonschema/1-0-0", said))}


def member_rows():
    for person, at, event, properties, about in people():
        found = row(person, at, event)
        for _, member, data in entities(person, about):
            found.setdefault(f"contexts_{member}", []).append(data)
        found[f"unstruct_event_com_acme_{event}_1"] = properties | {"note": f"qzx{person}@example.com"}
        yield found


def cell(value):
    return json.dumps(value) if isinstance(value, (dict, list)) else value or ""


def enriched(rows):
    for found in rows:
        values = [""] * COLUMNS
        for name, value in found.items():
            values[NUMBERS[name] - 1] = cell(value)
        yield "\t".join(values) + "\n"


def table(rows, name=str):
    rows = list(rows)
    columns = list(dict.fromkeys(name for found in rows for name in found))
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(map(name, columns))
    writer.writerows([[cell(found.get(column)) for column in columns] for found in rows])
    return out.getvalue()


def with_nulls(rows):
    rows = list(rows)
    columns = dict.fromkeys(name for found in rows for name in found)
    return [dict.fromkeys(columns) | found for found in rows]


def lines(rows):
    return "".join(json.dumps(found) + "\n" for found in rows)


SHAPES = {
    "enriched.tsv": lambda: "".join(enriched(raw_rows())),
    "raw.csv": lambda: table(raw_rows()),
    "raw.ndjson": lambda: lines(raw_rows()),
    "members.ndjson": lambda: lines(member_rows()),
    "nulls.ndjson": lambda: lines(with_nulls(member_rows())),
    "members.csv": lambda: table(member_rows()),
    "capitals.csv": lambda: table(member_rows(), str.upper),
}


@pytest.fixture
def dumps(folder):
    for name, write in SHAPES.items():
        (folder / name).write_text(write())
    return folder


def test_a_draft_offers_what_schemas_describe_and_reads_it(dumps):
    drafts = {name: firstmile("flow", "init", dumps / name).stdout.decode() for name in SHAPES}
    (draft,) = set(drafts.values())
    assert 'variant: "contexts_com_acme_test_group_1.variant"' in draft
    assert '{id: plan, path: "contexts_com_acme_user_1.plan"}' in draft
    assert 'page_name: "properties.page"' in draft
    # Neither a schema nor a whole list is anybody's value.
    assert "schema" not in draft and "[{" not in draft and "\0" not in draft
    (dumps / "flow.yaml").write_text(draft)
    found = []
    for name in SHAPES:
        numbers([dumps / name], dumps / "out", flow=dumps / "flow.yaml", expect=(0, 3))
        found.append(facts_of(dumps / "out"))
    assert all(facts == found[0] for facts in found)
    rows = found[0]["rows"].decode()
    assert '"variant":"short"' in rows and '"breakdown":"plan=pro"' in rows


FLOW = """flow: shop
steps: [welcome, plan, pay]
events:
  signup_started: onboarding_started
  page_shown: onboarding_page_viewed
  signup_finished: onboarding_completed
fields: {page_name: properties.page}
"""


@functools.cache
def personal_of(name):
    """What of a shape is personal where nothing is redacted."""
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        (folder / name).write_text(SHAPES[name]())
        (folder / "flow.yaml").write_text(FLOW)
        return personal(folder / name, folder / "flow.yaml")


def personal(dump, flow):
    out = firstmile("validate", dump, "--flow", flow, "--output", "json", "--at-least", "F")
    return {check["item"] for check in json.loads(out.stdout)["checks"] if check["check"] == "personal_text"}


@pytest.mark.parametrize("redact", [
    "[contexts, properties.note]", '["contexts.*", properties.note]',
    "[contexts_com_acme_user_1.email, properties.note]",
    "[contexts_com_acme_user_1, " + ", ".join(
        f"unstruct_event_com_acme_{name}_1.note" for name in ("signup_started", "page_shown", "signup_finished"))
    + "]"])
def test_what_is_redacted_is_shown_nowhere(dumps, redact):
    flow = dumps / "flow.yaml"
    for name in SHAPES:
        assert personal_of(name) == {"contexts_com_acme_user_1.email", "properties.note"}, name
        flow.write_text(f"{FLOW}redact: {redact}\n")
        assert personal(dumps / name, flow) == set(), name
        # A time that is none: every line is rejected, and kept.
        broken = dumps / f"broken-{name}"
        broken.write_text((dumps / name).read_text().replace("2026-0", "2026-9"))
        numbers([broken], dumps / "out", "--rejects", dumps / "rejects", "--max-reject-rate", "100%", flow=flow, expect=(0, 4))
        kept = (dumps / "rejects").read_text()
        assert "[redacted]" in kept and "qzx" not in kept, name
        assert kept.count("bad_timestamp") == len(list(people()))


def on_phones():
    """Nobody signs in, and the only id is in an entity, which is dropped with all others."""
    for found in member_rows():
        person = found.pop("user_id")
        del found["domain_userid"]
        yield found | {"contexts_com_snowplowanalytics_snowplow_client_session_1": [
            {"userId": f"phone-{person}", "sessionId": f"session-{person}"}]}


def test_dropping_all_entities_counts_the_same_people(folder):
    (folder / "phones.ndjson").write_text(lines(on_phones()))
    found = []
    for number, more in enumerate(("", "redact: [contexts]\n")):
        (folder / "flow.yaml").write_text(FLOW + more)
        report([folder / "phones.ndjson"], folder / f"out-{number}", flow=folder / "flow.yaml")
        found.append((folder / f"out-{number}/metrics.csv").read_bytes())
    assert found[0] == found[1] and b"phone-" not in found[1]
    rows = csv.DictReader(io.StringIO(found[0].decode()))
    assert next(row["value"] for row in rows if row["metric"] == "entered") == "240"


def test_a_variant_that_is_redacted_cannot_be_used(dumps):
    (dumps / "flow.yaml").write_text(
        FLOW + "dimensions: [{id: plan, path: contexts_com_acme_user_1.plan}]\nredact: [contexts]\n")
    done = firstmile("flow", "check", dumps / "flow.yaml", expect=2)
    assert b"'contexts' is redacted here but used by dimension 'plan'" in done.stdout + done.stderr
