"""`firstmile compare`."""

import json

from harness import SAMPLE, firstmile, report, sample_report


def test_compare_takes_folders_and_tells_what_it_wants(folder):
    sample_report(folder / "out")
    by_folder = firstmile("compare", folder / "out", folder / "out").stdout
    by_file = firstmile("compare", folder / "out/metrics.json", folder / "out/metrics.json").stdout
    assert by_folder == by_file and by_file, by_folder
    (folder / "empty").mkdir()
    done = firstmile("compare", folder / "empty", folder / "out", expect=2)
    assert b"has no metrics.json; wanted is a metrics.json, or the folder" in done.stderr, done.stderr
    for words, told in ((["version=1"], "has no version '1'; it has none"),
                        (["experiment=copi", "variant=A"], "did you mean 'copy'?"),
                        (["experiment=copy", "variant=C"], "variant 'C' of experiment 'copy'; there are "
                         "A, B")):
        options = [option for word in words for option in ("--before", word)]
        done = firstmile("compare", folder / "out", folder / "out", *options, expect=2)
        assert told in done.stderr.decode(), done.stderr
    (folder / "next.json").write_text('{"schema": "firstmile.metrics/7", "all": "new"}')
    done = firstmile("compare", folder / "next.json", folder / "out", expect=2)
    assert b"'firstmile.metrics/7', this program reads 'firstmile.metrics/1'" in done.stderr, done.stderr


def test_two_arms_are_decided_by_their_report(folder):
    report(["sample-events/" + SAMPLE], folder / "out")
    arms = json.loads((folder / "out" / "metrics.json").read_text())["metrics"]["experiments"][0]
    sides = [word for option, arm in zip(("--before", "--after"), arms["arms"])
             for word in (option, f"experiment={arms['id']}", option, f"variant={arm['variant']}")]
    said = firstmile("compare", folder / "out", folder / "out", *sides).stdout.decode()
    said = " ".join(said.split())
    assert "two variants of one experiment" in said and "of the same inputs" not in said, said
