"""Links within the documents lead to a file, and to a heading where they name one."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FENCED = re.compile(r"^( *)```.*?^\1```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"(?<!\\)\]\(([^)\s]+)\)")


def documents() -> list[Path]:
    """Return what people read: the pages of docs/, and those beside the code that they name."""
    return [*ROOT.glob("*.md"), *sorted((ROOT / "docs").rglob("*.md"))]


@cache
def anchors(page: Path) -> frozenset[str]:
    """Return the names of a page's headings as GitHub makes them, and those it gives itself."""
    text = FENCED.sub("", page.read_text(encoding="utf-8"))
    headings = re.findall(r"^#+ +(.*?) *$", text, re.MULTILINE)
    plain = (re.sub(r"\[(.*?)\]\(.*?\)", r"\1", heading) for heading in headings)
    made = (re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in plain)
    return frozenset({*made, *re.findall(r'<a (?:id|name)="(.*?)"', text)})


def broken(page: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    found = []
    for target in LINK.findall(FENCED.sub("", page.read_text(encoding="utf-8"))):
        path, _, anchor = target.partition("#")
        if "://" in target or target.startswith("mailto:"):
            continue
        file = (page.parent / path).resolve() if path else page
        named = not anchor or file.suffix != ".md" or (file.exists() and anchor in anchors(file))
        if not (file.exists() and named):
            found.append(f"{page.relative_to(ROOT)}: {target}")
    return found


def test_every_link_within_the_project_leads_somewhere() -> None:
    pages = documents()
    assert len(pages) > 200
    assert [] == [link for page in pages for link in broken(page)]


def test_a_heading_that_is_not_there_has_no_anchor() -> None:
    page = ROOT / "README.md"
    assert "the-verdicts" in anchors(page)
    assert "the-verdict" not in anchors(page)
