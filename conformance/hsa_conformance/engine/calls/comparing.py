"""Comparisons of what calls gave, which a program can make again.

A value that a call gives remembers where it came from (`calls.origins`). A comparison of it with
the one that the clause wants is a `Relation`: true or false, and the words for a program.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeGuard

from hsa_conformance.engine.calls import recording
from hsa_conformance.engine.calls.origins import TracedBytes, TracedNumber
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_conformance.engine.calls.values import PATTERN
from hsa_reports import operands
from hsa_reports.demands import Holds
from hsa_reports.terms import Apply, Counted, Held, Term
from hsa_spec import Registry


class Relation:
    """What a clause wants of numbers.

    Args:
        holds: whether it is so.
        term: how a program finds out.

    """

    def __init__(self, holds: bool, term: Apply) -> None:
        self._holds = holds
        self.term = term

    def __bool__(self) -> bool:
        return self._holds

    @property
    def demand(self) -> Holds | None:
        """Return the same for a program; None where nothing in it came from a call."""
        return Holds(self.term) if _is_told(self.term) else None


def equal(one: int, other: int) -> Relation:
    """Return whether two numbers are equal."""
    return Relation(one == other, Apply("==", (_term(one), _term(other))))


def at_most(one: int, other: int) -> Relation:
    """Return whether a number is not greater than another."""
    return Relation(one <= other, Apply("<=", (_term(one), _term(other))))


def between(least: int, number: int, most: int) -> Relation:
    """Return whether a number is neither smaller nor greater than two others."""
    return every(at_most(least, number), at_most(number, most))


def is_multiple(number: int, of: int) -> Relation:
    """Return whether a number is a multiple of another, which is not 0."""
    holds = of != 0 and number % of == 0
    return Relation(holds, Apply("is_multiple", (_term(number), _term(of))))


def among(number: int, allowed: Collection[int]) -> Relation:
    """Return whether a number is one of several."""
    return some(*(equal(number, each) for each in sorted(allowed)))


def every(*relations: Relation) -> Relation:
    """Return whether all of these hold."""
    return Relation(all(relations), Apply("and", tuple(r.term for r in relations)))


def some(*relations: Relation) -> Relation:
    """Return whether one of these holds at least."""
    return Relation(any(relations), Apply("or", tuple(r.term for r in relations)))


def opposite(relation: Relation) -> Relation:
    """Return whether something does not hold."""
    return Relation(not relation, Apply("==", (relation.term, operands.Number(0))))


def within(address: int, start: int, size: int) -> Relation:
    """Return whether an address is that of one of the bytes of memory."""
    terms = _term(address), _term(start), _term(size)
    return Relation(0 <= address - start < size, Apply("<", (Apply("minus", terms[:2]), terms[2])))


def part(content: bytes, at: int, size: int) -> int:
    """Return some bytes as a number, the lowest first.

    Args:
        content: the bytes.
        at: where the number begins.
        size: how many bytes it has, at most eight.

    """
    number = int.from_bytes(content[at : at + size], "little")
    if isinstance(content, TracedBytes) and at + size <= len(content):
        return TracedNumber(number, Apply("part", (content.held, _term(at), operands.Number(size))))
    return number


def address_in(content: bytes, at: int, words: str) -> int:
    """Return an address or a handle that stands in bytes.

    Args:
        content: the bytes.
        at: where its eight bytes begin.
        words: what a trace calls it.

    """
    number = int.from_bytes(content[at : at + 8], "little")
    if not isinstance(content, TracedBytes):
        return number
    return Symbol(number, words, origin=operands.Taken(content.held.name, at, 8))


def counted(
    handles: Collection[object],
    registry: Registry,
    function: str,
    values: Mapping[str, int],
    asked: tuple[str, int, bytes] | None = None,
    address: int | None = None,
) -> int:
    """Return how many handles a function lists, which a program can count again.

    Args:
        handles: those that count here, by whatever tells them apart.
        registry: the specification.
        function: what lists them.
        values: its arguments, but for the callback and its data.
        asked: where only some of what it lists counts: the function that each is asked by, the
            attribute, and the bytes that it answers then.
        address: where the function is, if the library does not export it.

    """
    given, place = list[operands.Value](), 0
    for param in registry.functions[function].params:
        name = param.type.removeprefix("callback:")
        if name not in registry.callbacks:
            given.append(recording.recorded(values.get(param.name, 0)))
            continue
        given.append(operands.Callback(name, (0,)))
        if asked is not None:
            handle = registry.functions[asked[0]].params[0].type
            place = [p.type for p in registry.callbacks[name].params].index(handle)
    query, attribute, content = asked or (None, 0, b"")
    at = None if address is None else recording.recorded(address)
    term = Counted(function, tuple(given), place, query, attribute, content, at)
    return TracedNumber(len(handles), term)


def text_length(content: bytes) -> int:
    """Return how many bytes were written before the first that is 0."""
    number = len(content.partition(b"\0")[0].rstrip(bytes([PATTERN])))
    return TracedNumber(number, Apply("text_length", (content.held,))) if _held(content) else number


def is_ended(content: bytes) -> Relation:
    """Return whether there is a byte that is 0."""
    return _of_bytes(b"\0" in content, "is_ended", content)


def is_text(content: bytes) -> Relation:
    """Return whether there is a byte that is 0, and those before it are UTF-8 without controls."""
    text, end, _ = content.partition(b"\0")
    try:
        printable = all(" " <= letter != "\x7f" for letter in text.decode())
    except UnicodeDecodeError:
        printable = False
    return _of_bytes(end != b"" and printable, "is_text", content)


def is_padded(content: bytes) -> Relation:
    """Return whether there is a byte that is 0, and all that follow are, too."""
    _, end, rest = content.partition(b"\0")
    return _of_bytes(end != b"" and not rest.strip(b"\0"), "is_padded", content)


def _of_bytes(holds: bool, operator: str, content: bytes) -> Relation:
    return Relation(holds, Apply(operator, (content.held,) if _held(content) else ()))


def _held(content: bytes) -> TypeGuard[TracedBytes]:
    return isinstance(content, TracedBytes)


def _term(number: int) -> Term:
    if isinstance(number, TracedNumber):
        return number.term
    if isinstance(number, Symbol):
        return recording.recorded(number)
    return operands.Number(number % 2**64)


def _is_told(term: Term) -> bool:
    if isinstance(term, Apply):
        return bool(term.operands) and any(_is_told(operand) for operand in term.operands)
    return isinstance(term, Held | Counted | operands.Named | operands.Taken)
