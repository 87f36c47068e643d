"""Which clauses are checked, on which side, and which are declared not to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hsa_conformance.coverage import counts
from hsa_conformance.engine.running.choice.applicability import GeneralExclusions
from hsa_conformance.engine.topic import Topics
from hsa_spec import Clause, Kind, Registry
from hsa_spec.evaluation import is_enforced


@dataclass(frozen=True)
class Row:
    """The clauses of one function or rule, each counted in exactly one of the last four members.

    Attributes:
        function: its name.
        clauses: how many clauses go in.
        both_sides: status clauses tried with inputs that satisfy and inputs that just miss them.
        one_side: status clauses that no input can just miss.
        observed: effect and export clauses, each with a check of its own.
        declared: clauses that say that they cannot be tested, and why.
        missing: clauses that nothing checks.
        enforced: status clauses that the reference's generated argument checks carry.

    """

    function: str
    clauses: int
    both_sides: int
    one_side: int
    observed: int
    declared: int
    missing: tuple[str, ...]
    enforced: int


def coverage(clauses: Sequence[Clause], registry: Registry, topics: Topics) -> list[Row]:
    """Count the clauses of each function and of each rule."""
    declared = GeneralExclusions(registry, topics)
    by_function: dict[str, list[Clause]] = {}
    for clause in clauses:
        by_function.setdefault(clause.subject, []).append(clause)
    return [_row(name, members, declared) for name, members in by_function.items()]


def table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the counts as the lines of a table, with their sums below."""
    headings = (
        "clauses",
        "both sides",
        "one side",
        "effects and exports",
        "declared",
        "missing",
        "generated in the reference",
    )
    return counts.table("function", headings, [(row.function, _numbers(row)) for row in rows])


def _numbers(row: Row) -> tuple[int, ...]:
    checked = (row.clauses, row.both_sides, row.one_side, row.observed, row.declared)
    return (*checked, len(row.missing), row.enforced)


def _row(name: str, clauses: Sequence[Clause], declared: GeneralExclusions) -> Row:
    excused = [c for c in clauses if declared.reason(c)]
    testable = [c for c in clauses if not declared.reason(c)]
    missing = tuple(c.id for c in testable if declared.lack(c))
    status = [c for c in testable if c.kind is Kind.STATUS and c.id not in missing]
    cases = [declared.cases.of(c) for c in status]
    both = sum(case.can_miss and case.function.topic in declared.topics.by_name for case in cases)
    others = [c for c in testable if c.kind is not Kind.STATUS and c.id not in missing]
    return Row(
        name,
        len(clauses),
        both,
        len(status) - both,
        len(others),
        len(excused),
        missing,
        sum(is_enforced(c) for c in clauses),
    )
