"""The library from outside: generated calls, and a package that uses the front door."""

import csv
import datetime
import json
import os
import re
import shutil
import subprocess
import urllib.error
import urllib.request

import pytest

from harness import APPS, ROOT, SAMPLE, contents, firstmile, report

HOST = """// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Host", platforms: [.macOS(.v26)],
  dependencies: [.package(name: "FirstMile", path: "%s")],
  targets: [
    // Names that a host may well have.
    .target(name: "CZlib"), .target(name: "CSignals"), .target(name: "FactStore"),
    .target(name: "Simulation"),
    .executableTarget(
      name: "Host", dependencies: ["CZlib", "CSignals", .product(name: "FirstMile", package: "FirstMile")]),
  ])
"""
HOST_MAIN = """import CZlib
import FirstMile

let flow = try Flow(named: "aiq")
let result = try await FunnelAnalysis(flow: flow).run(files: ["sample-events/aiq"])
print(own_zlib(), result.completion.rate ?? -1, result.steps["privacy"]?.reached ?? -1)
print(result.experiment("copy")?.lift(of: .completion)?.lift ?? -1)
try result.write(ReportFormat.allCases, to: CommandLine.arguments[1])
"""
PROGRAM = """import Glibc

@main struct Program {
  static func main() throws {
    let writer = try EventFileWriter(folder: CommandLine.arguments[1], maximumBytes: 4000)
    for person in 0..<20 {
      func add(_ action: OnboardingAction, minute: Int) throws {
        let time = EventTime(milliseconds: 1_767_225_600_000 + Int64(person * 1000 + minute * 60_000))
        try writer.append(
          AiqOnboarding.event(action, at: time, deviceID: "d-\\(person)", copy: person % 2 == 0 ? .a : .b))
      }
      try add(AiqOnboarding.started(), minute: 0)
      try add(AiqOnboarding.pageViewed(.valueProposition), minute: 0)
      if person < 15 { try add(AiqOnboarding.pageViewed(.howTestsWork), minute: 1) }
      if person < 12 {
        try add(AiqOnboarding.pageViewed(.testingFrequency), minute: 2)
        try add(AiqOnboarding.pageViewed(.privacy), minute: 3)
        try add(AiqOnboarding.completed(), minute: 4)
      }
      if person >= 15 { try add(AiqOnboarding.skipped(at: .valueProposition), minute: 1) }
      if person < 4 { try add(AiqOnboarding.testStarted(test: "baseline"), minute: 9) }
      try add(OnboardingAction("app_opened"), minute: 60 * 24 * 10)
    }
    try writer.close()
  }
}
"""


def swiftc(*arguments, expect=0):
    done = subprocess.run(["swiftc", "-swift-version", "6", *map(str, arguments)], timeout=300,
                          stdin=subprocess.DEVNULL, capture_output=True)
    assert (done.returncode == 0) == (expect == 0), done.stderr.decode()[-3000:]
    return done.stderr.decode()


@pytest.fixture(scope="module")
def events_library(tmp_path_factory):
    """The module that generated calls import, and its library."""
    if not shutil.which("swiftc"):
        pytest.skip("no swiftc on this machine")
    folder = tmp_path_factory.mktemp("module")
    swiftc("-parse-as-library", "-emit-library", "-emit-module", "-module-name", "OnboardingEvents",
           "-enable-upcoming-feature", "ExistentialAny",
           "-enable-upcoming-feature", "InternalImportsByDefault",
           "-o", folder / "libOnboardingEvents.so",
           "-emit-module-path", folder / "OnboardingEvents.swiftmodule",
           *sorted(ROOT.glob("Sources/OnboardingEvents/**/*.swift")))
    yield folder
    shutil.rmtree(folder)


def generated(flow, folder):
    path = folder / f"{re.sub('[^a-z]', '', flow)}Calls.swift"
    path.write_bytes(firstmile("flow", "swift", flow).stdout)
    return path


def test_the_calls_of_each_flow_compile_and_a_wrong_name_does_not(folder, events_library):
    awkward = folder / "awkward.yaml"
    awkward.write_text(
        'flow: "my app-2"\ntitle: "*/ \\"quoted\\" \\\\"\nsteps: [default, sign-in, sign_in, 2fa, "ü", "a\\"b"]\n'
        "permissions: [camera, self]\nexperiments:\n  copy-text: {control: A, split: {A: 50%, b-1: 50%}}\n"
        "goals: [{id: paid, event: 'class', where: {is: x, all: y}, within: 7d}]\n")
    files = [generated(app, folder) for app in APPS] + [generated(str(awkward), folder)]
    swiftc("-typecheck", "-parse-as-library", "-I", events_library, *files)
    wrong = folder / "wrong.swift"
    wrong.write_text("import OnboardingEvents\nlet action = AiqOnboarding.pageViewed(.privcy)\n")
    said = swiftc("-typecheck", "-I", events_library, files[APPS.index("aiq")], wrong, expect=1)
    assert "has no member 'privcy'" in said, said
    wrong.write_text("import OnboardingEvents\nlet action = AiqOnboarding.pageViewed(.privacy)\n")
    swiftc("-typecheck", "-I", events_library, files[APPS.index("aiq")], wrong)


def test_events_of_generated_calls_are_counted(folder, events_library):
    calls = generated("aiq", folder)
    program = folder / "program.swift"
    # The module is there under its own name, so the calls import it and the program has to as well.
    program.write_text("import OnboardingEvents\n" + PROGRAM)
    swiftc("-parse-as-library", "-I", events_library, "-L", events_library, "-lOnboardingEvents",
           "-o", folder / "program", calls, program)
    dump = folder / "dump"
    dump.mkdir()
    environment = dict(os.environ, LD_LIBRARY_PATH=str(events_library))
    subprocess.run([folder / "program", dump], check=True, env=environment, timeout=60)
    assert len(list(dump.iterdir())) > 2 and not list(dump.glob("*.part"))
    report([dump], folder / "out", "--max-reject-rate", "0")
    with (folder / "out/metrics.csv").open() as file:
        found = {(row["metric"], row["step"]): int(row["numerator"] or -1)
                 for row in csv.DictReader(file)
                 if all(row[key] == "all" for key in ("version", "variant", "cohort", "breakdown"))}
    assert found["entered", "all"] == 20 and found["completion_rate", "all"] == 12
    assert found["skip_rate", "all"] == 5
    assert found["step_reach", "how_tests_work"] == 15 and found["step_reach", "privacy"] == 12
    assert found["goal_rate", "first_test_started"] == 4


def first_article():
    """The code of the article for beginners, as one function, so that it is compiled."""
    text = (ROOT / "Sources/FirstMileLibrary/FirstMile.docc/GettingStarted.md").read_text()
    blocks = re.findall(r"^```swift\n(.*?)^```", text, re.M | re.S)
    code = "".join(block for block in blocks if not block.startswith("dependencies:"))
    assert code.startswith("import FirstMile\n") and "result.write" in code
    return code.replace("\n", "\n\nfunc article() async throws {\n", 1) + "}\n"


@pytest.mark.skipif(not os.environ.get("FIRSTMILE_SLOW"),
                    reason="builds the whole package once more: script/test --slow")
def test_a_package_with_names_of_its_own_uses_the_front_door(folder):
    package = folder / "host"
    (package / "Sources/Host").mkdir(parents=True)
    (package / "Package.swift").write_text(HOST % ROOT)
    (package / "Sources/Host/main.swift").write_text(HOST_MAIN)
    (package / "Sources/Host/Article.swift").write_text(first_article())
    for name, function in [("CZlib", "own_zlib"), ("CSignals", "own_signals"),
                           ("FactStore", "own_store"), ("Simulation", "own_simulation")]:
        include = package / f"Sources/{name}/include"
        include.mkdir(parents=True)
        (include / f"{name}.h").write_text(f"int {function}(void);\n")
        (include.parent / "own.c").write_text(f"int {function}(void) {{ return 7; }}\n")
    flags = (ROOT / ".build-flags").read_text().split()
    subprocess.run(["swift", "build", "--package-path", package, *flags], check=True, timeout=1800)
    # From the root, so that inputs are called as the command calls them.
    done = subprocess.run([package / ".build/debug/Host", folder / "library"], cwd=ROOT, check=True,
                          capture_output=True, text=True, timeout=300)
    report([f"sample-events/{SAMPLE}"], folder / "command")
    assert contents(folder / "library") == contents(folder / "command")
    assert done.stdout.startswith("7 0."), done.stdout


def test_a_package_with_names_of_its_own_resolves(folder):
    """What no build is needed for: that no target's name is taken."""
    if not shutil.which("swift"):
        pytest.skip("no swift on this machine")
    (folder / "Package.swift").write_text(HOST % ROOT)
    for name in ["CZlib", "CSignals", "FactStore", "Simulation", "Host"]:
        (folder / f"Sources/{name}/include").mkdir(parents=True)
        (folder / f"Sources/{name}/include/{name}.h").write_text("\n")
        (folder / f"Sources/{name}/own.c").write_text("\n")
    (folder / "Sources/Host/own.c").unlink()
    shutil.rmtree(folder / "Sources/Host/include")
    (folder / "Sources/Host/main.swift").write_text("import FirstMile\n")
    done = subprocess.run(["swift", "package", "--package-path", folder, "show-dependencies"],
                          capture_output=True, text=True, timeout=600)
    assert done.returncode == 0 and "conflicting" not in done.stderr, done.stderr


EXAMPLES = {
    "funnel-from-a-dump": ("FunnelFromADump", ["sample-events/aiq"], r"started: \d+\nbegan a test: \d+\n"),
    "custom-report": ("CustomReport", ["aiq", "sample-events/aiq"], r"AIQ, first run: 378 people, 71\.2 %"),
}


@pytest.fixture(scope="module")
def examples(tmp_path_factory):
    """Where the examples' programs are."""
    # One folder for all of them: what they depend on is built once.
    scratch = tmp_path_factory.mktemp("examples")
    flags = (ROOT / ".build-flags").read_text().split()
    for name in [*EXAMPLES, "event-server"]:
        subprocess.run(["swift", "build", "--package-path", ROOT / "Examples" / name,
                        "--scratch-path", scratch, *flags], check=True, timeout=1800)
    yield scratch / "debug"
    shutil.rmtree(scratch)


needs_examples = pytest.mark.skipif(
    not os.environ.get("FIRSTMILE_SLOW"),
    reason="builds the whole package once more: script/test --slow")


@needs_examples
@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_builds_and_runs(examples, name):
    product, arguments, expected = EXAMPLES[name]
    done = subprocess.run([examples / product, *arguments], cwd=ROOT, check=True,
                          capture_output=True, text=True, timeout=300)
    assert re.match(expected, done.stdout), done.stdout


def signups(people):
    """Who signs up, as lines: every fifth leaves on the account page, all come back on day 9."""
    for person in range(people):
        def line(name, minutes, **properties):
            time = 1_767_225_600 + person * 3600 + minutes * 60
            return json.dumps({
                "event": name, "user_id": f"user-{person}", "flow": "signup", "properties": properties,
                "timestamp": f"{datetime.datetime.fromtimestamp(time, datetime.UTC):%Y-%m-%dT%H:%M:%SZ}",
                "experiments": {"copy": "long" if person % 2 else "short"}}) + "\n"
        yield line("onboarding_started", 0)
        yield line("onboarding_page_viewed", 0, page_name="welcome")
        yield line("onboarding_page_viewed", 1, page_name="account")
        if person % 5:
            yield line("onboarding_page_viewed", 2, page_name="notifications")
            yield line("permission_result", 3, permission="notifications", status="granted",
                       prompted=True)
            yield line("onboarding_completed", 3)
            yield line("project_created", 300)
        yield line("app_opened", 60 * 24 * 9)


@needs_examples
def test_the_server_of_events_builds_and_serves_a_report(examples):
    check_event_server(examples / "EventServer")


def check_event_server(program):
    server = subprocess.Popen([program], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    try:
        page = server.stdout.readline().decode().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/report\.html", page), page

        def answer(name, lines=None):
            address = page.replace("report.html", name)
            body = None if lines is None else lines.encode()
            try:
                with urllib.request.urlopen(address, body, timeout=120) as answer:
                    return answer.status, answer.read().decode()
            except urllib.error.HTTPError as error:
                return error.code, error.read().decode()

        lines = list(signups(200))
        half = len(lines) // 2
        assert answer("events", "".join(lines[:half])) == (200, f"{half} events\n")
        # One line that is no event: none of them is taken.
        wrong = lines[half].replace("user_id", "user")
        status, said = answer("events", "".join(lines[half:]) + wrong)
        assert status == 400 and "an event needs a user_id or a device_id" in said, said
        assert answer("events", "".join(lines[half:])) == (200, f"{len(lines) - half} events\n")
        status, table = answer("overview.csv")
        rows = list(csv.DictReader(table.splitlines()))
        assert status == 200 and rows[0]["people"] == "200", rows[0]
        status, html = answer("report.html")
        assert status == 200 and "Sign-up" in html and re.search(r"80\.0\s%", html), html[:300]
        assert answer("metrics.xml")[0] == 404
    finally:
        server.kill()
        server.communicate()
