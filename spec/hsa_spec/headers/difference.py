"""One thing about which the registry and the headers do not agree."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_spec.headers.declarations import Place

MISSING = "not in the header, but the registry has it"


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
