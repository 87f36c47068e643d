"""An item on its way into a baseline file, and what is said of a change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hsa_reports.transitions import Transition


@dataclass(eq=False)
class Draft:
    """An entry on its way into a file.

    Attributes:
        data: its keys and values.
        origin: its number in the file, None for a new one.
        after: the number of the entry that a new one stands behind.

    """

    data: dict[str, Any]
    origin: int | None = None
    after: int | None = None


@dataclass(frozen=True)
class Amendment:
    """One change: what became of an entry, and what is done about it."""

    what: Transition
    about: str
    action: str

    def __str__(self) -> str:
        """Return it as a line."""
        return f"{self.what}: {self.about}: {self.action}"


def unbroken(some: Sequence[str], releases: Sequence[str]) -> bool:
    """Return whether some releases have none of the others between them."""
    places = [releases.index(r) for r in some]
    return places[-1] - places[0] + 1 == len(places)
