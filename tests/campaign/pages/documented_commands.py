"""The commands of this project that its documents show."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROGRAM = "hsa-conformance"
FENCED = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INDENTED = re.compile(r"(?:^ {4}.*\n?)+", re.MULTILINE)
#: Blocks of these languages show something else, or are run by the test of their page.
OTHERS = frozenset(("c", "python", "sh", "text", "toml", "yaml", "json", "mermaid"))
#: What ends a command within a line, and the spaces before what explains it.
END = re.compile(r"\s(?:&&|\|\||\||#|>)\s| {2,}(?=\S)|;\s")


@dataclass(frozen=True)
class Command:
    """A command that a page shows.

    Attributes:
        page: the page, from the root of the project.
        text: the command, on one line.

    """

    page: str
    text: str

    @property
    def words(self) -> list[str]:
        """Return its words, without the program's own name."""
        return shlex.split(self.text)[1:]


def pages() -> list[Path]:
    """Return the pages that people wrote."""
    docs = ROOT / "docs"
    folders = (docs / name for name in ("tutorial", "how-to", "explanation"))
    found = [page for folder in folders for page in sorted(folder.glob("*.md"))]
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *found]


def commands() -> list[Command]:
    """Return the commands of all pages, each once a page."""
    found = dict.fromkeys(c for page in pages() for c in _commands(page))
    return list(found)


def _commands(page: Path) -> Iterator[Command]:
    text = page.read_text(encoding="utf-8")
    blocks = [content for language, content in FENCED.findall(text) if language not in OTHERS]
    blocks += INDENTED.findall(FENCED.sub("", text))
    for block in blocks:
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            for start in re.finditer(rf"(?<![\w/.-]){PROGRAM}(?= [a-z])(?![^`]*`)", line):
                told = line[start.start() :]
                end = END.search(told)
                yield Command(str(page.relative_to(ROOT)), told[: end.start()] if end else told)
