"""Tiny expressions of golden cases: arithmetic and comparisons over names, nothing else."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

Value = int | tuple[int, ...]
"""What an expression is worth: a number, or a row of numbers."""


def _padded(text: Value) -> int:
    row = _row(text)
    return int(0 in row and not any(row[row.index(0) :]))


def _distinct(row: Value) -> int:
    return int(len(set(_row(row))) == len(_row(row)))


def _power_of_two(number: Value) -> int:
    return int(_number(number) > 0 and _number(number).bit_count() == 1)


_FUNCTIONS: Mapping[str, Callable[[Value], int]] = {
    "len": lambda row: len(_row(row)),
    "min": lambda row: min(_row(row)),
    "max": lambda row: max(_row(row)),
    "distinct": _distinct,
    "padded": _padded,  # a zero-terminated text with only zeros after it
    "power_of_two": _power_of_two,
}
_BINARY: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.LShift: operator.lshift,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def evaluate(text: str | int, lookup: Callable[[str], Value]) -> Value:
    """Work out an expression.

    Args:
        text: a number, or an expression in Python's syntax.
        lookup: gives the value of a name.

    Raises:
        ValueError: the expression uses something that golden cases do not have.
        TypeError: a row stands where a number is needed, or the other way round.

    """
    if isinstance(text, int):
        return int(text)
    return _Evaluator(text, lookup).value(ast.parse(text, mode="eval").body)


def number(text: str | int, lookup: Callable[[str], Value]) -> int:
    """Work out an expression that must be one number.

    Raises:
        ValueError: it uses something that golden cases do not have.
        TypeError: it is a row.

    """
    return _number(evaluate(text, lookup))


class _Evaluator:
    def __init__(self, text: str, lookup: Callable[[str], Value]) -> None:
        self._text = text
        self._lookup = lookup

    def value(self, node: ast.expr) -> Value:
        match node:
            case ast.Constant(value=int() as literal):
                return int(literal)
            case ast.Name(id=name):
                return self._lookup(name)
            case ast.Tuple(elts=parts):
                return tuple(_number(self.value(part)) for part in parts)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return -_number(self.value(operand))
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
                operation = _BINARY[type(op)]
                return operation(_number(self.value(left)), _number(self.value(right)))
            case ast.BoolOp(op=ast.And(), values=parts):
                return int(all(self.value(part) for part in parts))
            case ast.BoolOp(op=ast.Or(), values=parts):
                return int(any(self.value(part) for part in parts))
            case ast.Compare(left=left, ops=ops, comparators=others):
                values = [self.value(left), *map(self.value, others)]
                pairs = zip(values, ops, values[1:], strict=False)
                return int(all(self._compare(a, op, b) for a, op, b in pairs))
            case ast.Call(func=ast.Name(id=name), args=[argument]) if name in _FUNCTIONS:
                return _FUNCTIONS[name](self.value(argument))
        raise ValueError(f"golden cases have no {ast.unparse(node)!r} (in {self._text!r})")

    def _compare(self, left: Value, op: ast.cmpop, right: Value) -> bool:
        match op:
            case ast.Eq():
                return left == right
            case ast.NotEq():
                return left != right
            case ast.In():
                return _number(left) in _row(right)
            case ast.NotIn():
                return _number(left) not in _row(right)
            case _ if type(op) in _COMPARE:
                return _COMPARE[type(op)](_number(left), _number(right))
        raise ValueError(f"golden cases do not compare like this: {self._text!r}")


def _number(value: Value) -> int:
    if isinstance(value, tuple):
        raise TypeError(f"a number is needed here, not the row {value}")
    return value


def _row(value: Value) -> tuple[int, ...]:
    if isinstance(value, int):
        raise TypeError(f"a row of numbers is needed here, not {value}")
    return value
