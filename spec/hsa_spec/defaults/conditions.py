"""Conditions as documents write them: a list, or a text with `and` between them."""

from __future__ import annotations

import re
from collections.abc import Sequence

INITIALIZED = "initialized()"

#: `and` between conditions, but not in a word in quotes.
_AND = re.compile(r'\s+and\s+(?=(?:[^"]*"[^"]*")*[^"]*$)')


def split(written: str | Sequence[str]) -> list[str]:
    """Return the conditions one by one."""
    return _AND.split(written) if isinstance(written, str) else list(written)


def special(written: str | Sequence[str]) -> list[str]:
    """Return the conditions without the one that nearly all clauses have."""
    return [condition for condition in split(written) if condition != INITIALIZED]
