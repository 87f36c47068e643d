"""A run as the reports see it: a verdict for every clause that was selected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from hsa_reports.events import Judged, Notice, RunEnded, RunStarted
from hsa_reports.folding import folded
from hsa_reports.result import APPLICABILITY, Result
from hsa_reports.stream import read_events
from hsa_reports.verdicts import (
    DEATHS,
    JUDGED,
    OUTSIDE_PERCENTAGES,
    WARNINGS,
    WORST_FIRST,
    Verdict,
    rank,
    worst,
)
from hsa_spec import Kind, Registry

EXPORT = "export"
EFFECTS = "effects"
#: What stands for whatever this registry does not say of a clause of an older or newer one.
UNKNOWN = "not in this registry"

#: What a run may find where it passes.
NO_FAILURE = frozenset(
    {
        Verdict.PASS,
        *WARNINGS,
        Verdict.UNDOCUMENTED,
        Verdict.UNTESTED,
        Verdict.NOT_APPLICABLE,
    }
)


#: The verdicts on the values with which a clause holds, by their outcome.
_HELD = {"judged": Verdict.PASS, "imitated": Verdict.IMITATED}


@dataclass(frozen=True)
class Run:
    """What a run found; `end` is None when it was cut short."""

    started: RunStarted
    results: tuple[Result, ...]
    notices: tuple[str, ...]
    end: RunEnded | None

    @cached_property
    def by_clause(self) -> Mapping[str, tuple[Result, ...]]:
        """Return the results of every clause selected, the worst first.

        That a runtime does not start stands there whatever was selected, and before the rest.
        What several machines showed alike is one result.
        """
        found: dict[str, list[Result]] = {clause: [] for clause in self.started.clauses}
        unselected = [r for r in self.results if r.clause not in found]
        found = {**{r.clause: [] for r in unselected}, **found}
        for result in self.results:
            found[result.clause].append(result)
        return {
            clause: tuple(sorted(folded(results), key=_place)) for clause, results in found.items()
        }

    @cached_property
    def verdicts(self) -> Mapping[str, Verdict]:
        """Return the verdict of every clause selected, in the order of the registry."""
        return {
            clause: worst(result.verdict for result in results)
            for clause, results in self.by_clause.items()
        }

    @cached_property
    def values(self) -> Mapping[tuple[str, str], Verdict]:
        """Return the verdict of each value that clauses were tried with, by clause and value."""
        found: dict[tuple[str, str], Verdict] = {}

        def note(clause: str, value: str, verdict: Verdict) -> None:
            found[clause, value] = worst([verdict, found.get((clause, value), verdict)])

        for r in self.results:
            if r.value is not None:
                note(r.clause, r.value, r.verdict)
        blamed = set(found)
        for r in self.results:
            for each in r.values:
                value = f"{each.axis}={each.value}"
                # What a value is to blame for has a result of its own.
                if each.reached and (each.outcome in _HELD or (r.clause, value) not in blamed):
                    note(r.clause, value, _HELD.get(each.outcome, r.verdict))
        return found

    @cached_property
    def counts(self) -> Mapping[Verdict, int]:
        """Return how many clauses have each verdict, all verdicts, worst first."""
        found = list(self.verdicts.values())
        return {verdict: found.count(verdict) for verdict in WORST_FIRST}

    @cached_property
    def expected(self) -> Mapping[Verdict, int]:
        """Return how many clauses that are XFAIL have each real verdict, all verdicts."""
        found = [
            self.by_clause[clause][0].real
            for clause, verdict in self.verdicts.items()
            if verdict is Verdict.XFAIL
        ]
        return {verdict: found.count(verdict) for verdict in WORST_FIRST}

    @cached_property
    def deaths(self) -> Mapping[str, Result]:
        """Return the clauses that end the process or hang, expected or not.

        Each has the worst of the results that do so; those that nobody expects come before others.
        """
        dying = (
            next((r for r in results if r.real in DEATHS), None)
            for results in self.by_clause.values()
        )
        return {result.clause: result for result in dying if result}

    def label(self, clause: str) -> str:
        """Return the verdict of a clause; where it is expected, the real one with it."""
        results = self.by_clause[clause]
        return results[0].label if results else str(self.verdicts[clause])

    @cached_property
    def contested(self) -> frozenset[str]:
        """Return the clauses that hold and are contested: other answers would hold, too."""
        return frozenset(
            clause
            for clause, verdict in self.verdicts.items()
            if verdict is Verdict.PASS and any(r.contested for r in self.by_clause[clause])
        )

    @property
    def judged(self) -> int:
        """Return for how many clauses the implementation itself gave an answer that counts."""
        return sum(self.counts[verdict] for verdict in JUDGED)

    @property
    def applicable(self) -> int:
        """Return how many clauses a percentage is of."""
        return len(self.verdicts) - sum(self.counts[verdict] for verdict in OUTSIDE_PERCENTAGES)

    @property
    def failures(self) -> int:
        """Return how many clauses make the run fail."""
        strict = self.started.strict
        return sum(n for verdict, n in self.counts.items() if verdict.fails(strict=strict))

    @property
    def passes(self) -> bool:
        """Return whether the run passed all that it selected.

        It came to its end without trouble, judged something in an initialised runtime, and left
        nothing undone but what is declared not testable or not applicable. The library lists all
        that the machine has.
        """
        kept = all(verdict in NO_FAILURE for verdict, n in self.counts.items() if n)
        sound = self.end is not None and self.end.initialised and self.end.exit_status == 0
        whole = not self.started.unlisted
        return sound and kept and whole and self.judged > 0 and self.failures == 0

    @property
    def beyond(self) -> int:
        """Return how many clauses are not judged because the library lists nothing for them."""
        return sum(map(self.lacks, self.verdicts))

    def lacks(self, clause: str) -> bool:
        """Return whether a clause is not judged because the library lists nothing for it."""
        return self.verdicts.get(clause) is Verdict.NOT_APPLICABLE and any(
            r.check != APPLICABILITY for r in self.by_clause[clause]
        )

    @cached_property
    def functions(self) -> Mapping[str, tuple[str, ...]]:
        """Return the ids of the clauses selected by function, in the order of the registry."""
        found: dict[str, list[str]] = {}
        for clause in self.by_clause:
            found.setdefault(clause.split("/", 1)[0], []).append(clause)
        return {function: tuple(clauses) for function, clauses in found.items()}


def _place(result: Result) -> tuple[int, int]:
    """Return the place of a result among those of its clause, the worst first."""
    return rank(result.verdict), rank(result.real)


def read_run(source: Path) -> Run:
    """Read the events of a run.

    Args:
        source: the folder of the run, or its event file, which may be compressed with gzip.

    Raises:
        EventFileError: it cannot be read; the message names the file and the line.

    """
    events = read_events(source)
    started = next(events)
    assert isinstance(started, RunStarted)
    rest = tuple(events)
    judged = {event.clause for event in rest if isinstance(event, Judged)}
    return Run(
        started,
        results=tuple(event for event in rest if isinstance(event, Result)),
        notices=tuple(
            event.text for event in rest if isinstance(event, Notice) and event.clause not in judged
        ),
        end=next((event for event in rest if isinstance(event, RunEnded)), None),
    )


def columns(clause_id: str, registry: Registry) -> tuple[str, ...]:
    """Return the statuses that a clause is about, or what it is about instead.

    Args:
        clause_id: a clause's id.
        registry: where its statuses stand; what it does not know is `UNKNOWN`.

    """
    clause = registry.clauses.get(clause_id)
    if clause is None:
        return (UNKNOWN,)
    if clause.kind is Kind.STATUS:
        return clause.status
    return (EXPORT,) if clause.kind is Kind.EXPORT else (EFFECTS,)
