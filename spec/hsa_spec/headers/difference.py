"""One thing about which the registry and the headers do not agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from hsa_spec.headers.declarations import Place
from hsa_spec.model import Function, Macro, Table, Typedef
from hsa_spec.releases import Release

MISSING = "not in the header, but the registry has it"


class Declaration(Protocol):
    """Something that a header declares."""

    @property
    def place(self) -> Place: ...  # noqa: D102


@dataclass(frozen=True)
class Difference:
    """A difference.

    Args:
        place: where the header says what it says, or would have to.
        subject: the function, enumeration, enumerator, structure or callback.
        message: what the two say.

    """

    place: Place
    subject: str
    message: str

    def __str__(self) -> str:
        """Return the difference as one line."""
        return f"{self.place}: {self.subject}: {self.message}"


def existence(
    place: Place, subject: str, *, expected: bool | None, found: bool
) -> Difference | None:
    """Return the difference between what has to be there and what is, if there is one.

    Args:
        place: the declaration, or the header when there is none.
        subject: what it is about.
        expected: whether it has to be there, None when it may be.
        found: whether it is there.

    """
    if expected is True and not found:
        return Difference(place, subject, MISSING)
    if expected is False and found:
        message = "in the header, but the registry says that this release is without it"
        return Difference(place, subject, message)
    return None


def presence_of(
    declared: Function | Table | Typedef | Macro, found: Declaration | None, release: Release
) -> Iterator[Difference]:
    """Yield the difference between a declaration's versions and whether a header has it.

    Args:
        declared: what the registry has.
        found: what the headers have by that name.
        release: the release that the headers belong to, as far as it is known.

    """
    place = found.place if found else Place(declared.header)
    expected = release.has(declared.versions)
    wrong = existence(place, declared.name, expected=expected, found=found is not None)
    if wrong:
        yield wrong
