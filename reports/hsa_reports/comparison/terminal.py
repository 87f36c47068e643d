"""A comparison on the terminal: what was compared, every change, and what it shows, last."""

from __future__ import annotations

from collections.abc import Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from hsa_reports.causes import Explanation
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
)
from hsa_reports.terminal import TONES, say, table
from hsa_reports.text import one_line
from hsa_reports.words import english, why
from hsa_spec import Registry

_SHOWN = ("Release", "Library", "Build id")
_STYLES = {
    Group.REGRESSED: "bold red",
    Group.SUSPECT: "bold red",
    Group.MACHINE: "bold red",
    Group.WORSE: "bold red",
    Group.FIXED: "green",
}


def print_comparison(
    comparison: Comparison,
    registry: Registry,
    out: Console,
    explained: Mapping[str, Explanation] | None = None,
) -> None:
    """Write the comparison.

    Args:
        comparison: what to show.
        registry: where the words for the clauses stand.
        out: where to write.
        explained: what is known of causes, by id.

    """
    for note in notes(comparison, registry):
        say(out, f"note: {one_line(note, 1000)}")
    out.print(_tested(comparison))
    out.print(_counts(comparison))
    for group, changes in comparison.groups.items():
        if changes:
            out.print(Text(f"{group.heading}: {len(changes)}", style=_STYLES.get(group, "yellow")))
            for change in changes:
                _print_change(change, comparison, registry, out)
            out.print()
    for heading, causes in came_and_went(comparison, explained).items():
        out.print(Text(f"{heading}: {len(causes)}"))
        for cause in causes:
            words = f"  {cause.example.label}  {one_line(cause.title)} ({one_line(cause.id)})"
            say(out, words)
        out.print()
    for sentence in left_out(comparison):
        say(out, sentence)
    head = headline(comparison)
    say(out, head.text, TONES[head.tone])


def _tested(comparison: Comparison) -> Table:
    everything = tested(comparison)
    found = {label: everything[label] for label in _SHOWN}
    shown = table("Run", *found)
    for row in zip(names(comparison), *found.values(), strict=True):
        shown.add_row(*(Text(one_line(cell)) for cell in row))
    return shown


def _counts(comparison: Comparison) -> Table:
    shown = table("Verdict", numbers=(*names(comparison), "change"))
    for verdict, row in counts(comparison).items():
        shown.add_row(str(verdict), *(str(n) for n in row), growth(row))
    deaths = dying(comparison)
    shown.add_row(DYING, *(str(n) for n in deaths), growth(deaths))
    return shown


def _print_change(change: Change, comparison: Comparison, registry: Registry, out: Console) -> None:
    line = f"  {chain(change, '->')}  {one_line(change.name)}"
    say(out, line, "bold" if change.worse else "")
    if not change.worse:
        return
    name, run = latest(comparison, change)
    say(out, f"      {one_line(english(change.clause, registry), 1000)}")
    say(out, f"      {name}: {one_line(why(run, change.clause, change.value))}")
    # A command that is broken into lines could not be copied.
    if command := reproduce(run, change.clause):
        out.print(Text(f"      reproduce: {one_line(command)}"), soft_wrap=True)
