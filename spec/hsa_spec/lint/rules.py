"""Checks that rules name clauses, functions and states that there are."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_spec.lint.finding import Finding, about_rule
from hsa_spec.model import NOWHERE, Kind, Registry, Rule, Transition


def check(registry: Registry) -> Iterator[Finding]:
    """Yield what is wrong with each rule."""
    for rule in registry.rules.values():
        if rule.name in registry.functions:
            yield about_rule(registry, rule, (), "rule", "a function has this name")
        yield from _judges(registry, rule)
        for index, transition in enumerate(rule.transitions):
            for message in _problems(registry, rule, transition):
                yield about_rule(registry, rule, ("transitions", index), "transition", message)
        for state in _unreached(rule):
            message = f"nothing leads to the state {state}"
            yield about_rule(registry, rule, ("states", state), "transition", message)


def _judges(registry: Registry, rule: Rule) -> Iterator[Finding]:
    for statement in rule.statements:
        for judge in statement.judged_by:
            if judge not in registry.clauses:
                keys = ("clauses", statement.slug)
                yield about_rule(registry, rule, keys, "judged-by", f"there is no clause {judge}")
    abouts = {rule.about, *(clause.function for clause in rule.clauses)}
    for name in sorted(abouts - registry.functions.keys()):
        yield about_rule(registry, rule, ("about",), "rule", f"there is no function {name}")


def _problems(registry: Registry, rule: Rule, transition: Transition) -> Iterator[str]:
    ends = (transition.after,) if transition.after else ()
    for state in (*transition.before, *ends):
        if state not in rule.states and (state != NOWHERE or state in ends):
            yield f"there is no state {state}; the states are {', '.join(rule.states)}"
    for judge in transition.judged_by:
        if judge not in registry.clauses:
            yield f"there is no clause {judge}"
    for name in transition.functions:
        if name not in registry.functions:
            yield f"there is no function {name}"
        elif not transition.undefined:
            yield from _answers(registry, transition, name)


def _answers(registry: Registry, transition: Transition, name: str) -> Iterator[str]:
    """Check what one of the functions answers, by the clauses that judge it."""
    judges = [registry.clauses[j] for j in transition.judged_by if j in registry.clauses]
    own = [c for c in judges if name in (c.function, c.subject)]
    if not own and not any(c.subject in registry.rules for c in judges):
        yield f"none of its clauses is about {name}"
    given = {status for c in own if c.kind is Kind.STATUS for status in c.status}
    for status in transition.status if given else ():
        if status not in given:
            yield f"its clauses do not have {name} answer {status}"


def _unreached(rule: Rule) -> list[str]:
    """Return the states that no row of transitions leads to from the creation on."""
    reached = {NOWHERE}
    for _ in rule.states:
        reached |= {t.after for t in rule.transitions if t.after and reached.intersection(t.before)}
    return [state for state in rule.states if state not in reached]
