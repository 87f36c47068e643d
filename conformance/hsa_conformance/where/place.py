"""A place in a file, and how a long row of them is shortened."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from hsa_conformance.engine.checks.code_place import CodePlace, code_place

#: How many places of one sort are shown, unless all are wanted.
FEW = 5


@dataclass(frozen=True)
class Place:
    """Where something is written.

    Attributes:
        path: the file.
        line: the line, counted from 1.
        what: what stands there, in words.

    """

    path: Path
    line: int
    what: str


def of_code(what: str, code: Callable[..., object] | CodePlace) -> Place:
    """Return the place of a function, with its name behind the words."""
    place = code if isinstance(code, CodePlace) else code_place(code)
    return Place(place.path, place.line, f"{what}: {place.name}")


def few(places: Iterable[Place], most: int | None) -> Iterator[Place]:
    """Yield the first places, the last of which says how many more there are.

    Args:
        places: places of one sort.
        most: how many are wanted, None for all.

    """
    found = list(dict.fromkeys(places))
    if most is None or len(found) <= most:
        yield from found
        return
    yield from found[: most - 1]
    last, more = found[most - 1], len(found) - most
    yield replace(last, what=f"{last.what} (and {more} more: --all)")
