"""Exports of other tools."""

import zipfile

from harness import APPS, FORMATS, SAMPLE, facts_of, firstmile, numbers


def test_every_format_gives_the_same_metrics(folder):
    for app in APPS:
        expected = None
        for form in FORMATS:
            dump, out = folder / f"{app}-{form}", folder / f"{app}-{form}-report"
            firstmile("simulate", "--flow", app, "--persons", 80, "--seed", 5, "--files", 3, "--out",
                      dump, "--format", form, "--whole-seconds", "--quiet")
            numbers([dump], out, "--max-reject-rate", 1, flow=app)
            found = facts_of(out)["rows"]
            expected = expected or found
            assert found == expected, f"{app}: {form} differs from {FORMATS[0]}"


def test_an_amplitude_export_is_a_zip_of_gzip_files(folder):
    dump = folder / "dump"
    firstmile("simulate", "--flow", SAMPLE, "--persons", 80, "--out", dump, "--files", 3,
              "--format", "amplitude", "--quiet")
    with zipfile.ZipFile(folder / "export.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for number, path in enumerate(sorted(dump.glob("*.gz"))):
            archive.writestr(f"101/101_2026-01-05_{number}#0.json.gz", path.read_bytes())
    numbers([dump], folder / "folder", "--max-reject-rate", 1)
    numbers([folder / "export.zip"], folder / "zip", "--max-reject-rate", 1)
    assert facts_of(folder / "folder")["rows"] == facts_of(folder / "zip")["rows"]
