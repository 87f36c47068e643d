"""Conditions as closures: whether an atom holds, and what a value inside one is.

Every closure takes a world and the arguments of the call in the order of the parameters. A look-up
that finds nothing makes its atom not hold, negated or not, so evaluation is total.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
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


def compile_atom(atom: Atom, params: Sequence[str]) -> Holds:
    """Return a function that returns whether the atom holds.

    Args:
        atom: the statement.
        params: the names of the function's parameters, in order.

    """
    return _statement(atom.node, list(params))


def compile_value(node: Node, params: Sequence[str]) -> Value:
    """Return the closure that computes a value inside a condition, None where there is none."""
    return _value(node, list(params))


def _statement(node: Node, params: list[str]) -> Holds:
    match node:
        case Compare(op, Argument(name), Literal(bound) | Constant(_, bound)):
            # The commonest form, and the one on the hot path of every argument check.
            return _against_constant(op, params.index(name), bound)
        case _:
            value = _value(node, params)
            return lambda w, a: bool(value(w, a))


def _against_constant(op: str, index: int, bound: int | str) -> Holds:
    if op == "==":
        return lambda _, a: a[index] == bound
    if op == "!=":
        return lambda _, a: a[index] != bound
    compare = OPERATORS[op]
    return lambda _, a: bool(compare(a[index], bound))


def _value(node: Node, params: list[str]) -> Value:  # noqa: PLR0911 - one return per node
    """Return the closure that computes a node; None stands for what a look-up did not find."""
    match node:
        case Literal(constant) | Constant(_, constant):
            return lambda _w, _a: constant
        case Argument(name):
            index = params.index(name)
            return lambda _, a: a[index]
        case Apply(term, args):
            return _application(term.evaluate, [_value(x, params) for x in args])
        case Attribute(view, name):
            found = _value(view, params)
            return lambda w, a: getattr(found(w, a), name, None)
        case Arithmetic(op, left, right) | Compare(op, left, right):
            return _both(OPERATORS[op], _value(left, params), _value(right, params))
        case Member(of, _, values):
            return _one(values.__contains__, _value(of, params))
        case Not(of):
            return _one(operator.not_, _value(of, params))


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
