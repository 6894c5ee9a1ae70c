"""`firstmile simulate`."""

import signal

from harness import SAMPLE, interrupt, running, wait_until


def test_an_interrupted_simulation_says_what_is_left(folder):
    for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        out = folder / str(code)
        with running("simulate", "--flow", SAMPLE, "--persons", 100000, "--out", out) as process:
            assert wait_until(lambda: out.exists() and any(out.iterdir()), process), "ended by itself"
            said = interrupt(process, number)
        assert process.returncode == code and "truth.json" in said, (process.returncode, said)
        assert not (out / "truth.json").exists()
