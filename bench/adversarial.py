"""Inputs that are enormous in one respect, at a size and at four times that size. Started by
bench/growth --adversarial: what costs more than in proportion stands out in the ratio."""
import json
import multiprocessing
import os
import shutil
import zipfile

from measure import measure, table

START = 1_767_225_600_000  # 2026-01-01
DAY = 86_400_000
FLOW = "flow: x\nsteps: [a, b]\n"
GOAL = "goals: [{id: g, event: tapped}]\n"


def event(name, time, user="u", **more):
    return json.dumps({"event": name, "timestamp": START + time, "user_id": user, **more})


def started(time=0, user="u", **more):
    return event("onboarding_started", time, user, **more)


def viewed(page, time, user="u", **more):
    return event("onboarding_page_viewed", time, user, properties={"page_name": page}, **more)


def lines(folder, rows, flow=FLOW):
    """One dump and its flow file."""
    os.makedirs(folder)
    with open(f"{folder}/dump.ndjson", "w", encoding="utf-8") as file:
        file.writelines(row + "\n" for row in rows)
    with open(f"{folder}/flow.yaml", "w", encoding="utf-8") as file:
        file.write(flow)


def persons(count, make):
    for number in range(count):
        yield started(0, f"u{number}")
        yield from make(number, f"u{number}")


def each(row):
    """A maker of a dump with one line for each number, after a start."""
    return with_flow(lambda _: "", row)


def with_flow(flow, row):
    def make(folder, count):
        lines(folder, (line for part in ((started(),), map(row, range(count))) for line in part),
              FLOW + flow(count))
    return make


def entrants(row, flow=""):
    """A maker of a dump with so many people, each with a start and one line more."""
    def make(folder, count):
        lines(folder, persons(count, lambda number, user: [row(number, user)]), FLOW + flow)
    return make


def many_files(folder, count):
    lines(folder, [started()])
    os.makedirs(f"{folder}/dump.d")
    for number in range(count):
        with open(f"{folder}/dump.d/{number}.ndjson", "w", encoding="utf-8") as file:
            file.write(viewed("a", number, f"u{number % 100}") + "\n")
    os.remove(f"{folder}/dump.ndjson")
    os.rename(f"{folder}/dump.d", f"{folder}/dump.ndjson")


def many_entries(folder, count):
    lines(folder, [started()])
    with zipfile.ZipFile(f"{folder}/dump.ndjson", "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(count):
            archive.writestr(f"{number}.ndjson", viewed("a", number, f"u{number % 100}") + "\n")


def gate(folder, count):
    lines(folder, persons(500, lambda number, user: [viewed("a", number, user)]))
    with open(f"{folder}/gate.yaml", "w", encoding="utf-8") as file:
        file.write("rules:\n")
        for number in range(count):
            share = f"{number % 100}%"
            file.write(f"  - {{id: r{number}, metric: completion_rate, at_least: {share}}}\n")


def sliced_gate(folder, count):
    rows = (viewed("a", 1, f"u{n}", context={"os": f"os{n % 90}"}) for n in range(2000))
    lines(folder, rows, FLOW + "dimensions: [os]\n")
    with open(f"{folder}/gate.yaml", "w", encoding="utf-8") as file:
        file.write("rules:\n")
        for number in range(count):
            share = f"{number % 100}%"
            file.write(f"  - {{metric: completion_rate, at_least: {share}, for_each: os}}\n")


def flow_of(item, kind="goals"):
    def flow(count):
        return f"{kind}:\n" + "".join(f"  - {item(number)}\n" for number in range(count))
    return flow


REPORT = ["report", "{dump}", "--flow", "{flow}", "--quiet", "--out", "{out}"]
EXPLAIN = ["explain", "u", "{dump}", "--flow", "{flow}"]
INIT = ["flow", "init", "{dump}"]
CHECK = ["check", "{dump}", "--flow", "{flow}", "--gate", "{gate}"]
VALIDATE = ["validate", "{dump}", "--flow", "{flow}"]

# What is enormous: how it is made, its size, and the command that reads it.
CASES = {
    "facts of a person": (each(lambda n: event("tapped", n + 1)), 200_000, REPORT),
    "facts of a person, explained": (each(lambda n: event("tapped", n + 1)), 200_000, EXPLAIN),
    "facts of a person, explained whole": (
        each(lambda n: event("tapped", n + 1)), 100_000, [*EXPLAIN, "--all"]),
    "facts of one millisecond": (each(lambda n: event(f"tapped{n % 900}", 1)), 100_000, REPORT),
    "facts of one session": (
        each(lambda n: event("tapped", n, session_id="s")), 200_000, REPORT),
    "sessions": (each(lambda n: viewed("a", n, session_id=f"s{n}")), 200_000, REPORT),
    "facts of a device": (
        each(lambda n: json.dumps({"event": "tapped", "timestamp": START + n, "device_id": "d"})),
        200_000, REPORT),
    "users of a device": (
        each(lambda n: event("tapped", n, f"u{n}", device_id="d")), 200_000, REPORT),
    "devices of a user": (each(lambda n: event("tapped", n, device_id=f"d{n}")), 200_000, REPORT),
    "previous ids in a chain": (
        each(lambda n: event("tapped", n, f"u{n}", previous_id=f"u{n + 1}")), 100_000, REPORT),
    "previous ids in pairs": (
        each(lambda n: event("tapped", n, f"u{n}", previous_id=f"v{n}")), 100_000, REPORT),
    "pages": (each(lambda n: viewed(f"p{n}", n)), 100_000, REPORT),
    "pages, validated": (each(lambda n: viewed(f"p{n}", n)), 100_000, VALIDATE),
    "event names": (each(lambda n: event(f"name{n}", n)), 100_000, REPORT),
    "event names, drafted": (
        lambda folder, n: lines(folder, (event(f"name{k}", k) for k in range(n))), 75_000, INIT),
    "pages, drafted": (each(lambda n: viewed(f"p{n}", n)), 75_000, INIT),
    "properties, drafted": (
        each(lambda n: event("onboarding_started", n, properties={f"k{n}": n})), 50_000, INIT),
    "versions": (entrants(lambda n, u: viewed("a", 1, u, flow_version=f"{n}")), 20_000, REPORT),
    "variants": (
        entrants(lambda n, u: viewed("a", 1, u, experiment="e", variant=f"v{n}"),
                 "experiments: {e: {control: v0, variants: [v0, v1]}}\n"), 20_000, REPORT),
    "variants of a person": (
        with_flow(lambda _: "experiments: {e: {control: v0, variants: [v0, v1]}}\n",
                  lambda n: viewed("a", n, experiment="e", variant=f"v{n}")), 20_000, REPORT),
    "experiments in events": (
        entrants(lambda n, u: viewed("a", 1, u, experiments={f"e{n}": "v"})), 50_000, REPORT),
    "values of a dimension": (
        entrants(lambda n, u: viewed("a", 1, u, context={"os": f"os{n}"}), "dimensions: [os]\n"),
        50_000, REPORT),
    "values of a goal": (
        entrants(lambda n, u: event("tapped", 1, u, properties={"k": f"v{n}"}),
                 "goals: [{id: g, event: tapped, by: k}]\n"), 50_000, REPORT),
    "days of cohorts": (
        each(lambda n: started(n * DAY, f"u{n}")), 4_000, [*REPORT, "--cohorts", "day"]),
    "rejected lines": (each(lambda n: "{broken"), 100_000, REPORT),
    "files": (many_files, 5_000, REPORT),
    "entries of a zip": (many_entries, 5_000, REPORT),
    "bytes of a line": (
        lambda folder, n: lines(folder, [started(), '{"event":"' + "x" * n + '"}']), 25 << 20,
        REPORT),
    "bytes of a value": (
        lambda folder, n: lines(folder, [started(note="x" * n)]), 200_000, REPORT),
    "nesting": (
        lambda folder, n: lines(folder, [started(), '{"a":' * n + "1" + "}" * n]), 100_000, REPORT),
    "goals": (
        with_flow(flow_of(lambda n: f"{{id: g{n}, event: e{n}}}"), lambda n: event(f"e{n}", n)),
        1_000, REPORT),
    "goals of one event": (
        with_flow(flow_of(lambda n: f"{{id: g{n}, event: e, where: {{n: {n}}}}}"),
                  lambda n: event("e", n, properties={"n": n})), 1_000, REPORT),
    "goals of the same kind": (
        with_flow(flow_of(lambda n: f"{{id: g{n}, event: e}}"), lambda n: event("e", n)),
        1_000, REPORT),
    "properties of goals": (
        with_flow(flow_of(lambda n: f"{{id: g{n}, event: e, where: {{k{n}: 1}}}}"),
                  lambda n: event("e", n, properties={f"k{n}": 1})), 1_000, REPORT),
    "dimensions": (
        with_flow(flow_of(lambda n: f"d{n}", "dimensions"),
                  lambda n: viewed("a", n, context={f"d{n}": "v"})), 64, REPORT),
    "funnels": (
        with_flow(flow_of(lambda n: f"{{id: f{n}, steps: [e{n}, e{n + 1}]}}", "funnels"),
                  lambda n: event(f"e{n}", n)), 1_000, REPORT),
    "retention measures": (
        with_flow(flow_of(lambda n: f"{{days: 1, id: r{n}, event: e{n}}}", "retention"),
                  lambda n: event(f"e{n}", n * 1000)), 1_000, REPORT),
    "targets": (
        with_flow(flow_of(lambda n: "{metric: completion_rate, at_least: 50%}", "targets"),
                  lambda n: event("tapped", n)), 2_000, REPORT),
    "events that are no activity": (
        with_flow(flow_of(lambda n: f"e{n}", "not_activity"), lambda n: event(f"e{n}", n)),
        10_000, REPORT),
    "rules of a gate": (gate, 3_750, CHECK),
    "rules of a gate by slice": (sliced_gate, 200, CHECK),
    "bytes of a flow file": (
        lambda folder, n: lines(folder, [started()], FLOW + ("# " + "x" * 97 + "\n") * (n // 100)),
        16 << 20, ["flow", "check", "{flow}"]),
    "wrong keys of a flow file": (
        lambda folder, n: lines(folder, [started()], FLOW + flow_of(
            lambda k: f"{{id: g{k}, evnt: e}}")(n)), 1_000, ["flow", "check", "{flow}"]),
}


def apart(make, folder, count):
    """Makes an input in a process of its own: a process's peak begins with its parent's."""
    maker = multiprocessing.get_context("fork").Process(target=make, args=(folder, count))
    maker.start()
    maker.join()
    if maker.exitcode:
        raise SystemExit(f"the input in {folder} could not be made")


def run(firstmile, data, names, scale):
    """A row for each case: sizes, CPU seconds and peak MB at both, and the ratio of CPU."""
    rows = []
    for name, (make, size, command) in CASES.items():
        if names and not any(part in name for part in names):
            continue
        size = max(1, int(size * scale))
        costs = []
        for count in (size, 4 * size):
            folder = os.path.join(data, "adversarial")
            shutil.rmtree(folder, ignore_errors=True)
            apart(make, folder, count)
            places = {"dump": f"{folder}/dump.ndjson", "flow": f"{folder}/flow.yaml",
                      "gate": f"{folder}/gate.yaml", "out": f"{folder}/out"}
            arguments = [part.format(**places) for part in command]
            wall, cpu, peak, _ = measure([firstmile, *arguments], accepted=(0, 1, 2, 3, 4))
            costs.append((wall, cpu, peak))
            shutil.rmtree(folder, ignore_errors=True)
        (_, cpu, peak), (wall, cpu4, peak4) = costs
        rows.append([name, f"{size:,}", f"{cpu:.2f}", f"{peak:.0f}", f"{4 * size:,}",
                     f"{cpu4:.2f}", f"{peak4:.0f}", f"{wall:.2f}", f"{cpu4 / max(cpu, 0.01):.1f}"])
        print(" · ".join(rows[-1]), flush=True)
    print(table(["enormous", "n", "CPU s", "peak MB", "4 n", "CPU s", "peak MB", "wall s",
                 "CPU ratio"], rows))
