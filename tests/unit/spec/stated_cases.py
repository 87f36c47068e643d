"""Golden cases that state what a call is made in, so that they need no implementation.

A case gives every argument, an answer to every question that the function's conditions ask, and
the literal status. It is held against the clauses alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from hsa_spec import Clause, Function, Kind, Registry, Strength
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
from hsa_spec.imagined import Answer, ImaginedCall
from hsa_spec.releases import Release
from hsa_spec.yaml_file import read_yaml

FOLDER = Path(__file__).parents[2] / "golden" / "stated"
#: The interface from whose headers cases are written.
NEWEST = Release(interface="1.31")
#: The status of a case whose outcome the header leaves undefined.
UNDEFINED = "undefined"


@dataclass(frozen=True)
class StatedCase:
    """A call, what it is made in, and what it answers.

    Args:
        function: the function that is called.
        name: what the case shows, in a few words.
        source: where the header says so.
        args: each argument: a number, or the name of a constant.
        given: what holds or does not, as a condition would write it; the last word counts.
        statuses: the literal statuses, any of which is right; or UNDEFINED alone.

    """

    function: str
    name: str
    source: str
    args: Mapping[str, int | str]
    given: tuple[str, ...]
    statuses: frozenset[str]

    def __str__(self) -> str:
        """Return the function and the name."""
        return f"{self.function}: {self.name}"


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


@cache
def load_stated_cases(folder: Path = FOLDER) -> list[StatedCase]:
    """Read every case of the folder.

    Raises:
        ValueError: an entry or a case has an unknown key.

    """
    return [
        case
        for path in sorted(folder.rglob("*.yaml"))
        for entry in read_yaml(path)
        for case in _cases(entry)
    ]


def _cases(entry: Mapping[str, Any]) -> Iterator[StatedCase]:
    _refuse_unknown(entry, {"functions", "source", "args", "given", "cases"})
    for function in entry["functions"]:
        for case in entry["cases"]:
            _refuse_unknown(case, {"case", "source", "args", "given", "status"})
            status = case["status"]
            yield StatedCase(
                function=function,
                name=case["case"],
                source=case.get("source", entry["source"]),
                args={**entry["args"], **case.get("args", {})},
                given=(*entry["given"], *case.get("given", ())),
                statuses=frozenset([status] if isinstance(status, str) else status),
            )


def _refuse_unknown(mapping: Mapping[str, Any], known: set[str]) -> None:
    if unknown := mapping.keys() - known:
        raise ValueError(f"unknown key {', '.join(sorted(unknown))} in {dict(mapping)}")


def complaint(case: StatedCase, registry: Registry) -> str | None:
    """Return what the clauses say otherwise than the case, None where they agree.

    Clauses are those of the newest interface, from whose headers cases are written.
    What binding clauses answer has to be in the case, and what is in the case has to be allowed by
    some clause.

    Raises:
        ValueError: the case misspells an argument, a status or a question.

    """
    function = registry.functions[case.function]
    holding = _holding(case, function, registry)
    ids = ", ".join(clause.id for clause in holding) or "no clause holds"
    if any(c.strength is Strength.UNDEFINED for c in holding) or UNDEFINED in case.statuses:
        agree = case.statuses == {UNDEFINED} and any(
            c.strength is Strength.UNDEFINED for c in holding
        )
        return None if agree else f"{_listed(case.statuses)} by the case; the registry: {ids}"
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
    return f"{_listed(case.statuses)} by the case, {_listed(allowed)} by the registry: {ids}"


def _listed(statuses: frozenset[str] | set[str]) -> str:
    return " or ".join(sorted(statuses))


def asks(function: Function) -> list[Clause]:
    """Return the clauses by which the status depends on something."""
    return [c for c in function.clauses if c.kind is Kind.STATUS and c.when]


def _holding(case: StatedCase, function: Function, registry: Registry) -> list[Clause]:
    call = _call(case, function, registry)
    clauses = [c for c in asks(function) if NEWEST.has(c.versions)]
    return [c for c in clauses if all(call.holds(atom.node) for atom in c.when)]


def _call(case: StatedCase, function: Function, registry: Registry) -> StatedCall:
    params = [p.name for p in function.params]
    if sorted(case.args) != sorted(params):
        raise ValueError(f"{case}: the arguments are {', '.join(params)}")
    if unknown := case.statuses - {UNDEFINED} - registry.constants.keys():
        raise ValueError(f"{case}: {', '.join(sorted(unknown))} is no status")
    arguments = {
        name: registry.constants[value] if isinstance(value, str) else value
        for name, value in case.args.items()
    }
    call = StatedCall(Random(0), arguments, (), (), {})
    vocabulary = Vocabulary(params, registry.constants, {})
    for text in case.given:
        question, answer = _answer(parse(text, vocabulary).node, call, text)
        call.answers[question] = answer
    return call


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
