"""What the reference does with each clause: it passes, or is not tried for a reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from hsa_conformance.coverage import counts
from hsa_conformance.engine.running.runner import Runner
from hsa_reference import NOT_MODELLED, implemented
from hsa_reports import Verdict, worst
from hsa_spec import Clause, Registry

_UNTRIED = (Verdict.UNTESTED, Verdict.NOT_APPLICABLE)


@dataclass(frozen=True)
class Row:
    """The clauses of one topic, each counted in exactly one of the last four members.

    Attributes:
        topic: its name.
        functions: how many of its functions the reference has.
        of: how many functions it has.
        clauses: how many clauses go in.
        passing: clauses that the reference has and passes.
        untried: clauses that the reference has and the suite does not try on it, by reason.
        unmodelled: clauses of functions that the reference leaves out, by reason.
        against: clauses that speak against the reference, by what they say.

    """

    topic: str
    functions: int
    of: int
    clauses: int
    passing: int
    untried: Mapping[str, int]
    unmodelled: Mapping[str, int]
    against: Mapping[str, int]


def reference_coverage(clauses: Iterable[Clause], runner: Runner) -> list[Row]:
    """Run clauses on the reference, and count them by topic.

    Args:
        clauses: what to run.
        runner: of the reference.

    """
    functions = runner.registry.functions
    by_topic: dict[str, list[Clause]] = {}
    for clause in clauses:
        by_topic.setdefault(functions[clause.function].topic, []).append(clause)
    written = implemented(runner.registry).functions.keys()
    return [_row(topic, members, runner, written) for topic, members in by_topic.items()]


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the counts as the lines of a table, with their sums below."""
    headings = ("functions", "of", "clauses", "pass", "not tried", "not modelled", "against")
    return counts.table("topic", headings, [(row.topic, _numbers(row)) for row in rows])


def reasons(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """Return why clauses were not tried or are not modelled, the most frequent first."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update(row.untried)
        counts.update(row.unmodelled)
    return counts.most_common()


def _numbers(row: Row) -> tuple[int, ...]:
    untried, unmodelled = row.untried.values(), row.unmodelled.values()
    tried = (row.functions, row.of, row.clauses, row.passing)
    return (*tried, sum(untried), sum(unmodelled), sum(row.against.values()))


def _row(topic: str, clauses: Sequence[Clause], runner: Runner, written: Set[str]) -> Row:
    functions = {clause.function for clause in clauses}
    passing = 0
    untried: Counter[str] = Counter()
    unmodelled: Counter[str] = Counter()
    against: Counter[str] = Counter()
    for clause in clauses:
        if clause.function not in written:
            if reason := why_not_modelled(clause.function, runner.registry):
                unmodelled[reason] += 1
            else:
                against[f"the reference lacks {clause.function}, and says no reason"] += 1
            continue
        results = runner.run(clause)
        verdict = worst(Verdict(r.verdict) for r in results)
        reason = next((r.reason for r in results if r.verdict == verdict), "")
        if verdict is Verdict.PASS:
            passing += 1
        elif verdict in _UNTRIED and reason:
            untried[reason] += 1
        else:
            against[f"{clause.id}: {verdict} {reason}".rstrip()] += 1
    have = len(functions & written)
    return Row(
        *(topic, have, len(functions), len(clauses), passing),
        *(untried, unmodelled, against),
    )


def why_not_modelled(function: str, registry: Registry) -> str | None:
    """Return why the reference lacks a function, None where it should have it."""
    declared = registry.functions[function]
    if declared.export == "inline":
        return "inline in the header: no library has it"
    return NOT_MODELLED.get(declared.topic)
