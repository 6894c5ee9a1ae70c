"""Inputs over the network: objects of a store that checks signatures, and files of web servers."""

import gzip
import json
import os
import re
import sqlite3
import subprocess
import threading

import pytest

from harness import BINARY, ROOT, assert_same, contents, facts_of, numbers, sample_files
from remote_services import REGION, moto_store, token_gate, web_server

SECRETS = ["wJalrXUtnFEMI-not-a-key", "token-that-nobody-may-see", "sig-0123456789"]


@pytest.fixture(scope="module")
def store():
    with moto_store() as store:
        store.fill("dumps", {f"aiq/{path.name}": path.read_bytes() for path in sample_files()})
        yield store


@pytest.fixture(scope="module")
def by_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("folder")
    numbers(sample_files(), folder)
    return facts_of(folder)


def run(folder, *arguments, expect=0, out=None, **variables):
    """Runs the program with an environment in which nothing but these variables is about networks;
    standard error, in which no secret may stand. Its standard output is kept as `out`."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith(("AWS_", "SSL_", "CURL_")) and "proxy" not in name.lower()}
    environment |= {"HOME": str(folder), "NO_COLOR": "1", "AWS_EC2_METADATA_DISABLED": "true",
                    "AWS_MAX_ATTEMPTS": "3", **variables}
    done = subprocess.run([str(BINARY), *map(str, arguments)], cwd=ROOT, env=environment,
                          stdin=subprocess.DEVNULL, capture_output=True, timeout=300)
    said = done.stderr.decode()
    secrets = SECRETS + [variables.get("AWS_SECRET_ACCESS_KEY", SECRETS[0])]
    for text in [said, done.stdout.decode()]:
        assert not [secret for secret in secrets if secret in text], text
    assert done.returncode == expect, (done.returncode, said)
    if out:
        out.write_bytes(done.stdout)
    return said


def report_on(folder, *arguments, **variables):
    """Metrics of a report over inputs of the network."""
    out = folder / "out"
    out.mkdir(exist_ok=True)
    run(folder, "report", *arguments, "--flow", "aiq", "--json", "--rejects", folder / "out-rejects.ndjson",
        out=out / "metrics.json", **variables)
    return facts_of(out)


def sources_of(folder):
    """Names of the inputs, in the order of names."""
    return sorted(source["name"] for source in json.loads(
        (folder / "out/metrics.json").read_text())["provenance"]["sources"])


def event(user, name="onboarding_started", time="2026-01-05T10:00:00Z"):
    return json.dumps({"event": name, "timestamp": time, "user_id": user, "device_id": user,
                       "session_id": user}).encode() + b"\n"


# Stores


def test_a_prefix_gives_the_bytes_of_the_folder(store, folder, by_folder):
    facts = report_on(folder, "s3://dumps/aiq", "--endpoint-url", store.endpoint, **store.keys())
    assert_same(facts, by_folder, "a prefix and the folder")
    assert sources_of(folder) == [f"s3://dumps/aiq/{path.name}" for path in sample_files()]


def test_a_star_at_the_end_stands_for_all_keys_that_begin_alike(store, folder):
    days = sample_files()[1:3]
    store.fill("alike", {f"day/{'night' if path in days else 'noon'}-{path.name}": path.read_bytes() for path in sample_files()})
    numbers(days, folder / "by-name", flow="aiq")
    facts = report_on(folder, "s3://alike/day/ni*", "--endpoint-url", store.endpoint, **store.keys())
    assert_same(facts, facts_of(folder / "by-name"), "keys that begin alike and files")
    assert sources_of(folder) == [f"s3://alike/day/night-{path.name}" for path in days]


@pytest.mark.parametrize("threads", [1, 4])
def test_objects_one_by_one_count_once(store, folder, by_folder, threads):
    names = [f"s3://dumps/aiq/{path.name}" for path in sample_files()]
    facts = report_on(folder, *names, "s3://dumps/", names[0], "--threads", threads,
                      AWS_ENDPOINT_URL=store.endpoint, **store.keys())
    assert_same(facts, by_folder, "objects and the folder")


ODD_KEYS = ["odd/with space.ndjson", "odd/a+b.ndjson", "odd/100%25.ndjson", "odd/ünï→文.ndjson",
            "odd/day=1/a&b=c.ndjson", "odd/q?x#y.ndjson", "odd/it's (1)!*,;:@$.ndjson",
            "odd/a//b.ndjson", "odd/<x>\"`^{|}[].ndjson", "odd/../up.ndjson", "odd/c:\\d.ndjson", "odd/e\u0301.ndjson",
            "odd/\u00e9.ndjson", "odd/\u0301.ndjson"]


def test_keys_of_any_characters_are_listed_signed_and_read(store, folder):
    hidden = ["odd/../up.ndjson"]  # A name that begins with a dot is hidden; by itself it is read.
    store.fill("odd", {key: event(f"u{number}") for number, key in enumerate(ODD_KEYS)})
    run(folder, "report", "s3://odd/odd", "--endpoint-url", store.endpoint, "--flow", "aiq",
        "--out", folder / "out", "--quiet", **store.keys())
    assert sources_of(folder) == sorted(f"s3://odd/{key}" for key in ODD_KEYS if key not in hidden)
    names = [f"s3://odd/{key}" for key in ODD_KEYS]
    run(folder, "report", *names, "--endpoint-url", store.endpoint, "--flow", "aiq",
        "--out", folder / "out", "--quiet", **store.keys())
    document = json.loads((folder / "out/metrics.json").read_text())
    assert sources_of(folder) == sorted(names)
    assert document["provenance"]["events"] == len(ODD_KEYS)


def test_a_listing_of_several_pages_is_read_to_its_end(store, folder):
    objects = {f"p/{number:04}.ndjson": b"" for number in range(1001)}
    store.fill("pages", objects | {"p/last.ndjson": event("u")})
    run(folder, "report", "s3://pages/p/", "--endpoint-url", store.endpoint, "--flow", "aiq",
        "--out", folder / "out", "--quiet", **store.keys())
    assert sources_of(folder) == ["s3://pages/p/last.ndjson"]


def test_names_decide_first_and_then_the_beginning_of_an_object(store, folder):
    store.fill("mixed", {
        "m/part-00000": event("u"), "m/notes.txt": b"nothing to see", "m/_SUCCESS": b"",
        "m/marker/": b"", "m/.hidden.ndjson": event("h"), "m/.tmp/x.ndjson": event("h"),
        "m/new.ndjson.part": event("h"), "m/rejects.ndjson": b"{}\n", "m/t.parquet": b"PAR1" * 200,
        "m-other/x.ndjson": event("h")})
    said = run(folder, "report", "s3://mixed/m", "--endpoint-url", store.endpoint, "--flow", "aiq",
               "--out", folder / "out", "--quiet", **store.keys())
    assert sources_of(folder) == ["s3://mixed/m/part-00000"]
    for words in ["3 files passed over", "s3://mixed/m/notes.txt (no events)", "a Parquet file",
                  "still being written", "s3://mixed/m/rejects.ndjson: passed over"]:
        assert words in said, said


def test_a_lakes_table_in_a_bucket_is_not_read_object_by_object(store, folder):
    store.fill("lakes", {
        "l/t/_delta_log/0.json": b"{}\n", "l/t/day=1/part-0.ndjson": event("u"), "l/beside.ndjson": event("w"),
        "l/h/.hoodie/hoodie.properties": b"x", "l/h/part-0.ndjson": event("v")})
    for address in ("s3://lakes/l", "s3://lakes/l/t/"):
        said = run(folder, "report", address, "s3://lakes/l/beside.ndjson", "--endpoint-url", store.endpoint, "--flow",
                   "aiq", "--out", folder / "out", "--quiet", expect=2, **store.keys())
        assert [name for name in sources_of(folder) if name.endswith("ndjson")] == ["s3://lakes/l/beside.ndjson"]
        assert "s3://lakes/l/t/: is a table of Delta Lake or Hudi" in said, said
        assert ("s3://lakes/l/h/: is a table" in said) == (address == "s3://lakes/l"), said


@pytest.mark.parametrize("body", [
    b"<html>Welcome</html>", b"", b"<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    b"<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t"
    b"</NextContinuationToken></ListBucketResult>",
    b"<ListBucketResult><Contents><Key>a.ndjson</Key></Contents>"])
def test_half_a_listing_is_an_error(folder, body):
    with web_server({}) as server:
        server.answers["/b/"] = (200, body, {})
        said = run(folder, "report", "s3://b", "--endpoint-url", server.url, "--no-sign-request",
                   "--flow", "aiq", "--out", folder / "out", expect=2)
        assert "s3://b: can't be listed: the " in said and not (folder / "out").exists(), said


@pytest.mark.parametrize("address, words", [
    ("s3://dumps/nothing", "no object has this key, and none a key that begins with 'nothing/'"),
    ("s3://dumps/aiq/*.gz", "only a star at the end is read here"),
    ("s3://dumps/aiq/gone-*", "none a key that begins with 'aiq/gone-'"),
    ("s3://no-such-bucket/x", "404 NOT FOUND (NoSuchBucket: The specified bucket does not exist"),
    ("s3://", "no bucket of this name can exist"),
    ("s3://a b/c", "no bucket of this name can exist"),
    ("gs://dumps/aiq", "--endpoint-url https://storage.googleapis.com"),
    ("ftp://host/x", "ftp://… isn't read"),
    ("http://example.com/x.ndjson", "http:// is open to anyone on the way"),
    ("https:///x", "the address has no host"),
])
def test_addresses_that_lead_nowhere_are_named(store, folder, address, words):
    said = run(folder, "report", address, "--endpoint-url", store.endpoint, "--flow", "aiq",
               "--out", folder / "out", expect=2, **store.keys())
    assert words in said and not (folder / "out").exists(), said


def test_a_wrong_secret_is_refused_in_the_words_of_the_service(store, folder):
    keys = store.keys() | {"AWS_SECRET_ACCESS_KEY": SECRETS[0]}
    said = run(folder, "report", "s3://dumps/aiq", "--endpoint-url", store.endpoint, "--flow", "aiq",
               "--out", folder / "out", expect=2, **keys)
    assert "SignatureDoesNotMatch: The request signature we calculated does not match" in said
    assert "which come from the environment (AWS_ACCESS_KEY_ID)" in said, said


def test_an_unknown_key_is_refused_in_the_words_of_the_service(store, folder):
    said = run(folder, "report", "s3://dumps/aiq", "--endpoint-url", store.endpoint, "--flow", "aiq",
               "--out", folder / "out", expect=2, AWS_ACCESS_KEY_ID="AKIAUNKNOWN",
               AWS_SECRET_ACCESS_KEY=SECRETS[0])
    assert "InvalidAccessKeyId" in said, said


def test_a_token_of_a_session_is_signed(store, folder, by_folder):
    session = store.session
    keys = {"AWS_ACCESS_KEY_ID": session["AccessKeyId"], "AWS_SESSION_TOKEN": session["SessionToken"],
            "AWS_SECRET_ACCESS_KEY": session["SecretAccessKey"]}
    facts = report_on(folder, "s3://dumps/aiq", "--endpoint-url", store.endpoint, **keys)
    assert_same(facts, by_folder, "a session and the folder")
    said = run(folder, "report", "s3://dumps/aiq", "--endpoint-url", store.endpoint, "--flow", "aiq",
               "--out", folder / "new", expect=2, **keys | {"AWS_SESSION_TOKEN": "another"})
    assert "InvalidToken" in said, said


def test_a_public_bucket_is_read_without_credentials(folder):
    with web_server({"/open/x.ndjson": event("u")}) as server:
        server.answers["/open/"] = listing({"x.ndjson": (event("u"), "&quot;1&quot;")})
        report_on(folder, "s3://open", "--endpoint-url", server.url, "--no-sign-request")
        assert not [head for _, _, head in server.asked if "Authorization" in head]


def test_an_object_is_read_where_listing_is_denied(folder):
    denied = b"<Error><Code>AccessDenied</Code><Message>Access &amp; more denied</Message></Error>"
    with web_server({"/b/x.ndjson": event("u")}) as server:
        server.answers["/b/"] = (403, denied, {})
        report_on(folder, "s3://b/x.ndjson", "--endpoint-url", server.url, "--no-sign-request")
        said = run(folder, "report", "s3://b/x/", "--endpoint-url", server.url, "--flow", "aiq",
                   "--out", folder / "new", "--no-sign-request", expect=2)
        assert "s3://b/x/: can't be listed: the service answers 403 Forbidden " \
               "(AccessDenied: Access & more denied)" in said


def test_the_region_that_a_service_names_is_used(folder):
    with web_server({"/b/x.ndjson": event("u")}) as server:
        server.answers["/b/"] = (200, b"<ListBucketResult/>", {})
        server.faults = [lambda asked: asked.answer(301, x_amz_bucket_region="ap-south-1")]
        run(folder, "report", "s3://b/x.ndjson", "--endpoint-url", server.url, "--flow", "aiq",
            "--out", folder / "out", expect=2, AWS_ACCESS_KEY_ID="AKIA",
            AWS_SECRET_ACCESS_KEY=SECRETS[0])
        regions = [head["authorization"].split("/")[2] for _, _, head in server.asked]
        assert regions == ["us-east-1", "ap-south-1", "ap-south-1"]


def listing(objects):
    """A listing of objects as key: (bytes, entity tag)."""
    entries = [f"<Contents><Key>{key}</Key><Size>{len(body)}</Size><ETag>{tag}</ETag></Contents>"
               for key, (body, tag) in objects.items()]
    return (200, f"<ListBucketResult>{''.join(entries)}</ListBucketResult>".encode(), {})


def test_what_was_ingested_is_not_fetched_again(folder):
    files = {"a.ndjson": event("u"), "b.ndjson": event("v") + event("v")}
    with web_server({f"/b/d/{name}": body for name, body in files.items()}) as server:
        def ingest():
            objects = {f"d/{name}": (server.files[f"/b/d/{name}"], server.tags.get(f"/b/d/{name}", '"1"'))
                       for name in files}
            server.answers["/b/"] = listing(objects)
            server.asked.clear()
            said = run(folder, "ingest", "s3://b/d/", "--endpoint-url", server.url, "--store",
                       folder / "s.sqlite", "--flow", "aiq", AWS_ACCESS_KEY_ID="AKIA",
                       AWS_SECRET_ACCESS_KEY=SECRETS[0])
            return said, sorted(path.split("?")[0] for _, path, _ in server.asked)
        said, asked = ingest()
        assert "2 files taken in (3 lines" in said
        assert asked == ["/b/", "/b/d/a.ndjson", "/b/d/b.ndjson"]
        said, asked = ingest()
        assert "0 files taken in (0 lines, 0 facts), 2 passed over" in said and asked == ["/b/"]
        server.tags["/b/d/a.ndjson"], server.files["/b/d/a.ndjson"] = '"2"', event("w")
        said, asked = ingest()
        assert "1 file taken in (1 line" in said and asked == ["/b/", "/b/d/a.ndjson"]
    database = sqlite3.connect(folder / "s.sqlite")
    names = [name for name, in database.execute("SELECT path FROM sources ORDER BY id")]
    database.close()
    assert sorted(names) == ["s3://b/d/a.ndjson"] * 2 + ["s3://b/d/b.ndjson"]
    for name, data in contents(folder).items():
        assert SECRETS[0].encode() not in data, name


def test_several_objects_are_fetched_at_a_time(folder):
    """Eight objects are asked for before the first is answered, with a single thread."""
    files = {f"/b/{number}.ndjson": event(f"u{number}") for number in range(8)}
    together = threading.Barrier(8)
    with web_server(files) as server:
        server.answers["/b/"] = listing({path[3:]: (body, '"1"') for path, body in files.items()})

        def wait(asked):
            together.wait(60)
            return False
        server.faults = [None] + [wait] * 8
        run(folder, "report", "s3://b", "--endpoint-url", server.url, "--no-sign-request", "--flow",
            "aiq", "--out", folder / "out", "--quiet", "--threads", "1")
        assert len(sources_of(folder)) == 8


def test_the_commands_of_the_document_work(store, folder):
    """With the store of the checks in place of the reader's."""
    store.fill("app-events", {f"onboarding/{path.name}": path.read_bytes()
                              for path in sample_files()[:1]})
    text = (ROOT / "docs/input.md").read_text().partition("## Over the network")[2]
    commands = re.search(r"^```sh\n(.*?)^```", text, re.M | re.S).group(1).splitlines()
    assert len(commands) == 3
    for number, command in enumerate(commands):
        profile, _, words = command.partition(" ")
        words = words.replace("http://minio.internal:9000", store.endpoint).split()[1:]
        words = [str(folder / f"{word}{number}") if word in ("report", "onboarding.sqlite") and place
                 else word for place, word in enumerate(words)]
        (folder / "config").write_text(
            f"[profile {profile.partition('=')[2]}]\nendpoint_url={store.endpoint}\n"
            f"aws_access_key_id={store.access_key}\naws_secret_access_key={store.secret_key}\n")
        run(folder, *words, AWS_PROFILE=profile.partition("=")[2],
            AWS_CONFIG_FILE=str(folder / "config"))


# Web servers


def test_a_large_file_takes_no_more_memory_than_a_small_one(folder):
    """Blank lines, which leave nothing behind. The server makes them as they go: a run begins as a copy
    of this process, whose size would be measured."""
    def peak(megabytes):
        def stream(asked):
            asked.send_response(200)
            asked.send_header("Content-Length", str(len(event("u")) + (megabytes << 20)))
            asked.end_headers()
            asked.wfile.write(event("u"))
            for _ in range(megabytes):
                asked.wfile.write(b"\n" * (1 << 20))
            return True
        with web_server({}) as server:
            server.faults = [stream]
            said = run(folder, "report", server.url + "/x.ndjson", "--flow", "aiq", "--out",
                       folder / "out", "--quiet", "--stats-json")
        return json.loads(said.splitlines()[-1])["peak_memory_bytes"]
    small, large = peak(8), peak(64)
    assert large < small + (8 << 20), (small, large)


def test_a_file_of_a_web_server_is_read(folder, by_folder):
    files = {f"/d/{path.name}": path.read_bytes() for path in sample_files()}
    with web_server(files) as server:
        facts = report_on(folder, *[server.url + path for path in files])
        assert_same(facts, by_folder, "a web server and the folder")
        # Bytes as they are stored: nothing is unpacked on the way.
        assert not [head for _, _, head in server.asked if "Accept-Encoding" in head]


@pytest.mark.parametrize("size", [0, 1, 70_000])
def test_a_broken_connection_goes_on_where_it_broke(folder, by_folder, size):
    path = sample_files()
    files = {f"/{path.name}": path.read_bytes() for path in path}
    with web_server(files) as server:
        server.faults = [("cut", size)] * 2
        facts = report_on(folder, *[server.url + path for path in files], "--threads", 1)
        assert_same(facts, by_folder, "broken connections and the folder")
        ranges = [head["Range"] for _, _, head in server.asked if "Range" in head]
        assert len(server.asked) == len(files) + 2
        assert all(head.get("If-Match") == '"1"' for _, _, head in server.asked if "Range" in head)
        assert len(ranges) == (2 if size else 0)


def changed(server, **more):
    def change(asked):
        server.tags["/x.ndjson"] = '"2"'
        server.files["/x.ndjson"] = event("v") * 4000
        return False
    return change


@pytest.mark.parametrize("tag", ['"1"', 'W/"1"', None])
def test_a_file_that_changes_after_a_break_is_an_error_and_no_mixture(folder, tag):
    with web_server({"/x.ndjson": event("u") * 4000}) as server:
        server.tags["/x.ndjson"] = tag
        server.faults = [("cut", 300_000), changed(server)]
        said = run(folder, "report", server.url + "/x.ndjson", "--flow", "aiq", "--out",
                   folder / "out", expect=2)
        words = ("the object was replaced while it was read" if tag == '"1"' else
                 "the server doesn't say (ETag, Last-Modified) whether the rest is of the same file")
        assert f"{server.url}/x.ndjson: can't be read: {words}" in said or (
            tag != '"1"' and "doesn't say" in said), said


@pytest.mark.parametrize("tag, size", [('"2"', 0), ('"1"', 1)])
def test_a_server_that_ignores_conditions_makes_no_mixture(folder, tag, size):
    body = event("u") * 4000
    with web_server({"/x.ndjson": body}) as server:
        def other(asked):
            start, total = int(asked.headers["Range"][6:-1]), len(body) + size
            return asked.answer(206, body[start:] + b"\n" * size, ETag=tag,
                                Content_Range=f"bytes {start}-{total - 1}/{total}")
        server.faults = [("cut", 300_000), other]
        said = run(folder, "report", server.url + "/x.ndjson", "--flow", "aiq", "--out",
                   folder / "out", expect=2)
        assert "the object was replaced while it was read" in said, said


def test_a_file_that_is_never_whole_is_an_error(folder):
    with web_server({"/x.ndjson": event("u") * 4000}) as server:
        server.faults = [("cut", 100_000), ("cut", 0), ("cut", 0), ("cut", 0)]
        said = run(folder, "report", server.url + "/x.ndjson", "--flow", "aiq", "--out",
                   folder / "out", expect=2)
        assert "after 100000 of " in said and "; tried 3 times" in said, said


def test_a_server_without_ranges_is_read_from_its_start_and_the_known_part_skipped(folder):
    body = b"".join(event(f"u{number}") for number in range(4000))
    with web_server({"/x.ndjson": body}) as server:
        def whole(asked):
            return asked.answer(200, body, ETag='"1"')
        server.faults = [("cut", 200_001), whole]
        report_on(folder, server.url + "/x.ndjson")
        document = json.loads((folder / "out/metrics.json").read_text())
        assert document["provenance"]["events"] == 4000 and len(server.asked) == 2


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_service_is_asked_again_and_then_given_up(folder, status):
    with web_server({"/x.ndjson": event("u")}) as server:
        server.faults = [status, status]
        report_on(folder, server.url + "/x.ndjson")
        assert len(server.asked) == 3
        server.faults = [status] * 9
        said = run(folder, "report", server.url + "/x.ndjson", "--flow", "aiq", "--out",
                   folder / "new", expect=2)
        assert f"the service answers {status} " in said and "(try later); tried 3 times" in said
        assert len(server.asked) == 6


def test_what_is_missing_or_forbidden_is_not_asked_for_again(folder):
    with web_server({}) as server:
        said = run(folder, "report", server.url + "/x.ndjson", "--flow", "aiq", "--out",
                   folder / "out", expect=2)
        assert "/x.ndjson: can't be read: the service answers 404 Not Found (not here: /x.ndjson)" \
            in said
        assert len(server.asked) == 1


def test_an_address_that_nobody_answers_is_named(folder):
    with web_server({}) as server:
        pass
    said = run(folder, "report", server.url + "/x.ndjson", "--flow", "aiq", "--out", folder / "out",
               expect=2)
    assert "Failed to connect to localhost" in said and "tried 3 times" in said


def test_a_signed_address_is_a_secret(folder):
    """A presigned query and a password in an address show up nowhere: here the service even repeats
    them."""
    with web_server({"/x.ndjson": event("u") + b"no event\n"}) as server:
        address = server.url.replace("http://", f"http://me:{SECRETS[1]}@")
        query = f"?X-Amz-Signature={SECRETS[2]}&X-Amz-Security-Token={SECRETS[1]}"
        run(folder, "report", f"{address}/x.ndjson{query}", "--flow", "aiq", "--out", folder / "out",
            "--max-reject-rate", "1", "--rejects", folder / "rejects.ndjson")
        assert server.asked[0][1] == f"/x.ndjson{query}"
        assert sources_of(folder) == [f"{server.url}/x.ndjson"]
        run(folder, "ingest", f"{address}/x.ndjson{query}", "--store", folder / "s.sqlite", "--flow",
            "aiq", "--max-reject-rate", "1")
        said = run(folder, "report", f"{address}/gone{query}", "--flow", "aiq", "--out",
                   folder / "new", expect=2)
        assert "404 Not Found (not here: /gone?[redacted])" in said, said
        run(folder, "watch", f"{address}/{query}", "--store", folder / "s.sqlite", expect=2)
    written = {name: data for name, data in contents(folder).items()}
    assert "rejects.ndjson" in written and "s.sqlite" in written
    for name, data in written.items():
        assert not [secret for secret in SECRETS if secret.encode() in data], name


def test_watch_refuses_addresses(folder):
    said = run(folder, "watch", "s3://dumps/aiq", "--store", folder / "s.sqlite", "--flow", "aiq",
               expect=2)
    assert "'s3://dumps/aiq' is an address, and watch looks at folders" in said


def test_redirects_are_followed_but_not_to_plain_text(folder, certificate):
    with web_server({"/x.ndjson": event("u")}) as plain, \
            web_server({"/x.ndjson": event("u")}, certificate) as secure:
        plain.answers["/moved"] = (302, b"", {"Location": plain.url + "/x.ndjson"})
        report_on(folder, plain.url + "/moved")
        secure.answers["/down"] = (302, b"", {"Location": plain.url + "/x.ndjson"})
        count = len(plain.asked)
        said = run(folder, "report", secure.url + "/down", "--flow", "aiq", "--out", folder / "new",
                   expect=2, SSL_CERT_FILE=certificate)
        assert 'Protocol "http" not supported or disabled' in said and len(plain.asked) == count


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    path = tmp_path_factory.mktemp("certificate") / "both.pem"
    key, own = path.with_suffix(".key"), path.with_suffix(".crt")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
                    "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                    "-keyout", key, "-out", own], check=True, capture_output=True)
    path.write_bytes(key.read_bytes() + own.read_bytes())
    return path


def test_a_certificate_is_trusted_only_where_it_is_named(folder, certificate):
    with web_server({"/x.ndjson": event("u")}, certificate) as server:
        said = run(folder, "report", server.url + "/x.ndjson", "--flow", "aiq", "--out",
                   folder / "out", expect=2)
        assert "SSL certificate problem: self-signed certificate" in said
        assert "named by CURL_CA_BUNDLE or SSL_CERT_FILE" in said
        for name in ["SSL_CERT_FILE", "CURL_CA_BUNDLE", "AWS_CA_BUNDLE"]:
            report_on(folder, server.url + "/x.ndjson", **{name: str(certificate)})


# Credentials


def credentials_json(store, **more):
    return json.dumps({"AccessKeyId": store.access_key, "SecretAccessKey": store.secret_key,
                       "Expiration": "2099-01-01T00:00:00Z", **more}).encode()


def aiq(folder, store, **variables):
    return report_on(folder, "s3://dumps/aiq", "--endpoint-url", store.endpoint, **variables)


@pytest.mark.parametrize("place", ["credentials", "config", "default"])
def test_credentials_of_a_profile(store, folder, by_folder, place):
    (folder / ".aws").mkdir()
    keys = f"aws_access_key_id = {store.access_key}\naws_secret_access_key={store.secret_key}\n"
    (folder / ".aws/credentials").write_text(
        "# keys\n[other]\naws_access_key_id=x\naws_secret_access_key=y\n"
        + {"credentials": f"[mine]\n{keys}", "default": f"[default]\n{keys}"}.get(place, ""))
    (folder / ".aws/config").write_text(
        f"[profile mine]\nregion = {REGION}\nendpoint_url = {store.endpoint}\ns3 =\n  x = y\n"
        + (keys if place == "config" else "") + f"[default]\nendpoint_url={store.endpoint}\n")
    variables = {} if place == "default" else {"AWS_PROFILE": "mine"}
    assert_same(report_on(folder, "s3://dumps/aiq", **variables), by_folder, place)


def test_credentials_of_files_elsewhere(store, folder, by_folder):
    (folder / "keys").write_text(f"[default]\naws_access_key_id={store.access_key}\n"
                                 f"aws_secret_access_key={store.secret_key}\n")
    facts = aiq(folder, store, AWS_SHARED_CREDENTIALS_FILE=str(folder / "keys"))
    assert_same(facts, by_folder, "AWS_SHARED_CREDENTIALS_FILE")


def test_credentials_of_a_container(store, folder, by_folder):
    with web_server({"/creds": credentials_json(store)}) as server:
        (folder / "token").write_text(SECRETS[1] + "\n")
        address = {"AWS_CONTAINER_CREDENTIALS_FULL_URI": server.url + "/creds"}
        aiq(folder, store, **address, AWS_CONTAINER_AUTHORIZATION_TOKEN=SECRETS[1])
        facts = aiq(folder, store, **address,
                    AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE=str(folder / "token"))
        assert_same(facts, by_folder, "a container")
        assert [head["Authorization"] for _, _, head in server.asked] == [SECRETS[1]] * 2
    said = run(folder, "report", "s3://dumps/aiq", "--flow", "aiq", "--out", folder / "new",
               expect=2, AWS_CONTAINER_CREDENTIALS_FULL_URI="http://example.com/creds")
    assert "AWS_CONTAINER_CREDENTIALS_FULL_URI must be https://" in said


def test_credentials_of_an_instance_by_version_2(store, folder, by_folder):
    roles = "/latest/meta-data/iam/security-credentials/"
    files = {"/latest/api/token": SECRETS[1].encode(), roles: b"my-role\n",
             roles + "my-role": credentials_json(store)}
    with web_server(files) as server:
        facts = aiq(folder, store, AWS_EC2_METADATA_DISABLED="false",
                    AWS_EC2_METADATA_SERVICE_ENDPOINT=server.url)
        assert_same(facts, by_folder, "an instance")
        assert [(method, path) for method, path, _ in server.asked] == [
            ("PUT", "/latest/api/token"), ("GET", roles), ("GET", roles + "my-role")]
        heads = [head for _, _, head in server.asked]
        assert heads[0]["X-aws-ec2-metadata-token-ttl-seconds"] == "21600"
        assert all(head["X-aws-ec2-metadata-token"] == SECRETS[1] for head in heads[1:])


def session_keys(session):
    return {"AWS_ACCESS_KEY_ID": session["AccessKeyId"], "AWS_SESSION_TOKEN": session["SessionToken"],
            "AWS_SECRET_ACCESS_KEY": session["SecretAccessKey"]}


def session_json(session):
    """A session as the endpoints of containers and instances give it: to them it holds for long."""
    return json.dumps({"AccessKeyId": session["AccessKeyId"], "Token": session["SessionToken"],
                       "SecretAccessKey": session["SecretAccessKey"],
                       "Expiration": "2099-01-01T00:00:00Z"}).encode()


def test_a_token_goes_with_every_request_and_is_signed(store, folder, by_folder):
    token = store.session["SessionToken"]
    with token_gate(store, {}) as gate:
        facts = report_on(folder, "s3://dumps/aiq", "--endpoint-url", gate.url,
                          **session_keys(store.session))
        assert_same(facts, by_folder, "a session")
        assert set(gate.taken) == {token} and len(gate.taken) > len(sample_files()) and not gate.unsigned


# A listing and the first objects, or the first objects alone.
@pytest.mark.parametrize("lifetime", [0, 1, 2])
def test_a_container_is_asked_again_when_a_token_expires_in_the_middle(
        store, folder, by_folder, lifetime):
    tokens = [session["SessionToken"] for session in (store.session, store.next_session)]
    with web_server({"/creds": session_json(store.session)}) as server:
        def renew(_):
            server.files["/creds"] = session_json(store.next_session)
        with token_gate(store, {tokens[0]: lifetime}, renew) as gate:
            facts = report_on(folder, "s3://dumps/aiq", "--endpoint-url", gate.url,
                              AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/creds")
            assert_same(facts, by_folder, "a token that expired")
            assert gate.taken.count(tokens[0]) == lifetime and set(gate.refused) == {tokens[0]}
            assert gate.taken.count(tokens[1]) >= len(sample_files()) - lifetime and not gate.unsigned
        # Once for each that expired, however many requests were on their way.
        assert len(server.asked) == 2


def test_an_instance_is_asked_again_when_a_token_expires_in_the_middle(store, folder, by_folder):
    roles = "/latest/meta-data/iam/security-credentials/"
    with web_server({"/latest/api/token": SECRETS[1].encode(), roles: b"my-role\n",
                     roles + "my-role": session_json(store.session)}) as server:
        def renew(_):
            server.files[roles + "my-role"] = session_json(store.next_session)
        with token_gate(store, {store.session["SessionToken"]: 2}, renew) as gate:
            facts = report_on(folder, "s3://dumps/aiq", "--endpoint-url", gate.url,
                              AWS_EC2_METADATA_DISABLED="false",
                              AWS_EC2_METADATA_SERVICE_ENDPOINT=server.url)
            assert_same(facts, by_folder, "a token that expired")
            assert store.next_session["SessionToken"] in gate.taken
        assert [path for _, path, _ in server.asked].count(roles + "my-role") == 2


def test_a_token_that_nothing_renews_is_a_clear_error(store, folder):
    token = store.session["SessionToken"]
    with token_gate(store, {token: 2}) as gate:
        said = run(folder, "report", "s3://dumps/aiq", "--endpoint-url", gate.url, "--flow", "aiq",
                   "--out", folder / "out", expect=2, **session_keys(store.session))
    assert "ExpiredToken: The provided token has expired" in said
    assert "the environment (AWS_ACCESS_KEY_ID)" in said and not (folder / "out").exists()
    # A container that goes on giving the old one is asked some times, not for ever.
    with web_server({"/creds": session_json(store.session)}) as server:
        with token_gate(store, {token: 2}) as gate:
            said = run(folder, "report", "s3://dumps/aiq", "--endpoint-url", gate.url, "--flow", "aiq",
                       "--out", folder / "out", expect=2,
                       AWS_CONTAINER_CREDENTIALS_FULL_URI=server.url + "/creds")
    assert "ExpiredToken" in said and token not in said and not (folder / "out").exists()


def test_credentials_that_are_nowhere_or_of_another_kind(folder):
    def said(**variables):
        return run(folder, "report", "s3://dumps/aiq", "--flow", "aiq", "--out", folder / "out",
                   expect=2, **variables)
    words = said()
    for place in ["s3://dumps/aiq: no credentials found: looked in", "AWS_ACCESS_KEY_ID",
                  ".aws/credentials", "container's endpoint", "AWS_EC2_METADATA_DISABLED",
                  "--no-sign-request"]:
        assert place in words, words
    assert "there is no profile 'none' (AWS_PROFILE)" in said(AWS_PROFILE="none")
    (folder / "config").write_text("[default]\nrole_arn = arn:aws:iam::1:role/x\n")
    assert "has role_arn, which isn't read; let AWS's tool resolve it" in said(
        AWS_CONFIG_FILE=str(folder / "config"))


def test_an_endpoint_may_hold_no_secret(folder):
    said = run(folder, "report", "s3://dumps/aiq", "--flow", "aiq", "--out", folder / "out",
               "--endpoint-url", f"https://me:{SECRETS[1]}@host", expect=2)
    assert "without credentials and query, found 'https://host'" in said


def test_start_keeps_the_address_of_the_store(store, folder):
    """The next report asked Amazon, with a signed request."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("AWS_")}
    environment |= {"HOME": str(folder), "AWS_EC2_METADATA_DISABLED": "true", "NO_COLOR": "1", **store.keys()}

    def firstmile_there(*words):
        done = subprocess.run([str(BINARY), *words], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, timeout=300)
        assert done.returncode == 0, done.stderr.decode()
        return done.stderr.decode()
    firstmile_there("start", "s3://dumps/aiq/", "--endpoint-url", store.endpoint, "--yes")
    assert f"endpoint_url: {store.endpoint}" in (folder / "firstmile.yaml").read_text().replace('"', "")
    before = contents(folder / "reports")
    firstmile_there("report", "--quiet")
    assert_same(contents(folder / "reports"), before, "start and the report after it")
