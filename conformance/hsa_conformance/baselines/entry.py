"""One failure that is known, and what a file says of those of another file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from hsa_conformance.baselines.answer_words import shows
from hsa_reports import BEFORE, BESIDE, Result, Upstream, Verdict
from hsa_reports.subject import names_of
from hsa_reports.text import one_line
from hsa_spec.releases import Release, numbers

#: What the reason of a hang says.
_HUNG: Final = "did not return within its budget"


@dataclass(frozen=True)
class Entry:
    """One failure that is known.

    Attributes:
        clause: the clause that fails; for BLOCKED the one that others are blocked by.
        verdict: how.
        got: whole words of what the failure shows, such as a signal or a status; for BLOCKED, of
            what the set-up got, and for FLAKY of the reason (see `answer_words.shows`).
        releases: the releases in which it does.
        machines: the imitated machines on which it does, and on real ones it may, or machines with
            variables, such as "gfx90a, HSA_ENABLE_SDMA=0"; None: on all.
        defect: whose defect it is, a value of `hsa_conformance.findings.pages.Defect`.
        reason: one sentence.
        finding: the page that explains it, if there is one.
        source: where the cause is, if that is known.
        chance: whether it depends on chance, such as on what lies on the stack; it may be FLAKY
            then.
        values: the values that it depends on, such as "attribute=HSA_AGENT_INFO_NAME"; none where
            it depends on no value alone.
        any_value: whether it may show with one value or another, because it depends on more than
            that, such as on a pair of values.
        exact: whether `got` is all that the failure shows.
        upstream: what the library's own project has about it.

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
    exact: bool = False
    upstream: tuple[Upstream, ...] = ()

    @property
    def label(self) -> str:
        """Return the clause, with what is expected of it."""
        return f"{self.clause} ({self.verdict}: {one_line(self.got, 60)})"

    def concerns(self, release: str) -> bool:
        """Return whether the failure is known of a release such as "6.1.2"."""
        return within(self.releases, release)

    def matches(self, result: Result) -> bool:
        """Return whether a result is the failure that this entry is about."""
        if self.verdict is Verdict.BLOCKED:
            return result.blocked_by == self.clause and self._shown(result.reason or "")
        if self._is_beside(result):
            return self._looks_so(result)
        covered = self.covers(result.value) or self.any_value or self._names_a_value(result)
        return covered and self.shows_in(result)

    def covers(self, value: str | None) -> bool:
        """Return whether it is about failures that depend on a value.

        A failure that depends on none shows whatever happens before the call, too.

        Args:
            value: an axis and its value; None: on none.

        """
        if self.values:
            return value in self.values
        return value is None or value.startswith(f"{BEFORE}=")

    def _names_a_value(self, result: Result) -> bool:
        """Return whether the words of a result that is about no value alone end with one."""
        reason = result.reason or ""
        return result.verdict is Verdict.FLAKY and any(
            reason.endswith(f"with {value}") for value in self.values
        )

    def shows_in(self, result: Result) -> bool:
        """Return whether a result looks like the failure, whatever value it depends on."""
        return result.clause == self.clause and self._looks_so(result)

    def _looks_so(self, result: Result) -> bool:
        if result.verdict is Verdict.FLAKY:
            # What was seen once and not again has no example: its words tell how it ended.
            words = result.reason or ""
            return self.chance and self._shown(f"HANG {words}" if _HUNG in words else words)
        same = result.verdict is self.verdict and result.failure is not None
        return same and result.failure is not None and self._shown(result.failure.got)

    def _is_beside(self, result: Result) -> bool:
        """Return whether the process ended in its function, called beside another one by chance."""
        function, _, slug = self.clause.partition("/")
        ended_so = f"in {function}:" in (result.reason or "")
        beside = result.value == f"{BESIDE}={function}" and result.clause.endswith(f"/{slug}")
        return self.chance and beside and ended_so

    def _shown(self, text: str) -> bool:
        return shows(text, self.got, exact=self.exact)


@dataclass(frozen=True)
class Change:
    """What a file says of entries of the files that it includes.

    Attributes:
        clause: the clause of these entries; None: any.
        cause: their finding; None: any.
        was: their verdict; None: any.
        releases: the releases in which it is so.
        machines: the machines on which it is so; None: on all.
        verdict: what is expected instead; None: that they do not fail.
        got: what the failure shows instead; None: the same.

    """

    clause: str | None
    cause: str | None
    was: Verdict | None
    releases: Release
    machines: tuple[str, ...] | None
    verdict: Verdict | None
    got: str | None = None

    @property
    def words(self) -> str:
        """Return which entries it is about."""
        parts = (self.clause, self.cause and f"cause {self.cause}", self.was)
        return ", ".join(part for part in parts if part)

    def is_about(self, entry: Entry) -> bool:
        """Return whether an entry is one of those that it changes."""
        return (
            self.clause in (None, entry.clause)
            and self.cause in (None, entry.finding)
            and self.was in (None, entry.verdict)
        )

    def meets(self, entry: Entry, last: str | None) -> bool:
        """Return whether there are a release and a machine on which it changes an entry.

        Args:
            entry: the entry.
            last: the newest release that its baseline was made on; what is known of that one is
                expected of later ones, too.

        """
        machines = None if self.machines is None or entry.machines is None else entry.machines
        apart = machines is not None and {*machines}.isdisjoint(self.machines or ())
        known = entry.releases
        if known.highest == last:
            known = replace(known, highest=None)
        return self.is_about(entry) and overlap(self.releases, known) and not apart

    def drops(self, cause: str) -> bool:
        """Return whether it says that a cause, which a file names by its id, does not show."""
        return self.cause == cause and self.clause is self.was is self.verdict is None

    def in_force(self, release: str | None, names: Collection[str]) -> bool:
        """Return whether it is about a release on a machine.

        Args:
            release: the release; None where it is not known.
            names: of the imitated machine; none for a real one.

        """
        here = self.machines is None or not {*names}.isdisjoint(self.machines)
        return here and (release is None or within(self.releases, release))

    def applies(self, entry: Entry, release: str | None, names: Collection[str]) -> bool:
        """Return whether it changes an entry in a release on a machine.

        Args:
            entry: the entry.
            release: the release; None where it is not known.
            names: of the imitated machine; none for a real one.

        """
        return self.is_about(entry) and self.in_force(release, names)

    def of(self, entry: Entry) -> Entry | None:
        """Return what is left of an entry: another one, one of other machines, or None."""
        if self.verdict is None:
            gone = self.machines or entry.machines or ()
            left = [m for m in entry.machines or () if {*names_of(m)}.isdisjoint(gone)]
            return replace(entry, machines=tuple(left)) if left else None
        return replace(entry, verdict=self.verdict, got=self.got or entry.got)


def within(releases: Release, release: str) -> bool:
    """Return whether a release such as "6.1.2" is in a range."""
    number = numbers(release)
    lowest = numbers(releases.lowest) if releases.lowest else number
    highest = numbers(releases.highest) if releases.highest else number
    return lowest <= number <= highest


def overlap(first: Release, second: Release) -> bool:
    """Return whether two ranges have a release in common."""

    def begins_in_time(one: Release, other: Release) -> bool:
        if not (one.lowest and other.highest):
            return True
        return numbers(one.lowest) <= numbers(other.highest)

    return begins_in_time(first, second) and begins_in_time(second, first)
