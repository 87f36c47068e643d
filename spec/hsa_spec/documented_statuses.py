"""The statuses that the headers' text documents, as read from it: what no clause may leave out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from hsa_spec.errors import RegistryError
from hsa_spec.model import Registry

PAIRS = Path(__file__).with_name("documented.txt")
#: What the version of HSA begins with whose header of extensions was read.
HSA_HEADER = "hsa-"


@dataclass(frozen=True)
class Pair:
    """A function, a status that its text lists, and the versions whose text does.

    They are of AMD's interface, or of HSA, with HSA_HEADER before them.
    """

    function: str
    status: str
    versions: tuple[str, ...]


def documented_pairs(path: Path = PAIRS) -> tuple[Pair, ...]:
    """Return the pairs in the order of the list.

    Raises:
        RegistryError: a line is not `FUNCTION STATUS VERSION...`.

    """
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("#"):
            continue
        match line.split():
            case [function, status, *versions] if versions:
                pairs.append(Pair(function, status, tuple(versions)))
            case _:
                raise RegistryError(path, number, "expected FUNCTION STATUS VERSION...")
    return tuple(pairs)


def without_clause(registry: Registry, pairs: Iterable[Pair]) -> list[Pair]:
    """Return the pairs whose status no clause of the function answers."""
    answered = {(c.function, status) for c in registry.clauses.values() for status in c.status}
    return [p for p in pairs if (p.function, p.status) not in answered]
