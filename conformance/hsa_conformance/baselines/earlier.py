"""An earlier run as a baseline: what failed there is expected, and what passed is not."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from hsa_conformance.baselines.answer_words import REST, lasting
from hsa_conformance.baselines.baseline import Baseline
from hsa_conformance.baselines.drafts import UNKNOWN, shown
from hsa_conformance.baselines.entry import Entry
from hsa_conformance.baselines.reading import BaselineError
from hsa_conformance.baselines.witness import Witness
from hsa_reports import EventFileError, Result, Run, Verdict, read_run
from hsa_spec import Registry
from hsa_spec.releases import Release


def earlier(source: Path, registry: Registry) -> Baseline:
    """Return what an earlier run makes known, whatever is under test now.

    Args:
        source: the folder of the run, or its event file.
        registry: knows the clauses.

    Raises:
        BaselineError: there is no run, or it cannot be read.

    """
    return of_run(read_earlier(source), str(source), registry)


def read_earlier(source: Path) -> Run:
    """Read an earlier run.

    Args:
        source: the folder of the run, or its event file.

    Raises:
        BaselineError: there is no run, or it cannot be read.

    """
    try:
        return read_run(source)
    except EventFileError as error:
        raise BaselineError(str(error)) from None


def of_run(run: Run, name: str, registry: Registry) -> Baseline:
    """Return what a run makes known, whatever is under test now.

    Args:
        run: the run.
        name: what it is called in reasons.
        registry: knows the clauses; what it does not know any more is left out.

    """
    witness = Witness(run, registry)
    failed = (_entry(r, witness, name) for r in witness.failures)
    blocked = (_blocked(r, name) for r in witness.results if r.blocked_by)
    known = (e for e in (*failed, *blocked) if e.clause in registry.clauses)
    whose = run.started.subject.implementation
    return Baseline(
        name,
        whose,
        (),
        tuple(_joined(known)),
        any_release=True,
        held=frozenset(c for c, verdict in run.verdicts.items() if verdict is Verdict.PASS),
        machines=run.started.subject.machines,
    )


def _entry(result: Result, witness: Witness, name: str) -> Entry:
    got = shown(result)
    machines = witness.run.started.subject.machines
    machine = result.machine or (machines[0] if len(machines) == 1 else None)
    said = result.failure.summary if result.failure else result.reason
    return Entry(
        clause=result.clause,
        verdict=result.verdict,
        got=got,
        releases=Release(),
        machines=(machine,) if machine else None,
        defect=UNKNOWN,
        reason=f"{said}, as in {name}",
        finding=result.cause,
        source=None,
        chance=result.verdict is Verdict.FLAKY,
        values=(result.value,) if result.value else (),
        exact=REST not in got and result.failure is not None,
    )


def _blocked(result: Result, name: str) -> Entry:
    clause, _, got = (result.reason or "").partition(": ")
    return Entry(
        clause=clause,
        verdict=Verdict.BLOCKED,
        got=lasting(got.partition("; known: ")[0]),
        releases=Release(),
        machines=None,
        defect=UNKNOWN,
        reason=f"it was blocked in {name}",
        finding=None,
        source=None,
    )


def _joined(entries: Iterable[Entry]) -> list[Entry]:
    """Return the entries with those in one that differ by their values or their machines alone."""
    by_machine: dict[object, Entry] = {}
    for entry in entries:
        alike = (entry.clause, entry.verdict, entry.got, entry.machines, not entry.values)
        first = by_machine.setdefault(alike, entry)
        values = tuple(dict.fromkeys([*first.values, *entry.values]))
        by_machine[alike] = replace(first, values=values)
    found: dict[object, Entry] = {}
    for entry in by_machine.values():
        alike = (entry.clause, entry.verdict, entry.got, entry.values, entry.machines is None)
        first = found.setdefault(alike, entry)
        if entry.machines is not None:
            machines = tuple(dict.fromkeys([*(first.machines or ()), *entry.machines]))
            found[alike] = replace(first, machines=machines)
    return list(found.values())
