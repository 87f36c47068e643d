"""What a topic gives so that conditions can be made to hold, and what several need for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, NotOnMachine
from hsa_conformance.engine.session.session import Session

T = TypeVar("T")

Generator = Callable[..., None]

#: Makes a comparison with what a term gives, or with an attribute of it, come true: gets the
#: builder, the names of the parameters that the term is about, the attribute ("" for none), the
#: operator, and the value on the other side; for multiples the operator "% ==" or "% !=", and the
#: divisor.
Comparison = Callable[[Builder, Sequence[str], str, str, object], None]


@dataclass(frozen=True)
class Generators:
    """Two generators: one makes a term true, the other only just false.

    They work by construction, without asking the evaluator; `conditions.make` holds the two
    against each other. They get the builder and the names of the parameters that the term is
    about.
    """

    true: Generator
    false: Generator


class Thing(Protocol):
    """An object of the machine that a handle stands for."""

    @property
    def handle(self) -> int:
        """Its handle."""
        ...


def put_handles(b: Builder, array: str, count: str, handles: list[int]) -> None:
    """Give a call an array of handles and its length.

    Two elements of zero follow: a length that grows later must not depend on what lies there.
    """
    data = handle_array(handles)
    b.values[array] = b.session.lay_out(replace(data, content=data.content + bytes(16)))
    b.values[count] = len(handles)


def spoilt(b: Builder, elements: Sequence[T], bad: T) -> list[T]:
    """Return a list with a bad element put in: first, in the middle, or last."""
    position = b.position("bad element", len(elements) + 1)
    return [*elements[:position], bad, *elements[position:]]


def near(b: Builder, op: str, bound: int, unit: int) -> int:
    """Return a number on the wanted side of a bound, a unit away or nearer."""
    below = [bound - unit] if bound >= unit else []
    match op:
        case "==":
            return bound
        case "!=":
            return b.choose([bound + unit, *below, *([2 * bound] if bound else [])])
        case "<":
            return b.choose([*below, 0] if bound > 0 else [])
        case "<=":
            return b.choose([bound, *below])
        case ">":
            return b.choose([bound + unit, bound + 1])
        case _:
            return b.choose([bound, bound + unit])


def choose_by_attribute(
    b: Builder, name: str, things: Iterable[Thing], attribute: str, op: str, wanted: object
) -> None:
    """Choose, for a parameter, an object of the machine whose attribute is as wanted.

    Args:
        b: the call that is being built.
        name: the parameter.
        things: the objects, each with a handle.
        attribute: which attribute.
        op: "==" or "!=".
        wanted: the value on the other side.

    Raises:
        NotOnMachine: the machine has none.

    """
    compare = {"==": lambda v: v == wanted, "!=": lambda v: v != wanted}.get(op)
    if compare is None:
        raise CannotMake(f"no choice by {op}")
    fitting = [thing.handle for thing in things if compare(getattr(thing, attribute))]
    if not fitting:
        raise NotOnMachine(f"the machine has nothing for {name} whose {attribute} {op} {wanted}")
    b.values[name] = b.one_of(b.suiting(name, fitting) or fitting)


def known_values(session: Session, enum: str) -> list[int]:
    """Return the values that the release under test knows; those that mark an end are none."""
    enumeration = session.registry.enums[enum]
    enumerators = enumeration.enumerators
    attributes = {e.name for e in enumerators} & session.registry.attributes.keys()
    later = session.release.not_known(enumeration)
    named = [e.value for e in enumerators if e.name in attributes or not attributes]
    return [value for value in dict.fromkeys(named) if value not in later]
