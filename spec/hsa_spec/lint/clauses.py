"""Checks what the clauses of a function say together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations

from hsa_spec.lint.finding import Finding, about_clause, about_declaration
from hsa_spec.model import Clause, Function, Kind, Registry, Strength

_SUCCESS = "HSA_STATUS_SUCCESS"
_BINDING = (Strength.MUST, Strength.SHOULD)
#: A reason of fewer words repeats that there is one.
_WORDS = 3


def check(registry: Registry) -> Iterator[Finding]:
    """Yield what is wrong with the clauses of each function."""
    for function in registry.functions.values():
        for rule in _OF_FUNCTIONS:
            yield from rule(registry, function)
        for clause in function.clauses:
            for of_clause in _OF_CLAUSES:
                yield from of_clause(registry, function, clause)


def _one_success(registry: Registry, function: Function) -> Iterator[Finding]:
    """Other clauses may promise success too, but one says what a right call looks like."""
    if function.result != "hsa_status_t":
        return
    slugs = [c.slug for c in function.clauses if c.is_success and c.strength is Strength.MUST]
    if slugs.count("success") != 1:
        message = f"expected one clause {function.name}/success, which must answer {_SUCCESS}"
        yield about_declaration(registry, function, "one-success", message)
    elif function.success and function.success.slug != "success":
        message = f"{function.name}/success has to come before other clauses that only succeed"
        yield about_clause(registry, function.success, "one-success", message)


def _documented_has_clause(registry: Registry, function: Function) -> Iterator[Finding]:
    answered = {s for c in function.clauses for s in c.status}
    for status in function.documented:
        if status not in answered:
            message = f"{status} is documented, and no clause answers it"
            yield about_declaration(registry, function, "documented", message)


def _no_near_duplicates(registry: Registry, function: Function) -> Iterator[Finding]:
    """Another answer that the text allows contradicts nothing."""
    candidates = [c for c in function.clauses if c.kind is Kind.STATUS and c.when]
    for first, second in combinations(candidates, 2):
        same = {a.node for a in first.when} == {a.node for a in second.when}
        if not same or first.versions != second.versions:
            continue
        if first.status == second.status:
            message = f"says what {first.slug} says"
            yield about_clause(registry, second, "duplicate", message)
        elif not (first.contested or second.contested) and _exclude(first, second):
            message = f"holds when {first.slug} does, answers otherwise, and neither is contested"
            yield about_clause(registry, second, "duplicate", message)


def _exclude(first: Clause, second: Clause) -> bool:
    strengths = {first.strength, second.strength}
    return bool(strengths & set(_BINDING)) and Strength.MAY not in strengths


def _has_condition(registry: Registry, function: Function, clause: Clause) -> Iterator[Finding]:
    if clause.status and not clause.when:
        message = "a clause with a status and no condition never holds: say when"
        yield about_clause(registry, clause, "condition", message)


def _status_is_documented(
    registry: Registry, function: Function, clause: Clause
) -> Iterator[Finding]:
    if clause.strength is not Strength.MUST or clause.contested or clause.source.note:
        return
    for status in clause.status:
        if status not in function.documented:
            message = f"{status} is not documented, so the clause needs a note, or is no must"
            yield about_clause(registry, clause, "documented", message)


def _asks_for_initialisation(
    registry: Registry, function: Function, clause: Clause
) -> Iterator[Finding]:
    """hsa_init alone may be called at any time; elsewhere order decides which error is right."""
    is_error = clause.status and _SUCCESS not in clause.status
    if function.name == "hsa_init" or not is_error or not clause.when:
        return
    first = clause.when[0].text
    if first not in ("initialized()", "not initialized()"):
        message = f"an error clause starts with initialized() or its opposite, not with {first}"
        yield about_clause(registry, clause, "first-atom", message)


def _readings_differ(registry: Registry, function: Function, clause: Clause) -> Iterator[Finding]:
    """Demand two texts and two answers of a contest."""
    if not clause.contested:
        return
    texts = [(r.source.header, r.source.section) for r in clause.contested]
    if len(set(texts)) < len(texts):
        message = "'contested' cites one text twice"
        yield about_clause(registry, clause, "contested", message)
    if len({(frozenset(r.status), r.states) for r in clause.contested}) == 1:
        message = "every reading in 'contested' gives the same answer"
        yield about_clause(registry, clause, "contested", message)
    if set(clause.status) != {s for r in clause.contested for s in r.status}:
        message = "'status' of a contested clause follows from its readings: leave it out"
        yield about_clause(registry, clause, "contested", message)
    if any(r.states and clause.kind is not Kind.EFFECT for r in clause.contested):
        message = "a reading of a clause with a status has a status"
        yield about_clause(registry, clause, "contested", message)


def _has_reasons(registry: Registry, function: Function, clause: Clause) -> Iterator[Finding]:
    given = {"untestable": clause.untestable}
    if clause.strength is Strength.UNDEFINED:
        given = {**given, "states": clause.states, "untestable": clause.untestable or ""}
    for key, reason in given.items():
        if reason is not None and len(reason.split()) < _WORDS:
            message = f"'{key}' has to give the reason, in a few words"
            yield about_clause(registry, clause, "reason", message)
    open_answer = _SUCCESS in clause.status and len(clause.status) > 1
    explained = clause.contested or clause.source.note
    if clause.strength is Strength.MUST and open_answer and not explained:
        message = "success and errors are both right, and neither 'contested' nor a note says why"
        yield about_clause(registry, clause, "reason", message)


_OF_FUNCTIONS: tuple[Callable[[Registry, Function], Iterator[Finding]], ...] = (
    _one_success,
    _documented_has_clause,
    _no_near_duplicates,
)
_OF_CLAUSES: tuple[Callable[[Registry, Function, Clause], Iterator[Finding]], ...] = (
    _has_condition,
    _status_is_documented,
    _asks_for_initialisation,
    _readings_differ,
    _has_reasons,
)
