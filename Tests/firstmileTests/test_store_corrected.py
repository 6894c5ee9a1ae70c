"""Files of a store that come once more with another content: corrected, grown, whole after damage, or of another day."""

import gzip
import json
import random

import pytest

from harness import facts_of, firstmile

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
        firstmile("report", "--store", self.path, "--out", self.folder / "store", *LATER, "--quiet", expect=expect)
        return facts_of(self.folder / "store")

    def of_files(self, *paths):
        firstmile("report", *paths, "--flow", self.folder / "flow.yaml", "--out", self.folder / "files", *LATER,
                  "--quiet")
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
    firstmile("report", "--store", store.path, "--flow", folder / "flow.yaml", "--out", folder / "store", *LATER, "--quiet")
    assert facts_of(folder / "store") == store.of_files(*paths)
    assert b"step_reach,plan,180,180," in facts_of(folder / "store")["metrics.csv"]
