"""Golden cases of one call, held against the clauses alone.

Such a case answers every question that the conditions of its function ask, so it needs no
implementation.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hsa_spec import Clause, Function, Kind, Registry, Strength
from hsa_spec.conditions import Atom
from hsa_spec.conditions.syntax import (
    Apply,
    Attribute,
    Compare,
    Constant,
    Literal,
    Node,
    Not,
    Vocabulary,
    parse,
)
from hsa_spec.imagined_call import Answer, ImaginedCall
from hsa_spec.releases import Release
from tests.golden.cases import UNDEFINED, Case

#: The interface from whose headers cases are written.
NEWEST = Release(interface="1.31")


class UnansweredError(LookupError):
    """A condition asks what the case does not say."""


class StatedCall(ImaginedCall):
    """A call in which nothing is left to chance."""

    def invented(
        self, question: tuple[object, ...], result: str, wanted: bool | None, lowest: int | None
    ) -> Answer:
        """Return what other answers imply."""
        if wanted is None:
            raise UnansweredError(f"nothing is given about {question[0]} of {question[1:]}")
        return wanted


def complaint(case: Case, registry: Registry) -> str | None:
    """Return what the clauses answer otherwise than a case of one call, None where they agree.

    Clauses are those of the newest interface, from whose headers cases are written.
    What binding clauses answer has to be in the case, and what is in the case has to be allowed by
    some clause.

    Raises:
        ValueError: the case misspells an argument, a status or a question.

    """
    holding = holding_clauses(case, registry)
    ids = ", ".join(clause.id for clause in holding) or "no clause holds"
    if any(c.strength is Strength.UNDEFINED for c in holding) or UNDEFINED in case.statuses:
        agree = case.statuses == {UNDEFINED} and any(
            c.strength is Strength.UNDEFINED for c in holding
        )
        return None if agree else ids
    if holding and all(c.strength is Strength.OBSERVED for c in holding):
        return None  # what somebody was seen to do contradicts nobody
    allowed = {s for c in holding if c.strength is not Strength.OBSERVED for s in c.status}
    binding = {
        status
        for clause in holding
        if clause.strength in (Strength.MUST, Strength.SHOULD) and not clause.contested
        for status in clause.status
    }
    if binding <= case.statuses <= allowed:
        return None
    return f"{' or '.join(sorted(allowed))} by {ids}"


def asks(function: Function) -> list[Clause]:
    """Return the clauses by which the status depends on something."""
    return [c for c in function.clauses if c.kind is Kind.STATUS and c.when]


def holding_clauses(case: Case, registry: Registry) -> list[Clause]:
    """Return the clauses that hold in a case of one call.

    Raises:
        ValueError: the case misspells an argument, a status or a question.

    """
    call = _call(case, registry)
    function = registry.functions[case.function]
    clauses = [c for c in asks(function) if NEWEST.has(c.versions)]
    return [c for c in clauses if all(call.holds(atom.node) for atom in c.when)]


def arguments(case: Case, registry: Registry) -> dict[str, int]:
    """Return the arguments of a case of one call, as numbers."""
    constants = registry.constants
    return {
        name: constants[value] if isinstance(value, str) else value
        for name, value in case.args.items()
    }


def first_said(case: Case, registry: Registry) -> list[Atom]:
    """Return the first that a case of one call says of each question: what its group has."""
    found: dict[tuple[object, ...], Atom] = {}
    for question, atom, _ in _answers(case, registry):
        found.setdefault(question, atom)
    return [atom for atom in found.values() if atom.arguments]


def changes(case: Case, registry: Registry) -> list[Atom]:
    """Return what a case of one call says otherwise than its group."""
    found: dict[tuple[object, ...], list[Atom]] = {}
    for question, atom, _ in _answers(case, registry):
        found.setdefault(question, []).append(atom)
    return [atoms[-1] for atoms in found.values() if len(atoms) > 1 and atoms[-1].arguments]


def _call(case: Case, registry: Registry) -> StatedCall:
    params = [p.name for p in registry.functions[case.function].params]
    if sorted(case.args) != sorted(params):
        raise ValueError(f"{case}: the arguments are {', '.join(params)}")
    if unknown := case.statuses - {UNDEFINED} - registry.constants.keys():
        raise ValueError(f"{case}: {', '.join(sorted(unknown))} is no status")
    answers = {question: answer for question, _, answer in _answers(case, registry)}
    return StatedCall(Random(0), arguments(case, registry), (), (), {}, answers)


def _answers(case: Case, registry: Registry) -> Iterator[tuple[tuple[object, ...], Atom, Answer]]:
    """Yield what a case says: the questions, the statements and the answers."""
    call = StatedCall(Random(0), arguments(case, registry), (), (), {})
    vocabulary = Vocabulary(list(case.args), registry.constants, {})
    for text in case.given:
        atom = parse(text, vocabulary)
        question, answer = _answer(atom.node, call, text)
        call.answers[question] = answer  # of which later questions may ask
        yield question, atom, answer


def _answer(node: Node, call: StatedCall, text: str) -> tuple[tuple[object, ...], Answer]:
    """Return a question and its answer, from a statement that gives one."""
    match node:
        case Not(of):
            return _question(of, call, text), False
        case Compare("==", of, Literal(value) | Constant(_, value)):
            return _question(of, call, text), value
        case _:
            return _question(node, call, text), True


def _question(node: Node, call: StatedCall, text: str) -> tuple[object, ...]:
    match node:
        case Apply(term, args):
            return (term.name, *(call.value(a) for a in args))
        case Attribute(Apply(term, args), name):
            return (term.name, name, *(call.value(a) for a in args))
        case _:
            raise ValueError(f"{text!r} does not say what is the case")
