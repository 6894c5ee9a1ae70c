"""A real browser for the checks that need one; without it they are skipped, and say why."""

import contextlib
import pathlib
import shutil

import pytest

SCHEMES = ("light", "dark")
# What axe finds, as text.
AXE = """async () => (await axe.run(document)).violations.map(found =>
  found.id + ': ' + found.nodes.slice(0, 3).map(node => node.target.join(' ')).join(', '))"""


@contextlib.contextmanager
def chromium():
    """Chromium without anything on top, or the reason why it is not there."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("chromium is not on this machine (script/setup --tests installs it)")
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is missing (script/setup --tests installs it)")
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(
            executable_path=program,
            args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"])
        try:
            yield browser
        finally:
            browser.close()


def axe_source():
    axe = pytest.importorskip(
        "axe_playwright_python", reason="axe is missing (script/setup --tests installs it)")
    source = next(pathlib.Path(axe.__file__).parent.rglob("axe.min.js"))
    return source.read_text(encoding="utf-8")
