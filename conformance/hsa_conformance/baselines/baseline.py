"""A baseline, and what it makes of the results of a run."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hsa_reports import Result, Verdict
from hsa_reports.verdicts import JUDGED
from hsa_spec.releases import Release, numbers

#: What the check is called that a baseline itself contributes.
CHECK = "baseline"


@dataclass(frozen=True)
class Entry:
    """One failure that is known.

    Attributes:
        clause: the clause that fails; for BLOCKED the one that others are blocked by.
        verdict: how.
        got: a part of what the failure shows, such as a signal or a status; for BLOCKED, of what
            the set-up got.
        releases: the releases in which it does.
        machines: the imitated machines on which it does, and on real ones it may, or machines with
            variables, such as "gfx90a, HSA_ENABLE_SDMA=0"; None: on all.
        defect: whose defect it is, a value of `hsa_conformance.findings.Defect`.
        reason: one sentence.
        finding: the page that explains it, if there is one.
        source: where the cause is, if that is known.
        chance: whether it depends on chance, such as on what lies on the stack.
        values: the values that it depends on, such as "attribute=HSA_AGENT_INFO_NAME"; none where
            it depends on no value alone.
        any_value: whether it may show with one value or another, because it depends on more than
            that, such as on a pair of values.

    """

    clause: str
    verdict: Verdict
    got: str
    releases: Release
    machines: tuple[str, ...] | None
    defect: str
    reason: str
    finding: str | None
    source: str | None
    chance: bool = False
    values: tuple[str, ...] = ()
    any_value: bool = False

    def concerns(self, release: str) -> bool:
        """Return whether the failure is known of a release such as "6.1.2"."""
        number = numbers(release)
        lowest = numbers(self.releases.lowest) if self.releases.lowest else number
        highest = numbers(self.releases.highest) if self.releases.highest else number
        return lowest <= number <= highest

    def matches(self, result: Result) -> bool:
        """Return whether a result is the failure that this entry is about."""
        if self.verdict is Verdict.BLOCKED:
            return result.blocked_by == self.clause and self.got in (result.reason or "")
        alike = result.value in self.values if self.values else result.value is None
        return (alike or self.any_value) and self.shows_in(result)

    def shows_in(self, result: Result) -> bool:
        """Return whether a result looks like the failure, whatever value it depends on."""
        failure = result.failure
        return (
            result.clause == self.clause
            and result.verdict is self.verdict
            and failure is not None
            and self.got in failure.got
        )


@dataclass(frozen=True)
class Baseline:
    """The known failures of an implementation, over its releases.

    Attributes:
        name: what it is called.
        implementation: whose failures they are.
        releases: the releases that it was made on.
        entries: the failures.

    """

    name: str
    implementation: str
    releases: tuple[str, ...]
    entries: tuple[Entry, ...]

    def expected(self, release: Release, *names: str, further: bool = False) -> Expected | None:
        """Return what is expected of a release, or None where the baseline was not made on it.

        Args:
            release: what is known of the release.
            names: of the imitated machine that it runs on, and of that with its variables; none
                for a real one.
            further: clauses are judged elsewhere first, and here with few examples: a failure that
                is known of all machines need not show.

        """
        if release.lowest is None or release.lowest not in self.releases:
            return None
        known = [e for e in self.entries if e.concerns(release.lowest)]
        here = [e for e in known if e.machines is None or not {*names}.isdisjoint(e.machines)]
        own = [e for e in here if not further or (e.machines and names[-1] in e.machines)]
        certain = tuple(e for e in own if not e.chance)
        return Expected(tuple(here if names else known), certain)


@dataclass(frozen=True)
class Expected:
    """The known failures of one release on one machine.

    Attributes:
        entries: those that may show.
        certain: those of them that have to.

    """

    entries: tuple[Entry, ...]
    certain: tuple[Entry, ...]

    def explains(self, result: Result) -> bool:
        """Return whether a result shows a known failure, as far as its values are known."""
        return any(entry.shows_in(result) for entry in self.entries)

    def fails_everywhere(self, clause: str) -> bool:
        """Return whether a clause is known to fail on every machine, whatever values or chance."""
        return any(
            e.clause == clause and e.machines is None and not (e.values or e.any_value or e.chance)
            for e in self.entries
        )

    def _entry(self, result: Result) -> Entry | None:
        return next((e for e in self.entries if e.matches(result)), None)

    def seen(self, result: Result) -> Result:
        """Return the result as the baseline sees it: a known failure is XFAIL.

        What is known to be blocked stays BLOCKED: it was not judged.
        """
        entry = self._entry(result)
        if entry is None:
            return result
        where = f" ({entry.finding})" if entry.finding else ""
        reason = f"known: {entry.reason}{where}"
        if entry.verdict is Verdict.BLOCKED:
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

    def unmet(
        self, results: Collection[Result], tried: Collection[str], *, everything: bool = False
    ) -> Iterator[Result]:
        """Yield a result for each entry that did not come true.

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
                    yield _surprise(entry, found)
                continue
            known = {r.value for r in found if r.verdict is Verdict.XFAIL}
            offered = {f"{t.axis}={t.value}" for r in found for t in r.values}
            for value in entry.values:
                # Machines differ: what this one lacks is no surprise while another value shows.
                missed = value in offered or not known
                if entry.clause in tried and value not in known and missed:
                    yield _surprise(entry, found, value)
            if entry.clause in tried and not entry.values and not known:
                yield _surprise(entry, found)


def _surprise(entry: Entry, found: Sequence[Result], value: str | None = None) -> Result:
    verdicts = ", ".join(dict.fromkeys(r.verdict for r in found)) or Verdict.NOT_RUN
    passes = any(r.verdict in JUDGED for r in found)
    said = "does not fail any more" if passes else "could not be tried"
    said += f" with {value}" if value else ""
    return Result(
        clause=entry.clause,
        check=CHECK,
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
