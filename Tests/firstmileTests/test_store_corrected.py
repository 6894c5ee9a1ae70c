"""Files of a store that come once more with another content: corrected, grown, whole after damage, or of another day."""

import datetime
import gzip
import json
import random

import pytest

from harness import facts_of, firstmile, numbers, total

FLOW = "flow: nights\nsteps: [welcome, plan]\nwindow: 24h\n"
LATER = ["--as-of", "2026-02-01"]


def day(number, people=30):
    """Lines of the people who begin on a day."""
    draw = random.Random(number)
    lines = []
    for person in range(people):
        def send(name, second, **properties):
            lines.append({"event": name, "user_id": f"u{number}-{person}", "message_id": f"m{number}-{person}-{second}",
                          "timestamp": f"2026-01-{number + 1:02}T{person % 24:02}:{person // 24:02}:{second:02}Z",
                          "properties": properties})
        send("onboarding_started", 0)
        send("onboarding_page_viewed", 4, page_name="welcome")
        send("onboarding_page_viewed", 9, page_name="plan")
        if draw.random() < 0.6:
            send("onboarding_completed", 20)
    return lines


def text(lines):
    return "".join(json.dumps(line) + "\n" for line in lines).encode()


class Store:
    def __init__(self, folder):
        self.folder, self.path = folder, folder / "s.sqlite"
        (folder / "flow.yaml").write_text(FLOW)
        (folder / "dumps").mkdir()

    def put(self, name, content):
        path = self.folder / "dumps" / name
        path.write_bytes(content)
        return path

    def ingest(self, *paths, again=False, expect=0):
        done = firstmile("ingest", *paths, "--store", self.path, "--flow", self.folder / "flow.yaml",
                         *(["--again"] if again else []), expect=expect)
        return done.stderr.decode()

    def report(self, expect=0):
        numbers([], self.folder / "store", "--store", self.path, *LATER, flow=None, expect=expect)
        return facts_of(self.folder / "store")

    def of_files(self, *paths):
        numbers(paths, self.folder / "files", *LATER, flow=self.folder / "flow.yaml")
        return facts_of(self.folder / "files")

    def sources(self):
        return firstmile("store", "info", self.path, "--sources").stdout.decode()

    def check(self):
        firstmile("store", "verify", self.path)


def corrected(lines):
    """The export of a job that called every second view a completion, and what it should have been."""
    wrong = [dict(line, event="onboarding_completed", properties={}) if index % 4 == 1 else line
             for index, line in enumerate(lines)]
    return text(wrong), text(lines)


def without_times(lines):
    return text([{name: value for name, value in line.items() if name != "timestamp"} for line in lines]), text(lines)


CONTENTS = {
    "corrected": corrected,
    "grown": lambda lines: (text(lines[:50]), text(lines)),
    "shorter": lambda lines: (text(lines), text(lines[:40] + lines[60:])),
    "rejects": without_times,
}


@pytest.mark.parametrize("is_compacted", [False, True], ids=["as it came", "compacted"])
@pytest.mark.parametrize("kind", CONTENTS)
def test_a_file_that_is_read_again_takes_the_place_of_its_earlier_content(folder, kind, is_compacted):
    store = Store(folder)
    before, after = CONTENTS[kind](day(3))
    paths = [store.put(f"{number}.ndjson", before if number == 3 else text(day(number))) for number in range(6)]
    for path in paths:
        store.ingest(path, expect=(0, 4))
    if is_compacted:
        firstmile("store", "compact", store.path)
    store.put("3.ndjson", after)
    said = store.ingest(paths[3], again=True)
    assert "takes the place of what it was before (source 4, " in said, said
    wanted = store.of_files(folder / "dumps")
    assert store.report() == wanted
    store.check()
    assert "replaced by 7" in store.sources(), store.sources()
    # Once more, and as the nightly job does: nothing changes.
    store.ingest(*paths, again=True)
    store.ingest(*paths)
    firstmile("store", "compact", store.path)
    store.check()
    assert store.report() == wanted
    if kind in ("corrected", "shorter"):
        # What was there first can be brought back by its bytes.
        store.put("3.ndjson", before)
        store.ingest(paths[3], again=True)
        assert store.report() == store.of_files(folder / "dumps")


def test_a_path_for_one_day_after_the_other_loses_nothing(folder):
    store = Store(folder)
    whole = []
    for number in range(6):
        content = gzip.compress(text(day(number)), mtime=0)
        whole.append(store.put(f"kept-{number}.ndjson.gz", content))
        path = store.put("yesterday.ndjson.gz", content[:len(content) // 2] if number == 2 else content)
        # Somebody who always reads again loses nothing either.
        said = store.ingest(path, again=number > 3, expect=4 if number == 2 else 0)
        assert ("has little of what it was before" in said) == (number > 3), said
    assert "damaged\n" in store.sources(), store.sources()
    store.report(expect=4)
    firstmile("store", "drop", store.path, "3")
    assert store.report() == store.of_files(*(path for number, path in enumerate(whole) if number != 2))
    store.check()
    assert "dropped" in store.sources()
    said = firstmile("store", "drop", store.path, "3", expect=2).stderr.decode()
    assert "source 3 counts no longer: it was dropped" in said
    said = firstmile("store", "drop", store.path, "1", "77", expect=2).stderr.decode()
    assert "no source has the number 77" in said and "1  " in store.sources()
    # The whole file of that day has other bytes, and comes in.
    store.ingest(whole[2])
    assert store.report() == store.of_files(*whole)


@pytest.mark.parametrize("days", [2, 3, 7])
def test_a_path_for_the_last_days_of_each_night_loses_nothing(folder, days):
    store = Store(folder)
    kept = []
    for night in range(12):
        lines = [line for number in range(max(0, night - days + 1), night + 1) for line in day(number, 8)]
        kept.append(store.put(f"kept-{night}.ndjson", text(lines)))
        said = store.ingest(store.put("last-days.ndjson", text(lines)), again=True)
        assert ("takes the place" in said) == (0 < night < days), said
        assert ("or other days" in said) == (night >= days), said
    assert store.report() == store.of_files(*kept)


def test_a_file_that_was_cut_takes_no_place(folder):
    store = Store(folder)
    lines = day(0)
    path = store.put("0.ndjson", text(lines))
    store.ingest(path)
    whole = store.report()
    store.put("0.ndjson", text(sorted(lines, key=lambda line: line["timestamp"])[:len(lines) * 3 // 5]))
    assert "both count" in store.ingest(path, again=True)
    assert store.report() == whole


def test_the_same_file_by_another_way_is_the_same(folder):
    store = Store(folder)
    before, after = corrected(day(0))
    path = store.put("0.ndjson", before)
    (folder / "link").symlink_to(folder / "dumps")
    store.ingest(folder / "link/0.ndjson")
    store.put("0.ndjson", after)
    assert "takes the place" in store.ingest(path, again=True)
    assert store.report() == store.of_files(path)


def test_what_was_replaced_is_passed_over_with_a_word(folder):
    store = Store(folder)
    before, after = corrected(day(0))
    path = store.put("0.ndjson", before)
    store.ingest(path)
    store.put("0.ndjson", after)
    store.ingest(path, again=True)
    store.put("0.ndjson", before)
    assert "nothing of it counts any more: " in store.ingest(path)
    store.ingest(path, again=True)
    assert store.report() == store.of_files(path)


def test_what_was_dropped_stays_away_until_it_is_read_again(folder):
    store = Store(folder)
    paths = [store.put(f"{number}.ndjson", text(day(number)) + b"no event\n") for number in range(3)]
    for path in paths:
        store.ingest(path, expect=(0, 4))
    kept = sorted(path.name for path in (folder / "s.sqlite-rejects").iterdir())
    with_all = store.report(expect=(0, 4))
    said = firstmile("store", "drop", store.path, "2").stdout.decode()
    assert "dropped 2" in said and "facts" in said, said
    assert len(list((folder / "s.sqlite-rejects").iterdir())) == len(kept) - 1
    assert "0 files taken in" in store.ingest(*paths)
    without = store.report(expect=(0, 4))
    assert without != with_all
    # Nobody's lines are missed that nobody keeps any more.
    firstmile("store", "forget", store.path, "u0-1")
    store.ingest(paths[1], again=True, expect=(0, 4))
    assert sorted(path.name for path in (folder / "s.sqlite-rejects").iterdir()) == kept
    store.check()


def test_a_damaged_file_that_comes_again_whole_counts_no_longer(folder):
    store = Store(folder)
    content = gzip.compress(text(day(0)), mtime=0)
    path = store.put("0.ndjson.gz", content[:len(content) // 2])
    store.ingest(path, expect=4)
    store.put("0.ndjson.gz", content)
    store.ingest(path)
    assert "damaged, replaced by 2" in store.sources()
    assert store.report() == store.of_files(path)


def test_a_renamed_step_can_be_named_in_the_flow_file_of_a_store(folder):
    store = Store(folder)
    paths = []
    for number in range(6):
        content = text(day(number))
        paths.append(store.put(f"{number}.ndjson", content.replace(b'"plan"', b'"your_plan"') if number > 2 else content))
    store.ingest(*paths)
    plain = FLOW
    (folder / "flow.yaml").write_text(plain + "fields: {page_name: {path: properties.page_name, values: {your_plan: plan}}}\n")
    numbers([], folder / "store", "--store", store.path, *LATER, flow=folder / "flow.yaml")
    assert facts_of(folder / "store") == store.of_files(*paths)
    assert total(folder / "store", "step_reach", "plan") == (180, 180)


def arrivals(days, people, seed=1):
    """Lines with the day on which they arrive: a tenth a day or two late, one person a day eight days late, some clocks wrong."""
    draw = random.Random(seed)
    lines = []
    for number in range(days):
        for person in range(people):
            late = 8 if person == 0 else draw.choice([0] * 9 + [1, 2])
            wrong = draw.choice([-400, -20, 15, 700]) if draw.random() < 0.02 else 0
            moment = datetime.datetime(2025, 12, 1) + datetime.timedelta(days=number + wrong, seconds=draw.randrange(86_000))
            names = ["onboarding_started", "onboarding_page_viewed"] + ["onboarding_completed"] * (draw.random() < 0.6)
            for second, name in enumerate(names):
                when = moment + datetime.timedelta(seconds=3 * second)
                properties = {"page_name": "welcome"} if name == "onboarding_page_viewed" else {}
                lines.append((number + late, {"event": name, "user_id": f"u{number}-{person}",
                                              "timestamp": f"{when:%Y-%m-%dT%H:%M:%SZ}", "properties": properties}))
    return lines


@pytest.mark.parametrize("window, people", [(2, 20), (7, 20), (7, 8), (30, 3)])
def test_late_events_and_wrong_clocks_hide_no_other_days(folder, window, people):
    store = Store(folder)
    arrived = arrivals(window + 8, people)
    kept = []
    for night in range(window + 8):
        content = text([line for day, line in arrived if night - window < day <= night])
        kept.append(store.put(f"kept-{night}.ndjson", content))
        said = store.ingest(store.put("last-days.ndjson", content), again=True)
        assert ("takes the place" in said) == (0 < night < window), (night, said)
        assert "not in it" not in said, said
    assert store.report() == store.of_files(*kept)
    store.check()


def test_a_day_without_events_loses_none_of_the_days_before(folder):
    store = Store(folder)
    arrived = [(day, line) for day, line in arrivals(20, 20) if day != 14]
    for night in (13, 14):
        content = text([line for day, line in arrived if night - 7 < day <= night])
        kept = store.put(f"kept-{night}.ndjson", content)
        said = store.ingest(store.put("last-days.ndjson", content), again=True)
    assert "both count" in said, said
    assert store.report() == store.of_files(folder / "dumps/kept-13.ndjson", kept)


@pytest.mark.parametrize("share", [0.05, 0.3])
@pytest.mark.parametrize("grows", [False, True], ids=["alike", "grown"])
def test_people_taken_out_of_a_file_are_gone_and_counted(folder, share, grows):
    store = Store(folder)
    lines = [line for _, line in arrivals(7, 40)]
    people = sorted({line["user_id"] for line in lines})
    gone = set(random.Random(3).sample(people, int(len(people) * share)))
    before = [line for line in lines if not grows or not line["user_id"].startswith("u6-")]
    path = store.put("week.ndjson", text(before))
    store.ingest(path)
    with_all = store.report()
    store.put("week.ndjson", text([line for line in lines if line["user_id"] not in gone]))
    said = store.ingest(path, again=True)
    missing = sum(line["user_id"] in gone for line in before)
    assert "takes the place of what it was before (source 1, " in said, said
    assert f"; {missing} facts of that are not in it" in said, (missing, said)
    assert store.report() == store.of_files(path)
    # As the message says: under another name what was there first counts again.
    store.ingest(store.put("first.ndjson", text(before)), again=True)
    assert store.report() == (with_all if not grows else store.of_files(path, folder / "dumps/first.ndjson"))
    store.check()


def test_a_damaged_file_is_named_wherever_it_voids_numbers(folder):
    store = Store(folder)
    content = gzip.compress(text(day(0)), mtime=0)
    store.ingest(store.put("0.ndjson.gz", content[:len(content) // 2]), store.put("1.ndjson", text(day(1))), expect=4)
    (folder / "dumps/0.ndjson.gz").unlink()
    whole = store.put("0-whole.ndjson.gz", content)
    store.ingest(whole)
    gate = folder / "gate.yaml"
    gate.write_text("rules:\n  - {metric: completion_rate, at_least: 1%}\n")
    asked = ["check", "--store", store.path, "--gate", gate, *LATER]
    said = " ".join(firstmile(*asked, expect=4).stdout.decode().split())
    drop = f"firstmile store drop {store.path} "
    number = next(line.split()[0] for line in store.sources().splitlines() if line.rstrip().endswith("damaged"))
    assert "0.ndjson.gz'" in said and "0-whole" not in said, said
    assert drop + number in said, said
    document = json.loads(firstmile(*asked, "--json", expect=4).stdout)
    broken = next(item for item in document["data"] if item["quality"] == "damaged_inputs")
    assert [name.rsplit("/")[-1] for name in broken["inputs"]] == ["0.ndjson.gz"], broken
    assert document["commands"] == {"drop": drop + number}
    said = firstmile("report", "--store", store.path, "--out", folder / "store", *LATER, expect=4).stderr.decode()
    assert "0.ndjson.gz: " in said and drop + number in said, said
    firstmile("store", "drop", store.path, number)
    firstmile(*asked)
    assert store.report() == store.of_files(whole, folder / "dumps/1.ndjson")
    # Of dumps there is nothing to drop.
    cut = store.put("2.ndjson.gz", content[:len(content) // 2])
    document = json.loads(firstmile("check", cut, whole, "--flow", folder / "flow.yaml", "--gate", gate, "--json", *LATER,
                                    expect=4).stdout)
    assert document["commands"] == {} and "2.ndjson.gz" in json.dumps(document["data"])


def test_a_user_who_turns_out_to_be_one_who_was_forgotten_is_said_and_can_be_forgotten(folder):
    store = Store(folder)
    lines = day(0, people=6)
    other = [dict(line, user_id=line["user_id"].replace("u0-", "v0-"), message_id=line["message_id"] + "v",
                  device_id="phone of " + line["user_id"]) for line in lines]
    linked = dict(other[0], event="signed_in", message_id="link", previous_id="u0-0")
    first, second = store.put("0.ndjson", text(lines)), store.put("1.ndjson", text(other + [linked]))
    assert "forgotten" not in store.ingest(first)
    firstmile("store", "forget", store.path, "u0-0")
    assert "1.ndjson: events say of 1 user that it is one person with somebody who was forgotten" in store.ingest(second)
    without = [line for line in lines if line["user_id"] != "u0-0"]
    kept = store.put("kept.ndjson", text(without + other + [dict(linked, previous_id="v0-0")]))
    assert store.report() == store.of_files(kept)
    # The first one leads nowhere any more; the id that those events name does.
    assert b"erased 0 facts" in firstmile("store", "forget", store.path, "u0-0").stdout
    firstmile("store", "forget", store.path, "v0-0")
    kept.write_bytes(text(without + [line for line in other if line["user_id"] != "v0-0"]))
    assert store.report() == store.of_files(kept)
    assert "forgotten" not in store.ingest(second, again=True)
    store.check()
