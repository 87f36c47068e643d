"""What the registry says of a rule, as lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_spec.model import NOWHERE, Rule, Transition


def lines(rule: Rule) -> list[str]:
    """Return what the registry says of a rule."""
    head = f"rule {rule.name}  (about {rule.about})"
    return [head, f"  {rule.summary}", *(f"  {line}" for line in _body(rule))]


def what_happens(transition: Transition) -> str:
    """Return the call or the event of a transition, in words."""
    return " or ".join(transition.functions) or transition.event or ""


def answer(transition: Transition) -> str:
    """Return what the calls of a transition answer; nothing where it is an event."""
    if transition.event:
        return ""
    return " or ".join(transition.status) or "anything"


def _body(rule: Rule) -> Iterator[str]:
    for state, meaning in rule.states.items():
        yield f"state {state}: {meaning}"
    for transition in rule.transitions:
        yield _step(transition)
    for statement in rule.statements:
        yield f"{statement.slug} [{statement.strength}]: {statement.states}"
        yield f"  source: {statement.source}"
        if statement.judged_by != (f"{rule.name}/{statement.slug}",):
            yield f"  judged by {', '.join(statement.judged_by)}"
    for clause in rule.clauses:
        if clause.untestable:
            yield f"not tested: {clause.slug}: {clause.untestable}"


def _step(transition: Transition) -> str:
    before = " or ".join("no object" if s == NOWHERE else s for s in transition.before)
    after = f" -> {transition.after}" if transition.after else ", which stays"
    answered = f", answers {answer(transition)}" if transition.functions else ""
    return f"{before}{after}: {what_happens(transition)}{answered}"
