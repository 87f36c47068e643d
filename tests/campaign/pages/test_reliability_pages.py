"""The pages that the site has about the published runs."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

from hsa_reports.reliability import MARK

ROOT = Path(__file__).parents[3]
PUBLISHED = ROOT / "reports" / "published"
LINK = re.compile(r"\]\(([^)]+)\)")


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="a source distribution has no published runs")
def test_the_site_has_pages_about_the_published_runs(tmp_path: Path) -> None:
    """The index links the pages of parts and clients, and these the findings about failures."""
    runpy.run_path(str(PUBLISHED.parent / "renew.py"))["write_pages"](tmp_path)
    made = {page.name: page.read_text() for page in tmp_path.iterdir()}
    releases = sorted(path.name for path in PUBLISHED.iterdir() if path.is_dir())
    changes, index = made.pop("comparison.md"), made.pop("README.md")
    assert changes.startswith(f"## HSA conformance: {' → '.join(releases)}\n")
    assert [] == LINK.findall(changes)
    assert releases == re.findall(r"^\| (\S+) \| ROCm \1[, ]", index, re.MULTILINE)
    assert sorted(made) == sorted(LINK.findall(index))
    findings = {f"../findings/{page.name}" for page in (ROOT / "docs" / "findings").glob("*.md")}
    for name, text in made.items():
        assert text.startswith(f"{MARK}\n\n# "), name
        assert f"\n| Function | {' | '.join(releases)} | Not known |\n" in text, name
        assert set() < set(LINK.findall(text)) <= findings, name
    [row] = re.findall(
        r"^\| `hsa_amd_vmem_set_access/size-smaller` .*$", made["virtual-memory.md"], re.M
    )
    finding = "[vmem-set-access-size](../findings/vmem-set-access-size.md)"
    assert row.endswith(f" | - | FAIL | FAIL | FAIL | never | {finding} |")
