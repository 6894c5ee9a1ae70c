"""`firstmile flow`."""

import gzip

from harness import ROOT, firstmile, sample_lines


def test_flow_files_are_checked_with_the_place_of_the_mistake(folder):
    for path in sorted(ROOT.glob("flows/*.yaml")):
        firstmile("flow", "check", path)
    wrong = folder / "wrong.yaml"
    wrong.write_text("flow: wrong\nsteps: [welcome, plan]\nwindwo: 24h\n")
    done = firstmile("flow", "check", wrong, expect=2)
    assert b"wrong.yaml:3:1" in done.stderr and b"window" in done.stderr, done.stderr


def test_a_draft_names_what_is_not_there(folder):
    gone = firstmile("flow", "init", folder / "gone", expect=2)
    assert str(folder / "gone") in gone.stderr.decode(), gone.stderr
    (folder / "bad.ndjson").write_text("no json\n")
    firstmile("flow", "init", folder / "bad.ndjson", expect=4)


def test_a_target_that_no_data_can_decide_is_refused(folder):
    flow = folder / "flow.yaml"
    flow.write_text(
        "flow: own\nsteps: [welcome]\ndimensions: [os]\n"
        "targets: [{metric: time_to_complete_p50, at_most: 5h, breakdown: os=iOS}]\n"
    )
    done = firstmile("flow", "check", flow, expect=2)
    assert b"flow.yaml:4:" in done.stderr and b"durations are not cut by 'os'" in done.stderr


def test_a_draft_of_a_damaged_file_says_so(folder):
    """What was cut off may hold what the flow lacks."""
    whole = gzip.compress(b"\n".join(sample_lines()), mtime=0)
    (folder / "cut.ndjson.gz").write_bytes(whole[:len(whole) // 2])
    for more in ([], ["--lines", "1000000"]):
        done = firstmile("flow", "init", folder / "cut.ndjson.gz", *more, expect=4)
        assert b"end in the middle of a member" in done.stderr and b"steps:" in done.stdout, done
    (folder / "cut.ndjson.gz").write_bytes(whole[:30])
    for command in (["flow", "init"], ["start", "--yes"]):
        said = firstmile(*command, folder / "cut.ndjson.gz", expect=4, cwd=folder).stderr
        assert b"end in the middle of a member" in said, said


def test_a_flow_that_is_held_against_a_damaged_dump_says_so(folder):
    """What was cut off may have the names that the flow asks for."""
    whole = gzip.compress(b"\n".join(sample_lines()), mtime=0)
    (folder / "whole.ndjson.gz").write_bytes(whole)
    (folder / "cut.ndjson.gz").write_bytes(whole[:len(whole) * 9 // 10])
    fine = firstmile("flow", "check", "aiq", "--against", folder / "whole.ndjson.gz")
    done = firstmile("flow", "check", "aiq", "--against", folder / "cut.ndjson.gz", expect=4)
    assert b"end in the middle of a member" in done.stderr and not fine.stderr, done
