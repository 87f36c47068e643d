"""Checks that conditions can hold, and can fail to hold, as far as constants tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from hsa_spec.conditions.syntax import (
    Apply,
    Argument,
    Atom,
    Compare,
    Constant,
    Literal,
    Member,
    Node,
    Not,
    walk,
)
from hsa_spec.layout import size_of
from hsa_spec.lint.finding import Finding, about_clause
from hsa_spec.model import Function, Registry

_SIGNED = frozenset({"int", "int32_t", "int64_t"})
_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}


@dataclass
class _Values:
    """The numbers that a parameter can have: a range with gaps, or a handful."""

    lowest: int
    highest: int
    gaps: set[int] = field(default_factory=set)
    only: set[int] | None = None

    def narrow(self, op: str, bound: int) -> None:
        match op:
            case "==":
                self.lowest, self.highest = max(self.lowest, bound), min(self.highest, bound)
            case "!=":
                self.gaps.add(bound)
            case "<" | "<=":
                self.highest = min(self.highest, bound - (op == "<"))
            case _:
                self.lowest = max(self.lowest, bound + (op == ">"))

    def keep(self, values: Iterable[int]) -> None:
        self.only = set(values) if self.only is None else self.only & set(values)

    @property
    def empty(self) -> bool:
        if self.only is not None:
            return not any(self.lowest <= v <= self.highest for v in self.only - self.gaps)
        inside = sum(self.lowest <= g <= self.highest for g in self.gaps)
        return self.highest - self.lowest + 1 <= inside


def check(registry: Registry) -> Iterator[Finding]:
    """Yield the conditions that always hold or never do, and those that say a thing twice."""
    for function in registry.functions.values():
        for clause in function.clauses:
            for message in _problems(registry, function, clause.when):
                yield about_clause(registry, clause, "condition", message)


def _problems(registry: Registry, function: Function, atoms: tuple[Atom, ...]) -> Iterator[str]:
    seen: list[Node] = []
    for atom in atoms:
        if atom.node in seen:
            yield f"{atom.text!r} is there twice"
        elif opposite(atom.node) in seen:
            yield f"{atom.text!r} contradicts another condition"
        seen.append(atom.node)
        if not any(isinstance(node, Argument | Apply) for node in walk(atom.node)):
            yield f"{atom.text!r} asks for nothing that can change"
        for node, verdict in (
            (atom.node, "can never hold"),
            (opposite(atom.node), "always holds"),
        ):
            if contradictory(registry, function, [node]):
                yield f"{atom.text!r} {verdict}"
    if len(atoms) > 1 and contradictory(registry, function, [a.node for a in atoms]):
        yield "no value meets all conditions"


def opposite(node: Node) -> Node:
    """Return the statement that holds when this one does not."""
    match node:
        case Not(of):
            return of
        case Compare(op, left, right):
            return Compare(_OPPOSITE[op], left, right)
        case _:
            return Not(node)


def contradictory(registry: Registry, function: Function, nodes: Sequence[Node]) -> bool:
    """Return whether some parameter has no value that meets all these statements."""
    possible: dict[str, _Values] = {}
    for node in nodes:
        match node:
            case Compare(op, Argument(name), Literal(bound) | Constant(_, bound)) if isinstance(
                bound, int
            ):
                _values(registry, function, name, possible).narrow(op, bound)
            case Member(Argument(name), _, values):
                _values(registry, function, name, possible).keep(values)
            case Not(Member(Argument(name), _, values)):
                _values(registry, function, name, possible).gaps.update(values)
            case _:
                pass
    return any(values.empty for values in possible.values())


def _values(
    registry: Registry, function: Function, name: str, possible: dict[str, _Values]
) -> _Values:
    if name not in possible:
        ctype = function.parameter[name].type
        try:
            bits = 8 * size_of(ctype, registry)
        except KeyError:  # the check of declarations says so
            bits = 64
        signed = ctype in _SIGNED
        lowest = -(2 ** (bits - 1)) if signed else 0
        possible[name] = _Values(lowest, 2 ** (bits - signed) - 1)
    return possible[name]
