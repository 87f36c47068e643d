"""The fenced blocks of a tutorial: C to add to a file, commands to run, and what they print."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_BLOCK = re.compile(r"^```(\w+)(?: (\d))?\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Step:
    """One block: "c", "sh" or "text", the status of its last command, and its lines."""

    kind: str
    status: int
    text: str


def steps(page: Path) -> list[Step]:
    """Return the blocks of a page in their order."""
    found = _BLOCK.findall(page.read_text(encoding="utf-8"))
    return [Step(kind, int(status or 0), text) for kind, status, text in found]


def words(text: str) -> str:
    """Return a text with one space for whatever stands between its words."""
    return " ".join(text.split())
