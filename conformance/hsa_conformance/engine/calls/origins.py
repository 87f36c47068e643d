"""What calls gave, which remembers where it came from."""

from __future__ import annotations

from hsa_reports.terms import Held, Term


class TracedNumber(int):
    """A number that a call gave; it reads as any number.

    Attributes:
        term: how a program comes by it.

    """

    term: Term

    def __new__(cls, value: int, term: Term) -> TracedNumber:
        """Return a number that is known by a term."""
        traced = super().__new__(cls, value)
        traced.term = term
        return traced

    def __deepcopy__(self, _: object) -> TracedNumber:
        return self  # nothing of it changes


class TracedBytes(bytes):
    """The bytes that a step gave.

    Attributes:
        held: what a program calls them.

    """

    held: Held

    def __new__(cls, content: bytes, name: str) -> TracedBytes:
        """Return bytes under a name."""
        traced = super().__new__(cls, content)
        traced.held = Held(name, len(content))
        return traced

    def __deepcopy__(self, _: object) -> TracedBytes:
        return self  # nothing of it changes
