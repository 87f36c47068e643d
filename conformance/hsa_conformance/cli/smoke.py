"""`check smoke`: the levels of a new runtime, and what to write next."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from hsa_conformance.runs.exit_status import FAILED, PASSED

if TYPE_CHECKING:
    import argparse

    from rich.console import Console
    from rich.table import Table

    from hsa_reports import Run
    from hsa_reports.ladder import LevelResult
    from hsa_spec import Registry

#: The version that a new runtime is taken to be written for.
FIRST = "1.0"
#: How many clauses that do not hold are listed.
SHOWN = 10


def is_smoke(group: str) -> bool:
    """Return whether a group is the levels of a new runtime, or some of them."""
    from hsa_conformance.selection.names import SMOKE

    return group.partition("/")[0] == SMOKE


def prepare(options: argparse.Namespace) -> None:
    """Let a library be judged by what it exports so far, unless there is a claim.

    Args:
        options: what the command line says, resolved.

    """
    from hsa_conformance.subjects import EXPORTED, claim_beside

    if options.library and not options.adapter and not claim_beside(options.library):
        options.claim = options.claim or EXPORTED


def show(
    options: argparse.Namespace, run: Run, registry: Registry, out: Console, status: int
) -> int:
    """Write the levels and what to write next.

    Returns:
        The exit status: that of the run, but for a level that does not hold although no clause
        fails, because functions of it are not written yet or clauses were not judged.

    """
    from hsa_conformance.selection.names import SMOKE
    from hsa_reports.ladder import level_results, next_level
    from hsa_spec.ladder import read_ladder, up_to

    levels = read_ladder(registry)
    _, slash, name = options.group.partition("/")
    asked = up_to(levels, name) if slash else levels
    found = level_results(run, asked, _wanted(options, run, registry))
    coming = next_level(found)
    out.print(_table(found, coming))
    if coming is not None:
        _show_next(coming, found.index(coming) + 1, run, out)
        return FAILED if status == PASSED else status
    if status == PASSED:
        known = ", but for what is known to fail" * any(s.known for s in found)
        following = levels[len(asked) : len(asked) + 1]
        then = "".join(f"; next is {SMOKE}/{level.name}" for level in following)
        out.print(f"What was asked for holds{known}{then}.")
    return status


def _wanted(options: argparse.Namespace, run: Run, registry: Registry) -> frozenset[str]:
    """Return the functions that are to be there: those claimed, or those of the version."""
    from hsa_conformance.subjects import EXPORTED
    from hsa_spec.releases import Release

    claims = run.started.subject.claims
    if claims is not None and options.claim != EXPORTED:
        return frozenset(claims)
    release = Release(hsa=options.hsa_version or FIRST)
    functions = registry.functions.values()
    return frozenset(f.name for f in functions if release.has(f.versions) is not False)


def _table(found: Sequence[LevelResult], coming: LevelResult | None) -> Table:
    from hsa_reports.terminal import table
    from hsa_reports.verdicts import WORST_FIRST

    shown = table("Level", "What", "Functions", "Clauses", "")
    for number, result in enumerate(found, 1):
        counted = Counter(result.verdicts.values())
        written = len(result.wanted) - len(result.missing)
        shown.add_row(
            f"{number} {result.level.name}",
            result.level.summary,
            f"{written} of {len(result.wanted)}" if result.wanted else "",
            ", ".join(
                f"{counted[verdict]} {verdict}" for verdict in WORST_FIRST if counted[verdict]
            ),
            _state(result, found, coming),
        )
    return shown


def _state(result: LevelResult, found: Sequence[LevelResult], coming: LevelResult | None) -> str:
    if result is coming:
        return "next"
    if result.holds and result.applies:
        return "fails as known" if result.known else "holds"
    before = coming is None or found.index(result) < found.index(coming)
    return "nothing to judge" if before else "later"


def _show_next(coming: LevelResult, number: int, run: Run, out: Console) -> None:
    """Write what does not hold on a level, what was not judged, and what is missing there."""
    from hsa_reports import terminal

    def say(text: str) -> None:
        terminal.say(out, text)

    def list_clauses(clauses: Sequence[str]) -> None:
        found = list(dict.fromkeys(_what_broke(run, clause) for clause in clauses))
        for line in found[:SHOWN]:
            say(f"  {line}")
        if len(found) > SHOWN:
            say(f"  and {len(found) - SHOWN} more")

    level = f"level {number}, {coming.level.name}"
    if coming.broken:
        say(f"Fix, for {level} (`hsa-conformance spec show CLAUSE` says what it asks for):")
        list_clauses(coming.broken)
    if coming.unjudged:
        say(f"Not judged, on {level}:")
        list_clauses(coming.unjudged)
    if not coming.verdicts and not coming.missing:
        say(f"Nothing was judged on {level}.")
    if coming.missing:
        say(f"Write next, for {level} (`hsa-conformance spec show NAME` says what each has to do):")
        width = max(len(f.name) for f in coming.missing)
        for function in coming.missing:
            say(f"  {function.name:<{width}}  {function.summary}")


def _what_broke(run: Run, clause: str) -> str:
    """Return what is wrong with a clause: of one that waits for another, what is with that one."""
    from hsa_reports.obstacles import blocking
    from hsa_reports.text import one_line
    from hsa_reports.words import why

    if (found := blocking(run, clause)) is not None:
        return f"BLOCKED  by {one_line(found.reason or '')}"
    return f"{run.verdicts[clause]}  {one_line(clause)}: {one_line(why(run, clause))}"
