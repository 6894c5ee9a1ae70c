"""How the checks of the built program run, and how they are counted."""

import pathlib
import shutil
import signal
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))


@pytest.fixture
def folder(tmp_path):
    """A folder of the check's own, gone with it."""
    yield tmp_path
    shutil.rmtree(tmp_path, ignore_errors=True)


def pytest_configure(config):
    import harness

    # What a shell starts in the background ignores these, and so would the program.
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP, signal.SIGXCPU):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)

    if not harness.BINARY.is_file():
        raise pytest.UsageError(f"no {harness.BINARY}; script/build makes it")


def pytest_unconfigure(config):
    """The closing line of all checks of this project: `N passed, N failed`."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is None or hasattr(config, "workerinput"):
        return
    count = {kind: len(reporter.stats.get(kind, [])) for kind in ("passed", "failed", "error")}
    print(f"{count['passed']} passed, {count['failed'] + count['error']} failed")
