"""Makes a finding of a process that ended."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hsa_adapters.ends import HANG
from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Violation
from hsa_conformance.engine.judging import verdict
from hsa_reports import Verdict
from hsa_reports.demands import Survives
from hsa_reports.failure import ASSERTED
from hsa_reports.signature import ends
from hsa_spec import Clause

#: What C libraries and C++ libraries print before they abort for it.
_ASSERTION = re.compile(r"Assertion .*failed")
#: What sanitizers print, with the name of the defect.
_REPORT = re.compile(
    r"\bThreadSanitizer: [^\n(]*[^\n( ]|\b[A-Z]\w*Sanitizer: [\w-]+|\bruntime error: [^\n:]+"
)


def finding_of_end(
    end: Ended, target: Clause, holding: Sequence[Clause], about: Sequence[Clause]
) -> Violation:
    """Return the finding that a process ended.

    Args:
        end: how it ended.
        target: the clause under test; blamed where no other is.
        holding: the clauses that hold for the call that it ended in, the strongest first.
        about: the effect under test, if the call belongs to it; blamed rather than what holds for
            the call, if it is as strong.

    """
    found = verdict.of_end(end, holding)
    deciding = verdict.demands_survival(holding) or holding
    strong = about if found is Verdict.FRAGILE else verdict.demands_survival(about)
    suspects = [*(c for c in holding if c == target), *strong, *deciding, target]
    blamed = suspects[0]
    detail = manner(end)
    ended = "ended" if ends(detail) or end.kind == HANG else "could not continue"
    return Violation(
        blamed.id,
        found,
        f"the process {ended} {end.where}: {detail}",
        f"{end.kind} ({detail})",
        _allowed(holding),
        detail=detail,
        demand=Survives(),
        end=end,
    )


def called(end: Ended) -> Sequence[str]:
    """Return the functions that what a sanitizer reports is about, each once.

    A function that is reached through a table alone has the name of C++, with its parameters.
    """
    names = (name.partition("(")[0].rpartition("::")[2] for name in end.between or () if name)
    return list(dict.fromkeys(names))


def between(end: Ended, broken: Sequence[Clause]) -> Violation:
    """Return the finding that a sanitizer has reported what belongs to no single call.

    Args:
        end: how it ended the process.
        broken: the clauses of the calls that it is about, of which the first is blamed.

    """
    first, *others = (clause.id for clause in broken)
    functions = called(end)
    detail = manner(end)
    return Violation(
        first,
        verdict.of_end(end, broken),
        f"{detail}, between calls of {' and '.join(functions) or 'the library'}",
        f"{end.kind} ({detail})",
        _allowed(broken),
        detail=detail,
        demand=Survives(),
        end=end,
        also=others,
    )


def manner(end: Ended) -> str:
    """Return how a process ended, and whether by a check that other builds may not make."""
    if reported := _REPORT.search(end.stderr):
        return f"{end.detail}, by {reported[0]}"
    asserted = end.detail == "SIGABRT" and _ASSERTION.search(end.stderr)
    return f"{end.detail}, {ASSERTED}" if asserted else end.detail


def _allowed(holding: Sequence[Clause]) -> dict[str, list[str]]:
    """Return what each clause asks for, with the ids of those that do."""
    table: dict[str, list[str]] = {}
    for clause in holding:
        for wanted in clause.status or (clause.states,):
            table.setdefault(wanted, []).append(clause.id)
    return table
