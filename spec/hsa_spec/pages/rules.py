"""The pages of rules: one for each, with its diagram of states, and a table of all they say."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_spec.model import NOWHERE, Clause, DecidedBy, Registry, Rule, Statement, Transition
from hsa_spec.pages.markup import INDEX, RULES, Words, code, rule_page_of, table
from hsa_spec.rule_text import answer, what_happens

_INTRODUCTION = """\
# Rules

What no function says alone: of queues, packets, signals, memory, agents and processes. Each row is
one statement, with the clauses that judge it. Where a function's clauses say it already, they are
named; otherwise the rule has a clause of its own."""


def rules_page(registry: Registry, words: Words) -> str:
    """Return the table of all statements, without the mark."""
    rows = [
        (words.link(rule.name, rule_page_of(rule)), *_row(statement, rule, registry, words))
        for rule in registry.rules.values()
        for statement in rule.statements
    ]
    heads = ("Rule", "Statement", "Strength", "Source", "Judged by")
    return f"{_INTRODUCTION} [Index]({words.url(INDEX)}).\n\n{table(heads, rows)}\n"


def rule_page(registry: Registry, rule: Rule, words: Words) -> str:
    """Return the page of a rule, without the mark."""
    parts = [f"# {rule.name}", words.prose(rule.summary), f"[All rules]({words.url(RULES)})"]
    if rule.states:
        parts += ["## States", _diagram(rule)]
        parts.append(table(("State", "What holds"), [(s, t) for s, t in rule.states.items()]))
        heads = ("In the state", "What happens", "Answer", "Then", "Judged by")
        parts.append(table(heads, [_transition(t, registry, words) for t in rule.transitions]))
    elsewhere = [s for s in rule.statements if s.judged_by != (f"{rule.name}/{s.slug}",)]
    if rule.clauses:
        parts += ["## Clauses", *(_clause(clause, words) for clause in rule.clauses)]
    if elsewhere:
        said = [_row(statement, rule, registry, words) for statement in elsewhere]
        columns = ("Statement", "Strength", "Source", "Judged by")
        parts += ["## Said by clauses of functions", table(columns, said)]
    return "\n\n".join(parts) + "\n"


def _row(
    statement: Statement, rule: Rule, registry: Registry, words: Words
) -> tuple[str, str, str, str]:
    own = next((c for c in rule.clauses if c.slug == statement.slug), None)
    judges = ", ".join(words.clause(registry.clauses[j]) for j in statement.judged_by)
    if own is not None and own.untestable:
        judges += f"; not tested: {own.untestable}"
    return (
        words.prose(statement.states),
        str(statement.strength),
        words.prose(str(statement.source)),
        judges,
    )


def _clause(clause: Clause, words: Words) -> str:
    lines = [f"- Id: {code(clause.id)}", f"- Source: {words.prose(str(clause.source))}"]
    lines.append(f"- About {words.name(clause.function)}")
    if str(clause.versions):
        lines.append(f"- Holds {clause.versions}")
    if clause.decided_by is not DecidedBy.RUNTIME:
        lines.append(f"- Decided by the {clause.decided_by}")
    if clause.untestable:
        lines.append(f"- Not tested: {words.prose(clause.untestable)}")
    if clause.needs:
        lines.append(f"- Needs: {', '.join(clause.needs).replace('_', ' ')}")
    said = f"**{clause.strength.capitalize()}.** {words.prose(clause.states)}"
    return f"### {clause.slug}\n\n{said}\n\n" + "\n".join(lines)


def _transition(
    transition: Transition, registry: Registry, words: Words
) -> tuple[str, str, str, str, str]:
    return (
        " or ".join("no object" if s == NOWHERE else s for s in transition.before),
        words.prose(what_happens(transition)),
        words.prose(answer(transition)),
        transition.after or "the same",
        ", ".join(words.clause(registry.clauses[j]) for j in transition.judged_by),
    )


def _diagram(rule: Rule) -> str:
    """Return the diagram of what leads from state to state, as Mermaid."""
    return "\n".join(["```mermaid", "stateDiagram-v2", *_lines(rule), "```"])


def _lines(rule: Rule) -> Iterator[str]:
    for state in rule.states:
        yield f'    state "{state}" as {_node(state)}'
    for transition in rule.transitions:
        for before in transition.before if transition.after else ():
            label = "<br/>".join(transition.functions) or transition.event
            yield f"    {_node(before)} --> {_node(transition.after or before)}: {label}"


def _node(state: str) -> str:
    return "[*]" if state == NOWHERE else state.replace("-", "_")
