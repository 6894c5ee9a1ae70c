"""`firstmile serve`: the reports of a store in a browser, on this machine only."""

import concurrent.futures
import contextlib
import http.client
import os
import re
import signal
import socket
import subprocess
import urllib.parse

import pytest
from browser import AXE, SCHEMES, axe_source, chromium
from harness import BINARY, ROOT, firstmile

FLOW = "dequeue"
STEPS = "onboarding_started > onboarding_completed"


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    """A store of a sample, which no check changes."""
    return made_store(tmp_path_factory.mktemp("serve") / "store.sqlite")


def made_store(path, *more):
    firstmile("ingest", ROOT / "sample-events" / FLOW, *more, "--store", path, "--flow", FLOW,
              "--quiet")
    return path


class Server:
    """A running `serve`, and the address that it printed."""

    def __init__(self, process, address):
        self.process, self.address = process, address
        parts = urllib.parse.urlsplit(address)
        self.host, self.port, self.token = parts.hostname, parts.port, parts.path.strip("/")

    def get(self, path, method="GET", host=None, whole=False):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=120)
        with contextlib.closing(connection):
            connection.putrequest(method, path if whole else f"/{self.token}/{path}",
                                  skip_host=host is not None)
            if host:
                connection.putheader("Host", host)
            connection.endheaders()
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def file(self, path):
        status, _, body = self.get(path)
        assert status == 200, (path, status, body[:300])
        return body

    def page(self, path=""):
        """The page with the bar, once its view is there."""
        while True:
            status, headers, body = self.get(path)
            if "Refresh" not in headers:
                return status, body.decode()
            assert b"so far" in body, body


@contextlib.contextmanager
def serving(store, *options, expect=0, number=signal.SIGINT, environment=None):
    process = subprocess.Popen(
        [str(BINARY), "serve", "--store", str(store), "--port", "0", *map(str, options)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=dict(os.environ, **(environment or {})))
    try:
        address = process.stdout.readline().strip()
        assert address, process.communicate()
        yield Server(process, address)
    finally:
        process.send_signal(number)
        said = process.communicate(timeout=60)
        assert process.returncode == expect, (process.returncode, said)
        assert "stopped" in said[1] or expect, said


# The options of a view, as an address has them and as the command line does.
VIEWS = [
    {},
    {"from": "2026-01-20", "to": "2026-03-01"},
    {"as-of": "2026-03-01", "cohorts": "month"},
    {"flow-version": "(none)", "history-from": "2026-01-10"},
]


def words(view):
    return [f"--{name}={value}" for name, value in view.items()]


def test_a_view_is_the_file_that_report_would_write(store, folder):
    with serving(store) as server:
        for place, view in enumerate(VIEWS):
            query = urllib.parse.urlencode(view)
            served = {name: server.file(f"{name}?{query}")
                      for name in ("report.html", "metrics.json", "overview.csv", "report.md")}
            out = folder / str(place)
            # No report of the same definitions may come in between: the page lists them.
            firstmile("report", "--store", store, "--flow", FLOW, *words(view), "--out", out,
                      "--quiet")
            for name, content in served.items():
                assert content == (out / name).read_bytes(), (view, name)
            assert server.token.encode() not in b"".join(served.values())
        # The report that was just kept is one of the last reports from here on.
        again = server.file("report.html")
        firstmile("report", "--store", store, "--flow", FLOW, "--out", folder / "again", "--quiet")
        assert again == (folder / "again/report.html").read_bytes()
        firstmile("report", "--store", store, "--flow", FLOW, "--out", folder / "cards", "--cards",
                  "--quiet")
        assert server.file("card-1.svg") == (folder / "cards/card-1.svg").read_bytes()


def test_a_funnel_is_what_funnel_would_print(store, folder):
    views = [
        [("steps", STEPS), ("within", "1h")],
        [("breakdown", "length")],
        [("steps", STEPS), ("breakdown", "version"), ("breakdown", "length"),
         ("from", "2026-01-20")],
    ]
    with serving(store) as server:
        for place, view in enumerate(views):
            query = urllib.parse.urlencode(view)
            page = folder / f"{place}.html"
            steps = [] if ("steps", STEPS) in view else ["--steps", default_steps()]
            asked = [f"--{name}={value}" for name, value in view] + steps
            for output in ("csv", "json", "text"):
                printed = firstmile("funnel", "--store", store, "--flow", FLOW, *asked, "--page",
                                    page, "--output", output).stdout
                name = "funnel.txt" if output == "text" else f"funnel.{output}"
                assert server.file(f"{name}?{query}") == printed, (view, output)
            assert server.file(f"funnel.html?{query}") == page.read_bytes(), view
        status, body = server.page("?" + urllib.parse.urlencode([("steps", STEPS)]))
        assert status == 200 and "funnel.html?flow=dequeue&amp;steps=onboarding_started" in body
        # What the store doesn't have is said, and not shown as a funnel of nobody.
        text = server.file("funnel.html?steps=onboarding_started+%3E+no_such_event").decode()
        assert "Note:" in text and "no_such_event" in text


def default_steps():
    """Those steps of the sample that people of all variants are shown."""
    shown = firstmile("flow", "show", FLOW).stdout.decode()
    ids = re.findall(r"\b(welcome|create_first_stack|ready)\b", shown)
    assert len(set(ids)) == 3
    views = [f'onboarding_page_viewed[page_name="{name}"]'
             for name in ("welcome", "create_first_stack", "ready")]
    return " > ".join(views + ["onboarding_completed"])


def test_only_those_who_know_the_token_and_call_it_by_its_name_are_answered(store):
    with serving(store) as server:
        wrong = server.token[:-1] + ("0" if server.token[-1] != "0" else "1")
        for path in ("/", "/report.html", f"/{wrong}/", f"/{server.token[:-1]}/", "/favicon.ico",
                     f"/x/../{server.token}/"):
            status, _, body = server.get(path, whole=True)
            assert status == 404 and server.token.encode() not in body, (path, status, body)
        for host in ("evil.example", f"evil.example:{server.port}", "127.0.0.1.evil.example"):
            assert server.get("report.md", host=host)[0] == 421, host
        for host in ("localhost", f"localhost:{server.port}", "[::1]:80", "127.0.0.1"):
            assert server.get("report.md", host=host)[0] == 200, host
        for method in ("POST", "HEAD", "PUT", "DELETE", "OPTIONS"):
            status, headers, _ = server.get("", method=method)
            assert status == 405 and headers["Allow"] == "GET", (method, status)
        for path in ("", "report.html", "metrics.csv", "card.svg", "funnel.html?steps=" + STEPS.replace(" ", "+")):
            _, headers, _ = server.get(path)
            assert headers["Referrer-Policy"] == "no-referrer", path
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Cache-Control"] == "no-store"
            policy = headers["Content-Security-Policy"]
            assert "frame-ancestors" in policy or "sandbox" in policy, policy
        assert server.get(f"/{server.token}", whole=True)[1]["Location"] == f"/{server.token}/"
    with serving(store, "--allow-host", "reports.example") as server:
        assert server.get("report.md", host="reports.example:80")[0] == 200
    with serving(store) as other:
        assert other.token != server.token and len(other.token) == 32


def test_it_listens_on_this_machine_alone(store):
    with serving(store) as server:
        own = {entry[4][0] for entry in socket.getaddrinfo(socket.gethostname(), None,
                                                          socket.AF_INET)}
        for address in own - {"127.0.0.1"}:
            if address.startswith("127."):
                continue
            with pytest.raises(OSError), socket.create_connection((address, server.port), 5):
                pass
        listening = open("/proc/net/tcp").read()
        assert f"0100007F:{server.port:04X}" in listening
        assert f"00000000:{server.port:04X}" not in listening
    with serving(store, "--bind", "::1") as server:
        assert server.address.startswith("http://[::1]:")
        assert server.get("report.md")[0] == 200


def test_mistakes_are_said(store, folder):
    with serving(store) as server:
        said = firstmile("serve", "--store", store, "--port", server.port, expect=2).stderr.decode()
        assert f"port {server.port} on 127.0.0.1 is in use" in said and "--port 0" in said, said
        for query, wanted in [
            ("from=yesterday", "--from"), ("from=2026-02-01&to=2026-01-01", "--from must lie before"),
            ("nonsense=1", "nonsense"), ("flow=aiq", "it serves dequeue"),
            ("cohorts=year", "cohorts"), ("steps=a+%3E", "expected"),
            ("breakdown=nothing", "nothing"), ("within=soon&steps=a", "no duration"),
            ("breakdown=a&breakdown=b&breakdown=c", "two properties"), ("from=%FF", "UTF-8"),
        ]:
            name = "funnel.csv" if re.search("steps|breakdown", query) else "report.md"
            status, _, body = server.get(f"{name}?{query}")
            assert status == 400 and wanted in body.decode(), (query, status, body)
            status, text = server.page(f"?{query}")
            assert status == 400 and "can’t be shown" in text, query
            assert "<form" in text, "the bar is there to mend it"
        status, _, body = server.get("../../etc/passwd")
        assert status == 404, body
        status, _, body = server.get("nothing.html")
        assert status == 404 and b"report.html" in body
    said = firstmile("serve", "--store", folder / "none.sqlite", expect=2).stderr.decode()
    assert "none.sqlite" in said, said
    assert not (folder / "none.sqlite").exists()
    said = firstmile("serve", "--store", store, "--bind", "elsewhere", expect=2).stderr.decode()
    assert "--bind" in said, said
    said = firstmile("serve", "--store", store, "--port", "70000", expect=2).stderr.decode()
    assert "65535" in said, said


def test_many_readers_get_the_same_bytes(store):
    views = [f"report.html?from=2026-01-{day:02d}" for day in (6, 13, 20)] + ["metrics.csv"]
    with serving(store) as server, concurrent.futures.ThreadPoolExecutor(16) as pool:
        answers = list(pool.map(lambda view: (view, server.file(view)), views * 8))
        for view in views:
            assert len({body for name, body in answers if name == view}) == 1, view
        assert len({body for _, body in answers}) == len(views)


def test_a_store_that_changes_is_noticed(folder):
    store = made_store(folder / "store.sqlite")
    with serving(store) as server:
        before = server.file("overview.csv")
        firstmile("simulate", "--flow", FLOW, "--persons", 40, "--seed", 9, "--out",
                  folder / "more", "--quiet")
        firstmile("ingest", folder / "more", "--store", store, "--flow", FLOW, "--quiet")
        after = server.file("overview.csv")
        assert before != after
        firstmile("report", "--store", store, "--flow", FLOW, "--out", folder / "out", "--quiet")
        assert after == (folder / "out/overview.csv").read_bytes()
        # Another file in its place is noticed as well, and so is none.
        made_store(folder / "other.sqlite")
        os.replace(folder / "other.sqlite", store)
        assert server.file("overview.csv") == before
        # It read what was ingested before without leaving a log, which would be taken for the new file's.
        assert not list(folder.glob("store.sqlite-*al"))
        firstmile("store", "verify", store)
        store.unlink()
        status, _, body = server.get("overview.csv")
        assert status == 400 and b"store.sqlite" in body, body


def test_it_ends_cleanly_whenever_it_is_asked_to(store, folder):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        temporary = folder / f"tmp{number}"
        temporary.mkdir()
        beside = sorted(store.parent.iterdir())
        with serving(store, "--memory-limit", "1K", number=number,
                     environment={"TMPDIR": str(temporary)}) as server:
            server.get("?from=2026-01-09")
            # One view is left under way.
            with contextlib.closing(socket.create_connection((server.host, server.port))) as line:
                line.sendall(f"GET /{server.token}/report.html?from=2026-01-08 HTTP/1.1\r\n"
                             "Host: localhost\r\n\r\n".encode())
        assert not list(temporary.iterdir()), list(temporary.iterdir())
        assert [path.name for path in sorted(store.parent.iterdir())] == [
            path.name for path in beside]


# --- the browser -------------------------------------------------------------------------------

BOX = """() => {
  const frame = document.querySelector('iframe')?.getBoundingClientRect();
  const wide = [...document.querySelectorAll('header *')].filter(element =>
    element.getBoundingClientRect().right > document.documentElement.clientWidth + 1);
  return {scroll: document.documentElement.scrollWidth, limit: document.documentElement.clientWidth,
          wide: wide.map(element => element.outerHTML.slice(0, 80)),
          top: frame?.top, height: frame?.height, width: frame?.width};
}"""


def test_the_bar_works_in_a_browser_without_a_mouse(store):
    with chromium() as browser, serving(store) as server:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        asked, said = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(server.address)
        page.wait_for_selector("iframe")
        frame = page.frame_locator("iframe")
        frame.locator("h1").wait_for()
        assert "380 people" in frame.locator("p.data").inner_text()
        # Through the form with the keyboard alone.
        names = []
        for _ in range(12):
            page.keyboard.press("Tab")
            names.append(page.evaluate(
                "document.activeElement.name || document.activeElement.innerText"))
            if names[-1] == "from":
                break
        assert names[-1] == "from", names
        page.fill("input[name=from]", "2026-02-01")
        page.focus("input[name=to]")
        page.fill("input[name=to]", "2026-03-01")
        page.keyboard.press("Enter")
        page.wait_for_url("**from=2026-02-01**")
        page.wait_for_selector("iframe")
        assert "started 1 Feb" in page.frame_locator("iframe").locator("p.data").inner_text()
        assert page.input_value("input[name=from]") == "2026-02-01"
        page.locator("summary").focus()
        page.keyboard.press("Enter")
        page.fill("input[name=steps]", STEPS)
        page.locator("select[name=breakdown]").first.select_option("length")
        page.keyboard.press("Enter")
        page.locator("button").click()
        page.wait_for_url("**steps=**")
        page.wait_for_selector("iframe")
        text = page.frame_locator("iframe").locator("main").inner_text()
        assert "go through the whole funnel" in text and "By length" in text, text
        page.go_back()
        page.wait_for_url("**from=2026-02-01**")
        assert all(url.startswith(server.address) for url in asked), asked
        assert not said, said
        context.close()


def test_the_bar_reads_well_at_every_width_light_and_dark(store):
    source = axe_source()
    query = urllib.parse.urlencode([("steps", STEPS), ("breakdown", "version"),
                                    ("breakdown", "length")])
    shots = os.environ.get("FIRSTMILE_SHOTS")
    with chromium() as browser, serving(store) as server:
        paths = ["", "?from=2026-02-01", "?" + query, "?from=nonsense", "funnel.html?" + query]
        for path in paths:
            context = browser.new_context(bypass_csp=True)
            page = context.new_page()
            page.goto(server.address + path)
            if "nonsense" not in path and "html" not in path:
                page.wait_for_selector("iframe")
            page.evaluate(source)
            for width in (390, 820, 1440):
                page.set_viewport_size({"width": width, "height": 900})
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    where = f"{path} at {width}, {scheme}"
                    box = page.evaluate(BOX)
                    assert box["scroll"] <= box["limit"] and not box["wide"], (where, box)
                    if box["top"] is not None:
                        assert box["width"] >= width - 1 and box["height"] >= 450, (where, box)
                        assert box["top"] < (420 if width == 390 else 240), (where, box)
                    found = page.evaluate(AXE)
                    assert not found, (where, found[:3])
                    if shots:
                        name = f"serve-{paths.index(path)}-{width}-{scheme}.png"
                        page.screenshot(path=os.path.join(shots, name))
            context.close()
