"""What a clause says and what a check of it found, in the words that every report shares."""

from __future__ import annotations

from hsa_reports.result import APPLICABILITY, BEFORE, BESIDE, Result
from hsa_reports.run import UNKNOWN, Run
from hsa_spec import Registry, describe

#: What the names of checks mean; others are words already.
_CHECKS = {
    "satisfied": "calls that meet the condition",
    "near miss": "calls that just miss the condition",
    "exported": "exported symbol",
    "failure effects": "effects of a failed call",
    "refused by the driver": "calls during which the driver refuses a resource",
    "made again after a refusal": "the same call after the driver refused a resource",
    "succeeds in spite of a refusal": "calls that succeed although the driver refuses a resource",
    "sequences of right and wrong calls": "random sequences of valid and invalid calls",
    "sequences in two processes": "random sequences in two processes",
    APPLICABILITY: "not judged",
    "machine": "not judged on this machine",
    "start": "hsa_init at the start of a process",
}

CONTESTED = "texts contradict each other, and the answer is one of theirs"
"""What is said of a clause that holds and is contested."""


def check_name(check: str) -> str:
    """Return the name of a check for readers, such as "property: handles are not zero"."""
    kind, _, name = check.partition(" ")
    if kind == "property":
        return f"property: {name.replace('_', ' ')}"
    return _CHECKS.get(check, check)


def tried(result: Result) -> str:
    """Return how many of the values that a check had to try were judged, for each axis."""
    axes: dict[str, list[bool]] = {}
    for each in result.values:
        axes.setdefault(each.axis, []).append(each.reached)
    if result.ways:
        axis = BESIDE if BESIDE in axes else BEFORE
        judged = axes.get(axis, [])
        left = [False] * (result.ways - len(judged))
        # Nothing at all is one of the things that can happen before, and every check tries it.
        axes[axis] = [True, *judged, *left] if axis == BEFORE else [*judged, *left]
    return ", ".join(f"{axis}: {sum(judged)} of {len(judged)}" for axis, judged in axes.items())


def why(run: Run, clause: str, value: str | None = None) -> str:
    """Return why a clause has its verdict, or one of its values, in one sentence."""
    worst = next((r for r in run.by_clause[clause] if value in (None, r.value)), None)
    reason = worst and ((worst.failure and worst.failure.summary) or worst.reason)
    return reason or run.verdicts[clause].meaning


def english(clause_id: str, registry: Registry) -> str:
    """Return what a clause says, in English."""
    clause = registry.clauses.get(clause_id)
    return describe(clause) if clause else "This registry does not know the clause."


def source(clause_id: str, registry: Registry) -> str:
    """Return where a clause comes from."""
    clause = registry.clauses.get(clause_id)
    return str(clause.source) if clause else UNKNOWN


def strength(clause_id: str, registry: Registry) -> str:
    """Return how far a clause binds."""
    clause = registry.clauses.get(clause_id)
    return str(clause.strength) if clause else UNKNOWN


def short_status(column: str) -> str:
    """Return the name of a status without what all of them share."""
    return column.removeprefix("HSA_STATUS_").removeprefix("ERROR_")
