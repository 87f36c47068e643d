"""New entries for failures that no baseline names."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hsa_conformance.baselines.answer_words import REST, lasting
from hsa_conformance.baselines.witness import Witness
from hsa_reports import Result, Verdict
from hsa_reports.signature import signature

#: Whose defect an entry is before somebody has looked: failed assertions are a build option.
UNKNOWN, BUILD = "unknown", "build"

#: The keys of an entry, in the order in which they are written.
KEYS = (
    "cause",
    "clause",
    "verdict",
    "got",
    "exact",
    "values",
    "releases",
    "machines",
    "chance",
    "class",
    "finding",
    "reason",
    "source",
)


def drafts(witness: Witness, failures: Iterable[Result]) -> list[dict[str, Any]]:
    """Return an entry for each kind of failure of a clause, as a file has it.

    Args:
        witness: the run.
        failures: some of its results.

    """
    found: dict[tuple[str, Verdict, str, bool], list[Result]] = {}
    for result in failures:
        key = (result.clause, result.verdict, shown(result), result.value is None)
        found.setdefault(key, []).append(result)
    return [_draft(witness, results) for results in found.values()]


def by_cause(
    witness: Witness, failures: Iterable[Result]
) -> tuple[list[dict[str, Any]], list[Result]]:
    """Return what a file says of causes that break several clauses, and the other failures.

    Args:
        witness: the run.
        failures: some of its results.

    """
    found: dict[str, list[Result]] = {}
    for result in failures:
        found.setdefault(signature(result).id, []).append(result)
    shared = {id_: f for id_, f in found.items() if len({r.clause for r in f}) > 1}
    alone = [r for id_, results in found.items() if id_ not in shared for r in results]
    return [_cause(witness, id_, results) for id_, results in shared.items()], alone


def _cause(witness: Witness, id_: str, results: list[Result]) -> dict[str, Any]:
    reason = signature(results[0]).title
    data: dict[str, Any] = {"cause": id_, "class": _owner(results[0]), "reason": reason}
    if witness.release:
        data["releases"] = witness.release
    machines = dict.fromkeys(r.machine for r in results if r.machine)
    if machines and len(machines) < len(witness.run.started.subject.machines):
        data["machines"] = list(machines)
    return ordered(data)


def shown(result: Result) -> str:
    """Return what a failure shows, as far as it is the same in another run."""
    text = result.failure.got if result.failure else result.reason or ""
    return lasting(text)


def ordered(data: dict[str, Any]) -> dict[str, Any]:
    """Return an entry with its keys in the order in which they are written."""
    return {**{key: data[key] for key in KEYS if key in data}, **data}


def _draft(witness: Witness, results: list[Result]) -> dict[str, Any]:
    first = results[0]
    got = shown(first)
    data: dict[str, Any] = {
        "clause": first.clause,
        "verdict": str(first.verdict),
        "got": got,
        "class": _owner(first),
        "reason": _reason(first),
    }
    if REST not in got and first.failure is not None:
        data["exact"] = True
    if first.value is not None:
        data["values"] = list(dict.fromkeys(r.value for r in results))
    if witness.release:
        data["releases"] = witness.release
    machines = dict.fromkeys(r.machine for r in results if r.machine)
    if machines and len(machines) < len(_tried_on(witness, first.clause)):
        data["machines"] = list(machines)
    return ordered(data)


def _owner(result: Result) -> str:
    return BUILD if result.failure and result.failure.asserted else UNKNOWN


def _tried_on(witness: Witness, clause: str) -> set[str]:
    return {r.machine for r in witness.results if r.clause == clause and r.machine}


def _reason(result: Result) -> str:
    said = result.failure.summary if result.failure else result.reason or ""
    return lasting(" ".join(said.split()))
