"""docs/broken-input.md promises an answer for each kind of broken input; here each is broken and asked."""

import subprocess

import pytest

from broken_inputs import RECIPES
from harness import BINARY, ROOT, contents

DOCUMENT = ROOT / "docs/broken-input.md"


def promises():
    """The rows of the document's tables: kind, exit code, what is said."""
    rows = [[cell.strip() for cell in line.strip().strip("|").replace("\\|", "\0").split("|")]
            for line in DOCUMENT.read_text().splitlines() if line.startswith("|")]
    return [(kind, int(code), said.replace("\0", "|").strip("`"))
            for kind, code, said in (row[:3] for row in rows) if code.isdigit()]


def test_every_promise_has_a_recipe_and_every_recipe_a_promise():
    kinds = [kind for kind, _, _ in promises()]
    assert sorted(kinds) == sorted(RECIPES) and len(kinds) >= 60


@pytest.mark.parametrize("kind, code, said", promises(), ids=lambda value: str(value)[:60])
def test_broken_input_gets_the_answer_that_is_promised(kind, code, said, folder):
    command = RECIPES[kind](folder)
    before = contents(folder)
    done = subprocess.run([BINARY, *command], cwd=folder, stdin=subprocess.DEVNULL,
                          capture_output=True, timeout=120)
    told = done.stderr.decode()
    assert done.returncode == code, (done.returncode, told)
    rejects = folder / "out-rejects.ndjson"
    kept = rejects.read_text(errors="replace") if rejects.exists() else ""
    assert said in told + kept, told + kept[:500]
    assert "/Sources/" not in told and "Fatal" not in told, told
    # What was there is as it was.
    after = contents(folder)
    for name, data in before.items():
        assert name.startswith("s.sqlite-") or after.get(name) == data, f"{name} was changed"
    if code == 2:
        assert not (folder / "out").is_dir() or "dangling" in kind or "parts" in kind, "reports in spite of the error"
