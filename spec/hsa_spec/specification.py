"""The sections of the HSA Foundation's specification that sources may name."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_SECTIONS = Path(__file__).with_name("specification.txt")


@cache
def sections() -> frozenset[str]:
    """Return every section, as its number and its title."""
    lines = _SECTIONS.read_text(encoding="utf-8").splitlines()
    return frozenset(line for line in lines if not line.startswith("#"))
