"""The nodes of a condition, and the parser that makes them.

Conditions are written in Python's expression syntax and parsed with `ast` against a whitelist into
the nodes below. They are never evaluated as Python.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from hsa_spec.conditions.vocabulary import TERMS, TEXTS, VIEWS
from hsa_spec.conditions.vocabulary.words import Term
from hsa_spec.errors import ConditionError


@dataclass(frozen=True)
class Literal:
    """A number or a word."""

    value: int | str


@dataclass(frozen=True)
class Constant:
    """An enumerator, or NULL."""

    name: str
    value: int


@dataclass(frozen=True)
class Argument:
    """A parameter of the function that the clause is about."""

    name: str


@dataclass(frozen=True)
class Apply:
    """A term of the vocabulary applied to arguments, such as `reservation(va)`."""

    term: Term
    args: tuple[Node, ...]


@dataclass(frozen=True)
class Attribute:
    """A member of what a look-up found, such as `reservation(va).size`."""

    of: Apply
    name: str


@dataclass(frozen=True)
class Arithmetic:
    """A sum, difference, product, remainder or bit-wise and."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Compare:
    """A comparison of two values."""

    op: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Member:
    """Whether a value is a named value of an enumeration."""

    value: Node
    enum: str
    values: frozenset[int]


@dataclass(frozen=True)
class Not:
    """The opposite of a statement."""

    of: Node


Node = Literal | Constant | Argument | Apply | Attribute | Arithmetic | Compare | Member | Not


@dataclass(frozen=True)
class Atom:
    """One statement of a condition, with the text it was written as."""

    text: str
    node: Node

    @cached_property
    def arguments(self) -> frozenset[str]:
        """The names of the parameters that the statement mentions."""
        return frozenset(n.name for n in walk(self.node) if isinstance(n, Argument))


_COMPARISONS: Mapping[type[ast.cmpop], str] = {
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}
_A = {"int": "a number", "text": "a word in quotes", "bool": "a statement"}
_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Mod: "%",
    ast.BitAnd: "&",
}


@dataclass(frozen=True)
class Vocabulary:
    """The names that a condition may use besides the terms.

    Args:
        params: names of the function's parameters.
        constants: values of all enumerators by name.
        enums: the values of each enumeration by its name.

    """

    params: Collection[str]
    constants: Mapping[str, int]
    enums: Mapping[str, frozenset[int]]


def parse(text: str, vocabulary: Vocabulary) -> Atom:
    """Parse one statement.

    Raises:
        ConditionError: the text is not in the language, or uses a name that nothing defines.

    """
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError) as error:  # ValueError: the text has a NUL character
        raise ConditionError(f"not an expression: {text!r} ({error})") from None
    node = _Parser(text, vocabulary).parse(tree.body)
    if _kind(node) != "bool":
        raise ConditionError(f"{text!r} is a value, not a statement that can hold or not")
    return Atom(text, node)


def walk(node: Node) -> Iterator[Node]:
    """Yield the node and everything below it."""
    yield node
    match node:
        case Apply(_, args):
            children: tuple[Node, ...] = args
        case Attribute(of, _):
            children = (of,)
        case Arithmetic(_, left, right) | Compare(_, left, right):
            children = (left, right)
        case Member(value, _, _):
            children = (value,)
        case Not(of):
            children = (of,)
        case _:
            children = ()
    for child in children:
        yield from walk(child)


def _kind(node: Node) -> str:
    """Return "bool", "int", "text" or the name of a view."""
    match node:
        case Compare() | Member() | Not():
            return "bool"
        case Literal(value):
            return "text" if isinstance(value, str) else "int"
        case Apply(term, _):
            return term.result
        case Attribute(of, name):
            return VIEWS[of.term.result][name]
        case _:
            return "int"


def _named(node: Node) -> str:
    kind = _kind(node)
    return _A.get(kind, f"the {kind} itself")


class _Parser:
    def __init__(self, text: str, vocabulary: Vocabulary) -> None:
        self.text = text
        self.vocabulary = vocabulary

    def parse(self, tree: ast.expr) -> Node:  # noqa: PLR0911 - one return per node
        match tree:
            case ast.Constant(value=int() | str() as value) if not isinstance(value, bool):
                return Literal(value)
            case ast.Name(id=name):
                return self.name(name)
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                return self.apply(name, args)
            case ast.Attribute(value=of, attr=name):
                return self.attribute(of, name)
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
                return self.arithmetic(_OPERATORS[type(op)], left, right)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self.negation(operand)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() as value)) if (
                not isinstance(value, bool)
            ):
                return Literal(-value)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self.compare(left, op, right)
            case _:
                raise self.error(f"{ast.unparse(tree)!r} is not part of the condition language")

    def name(self, name: str) -> Node:
        if name in self.vocabulary.params:
            return Argument(name)
        if name == "NULL":
            return Constant("NULL", 0)
        if name in self.vocabulary.constants:
            return Constant(name, self.vocabulary.constants[name])
        raise self.error(f"{name!r} is neither a parameter, nor an enumerator, nor NULL")

    def apply(self, name: str, args: list[ast.expr]) -> Apply:
        term = TERMS.get(name)
        if term is None:
            raise self.error(f"{name!r} is not a term; the terms are {', '.join(sorted(TERMS))}")
        if len(args) != len(term.params):
            raise self.error(f"{name} takes ({', '.join(term.params)}), not {len(args)} arguments")
        nodes = tuple(self.parse(a) for a in args)
        for node, param in zip(nodes, term.params, strict=True):
            wanted = "text" if param in TEXTS else "int"
            if _kind(node) != wanted:
                raise self.error(f"the {param} of {name} must be {_A[wanted]}")
        return Apply(term, nodes)

    def attribute(self, of: ast.expr, name: str) -> Attribute:
        node = self.parse(of)
        if not isinstance(node, Apply) or node.term.result not in VIEWS:
            raise self.error(f"{ast.unparse(of)!r} has no attributes")
        if name not in VIEWS[node.term.result]:
            known = ", ".join(VIEWS[node.term.result])
            raise self.error(f"a {node.term.result} has no {name!r}; it has {known}")
        return Attribute(node, name)

    def arithmetic(self, op: str, left: ast.expr, right: ast.expr) -> Arithmetic:
        sides = self.parse(left), self.parse(right)
        if {_kind(s) for s in sides} != {"int"}:
            raise self.error(f"both sides of {op!r} must be numbers")
        if op == "%" and isinstance(sides[1], Literal) and sides[1].value == 0:
            raise self.error("division by zero")
        return Arithmetic(op, *sides)

    def negation(self, operand: ast.expr) -> Not:
        node = self.parse(operand)
        if _kind(node) != "bool":
            raise self.error("'not' wants a statement")
        return Not(node)

    def compare(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Node:
        if isinstance(op, ast.In | ast.NotIn):
            member = self.member(left, right)
            return Not(member) if isinstance(op, ast.NotIn) else member
        if type(op) not in _COMPARISONS:
            raise self.error(f"{ast.unparse(ast.Compare(left, [op], [right]))!r} compares identity")
        sides = self.parse(left), self.parse(right)
        kinds = {_kind(s) for s in sides}
        if len(kinds) != 1 or kinds - {"int", "text"}:
            raise self.error(f"cannot compare {_named(sides[0])} with {_named(sides[1])}")
        return Compare(_COMPARISONS[type(op)], *sides)

    def member(self, left: ast.expr, right: ast.expr) -> Member:
        if not isinstance(right, ast.Name) or right.id not in self.vocabulary.enums:
            raise self.error(f"{ast.unparse(right)!r} is not the name of an enumeration")
        value = self.parse(left)
        if _kind(value) != "int":
            raise self.error(f"{ast.unparse(left)!r} is no number, and {right.id} holds numbers")
        return Member(value, right.id, self.vocabulary.enums[right.id])

    def error(self, message: str) -> ConditionError:
        return ConditionError(f"in {self.text!r}: {message}")
