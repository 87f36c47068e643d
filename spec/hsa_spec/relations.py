"""The language in which documents say what the value of an attribute has to be.

A relation is a condition in Python's syntax over numbers, texts and tuples of them. It is parsed
with `ast` against a list of what is allowed, and never run as Python. Arithmetic and comparisons
with a tuple hold for each of its elements: `0 < value <= HSA_AGENT_INFO_WORKGROUP_MAX_SIZE`.

| Name | Meaning |
| --- | --- |
| `value` | the attribute that the relation is about; a member of a structure is `value.member` |
| `others` | the same attribute of each other object of the kind, such as that of all other agents |
| `HSA_..._INFO_...` | another attribute of the same object, of one that it belongs to, of the |
|  | system, or of the first that belongs to it, such as the first instruction set of an agent |
| another enumerator | its number |
| `node.simd_count` | a property of its processor in the driver's topology, or its `id` or `name` |
| `banks.width`, `caches.level` | a property of each bank of its memory, of each data cache |
| `link.weight` | a property of the link from the agent to the processor that has the pool |
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final

#: What the machine is known by: the first part of a name with a dot, but for the value itself.
FACTS: Final = ("node", "banks", "caches", "link")

#: Gives what a name stands for, such as "value", "node.simd_count" or an enumerator.
Lookup = Callable[[str], Any]


class RelationError(ValueError):
    """A text is no relation, or cannot be evaluated; the message says why."""


class DivisionError(RelationError):
    """What is divided by is 0."""


def check(text: str) -> list[str]:
    """Return the names that a relation asks for, in the order of the text.

    Raises:
        RelationError: it is no relation.

    """
    return list(dict.fromkeys(_names(_parsed(text))))


def evaluate(text: str, lookup: Lookup) -> Any:  # noqa: ANN401 - a number, a text or a tuple
    """Return what a relation, or a part of one, comes to.

    Args:
        text: the relation; `check` has accepted it.
        lookup: gives what names stand for; what it raises goes on to the caller.

    Raises:
        DivisionError: something is divided by 0.

    """
    return _value(_parsed(text), lookup)


@cache
def _parsed(text: str) -> ast.expr:
    try:
        tree = ast.parse(text, mode="eval").body
    except SyntaxError:
        raise RelationError(f"{text!r} is not in Python's syntax") from None
    for part in ast.walk(tree):
        if not isinstance(part, (*_ALLOWED, *_OPERATORS)):
            raise RelationError(f"{ast.unparse(tree)!r}: {type(part).__name__} is not allowed")
        if isinstance(part, ast.Call) and (
            not isinstance(part.func, ast.Name) or part.func.id not in _FUNCTIONS
        ):
            raise RelationError(f"{ast.unparse(part)!r} is none of {', '.join(_FUNCTIONS)}")
    return tree


def _names(tree: ast.expr) -> Iterator[str]:
    match tree:
        case ast.Name(id=name):
            yield name
        case ast.Attribute(value=ast.Name(id=name), attr=member):
            yield f"{name}.{member}"
        case ast.Call(args=arguments):
            for argument in arguments:
                yield from _names(argument)
        case _:
            for part in ast.iter_child_nodes(tree):
                if isinstance(part, ast.expr):
                    yield from _names(part)


def _value(tree: ast.expr, lookup: Lookup) -> Any:  # noqa: ANN401, PLR0911 - one return per node
    match tree:
        case ast.Constant(value=constant):
            return constant
        case ast.Name() | ast.Attribute():
            return lookup(next(_names(tree)))
        case ast.Tuple(elts=parts):
            return tuple(_value(part, lookup) for part in parts)
        case ast.BoolOp(op=ast.And(), values=parts):
            return all(_value(part, lookup) for part in parts)
        case ast.BoolOp(values=parts):
            return any(_value(part, lookup) for part in parts)
        case ast.UnaryOp(operand=operand):
            return not _value(operand, lookup)
        case ast.BinOp(left=left, op=op, right=right):
            return _each(_arithmetic(op), _value(left, lookup), _value(right, lookup))
        case ast.Subscript(value=array, slice=place):
            return _element(_value(array, lookup), _value(place, lookup))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _FUNCTIONS[name](*(_value(a, lookup) for a in arguments))
        case ast.Compare(left=left, ops=ops, comparators=others):
            values = [_value(part, lookup) for part in (left, *others)]
            pairs = zip(values, ops, values[1:], strict=False)
            return all(_compared(one, op, other) for one, op, other in pairs)
    raise RelationError(f"{ast.unparse(tree)!r} is not allowed")


def _each(function: Callable[[Any, Any], Any], one: Any, other: Any) -> Any:  # noqa: ANN401
    """Apply a function to two values, or to the elements of tuples among them."""
    if not isinstance(one, tuple) and not isinstance(other, tuple):
        return function(one, other)
    length = len(one if isinstance(one, tuple) else other)
    first, second = (v if isinstance(v, tuple) else (v,) * length for v in (one, other))
    if len(first) != len(second):
        raise RelationError(f"{len(first)} and {len(second)} elements do not go together")
    return tuple(function(a, b) for a, b in zip(first, second, strict=True))


def _compared(one: Any, op: ast.cmpop, other: Any) -> bool:  # noqa: ANN401
    if isinstance(op, ast.In):
        return one in other
    found = _each(_COMPARISONS[type(op)], one, other)
    return all(found) if isinstance(found, tuple) else bool(found)


def _arithmetic(op: ast.operator) -> Callable[[Any, Any], Any]:
    function = _ARITHMETIC[type(op)]

    def applied(one: Any, other: Any) -> Any:  # noqa: ANN401
        if not other and isinstance(op, ast.FloorDiv | ast.Mod):
            raise DivisionError(f"{one} is divided by 0")
        return function(one, other)

    return applied


def _element(array: Sequence[Any], place: int) -> Any:  # noqa: ANN401
    if not 0 <= place < len(array):
        raise RelationError(f"there is no element {place} of {len(array)}")
    return array[place]


def _power_of_two(number: int) -> bool:
    return number > 0 and number & (number - 1) == 0


def _at(values: Sequence[Any], keys: Sequence[Any], key: object) -> tuple[Any, ...]:
    """Return the values in the places where the keys are `key`."""
    return tuple(v for v, k in zip(values, keys, strict=True) if k == key)


def sizes_by_level(
    told: Sequence[int], levels: Sequence[int], sizes: Sequence[int]
) -> list[set[int]]:
    """Return the sizes that may be told of each level: 0, that of a cache, or of all of them."""
    there = [_at(sizes, levels, level) for level, _ in enumerate(told, 1)]
    return [{0, *of_level, sum(of_level)} for of_level in there]


def _by_level(told: Sequence[int], levels: Sequence[int], sizes: Sequence[int]) -> bool:
    """Return whether each size told is 0, that of a cache of its level, or of all of them."""
    allowed = sizes_by_level(told, levels, sizes)
    return all(size in sizes for size, sizes in zip(told, allowed, strict=True))


_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "power_of_two": _power_of_two,
    "at": _at,
    "by_level": _by_level,
    "sum": sum,
    "hex16": "{:016x}".format,
    "lower": str.lower,
}
_ARITHMETIC: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[Any, Any], bool]]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_OPERATORS: Final = (
    *_ARITHMETIC,
    *_COMPARISONS,
    ast.In,
    ast.And,
    ast.Or,
    ast.Not,
    ast.boolop,
    ast.expr_context,
)
_ALLOWED: Final = (
    ast.Constant,
    ast.Name,
    ast.Attribute,
    ast.Tuple,
    ast.BoolOp,
    ast.UnaryOp,
    ast.BinOp,
    ast.Subscript,
    ast.Call,
    ast.Compare,
    ast.Subscript,
)
