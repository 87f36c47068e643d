"""Folders of the source tree that an installed package has elsewhere, or not at all."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).parent
_ROOT = Path(__file__).parents[2]


def findings() -> Path | None:
    """Return the folder of the findings' pages and programs, if it is there."""
    return _first(_PACKAGE / "docs" / "findings", _ROOT / "docs" / "findings")


def golden() -> Path | None:
    """Return the folder of the golden cases, if it is there."""
    return _first(_ROOT / "tests" / "golden")


def _first(*folders: Path) -> Path | None:
    return next((folder for folder in folders if folder.is_dir()), None)
