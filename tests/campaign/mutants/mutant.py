"""A mutant: one function of a library that is wrong for one value, and right for all others."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """What the calls have in common that the function is wrong for."""

    VALUE = "one value"
    ELEMENT = "last element"
    OBJECT = "second object"
    AGENT = "second agent"
    SIZE = "above a granule"
    AGAIN = "second call"
    POINTER = "one kind of pointer"


class Fault(StrEnum):
    """What the function does wrong there."""

    REFUSED = "refused"  # with a status that nothing allows
    UNDONE = "undone"  # answers success, and does and writes nothing
    ACCEPTED = "accepted"  # answers success where it refuses
    CHANGED = "changed"  # a byte of each member of what it answers
    FIRST = "first"  # does it with the first object
    DROPPED = "dropped"  # goes without the last element
    REPLACED = "replaced"  # takes the first element in its place
    CUT = "cut"  # goes no further than a granule


@dataclass(frozen=True)
class Mutant:
    """One mutant.

    Args:
        function: the function that is wrong.
        kind: what it is wrong for.
        fault: what it does there.
        parameter: whose value decides; empty for a second call.
        value: the number of an enumerator or flag, or the bytes of a granule.
        name: the same for people: an enumerator, "bit 3", or a kind of pointer.
        member: offset and size of the value in each element that the parameter points to.

    """

    function: str
    kind: Kind
    fault: Fault
    parameter: str = ""
    value: int = 0
    name: str = ""
    member: tuple[int, int] | None = None

    def __str__(self) -> str:
        where = " ".join(word for word in (self.parameter, self.name) if word)
        return f"{self.function}: {self.kind}{f' ({where})' if where else ''} {self.fault}"
