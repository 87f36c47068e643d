"""The known failures of one release on one machine, and what they make of the results of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hsa_conformance.baselines.entry import Entry
from hsa_conformance.baselines.known_cause import KnownCause
from hsa_reports import ALWAYS_JUDGED, Result, Verdict
from hsa_reports.events import BASELINE
from hsa_reports.verdicts import JUDGED


@dataclass(frozen=True)
class KnownFailures:
    """The known failures of one release on one machine.

    Attributes:
        entries: those that may show.
        certain: those of them that have to.
        older: the release that they are known of, where it is an older one than what is under
            test: what came from there and does not show is no mistake of the baseline.
        causes: those that are known by the ids that reports print, and may show.
        certain_causes: those of them that have to.

    """

    entries: tuple[Entry, ...]
    certain: tuple[Entry, ...]
    older: str | None = None
    causes: tuple[KnownCause, ...] = ()
    certain_causes: tuple[KnownCause, ...] = ()

    def explains(self, result: Result) -> bool:
        """Return whether a result shows a known failure, as far as its values are known."""
        shown = any(e.matches(result) or e.shows_in(result) for e in self.entries)
        return shown or self._cause(result) is not None

    def fails_everywhere(self, clause: str) -> bool:
        """Return whether a clause is known to fail on every machine, whatever values or chance."""
        return any(
            e.clause == clause and e.machines is None and not (e.values or e.any_value or e.chance)
            for e in self.entries
        )

    def _entry(self, result: Result) -> Entry | None:
        return next((e for e in self.entries if e.matches(result)), None)

    def _cause(self, result: Result) -> KnownCause | None:
        return next((c for c in self.causes if c.matches(result)), None)

    def as_expected(self, result: Result) -> Result:
        """Return the result as the baseline sees it: a known failure is XFAIL.

        What is known to be blocked stays BLOCKED: it was not judged.
        """
        entry = self._entry(result) or self._cause(result)
        if entry is None:
            return result
        where = f" ({entry.finding})" if entry.finding else ""
        reason = f"known: {entry.reason}{where}"
        if isinstance(entry, Entry) and entry.verdict is Verdict.BLOCKED:
            return replace(result, cause=entry.finding, reason=f"{result.reason}; {reason}")
        return replace(
            result,
            verdict=Verdict.XFAIL,
            known=result.verdict,
            cause=entry.finding,
            reason=reason,
        )

    def blocks(self, result: Result) -> bool:
        """Return whether a clause is BLOCKED as the baseline says."""
        return any(e.verdict is Verdict.BLOCKED and e.matches(result) for e in self.entries)

    def misses(self, clause: str, results: Iterable[Result]) -> bool:
        """Return whether a clause is known to fail, and did not among these results."""
        known = any(e.clause == clause for e in self.certain if e.verdict is not Verdict.BLOCKED)
        return known and all(r.verdict is not Verdict.XFAIL for r in results if r.clause == clause)

    def absent(
        self, results: Iterable[Result], *, everything: bool
    ) -> Iterator[tuple[KnownCause, Result]]:
        """Yield each cause that shows in no result, with a result that says so.

        Args:
            results: all results of the run.
            everything: all clauses were tried; less than that says nothing of a cause, which any
                clause may show.

        """
        if not everything:
            return
        real = [replace(r, verdict=r.real) for r in results if r.verdict is Verdict.XFAIL]
        for cause in self.certain_causes:
            if not any(map(cause.matches, real)):
                reason = (
                    f"nothing fails by the {cause.label}, and the baseline says that it shows; "
                    "take it out, or correct the id"
                )
                yield cause, Result(ALWAYS_JUDGED, BASELINE, Verdict.XPASS, reason)

    def absent_failures(
        self, results: Collection[Result], tried: Collection[str], *, everything: bool = False
    ) -> Iterator[tuple[Entry, Result]]:
        """Yield each entry that did not come true, with a result that says so.

        Args:
            results: all results of the run.
            tried: the clauses of functions that were tried as a whole; an input that just misses
                one clause may be what shows another's failure, so less than that says nothing.
            everything: all clauses were tried; less than that says nothing of what blocks them.

        """
        by_clause: dict[str, list[Result]] = {}
        for result in results:
            by_clause.setdefault(result.clause, []).append(result)
        for entry in self.certain:
            found = by_clause.get(entry.clause, [])
            if entry.verdict is Verdict.BLOCKED:
                if everything and not any(entry.matches(r) for r in results):
                    yield entry, _surprise(entry, found)
                continue
            known = {r.value for r in found if r.verdict is Verdict.XFAIL}
            offered = {f"{t.axis}={t.value}" for r in found for t in r.values}
            for value in entry.values:
                # Machines differ: what this one lacks is no surprise while another value shows.
                missed = value in offered or not known
                if entry.clause in tried and value not in known and missed:
                    yield entry, _surprise(entry, found, value)
            if entry.clause in tried and not entry.values and not known:
                yield entry, _surprise(entry, found)


def _surprise(entry: Entry, found: Sequence[Result], value: str | None = None) -> Result:
    verdicts = ", ".join(dict.fromkeys(r.verdict for r in found)) or Verdict.NOT_RUN
    passes = any(r.verdict in JUDGED for r in found)
    said = "does not fail any more" if passes else "could not be tried"
    said += f" with {value}" if value else ""
    return Result(
        clause=entry.clause,
        check=BASELINE,
        verdict=Verdict.XPASS,
        reason=f"{said} ({verdicts}), and the baseline says {entry.verdict}: {entry.got}; "
        "update the baseline",
        satisfied=0,
        near_misses=0,
        discarded=0,
        calls=0,
        seconds=0.0,
        value=value,
    )
