"""A comparison as Markdown, to paste into a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hsa_reports.causes import Cause, Explanation
from hsa_reports.comparison.causes import came_and_went
from hsa_reports.comparison.clause_change import Change, Group
from hsa_reports.comparison.comparison import Comparison
from hsa_reports.comparison.words import (
    DYING,
    chain,
    counts,
    dying,
    growth,
    headline,
    latest,
    left_out,
    names,
    notes,
    reproduce,
    tested,
    title,
)
from hsa_reports.markdown import MARKS, code, prose
from hsa_reports.words import english, why
from hsa_spec import Registry
from hsa_spec.markdown import table

MOST = 20
"""How many causes that came, and how many that went, are listed at most."""

ROOM = 60_000
"""How many characters there are for all; a comment on a pull request takes 65,536."""


def render_markdown(
    comparison: Comparison,
    registry: Registry,
    explained: Mapping[str, Explanation] | None = None,
) -> str:
    """Return the comparison as GitHub-flavoured Markdown.

    Where the changes are too many for a comment, the last of them are counted and not listed.

    Args:
        comparison: what to show.
        registry: where the words for the clauses stand.
        explained: what is known of causes, by id.

    """
    head = headline(comparison)
    columns = tuple(code(name) for name in names(comparison))
    facts = tested(comparison)
    parts = [
        f"## HSA conformance: {prose(title(comparison))}",
        f"{MARKS[head.tone]} **{prose(head.text)}**",
        "\n".join(f"- {prose(note)}" for note in notes(comparison, registry)),
        table(
            ("Run", *facts),
            [
                (name, *(code(text) for text in texts))
                for name, *texts in zip(columns, *facts.values(), strict=True)
            ],
        ),
        table(
            ("Verdict", *columns, "Change"),
            [
                (str(v), *(str(n) for n in row), growth(row))
                for v, row in (*counts(comparison).items(), (DYING, dying(comparison)))
            ],
        ),
    ]
    parts += [
        f"### {heading}: {len(causes)}\n\n" + "\n".join(map(_cause, causes[:MOST]))
        for heading, causes in came_and_went(comparison, explained).items()
    ]
    end = "\n\n".join(prose(sentence) for sentence in left_out(comparison))
    room = ROOM - len(end) - sum(len(part) + 2 for part in parts)
    for group, changes in comparison.groups.items():
        if changes:
            listed = _group(group, changes, comparison, registry, room)
            room -= len(listed) + 2
            parts.append(listed)
    return "\n\n".join(part for part in (*parts, end) if part) + "\n"


def _cause(cause: Cause) -> str:
    return f"- {cause.example.label}: {prose(cause.title)} ({code(cause.id)})"


def _group(
    group: Group, changes: tuple[Change, ...], comparison: Comparison, registry: Registry, room: int
) -> str:
    lines = [f"### {group.heading}: {len(changes)}", ""]
    for number, change in enumerate(changes):
        item = "\n".join(_item(change, comparison, registry))
        room -= len(item) + 1
        if room < 0:
            lines.append(f"- and {len(changes) - number} more, for which there is no room here")
            break
        lines.append(item)
    return "\n".join(lines)


def _item(change: Change, comparison: Comparison, registry: Registry) -> Iterator[str]:
    yield f"- {code(change.name)}: {prose(chain(change, '→'))}"
    if change.worse:
        name, run = latest(comparison, change)
        yield f"  - {prose(english(change.clause, registry))}"
        yield f"  - {code(name)}: {code(why(run, change.clause, change.value))}"
        if command := reproduce(run, change.clause):
            yield f"  - reproduce: {code(command)}"
