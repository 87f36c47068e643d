"""What a word of the vocabulary is, and the forms that most words have."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from hsa_spec.world import World


def _undecided(*_arguments: object) -> None:
    """Leave the answer to the state of an implementation."""


def never_zero(first: int, *_others: int) -> bool | None:
    """Decide that nothing has the handle or the address zero."""
    return None if first else False


@dataclass(frozen=True)
class Term:
    """One word of the vocabulary.

    Args:
        name: the name used in conditions.
        params: what its arguments mean, in order.
        result: "bool", "int", "text", or the name of a view in VIEWS.
        evaluate: the answer, from a world and the arguments; None where there is nothing.
        english: how it reads, with {0}, {1}... for the arguments.
        negated: how its opposite reads, for statements.
        certain: what the arguments alone decide on an ordinary machine, None where they do not.
        implies: other terms that hold, or do not, for the same arguments where this one holds.

    """

    name: str
    params: tuple[str, ...]
    result: str
    evaluate: Callable[..., object]
    english: str
    negated: str = ""
    certain: Callable[..., int | None] = _undecided
    implies: tuple[tuple[str, bool], ...] = ()


@dataclass(frozen=True)
class Words:
    """The words of one topic.

    Args:
        terms: the terms by name.
        views: what can be asked of the things that look-ups find, with the type of the answer.
        attributes: how each of these reads, with {0} for the thing.

    """

    terms: Mapping[str, Term]
    views: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    attributes: Mapping[tuple[str, str], str] = field(default_factory=dict)


def words(*parts: Words | Term) -> Words:
    """Return several words, or sets of words, as one set.

    Raises:
        ValueError: a term is there twice.

    """
    terms: dict[str, Term] = {}
    views: dict[str, Mapping[str, str]] = {}
    attributes: dict[tuple[str, str], str] = {}
    for part in parts:
        added = part if isinstance(part, Words) else Words({part.name: part})
        if twice := terms.keys() & added.terms.keys():
            raise ValueError(f"{', '.join(sorted(twice))}: a term has one place")
        terms |= added.terms
        views |= added.views
        attributes |= added.attributes
    return Words(terms, views, attributes)


def thing(kind: str, noun: str, **attributes: tuple[str, str]) -> Words:
    """Return the words for a kind of object: `is_<kind>(handle)` and `<kind>(handle)`.

    Args:
        kind: the name of the kind, such as "signal".
        noun: how one reads, with its article, such as "a live signal".
        attributes: the type ("int", "bool" or "text") of each attribute, and how it reads with
            {0} for the thing.

    """
    return _kind(kind, "handle", noun, "{0}", (), attributes)


def place(
    kind: str,
    noun: str,
    english: str,
    *,
    implies: tuple[tuple[str, bool], ...] = (),
    **attributes: tuple[str, str],
) -> Words:
    """Return the words for what lies at an address: `is_<kind>(address)` and `<kind>(address)`.

    Args:
        kind: the name of the kind, such as "mapping".
        noun: how its address reads, such as "the start of a mapping".
        english: how it reads itself, with {0} for the address.
        implies: other terms that hold, or do not, where there is one.
        attributes: as those of a thing.

    """
    return _kind(kind, "address", noun, english, implies, attributes)


def _kind(
    kind: str,
    param: str,
    noun: str,
    english: str,
    implies: tuple[tuple[str, bool], ...],
    attributes: Mapping[str, tuple[str, str]],
) -> Words:
    def find(world: World, key: int) -> Any:  # noqa: ANN401 - as World.find
        return world.find(kind, key)

    terms = {
        f"is_{kind}": Term(
            f"is_{kind}",
            (param,),
            "bool",
            lambda w, key: find(w, key) is not None,
            f"{{0}} is {noun}",
            f"{{0}} is not {noun}",
            never_zero,
            implies,
        )
    }
    if not attributes:
        return Words(terms)
    terms[kind] = Term(kind, (param,), kind, find, english)
    return Words(
        terms,
        {kind: {name: type_ for name, (type_, _) in attributes.items()}},
        {(kind, name): english for name, (_, english) in attributes.items()},
    )


def around(world: World, kind: str, address: int) -> Any:  # noqa: ANN401 - as World.find
    """Return the live object of a kind that contains an address, None where there is none."""
    return next(iter(world.overlapping(kind, address, 1)), None)


def fact(
    name: str,
    params: tuple[str, ...],
    english: str,
    negated: str,
    certain: Callable[..., bool | None] = _undecided,
) -> Term:
    """Return a statement that only the implementation's own state or the machine can decide.

    Args:
        name: the name of the term.
        params: what its arguments mean, in order.
        english: how it reads, with {0}, {1}... for the arguments.
        negated: how its opposite reads.
        certain: what the arguments alone decide, None where they do not.

    """

    def evaluate(world: World, *arguments: int) -> bool:
        return world.holds(name, *arguments)

    return Term(name, params, "bool", evaluate, english, negated, certain)


def member(name: str, param: str, offset: int, size: int, english: str) -> Term:
    """Return the value of a member of a structure in the caller's memory, None through NULL.

    Args:
        name: the name of the term.
        param: what its argument, the address of the structure, is called.
        offset: where the member starts, in bytes.
        size: how many bytes it takes: 1, 2, 4 or 8. It does not cross a multiple of 8 bytes.
        english: how it reads, with {0} for the address.

    """

    def evaluate(world: World, address: int) -> int | None:
        if not address:
            return None
        word = world.words(address + offset // 8 * 8, 1)[0]
        return word >> 8 * (offset % 8) & (1 << 8 * size) - 1

    return Term(name, (param,), "int", evaluate, english)
