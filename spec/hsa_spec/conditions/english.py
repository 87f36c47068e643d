"""Conditions in English."""

from __future__ import annotations

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
from hsa_spec.conditions.vocabulary import ATTRIBUTES

_COMPARISONS = {
    "==": "is",
    "!=": "is not",
    "<": "is less than",
    "<=": "is at most",
    ">": "is greater than",
    ">=": "is at least",
}
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
_ARITHMETIC = {"+": "plus", "-": "minus", "*": "times", "&": "bit-wise and"}


def phrase(atom: Atom) -> str:
    """Return what one atom says, in words."""
    return _statement(atom.node, negated=False)


def _statement(node: Node, *, negated: bool) -> str:
    match node:
        case Not(of):
            return _statement(of, negated=not negated)
        case Compare(op, left, right):
            return _comparison(_OPPOSITE[op] if negated else op, left, right)
        case Member(value, enum, _):
            return f"{_value(value)} {'is not' if negated else 'is'} a value of {enum}"
        case Apply(term, args):
            template = term.negated if negated else term.english
            return template.format(*(_value(a) for a in args))
        case _:
            text = _value(node)
            return f"it is not so that {text}" if negated else text


def _comparison(op: str, left: Node, right: Node) -> str:
    zero = isinstance(right, Literal) and right.value == 0
    if zero and op in ("==", "!=") and isinstance(left, Arithmetic) and left.op == "%":
        verb = "is" if op == "==" else "is not"
        return f"{_value(left.left)} {verb} a multiple of {_value(left.right)}"
    return f"{_value(left)} {_COMPARISONS[op]} {_value(right)}"


def _value(node: Node) -> str:  # noqa: PLR0911 - one return per node
    match node:
        case Literal(value):
            return str(value)
        case Constant(name, _) | Argument(name):
            return name
        case Apply(term, args):
            return term.english.format(*(_value(a) for a in args))
        case Attribute(of, name):
            return ATTRIBUTES[of.term.result, name].format(_value(of))
        case Arithmetic("%", left, right):
            return f"the remainder of {_value(left)} divided by {_value(right)}"
        case Arithmetic(op, left, right):
            return f"{_value(left)} {_ARITHMETIC[op]} {_value(right)}"
        case _:
            return _statement(node, negated=False)
