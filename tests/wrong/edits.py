"""A mistake as an edit of a source: text that is there once, and the text in its place."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Edit:
    """A change of a file: text that is there once, and what takes its place."""

    file: str
    was: str
    becomes: str

    @classmethod
    def read(cls, row: Mapping[str, str]) -> Edit:
        """Return the edit that a row of a YAML file states."""
        return cls(row["file"], row["was"], row["is"])


def edited(sources: Path, edits: Iterable[Edit], target: Path) -> Path:
    """Copy a folder of sources and edit the copy; return it.

    Raises:
        ValueError: text that an edit replaces is not there once.

    """
    shutil.copytree(sources, target, ignore=shutil.ignore_patterns("__pycache__"))
    for edit in edits:
        path = target / edit.file
        text = path.read_text("utf-8")
        if text.count(edit.was) != 1:
            raise ValueError(f"{edit.was!r} is not there once in {edit.file}")
        path.write_text(text.replace(edit.was, edit.becomes), "utf-8")
    return target
