"""Personal text in what the app sends: named, never shown, and dropped where the flow says so."""

import gzip
import json

import pytest
from harness import APPS, FORMATS, ROOT, contents, firstmile

FIRST = ["Anna", "Bertrand", "Chiara", "Dmitri", "Elif", "Farouk", "Greta", "Hanako"]
LAST = ["Abendroth", "Bellweather", "Castellani", "Dragunov", "Erdogmus", "Feilchenfeldt"]

# By kind: a property and its value for a person.
KINDS = {
    "an e-mail address": ("contact", lambda n: f"zq{n}mail@qzx.example"),
    "a phone number": ("callback", lambda n: f"+49 1709 77{n:05}"),
    "a person's name":
        ("name", lambda n: f"{FIRST[n % 8]} {LAST[n % 6]}{'abcdefghij'[n // 24 % 10]}{'klm'[n // 240]}"),
    "a postal address": ("street", lambda n: f"Quizzenden Lane {n + 100}"),
    "a date of birth": ("birthday", lambda n: f"19{60 + n % 40}-07-{1 + n % 28:02}"),
    "a precise position": ("latitude", lambda n: 52.5 + (n + 1) * 0.001357),
    "an IP address": ("ip", lambda n: f"93.184.{n % 250}.77"),
    "a payment card number": ("card_number", lambda n: "4111111111111111" if n % 2 else "5555555555554444"),
    "a password or access token": ("auth", lambda n: f"Bearer qzxtoken{n:08}"),
    "a web address with an e-mail address or an access token":
        ("opened", lambda n: f"https://x.example/in?token=qzxsecret{n:04}"),
    "text that people typed": ("stack_name", lambda n: f"Qzxtrip to {FIRST[n % 8]} in {1900 + n}"),
}
MARKS = ["qzx", "Qzx", "zq1", "1709 77", "Quizzenden", "Bellweather", "93.184.", "52.5013", "4111111",
         "1960-07", "Castellani"]


def events(persons=120):
    lines = []
    for person in range(persons):
        for place, (event, more) in enumerate([
                ("onboarding_started", {}), ("onboarding_page_viewed", {"page_name": "welcome"}),
                ("onboarding_completed", {})]):
            properties = {name: value(person) for name, value in KINDS.values()} | more
            lines.append(json.dumps({
                "event": event, "timestamp": f"2026-01-{1 + person % 27:02}T10:{place:02}:00.{person:03}Z",
                "user_id": f"user-{person}", "device_id": f"device-{person}", "flow": "demo",
                "properties": properties, "context": {"os": "iOS"}}))
    return lines


@pytest.fixture
def dump(folder):
    """A folder with one file of events that hold a value of every kind."""
    (folder / "dump").mkdir()
    (folder / "dump" / "events.ndjson").write_text("\n".join(events()) + "\n")
    return folder / "dump"


def flow(folder, more="", name="demo"):
    path = folder / f"{name}.yaml"
    path.write_text(f"flow: {name}\nsteps: [welcome, plan]\n{more}\n")
    return path


REDACT = "redact: [" + ", ".join(f"properties.{name}" for name, _ in KINDS.values()) + "]"


def assert_no_value(what, *texts):
    for text in texts:
        if isinstance(text, str):
            text = text.encode()
        for mark in MARKS:
            assert mark.encode() not in text, f"{mark} in {what}"


def personal(dump, flow_file, *options):
    out = firstmile("validate", dump, "--flow", flow_file, "--output", "json", "--at-least", "F", *options)
    return {check["item"]: check["note"] for check in json.loads(out.stdout)["checks"]
            if check["check"] == "personal_text"}


def test_every_kind_is_named(folder, dump):
    found = personal(dump, flow(folder))
    for kind, (name, _) in KINDS.items():
        note = found.pop(f"properties.{name}")
        assert note == (f"looks like {kind}: stop sending it, or drop it with "
                        f"redact: [properties.{name}] in the flow file")
    assert found == {}


def test_the_grade_does_not_depend_on_it(folder, dump):
    def grade(flow_file):
        out = firstmile("validate", dump, "--flow", flow_file, "--output", "json", "--at-least", "F")
        return json.loads(out.stdout)["grade"], json.loads(out.stdout)["reasons"]

    assert grade(flow(folder)) == grade(flow(folder, REDACT))


def test_no_value_is_shown(folder, dump):
    (dump / "events.ndjson").write_text(
        (dump / "events.ndjson").read_text() + '{"event":"x","properties":{"contact":"zq1mail@qzx.example"\n')
    plain = flow(folder)
    for output in "text", "json", "csv":
        out = firstmile("validate", dump, "--flow", plain, "--output", output, "--at-least", "F")
        assert b"personal" in out.stdout
        assert_no_value(output, out.stdout, out.stderr)
    redacting = flow(folder, "redact: [properties.nothing]", "redacting")  # keeps no broken line
    out = firstmile("report", dump, "--flow", redacting, "--out", folder / "report")
    assert_no_value("the terminal", out.stdout, out.stderr)
    pages = contents(folder / "report")
    for name, data in pages.items():
        assert_no_value(name, data)
    for name in "report.html", "report.md", "quality.csv":
        assert b"properties.birthday" in pages[name], name


def test_a_finding_names_what_it_found(folder, dump):
    out = firstmile("report", dump, "--flow", flow(folder)).stdout.decode()
    text = " ".join(out.split())
    assert "properties.auth looks like a password or access token" in text
    assert "and 8 more (see firstmile validate)" in text


def test_ids_that_are_addresses(folder):
    lines = [json.loads(line) for line in events(40)]
    for line in lines:
        line["user_id"] = f"zq{line['user_id']}@qzx.example"
        line["properties"] = {key: value for key, value in line["properties"].items() if key == "page_name"}
    (folder / "d.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = personal(folder / "d.ndjson", flow(folder))
    assert found == {"user_id": "looks like an e-mail address: send a random id instead"}


def test_what_a_flow_uses_can_only_be_stopped(folder, dump):
    found = personal(dump, flow(folder, "dimensions: [{id: who, path: properties.name}]"))
    assert found["properties.name"] == (
        "looks like a person's name: stop sending it; the flow uses it, so it can't be dropped on reading")


def test_a_redacted_property_is_not_reported(folder, dump):
    assert personal(dump, flow(folder, REDACT)) == {}
    assert set(personal(dump, flow(folder, "redact: [properties.contact]"))) == {
        f"properties.{name}" for name, _ in KINDS.values()} - {"properties.contact"}


def test_redaction_changes_no_number(folder, dump):
    firstmile("report", dump, "--flow", flow(folder), "--out", folder / "plain")
    firstmile("report", dump, "--flow", flow(folder, REDACT), "--out", folder / "redacted")
    plain, redacted = contents(folder / "plain"), contents(folder / "redacted")
    for name in plain:
        if name.endswith("metrics.csv") or name.endswith("metrics.json"):
            assert plain[name] == redacted[name], name
    assert b"personal_text" in plain["quality.csv"] and b"personal_text" not in redacted["quality.csv"]


def broken(dump):
    """Lines of every kind of reject, each with a name in it."""
    good = json.loads(events(1)[0])
    without = [{key: value for key, value in good.items() if key not in keys}
               for keys in (["event"], ["timestamp"], ["user_id", "device_id"])]
    lines = [json.dumps(line) for line in without]
    lines.append(json.dumps(good | {"timestamp": "yesterday"}))
    lines += [json.dumps(good)[:-3], json.dumps([json.dumps(good)]), json.dumps(good) + "x"]
    lines.append(json.dumps({"properties": "zq1mail@qzx.example"} | {"event": 1}))
    (dump / "broken.ndjson").write_bytes("\n".join(lines).encode() + b"\n" + b'{"name":"Bellweather\xff"}\n')


def test_rejects_are_kept_without_redacted_values(folder, dump):
    broken(dump)
    for redact in "", REDACT:
        kept = folder / f"rejects{len(redact)}.ndjson"
        firstmile("report", dump, "--flow", flow(folder, redact), "--rejects", kept, "--max-reject-rate", "1")
        records = [json.loads(line) for line in kept.read_text().splitlines()]
        assert len(records) == 9
        if redact:
            assert_no_value("the rejects", kept.read_bytes())
            assert sum(record["text"] == "[redacted]" for record in records) == 4
            assert all(record["file"] and record["line"] and record["reason"] for record in records)
            whole = [json.loads(record["text"]) for record in records if record["text"].startswith("{")]
            assert {line["properties"]["contact"] for line in whole
                    if isinstance(line["properties"], dict)} == {"[redacted]"}
        else:
            assert b"qzx.example" in kept.read_bytes()


def kept_bytes(store):
    """Everything that a store left on disk: the file, its journals, the rejected lines beside it."""
    files = [path for path in store.parent.glob(store.name + "*") for path in
             ([path] if path.is_file() else path.rglob("*")) if path.is_file()]
    assert files
    return b"".join(path.read_bytes() for path in files)


def test_a_store_keeps_nothing_that_is_redacted(folder, dump):
    broken(dump)
    used = flow(folder, "dimensions: [{id: who, path: properties.name}]")
    firstmile("ingest", dump, "--store", folder / "used", "--flow", used, expect=(0, 4))
    assert b"Bellweather" in kept_bytes(folder / "used")
    firstmile("ingest", dump, "--store", folder / "redacted", "--flow", flow(folder, REDACT), expect=(0, 4))
    assert_no_value("the store", kept_bytes(folder / "redacted"))
    assert b"[redacted]" in kept_bytes(folder / "redacted")


def test_a_flow_that_redacts_later_drops_what_an_earlier_one_kept(folder, dump):
    store = folder / "store"
    used = flow(folder, "dimensions: [{id: who, path: properties.name}]")
    lines = (dump / "events.ndjson").read_text().splitlines()
    (dump / "events.ndjson").write_text("\n".join(lines[:3]) + "\n")
    firstmile("ingest", dump, "--store", store, "--flow", used)
    assert b"Anna Abendroth" in kept_bytes(store)
    (dump / "more.ndjson").write_text("\n".join(lines[3:]) + "\n")
    firstmile("ingest", dump, "--store", store, "--flow", flow(folder, "redact: [properties.name]"))
    assert b"Bellweather" not in kept_bytes(store)


def test_flows_of_which_one_drops_what_another_uses(folder, dump):
    one = flow(folder, "redact: [properties.name]", "one")
    two = flow(folder, "dimensions: [{id: who, path: properties.name}]", "two")
    said = firstmile("report", dump, "--flow", one, "--flow", two, expect=2).stderr.decode()
    assert "'redact' of one drops 'properties.name', which two uses" in said
    firstmile("ingest", dump, "--store", folder / "s", "--flow", two)
    said = firstmile("ingest", dump, "--store", folder / "s", "--flow", one, "--again", expect=2).stderr
    assert b"which two uses" in said


def test_redactions_of_all_flows_hold_for_the_rejects(folder, dump):
    broken(dump)
    names = [name for name, _ in KINDS.values()]
    files = []
    for number, part in enumerate([names[::2], names[1::2]]):
        paths = ", ".join(f"properties.{name}" for name in part)
        files.append(flow(folder, f"redact: [{paths}]", f"flow{number}"))
    kept = folder / "kept.ndjson"
    firstmile("report", dump, "--flow", files[0], "--flow", files[1], "--rejects", kept,
              "--max-reject-rate", "1")
    assert_no_value("the rejects", kept.read_bytes())


@pytest.mark.parametrize("redacted", ["context.os", "context.*", "context"])
def test_a_store_drops_the_dimensions_that_it_keeps_anyway(folder, dump, redacted):
    for name, more, is_there in ("plain", "", True), ("redacted", f'redact: ["{redacted}"]', False):
        firstmile("ingest", dump, "--store", folder / name, "--flow", flow(folder, more))
        again = flow(folder, "dimensions: [os]")
        asked = ["report", "--store", folder / name, "--flow", again, "--json"]
        if not is_there:
            assert b"context.os was not kept" in firstmile(*asked, expect=2).stderr
        assert (b"iOS" in firstmile(*asked, "--missing-as-none").stdout) == is_there, name


def test_a_flow_can_not_use_what_it_redacts(folder):
    path = flow(folder, "goals: [{id: g, event: e, by: name}]\nredact: [properties.name]")
    said = firstmile("flow", "check", path, expect=2)
    assert (f"demo.yaml:4:10: 'properties.name' is redacted here but used by goal 'g' at line 3:31"
            in (said.stdout + said.stderr).decode())


def findings(folder, inputs, flow_file, *options, stdin=None):
    out = folder / "out"
    firstmile("report", *inputs, "--flow", flow_file, "--out", out, "--quiet", *options, stdin=stdin)
    quality = (out / "quality.csv").read_text().splitlines()
    return [line for line in quality if line.startswith("personal_text")]


def test_threads_files_and_their_order_make_no_difference(folder):
    lines = events(600)  # more than a report samples
    plain = flow(folder)
    whole = folder / "whole.ndjson"
    whole.write_text("\n".join(lines) + "\n")
    expected = findings(folder, [whole], plain, "--threads", "1")
    assert len(expected) == len(KINDS) and ",512," in expected[0]
    parts = folder / "parts"
    parts.mkdir()
    shuffled = lines[::-1]
    for number in range(7):
        text = "\n".join(shuffled[number::7]) + "\n"
        if number % 2:
            (parts / f"{number}.ndjson").write_text(text)
        else:
            (parts / f"{number}.ndjson.gz").write_bytes(gzip.compress(text.encode()))
    for threads in "1", "2", "5":
        assert findings(folder, [parts], plain, "--threads", threads) == expected
    listed = sorted(parts.iterdir())[::-1]
    assert findings(folder, listed, plain) == expected
    assert findings(folder, ["-"], plain, stdin=whole.read_bytes()) == expected


@pytest.mark.parametrize("app", APPS)
def test_the_samples_send_nothing_personal(app):
    assert personal(ROOT / "sample-events" / app, app, "--threads", "2") == {}


@pytest.mark.parametrize("format", FORMATS)
def test_simulated_dumps_in_no_format_are_suspected(folder, format):
    firstmile("simulate", "--flow", "memoss", "--persons", 60, "--format", format, "--out", folder / "d",
              "--quiet")
    assert personal(folder / "d", "memoss") == {}
