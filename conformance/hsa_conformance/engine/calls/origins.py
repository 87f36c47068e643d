"""What calls gave, which remembers where it came from."""

from __future__ import annotations

from hsa_reports.terms import Held, Term


class Told(int):
    """A number that a call gave; it reads as any number.

    Attributes:
        term: how a program comes by it.

    """

    term: Term

    def __new__(cls, value: int, term: Term) -> Told:
        """Return a number that is known by a term."""
        told = super().__new__(cls, value)
        told.term = term
        return told

    def __deepcopy__(self, _: object) -> Told:
        return self  # nothing of it changes


class ToldBytes(bytes):
    """The bytes that a step gave.

    Attributes:
        held: what a program calls them.

    """

    held: Held

    def __new__(cls, content: bytes, name: str) -> ToldBytes:
        """Return bytes under a name."""
        told = super().__new__(cls, content)
        told.held = Held(name, len(content))
        return told

    def __deepcopy__(self, _: object) -> ToldBytes:
        return self  # nothing of it changes
