"""What a run says of a baseline: its failures as they are without one, and what it tried."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from hsa_conformance.baselines.entry import Entry
from hsa_conformance.baselines.known_cause import KnownCause
from hsa_reports import Result, Run, Verdict
from hsa_reports.events import BASELINE
from hsa_reports.subject import names_of
from hsa_reports.transitions import Transition
from hsa_reports.verdicts import BROKEN, JUDGED
from hsa_spec import Registry
from hsa_spec.releases import Release


@dataclass(frozen=True)
class Fate:
    """What became of an entry: a word, and with which of its values and machines it was fixed."""

    what: Transition
    values: tuple[str, ...] = ()
    machines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Witness:
    """A run, as a baseline sees it."""

    run: Run
    registry: Registry

    @cached_property
    def release(self) -> str | None:
        """Return its ROCm release; None where it has none, or nobody knows which."""
        known = Release.parse(self.run.started.subject.rocm)
        return known.lowest if known.lowest == known.highest else None

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Return all names of the machines, with and without variables."""
        machines = self.run.started.subject.machines
        return tuple(dict.fromkeys(name for machine in machines for name in names_of(machine)))

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """Return its results without any baseline."""
        return tuple(_bare(r) for r in self.run.results if r.check != BASELINE)

    @cached_property
    def failures(self) -> tuple[Result, ...]:
        """Return the results that show a failure."""
        return tuple(r for r in self.results if r.verdict in BROKEN)

    @cached_property
    def telling(self) -> tuple[Result, ...]:
        """Return the results that an entry may be about: failures, and what is blocked."""
        told = BROKEN | {Verdict.BLOCKED}
        return tuple(r for r in self.results if r.verdict in told)

    @cached_property
    def by_clause(self) -> Mapping[str, Sequence[Result]]:
        """Return the results of each clause."""
        found: dict[str, list[Result]] = {}
        for result in self.results:
            found.setdefault(result.clause, []).append(result)
        return found

    @cached_property
    def unexpected(self) -> tuple[Result, ...]:
        """Return the failures that no baseline of the run explained."""
        return tuple(r for r in self.run.results if r.verdict in BROKEN and r.check != BASELINE)

    def on(self, result: Result) -> tuple[str, ...]:
        """Return the names of the machine that a result came about on."""
        if result.machine:
            return names_of(result.machine)
        return self.names

    def shows(self, entry: Entry, result: Result) -> bool:
        """Return whether a result is the failure of an entry, on one of its machines."""
        return self.is_for(entry.machines, result) and entry.matches(result)

    def is_for(self, machines: Collection[str] | None, result: Result) -> bool:
        """Return whether a result came about on one of some machines; a real one may be any."""
        here = self.on(result)
        return not machines or not here or not {*machines}.isdisjoint(here)

    def judged(self, entry: Entry) -> bool:
        """Return whether the clause of an entry was judged where it should fail.

        An input that just misses one clause may be what shows another's failure, so all clauses
        of the function have to have been tried.
        """
        return entry.clause in self.tried and any(
            r.verdict in JUDGED and self.is_for(entry.machines, r)
            for r in self.by_clause.get(entry.clause, ())
        )

    def fate(self, entry: Entry, entries: Iterable[Entry]) -> Fate:
        """Return what became of an entry.

        Args:
            entry: the entry.
            entries: all that are expected; a failure that another one explains may hide this one.

        """
        results = self.by_clause.get(entry.clause, ())
        shown_by = [r for r in self.telling if self.shows(entry, r)]
        offered = {f"{t.axis}={t.value}" for r in results for t in r.values}
        known = {r.value for r in shown_by}
        values = [v for v in entry.values if v in offered and v not in known]
        judged = {name for r in results if r.verdict in JUDGED for name in self.on(r)}
        where = {name for r in shown_by for name in self.on(r)}
        machines = [m for m in entry.machines or () if m in judged - where]
        if shown_by:
            lost = values or machines
            return Fate(
                Transition.FIXED if lost else Transition.SAME, tuple(values), tuple(machines)
            )
        others = [e for e in entries if e is not entry and e.clause == entry.clause]
        hidden = not entry.values and any(self.shows(e, r) for e in others for r in self.telling)
        if entry.chance or hidden:
            return Fate(Transition.SAME)
        if not self.judged(entry):
            return Fate(Transition.UNTRIED)
        return Fate(Transition.FIXED, (), tuple(machines))

    def fate_of_cause(self, cause: KnownCause) -> Transition:
        """Return what became of a cause; any clause may show it, so only a whole run tells."""
        if cause.chance or any(map(cause.matches, self.failures)):
            return Transition.SAME
        whole = self.selected == self.registry.clauses.keys()
        return Transition.FIXED if whole else Transition.UNTRIED

    @cached_property
    def tried(self) -> frozenset[str]:
        """Return the clauses of the functions that were tried as a whole."""
        return frozenset(tried_as_a_whole(self.registry, self.selected))

    @cached_property
    def selected(self) -> frozenset[str]:
        """Return the clauses that were selected, with all their values."""
        return frozenset(self.run.started.clauses).difference(self.run.started.narrowed)


def tried_as_a_whole(registry: Registry, selected: Collection[str]) -> set[str]:
    """Return the clauses of the functions whose every clause was selected."""
    return {
        clause.id
        for function in registry.functions.values()
        if all(clause.id in selected for clause in function.clauses)
        for clause in function.clauses
    }


def _bare(result: Result) -> Result:
    if result.verdict is not Verdict.XFAIL or result.known is None:
        return result
    return replace(result, verdict=result.known, known=None)
