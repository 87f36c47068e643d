"""The index of the pages, by topic."""

from __future__ import annotations

from hsa_spec.model import Function, Registry
from hsa_spec.pages.markup import Words, page_of, rule_page_of, table, topics, types_page_of
from hsa_spec.pages.types import has_types

_INTRODUCTION = """\
# Reference

Each function has a page with its declaration, parameters, results and clauses. A clause is one
statement that can be tested; its id never changes. Its condition is written with
[terms](terms.md). What no function says alone is in the [rules](rules.md), and what the calls
answer in the [statuses](statuses.md). Versions are those of the AMD extension's interface, which
`hsa_ext_amd.h` declares, and of ROCm."""

_STRENGTHS = """\
## Strengths

How far a clause binds an implementation:

- **must**: the function's own text says so.
- **should**: the function's text omits it, but it follows from a rule stated elsewhere.
- **may**: every status that is named is right.
- **undefined**: the text leaves it open; recorded, never judged.
- **observed**: what a named implementation does and no text says; it counts against nobody.

Two texts give a **contested** clause different answers: any of them is right."""


def index_page(registry: Registry, words: Words) -> str:
    """Return the index, without the mark."""
    count = f"{len(registry.functions)} functions, {len(registry.clauses)} clauses."
    parts = [f"{_INTRODUCTION}\n\n{count}", _STRENGTHS, _rules(registry, words)]
    parts += [_topic(registry, topic, words) for topic in topics(registry)]
    return "\n\n".join(parts) + "\n"


def _rules(registry: Registry, words: Words) -> str:
    rows = [
        (words.link(rule.name, rule_page_of(rule)), rule.summary, str(len(rule.statements)))
        for rule in registry.rules.values()
    ]
    return f"## Rules\n\n{table(('Rule', 'About what', 'Statements'), rows)}"


def _topic(registry: Registry, topic: str, words: Words) -> str:
    parts = [f"## {topic}"]
    functions = [f for f in registry.functions.values() if f.topic == topic]
    if functions:
        heads = ("Function", "What it does", "Clauses", "Exists")
        parts.append(table(heads, [_row(function, words) for function in functions]))
    if has_types(registry, topic):
        parts.append(f"[Types of {topic}]({words.url(types_page_of(topic))})")
    return "\n\n".join(parts)


def _row(function: Function, words: Words) -> tuple[str, str, str, str]:
    name = f"[`{function.name}`]({words.url(page_of(function))})"
    summary = words.prose(function.summary)
    return name, summary, str(len(function.clauses)), str(function.versions)
