"""Links within the documents lead to a committed file, and to a heading where they name one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from tests.unit.language.texts import ROOT, documents, is_generated

#: Folders beside docs/ that have documents.
FOLDERS = ("adapters", "benchmarks", "conformance", "reference", "reports", "spec", "tests")
FENCED = re.compile(r"^( *)```.*?^\1```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the names of a page's headings as GitHub makes them, and those it gives itself."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE)
    plain = (re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading) for heading in headings)
    made = (re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain)
    return frozenset({*made, *re.findall(r'<a (?:id|name)="(.*?)"', text)})


def leads(page: Path, target: str) -> bool:
    """Return whether a link of a page leads to a committed file, and to a heading of it."""
    path, _, anchor = target.partition("#")
    if "://" in target or target.startswith("mailto:"):
        return True
    file = (page.parent / path).resolve() if path else page
    if is_generated(file) or not file.exists():
        return False
    return not anchor or file.suffix != ".md" or anchor in anchors(file)


def broken(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    links = LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8")))
    return [f"{page.relative_to(ROOT)}: {target}" for target in links if not leads(page, target)]


def test_every_link_within_the_project_leads_somewhere() -> None:
    beside = [page for name in FOLDERS for page in (ROOT / name).rglob("*.md")]
    pages = [*documents(), *beside]
    assert len(pages) > 200
    assert [] == [link for page in pages for link in broken(page)]


def test_a_link_to_a_page_that_a_command_writes_is_broken() -> None:
    """Even where the site was built: the next clone does not have the page."""
    page = ROOT / "README.md"
    assert leads(page, "docs/how-to/release.md")
    for generated in ("docs/reference/core/init/hsa_init.md", "docs/reliability/README.md"):
        assert is_generated(ROOT / generated)
        assert not leads(page, generated)


def test_what_finds_the_code_names_what_is_there() -> None:
    """A file that a row links to has each function that the row names, under that name."""
    page = ROOT / "docs/how-to/find-the-code.md"
    rows = [line for line in page.read_text("utf-8").splitlines() if line.startswith("| ")]
    linked = [row for row in rows if LINK.search(row)]
    assert len(linked) > 60
    stale = []
    for row in linked:
        files = [(page.parent / to.partition("#")[0]).resolve() for to in LINK.findall(row)]
        assert all(file.is_file() for file in files), "the site has no page of a folder"
        code = "".join(file.read_text("utf-8") for file in files)
        names = re.findall(r"(?<!\[)`([A-Za-z_][\w.]*)`", row.split("|")[2])
        stale += [n for n in names if not n.endswith(".py") and n.split(".")[-1] not in code]
    assert [] == stale


def test_a_heading_that_is_not_there_has_no_anchor() -> None:
    page = ROOT / "README.md"
    assert "the-verdicts" in anchors(page)
    assert "the-verdict" not in anchors(page)
