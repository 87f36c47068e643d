"""Conditions as closures: whether an atom holds, and what a value inside one is.

Every closure takes a world and the arguments of the call in the order of the parameters. A look-up
that finds nothing makes its atom not hold, negated or not, so evaluation is total. So does a number
of which nobody can say whether it is one of an enumeration: its name is from another release.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hsa_spec.conditions.syntax import (
    Apply,
    Argument,
    Arithmetic,
    Atom,
    Attribute,
    Compare,
    Constant,
    Literal,
    Member,
    Node,
    Not,
)
from hsa_spec.world import World

Holds = Callable[[World, Sequence[int]], bool]
Value = Callable[[World, Sequence[int]], Any]

#: The numbers by enumeration that are neither one of it nor none.
Unsettled = Mapping[str, frozenset[int]]

#: What the operators of conditions do.
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "%": lambda a, b: a % b if b else None,
}


@dataclass(frozen=True)
class _Scope:
    """What the names in a condition stand for: parameters by their place, and enumerations."""

    params: Sequence[str]
    unsettled: Unsettled = field(default_factory=dict)


def compile_atom(atom: Atom, params: Sequence[str], unsettled: Unsettled | None = None) -> Holds:
    """Return a function that returns whether the atom holds.

    Args:
        atom: the statement.
        params: the names of the function's parameters, in order.
        unsettled: for each enumeration the numbers about which `in` and `not in` say nothing.

    """
    return _statement(atom.node, _Scope(params, unsettled or {}))


def compile_value(node: Node, params: Sequence[str]) -> Value:
    """Return the closure that computes a value inside a condition, None where there is none."""
    return _value(node, _Scope(params))


def _statement(node: Node, scope: _Scope) -> Holds:
    match node:
        case Compare(op, Argument(name), Literal(bound) | Constant(_, bound)):
            # The commonest form, and the one on the hot path of every argument check.
            return _against_constant(op, scope.params.index(name), bound)
        case _:
            value = _value(node, scope)
            return lambda w, a: bool(value(w, a))


def _against_constant(op: str, index: int, bound: int | str) -> Holds:
    if op == "==":
        return lambda _, a: a[index] == bound
    if op == "!=":
        return lambda _, a: a[index] != bound
    compare = OPERATORS[op]
    return lambda _, a: bool(compare(a[index], bound))


def _value(node: Node, scope: _Scope) -> Value:  # noqa: PLR0911 - one return per node
    """Return the closure that computes a node; None stands for what a look-up did not find."""
    match node:
        case Literal(constant) | Constant(_, constant):
            return lambda _w, _a: constant
        case Argument(name):
            index = scope.params.index(name)
            return lambda _, a: a[index]
        case Apply(term, args):
            return _application(term.evaluate, [_value(x, scope) for x in args])
        case Attribute(view, name):
            found = _value(view, scope)
            return lambda w, a: getattr(found(w, a), name, None)
        case Arithmetic(op, left, right) | Compare(op, left, right):
            return _both(OPERATORS[op], _value(left, scope), _value(right, scope))
        case Member(of, enum, values):
            return _one(_membership(values, scope.unsettled.get(enum)), _value(of, scope))
        case Not(of):
            return _one(operator.not_, _value(of, scope))


def _membership(values: frozenset[int], unsettled: frozenset[int] | None) -> Callable[[int], Any]:
    if not unsettled:
        return values.__contains__
    return lambda number: None if number in unsettled else number in values


def _one(apply: Callable[[Any], object], argument: Value) -> Value:
    def value(world: World, args: Sequence[int]) -> object:
        x = argument(world, args)
        return None if x is None else apply(x)

    return value


def _both(apply: Callable[[Any, Any], object], first: Value, second: Value) -> Value:
    def value(world: World, args: Sequence[int]) -> object:
        x = first(world, args)
        if x is None:
            return None
        y = second(world, args)
        return None if y is None else apply(x, y)

    return value


def _application(evaluate: Callable[..., object], arguments: list[Value]) -> Value:
    if not arguments:
        return lambda w, _: evaluate(w)

    def value(world: World, args: Sequence[int]) -> object:
        values = [argument(world, args) for argument in arguments]
        return None if None in values else evaluate(world, *values)

    if len(arguments) > 1:
        return value
    [only] = arguments

    def value_of_one(world: World, args: Sequence[int]) -> object:
        x = only(world, args)
        return None if x is None else evaluate(world, x)

    return value_of_one
