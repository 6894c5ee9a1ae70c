"""docs/trust.md: what reports and gates promise, and what simulations of it find."""

import re

from harness import ROOT

DOCUMENT = ROOT / "docs" / "trust.md"


def rows():
    for line in DOCUMENT.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[-1] in ("yes", "**no**"):
            yield cells


def share(text):
    return float(re.fullmatch(r"[≤≥]? ?([\d.]+) %", text)[1]) / 100


def test_every_row_says_whether_its_own_numbers_keep_the_promise():
    """Reckoned again from the table: the document can't call a broken promise kept."""
    found = list(rows())
    assert len(found) > 50
    for cells in found:
        runs, promised, finding = int(cells[1]), share(cells[2]), share(cells[3])
        allowance = 3 * (promised * (1 - promised) / runs) ** 0.5
        # Both shares are rounded to a hundredth of a per cent.
        allowance += 1e-4
        kept = {
            "≤": finding <= promised + allowance,
            "≥": finding >= promised - allowance,
        }.get(cells[2][0], abs(finding - promised) <= allowance)
        assert kept or cells[-1] != "yes", cells


def test_the_document_counts_its_rows():
    found = list(rows())
    kept = sum(cells[-1] == "yes" for cells in found)
    assert f"**{kept} of {len(found)} promises are kept.**" in DOCUMENT.read_text()
