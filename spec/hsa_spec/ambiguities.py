"""Searches for calls about which clauses disagree, and for calls that no clause is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random

from hsa_spec.conditions.syntax import Apply, Atom, Constant, Literal, Member, Node, Not, walk
from hsa_spec.evaluation import is_enforced
from hsa_spec.imagined_call import ImaginedCall
from hsa_spec.lint.conditions import contradictory, opposite
from hsa_spec.model import Clause, Function, Kind, Registry
from hsa_spec.releases import meet

_TRIES = 500
_ORDINARY = (0, 1, 2, 3, 32, 100, 4096, 5000, 2**32, 2**63)


@dataclass(frozen=True)
class Disagreement:
    """A call that has to succeed by one clause, and to fail by another."""

    success: Clause
    error: Clause
    example: str

    def __str__(self) -> str:
        """Return both clauses and the call as one line."""
        return f"{self.success.id} and {self.error.id} both hold for {self.example}"


@dataclass(frozen=True)
class UncoveredCall:
    """A call that differs from a right one in one condition, and that no clause is about."""

    function: str
    atom: Atom
    example: str

    def __str__(self) -> str:
        """Return the condition and the call as one line."""
        where = f"where {self.atom.text!r} does not hold"
        return f"{self.function}: no clause says what comes of {self.example}, {where}"


def disagreements(registry: Registry) -> Iterator[Disagreement]:
    """Yield one example for each pair of clauses that can disagree."""
    for function in registry.functions.values():
        successes = [c for c in function.clauses if c.is_success and not c.contested and c.when]
        errors = [c for c in function.clauses if is_enforced(c) and not c.contested]
        for success in successes:
            for error in errors:
                if not meet(success.versions, error.versions):
                    continue
                nodes = [a.node for a in (*success.when, *error.when)]
                if call := _imagine(registry, function, nodes):
                    yield Disagreement(success, error, _written(call))


def uncovered(registry: Registry) -> Iterator[UncoveredCall]:
    """Yield one example for each condition of success whose opposite no clause is about."""
    for function in registry.functions.values():
        clauses = [c for c in function.clauses if c.kind is Kind.STATUS and c.when]
        if not function.success:
            continue
        atoms = function.success.when
        for atom in atoms:
            nodes = [opposite(a.node) if a is atom else a.node for a in atoms]
            call = _imagine(registry, function, nodes)
            if call and not any(_holds(call, clause) for clause in clauses):
                yield UncoveredCall(function.name, atom, _written(call))


def _holds(call: ImaginedCall, clause: Clause) -> bool:
    return all(call.holds(atom.node) for atom in clause.when)


def _imagine(registry: Registry, function: Function, nodes: Sequence[Node]) -> ImaginedCall | None:
    """Return a call for which all statements hold, or None where none was found."""
    if any(opposite(node) in nodes for node in nodes) or contradictory(registry, function, nodes):
        return None
    # The same call is found in every run, whatever else is in the registry.
    random = Random(function.name)
    wanted = dict(_wanted(nodes))
    numbers = _numbers(function)
    texts = [*_texts(function), "something else"]
    for _ in range(_TRIES):
        arguments = {p.name: random.choice(numbers) for p in function.params}
        call = ImaginedCall(random, arguments, numbers, texts, wanted)
        if all(call.holds(node) for node in nodes):
            return call
    return None


def _wanted(nodes: Iterable[Node]) -> Iterator[tuple[Node, bool]]:
    """Yield the terms that statements consist of, with whether they have to hold."""
    for node in nodes:
        match node:
            case Not(Apply() as of):
                yield of, False
            case Apply():
                yield node, True
            case _:
                pass


def _parts(function: Function) -> Iterator[Node]:
    for clause in function.clauses:
        for atom in clause.when:
            yield from walk(atom.node)


def _numbers(function: Function) -> list[int]:
    """Return the numbers that the conditions of a function name, those beside them, and others."""
    numbers = dict.fromkeys(_ORDINARY)
    for node in _parts(function):
        match node:
            case Literal(int() as value) | Constant(_, value):
                numbers |= dict.fromkeys((value - 1, value, value + 1))
            case Member(_, _, values):
                numbers |= dict.fromkeys((min(values), max(values), max(values) + 1))
            case _:
                pass
    return list(numbers)


def _texts(function: Function) -> list[str]:
    texts = (n.value for n in _parts(function) if isinstance(n, Literal))
    return list(dict.fromkeys(t for t in texts if isinstance(t, str)))


def _written(call: ImaginedCall) -> str:
    arguments = [f"{name} = {value}" for name, value in call.arguments.items()]
    answers = [
        f"{question[0]}({', '.join(str(part) for part in question[1:])}) = {answer}"
        for question, answer in call.answers.items()
    ]
    return ", ".join([*arguments, *answers])
