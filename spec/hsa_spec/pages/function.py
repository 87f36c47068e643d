"""The page of one function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from hsa_spec.conditions.syntax import (
    Apply,
    Argument,
    Arithmetic,
    Attribute,
    Compare,
    Constant,
    Literal,
    Member,
    Node,
    Not,
)
from hsa_spec.deciding import decider_of_all
from hsa_spec.declaration import prototype
from hsa_spec.model import Clause, DecidedBy, Function, Registry
from hsa_spec.pages.markup import INDEX, Words, code, table, topic_anchor
from hsa_spec.pages.parameters import parameters_table
from hsa_spec.sentences import sentence
from hsa_spec.text_defects import TextDefect

_EXPORTS = {
    "linker": "exported symbol",
    "inline": "inline function of the header",
    "table": "reached through the table of an extension",
    "library": "exported by a library of its own",
}


def function_page(
    registry: Registry, function: Function, defects: Sequence[TextDefect], words: Words
) -> str:
    """Return the page of a function, without the mark.

    Args:
        registry: where callbacks and status codes are looked up.
        function: the function.
        defects: what is wrong with its text, apart from contested clauses.
        words: marks the names of this page.

    """
    parts = [
        f"# {function.name}",
        words.prose(function.summary),
        f"```c\n#include <hsa/{function.header}>\n\n{prototype(function, registry)}\n```",
        "\n".join(_facts(function, words)),
    ]
    if function.params:
        parts += ["## Parameters", parameters_table(function.params, words)]
    rows = list(_results(registry, function, words))
    if rows:
        heads = ("Status", "Meaning", "Listed by the text", "Clauses")
        parts += ["## Results", table(heads, rows)]
    if defects:
        parts += ["## Defects of the text"]
        parts += [words.prose(f"{d.defect} {d.note}", function.parameter) for d in defects]
    parts += ["## Clauses"]
    parts += [_clause(registry, clause, function, words) for clause in function.clauses]
    return "\n\n".join(parts) + "\n"


def _facts(function: Function, words: Words) -> Iterator[str]:
    topic = words.url(f"{INDEX}#{topic_anchor(function.topic)}")
    yield f"- Topic: [{function.topic}]({topic})"
    yield f"- Header: `{function.header}`, {_EXPORTS[function.export]}"
    if str(function.versions):
        yield f"- Exists {function.versions}"
    if function.deprecated:
        yield f"- Deprecated: {words.prose(function.deprecated)}"
    for status, since in function.dropped.items():
        yield f"- The list has been without {code(status)} {since}"
    for change in function.changes:
        yield f"- {str(change.versions).capitalize()}: {words.prose(change.states)}"


def _results(
    registry: Registry, function: Function, words: Words
) -> Iterator[tuple[str, str, str, str]]:
    meanings = {e.name: e.summary for enum in registry.enums.values() for e in enum.enumerators}
    named = [status for clause in function.clauses for status in clause.status]
    for status in dict.fromkeys([*function.documented, *named]):
        clauses = [f"[{c.slug}](#{c.slug})" for c in function.clauses if status in c.status]
        listed = "yes" if status in function.documented else "no"
        yield code(status), words.prose(meanings[status]), listed, ", ".join(clauses)


def _clause(registry: Registry, clause: Clause, function: Function, words: Words) -> str:
    def prose(text: str) -> str:
        return words.prose(text, function.parameter)

    marked = replace(
        clause,
        function="The call",
        status=tuple(code(status) for status in clause.status),
        when=tuple(replace(atom, node=_marked(atom.node)) for atom in clause.when),
        states=prose(clause.states),
    )
    lines = [f"- Id: {code(clause.id)}", f"- Source: {prose(str(clause.source))}"]
    if str(clause.versions):
        lines.append(f"- Holds {clause.versions}")
    by = decider_of_all(registry, clause)
    if by is not DecidedBy.RUNTIME:
        lines.append(f"- Decided by the {by}")
    if clause.contested:
        lines.append("- Contested: any of these answers is right")
        lines += [f"  - {prose(str(reading))}" for reading in clause.contested]
    if clause.untestable:
        lines.append(f"- Not tested: {prose(clause.untestable)}")
    if clause.needs:
        lines.append(f"- Needs: {', '.join(clause.needs).replace('_', ' ')}")
    strength = clause.strength.capitalize()
    return f"### {clause.slug}\n\n**{strength}.** {sentence(marked)}\n\n" + "\n".join(lines)


def _marked(node: Node) -> Node:  # noqa: PLR0911 - one return per node
    """Return the node with its names as code."""
    match node:
        case Argument(name):
            return Argument(code(name))
        case Constant(name, value):
            return Constant(code(name), value)
        case Member(value, enum, values):
            return Member(_marked(value), code(enum), values)
        case Apply():
            return _marked_apply(node)
        case Attribute(of, name):
            return Attribute(_marked_apply(of), name)
        case Arithmetic(op, left, right):
            return Arithmetic(op, _marked(left), _marked(right))
        case Compare(op, left, right):
            return Compare(op, _marked(left), _marked(right))
        case Not(of):
            return Not(_marked(of))
        case Literal():
            return node


def _marked_apply(node: Apply) -> Apply:
    return replace(node, args=tuple(_marked(argument) for argument in node.args))
