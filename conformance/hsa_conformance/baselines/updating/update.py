"""What runs change of a baseline, entry by entry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hsa_conformance.baselines.baseline import Baseline
from hsa_conformance.baselines.drafts import by_cause, drafts, ordered, shown
from hsa_conformance.baselines.entry import Entry
from hsa_conformance.baselines.known_cause import KnownCause
from hsa_conformance.baselines.known_failures import KnownFailures
from hsa_conformance.baselines.reading import cause_of, change_of, entry_of
from hsa_conformance.baselines.updating.amendments import Amendment, Draft, unbroken
from hsa_conformance.baselines.updating.sheet import LISTS
from hsa_conformance.baselines.witness import Witness
from hsa_reports import Result, Verdict
from hsa_reports.transitions import Transition, transition
from hsa_spec import Registry
from hsa_spec.releases import Release, numbers


@dataclass
class Update:
    """A file on its way from one text to another.

    Attributes:
        baseline: what the file says now.
        registry: knows the clauses.
        drafts: its entries, in their order.
        releases: the releases that it is made on.
        causes: what it says of causes, in their order.
        changes: what it says of the files that it includes, in their order.
        amendments: the changes.

    """

    baseline: Baseline
    registry: Registry
    drafts: list[Draft]
    releases: list[str]
    causes: list[Draft]
    changes: list[Draft]
    amendments: list[Amendment] = field(default_factory=list)

    @property
    def lists(self) -> Mapping[str, Sequence[Draft]]:
        """Return the lists of the file as they are now."""
        return dict(zip(LISTS, (self.changes, self.causes, self.drafts), strict=True))

    def take(self, witness: Witness) -> None:
        """Change what a run shows to be otherwise."""
        release = witness.release if not self.baseline.any_release else None
        if release and release not in self.releases:
            self.releases = sorted([*self.releases, release], key=numbers)
        here = [d for d in self.drafts if self._concerns(self._entry(d), release)]
        found = self._of_others(witness)
        others = found.entries if found else ()
        causes = [*(found.causes if found else ()), *self._causes_of(release)]
        news = [
            r
            for r in witness.failures
            if not any(witness.shows(e, r) for e in others)
            and not any(witness.shows(self._entry(d), r) for d in here)
            and not any(cause.matches(r) for cause in causes)
        ]
        for draft in here:
            self._hold(draft, witness, release, news)
        for entry in others:
            self._hold_other(entry, others, witness, release, news)
        for draft in list(self.causes):
            self._hold_cause(draft, witness, release)
        for cause in found.causes if found else ():
            if witness.fate_of_cause(cause) is Transition.FIXED:
                self._change(cause.label, {"cause": cause.id}, release)
        rest = [r for r in news if not self._widened(r, witness, release)]
        shared, alone = by_cause(witness, rest)
        for data in shared:
            self._add(data, self.causes)
        for data in drafts(witness, alone):
            self._add(data, self.drafts)

    def _hold(
        self, draft: Draft, witness: Witness, release: str | None, news: list[Result]
    ) -> None:
        """Hold an entry against a run; what takes its place is no news any more."""
        entry = self._entry(draft)
        if not self._reaches(entry, witness):
            return
        fate = witness.fate(entry, map(self._entry, self.drafts))
        if fate.what is Transition.SAME:
            return
        elsewhere = [m for m in entry.machines or () if m not in fate.machines]
        if fate.what is Transition.UNTRIED:
            if entry.clause in witness.selected:
                self._say(Transition.UNTRIED, entry, "kept")
        elif fate.values or (fate.machines and elsewhere):
            data = {**draft.data}
            if fate.values:
                data["values"] = [v for v in entry.values if v not in fate.values]
            if fate.machines:
                data["machines"] = elsewhere
            self._carve(draft, release, data)
            gone = [*(f"with {v}" for v in fate.values), *(f"on {m}" for m in fate.machines)]
            self._say(Transition.FIXED, entry, f"no longer {', '.join(gone)}")
        elif (now := self._instead(entry, witness, news)) is not None:
            news[:] = [r for r in news if not _same(r, now)]
            word = transition(entry.verdict, now.verdict, alike=False) or Transition.DIFFERENT
            data = {**draft.data, "verdict": str(now.verdict), "got": shown(now)}
            data.pop("exact", None)
            self._carve(draft, release, data)
            self._say(word, entry, f"now {now.verdict}: {shown(now)}")
        else:
            self._carve(draft, release, None)
            where = f" of {release}" if release and draft in self.drafts else ""
            self._say(Transition.FIXED, entry, f"removed{where}")

    def _hold_other(
        self,
        entry: Entry,
        others: Sequence[Entry],
        witness: Witness,
        release: str | None,
        news: list[Result],
    ) -> None:
        """Hold an entry of an included file against a run: `changes` say what is otherwise."""
        fate = witness.fate(entry, others)
        if fate.what is not Transition.FIXED or not self._reaches(entry, witness):
            return
        gone = [*(f"with {v}" for v in fate.values), *(f"on {m}" for m in fate.machines)]
        elsewhere = [m for m in entry.machines or () if m not in fate.machines]
        about = {"clause": entry.clause, "was": str(entry.verdict)}
        alike = [e for e in others if (e.clause, e.verdict) == (entry.clause, entry.verdict)]
        if fate.values or len(alike) > 1:
            said = f"no longer {', '.join(gone)}" if gone else "does not show"
            advice = "`changes` cannot name this entry alone; change the included file"
            self._say(Transition.FIXED, entry, f"{said}; {advice}")
        elif fate.machines and elsewhere:
            self._change(entry.label, {**about, "machines": list(fate.machines)}, release)
        elif (now := self._instead(entry, witness, news)) is not None:
            news[:] = [r for r in news if not _same(r, now)]
            word = transition(entry.verdict, now.verdict, alike=False) or Transition.DIFFERENT
            instead = {"expect": str(now.verdict), "got": shown(now)}
            self._change(entry.label, {**about, **instead}, release, word)
        else:
            self._change(entry.label, about, release)

    def _hold_cause(self, draft: Draft, witness: Witness, release: str | None) -> None:
        """Hold a cause against a run."""
        cause = cause_of(self.baseline.name, draft.data)
        here = self._concerns(cause, release) and self._reaches(cause, witness)
        if here and witness.fate_of_cause(cause) is Transition.FIXED:
            self._carve(draft, release, None, self.causes)
            self._say(Transition.FIXED, cause, "removed")

    def _change(
        self,
        label: str,
        data: dict[str, Any],
        release: str | None,
        word: Transition = Transition.FIXED,
    ) -> None:
        """Say that what an included file names does not show, or is something else."""
        change: dict[str, Any] = {**data} if "expect" in data else {**data, "drop": True}
        if release and not self.baseline.any_release:
            change["releases"] = release
        self.changes.append(Draft(change))
        done = f"now {data['expect']}: {data['got']}" if "expect" in data else "dropped"
        self.amendments.append(Amendment(word, label, f"{done}, by `changes`"))

    def _causes_of(self, release: str | None) -> list[KnownCause]:
        found = (cause_of(self.baseline.name, draft.data) for draft in self.causes)
        return [cause for cause in found if self._concerns(cause, release)]

    def _instead(self, entry: Entry, witness: Witness, news: Sequence[Result]) -> Result | None:
        """Return a failure that has come in the place of another."""
        if entry.verdict is Verdict.BLOCKED:
            return None
        for result in news:
            same = entry.any_value or entry.covers(result.value)
            here = result.clause == entry.clause and witness.is_for(entry.machines, result)
            if here and same and result.failure is not None:
                return result
        return None

    def _widened(self, result: Result, witness: Witness, release: str | None) -> bool:
        """Widen an entry that is about a failure but for a release, a machine or a value."""
        for draft in self.drafts:
            entry = self._entry(draft)
            if not entry.shows_in(result):
                continue
            if self._concerns(entry, release):
                if witness.shows(entry, result):
                    return True
                if entry.matches(result) and result.machine:
                    named = [*draft.data["machines"], result.machine]
                    self._carve(draft, release, {**draft.data, "machines": named})
                    self._say(Transition.REGRESSED, entry, f"also on {result.machine}")
                    return True
                if entry.values and result.value and witness.is_for(entry.machines, result):
                    values = [*draft.data["values"], result.value]
                    self._carve(draft, release, {**draft.data, "values": values})
                    self._say(Transition.REGRESSED, entry, f"also with {result.value}")
                    return True
            elif witness.shows(entry, result) and release:
                known = sorted({*self._span(entry), release}, key=numbers)
                if unbroken(known, self.releases):
                    self._limit(draft, known)
                    said = draft.data.get("releases", "all releases")
                    self._say(Transition.REGRESSED, entry, f"now of {said}")
                    return True
        return False

    def _add(self, data: dict[str, Any], listed: list[Draft]) -> None:
        if self.baseline.any_release:
            data.pop("releases", None)
        listed.append(Draft(data, after=self._place(data["clause"]) if "clause" in data else None))
        self._say(Transition.REGRESSED, self._known(listed[-1]), "added")

    def _place(self, clause: str) -> int | None:
        """Return the last entry of the same clause, or else of the same function."""
        for name in (clause, f"{clause.partition('/')[0]}/"):
            found = [d.origin for d in self.drafts if d.data["clause"].startswith(name)]
            numbered = [origin for origin in found if origin is not None]
            if numbered:
                return numbered[-1]
        return None

    def _carve(
        self,
        draft: Draft,
        release: str | None,
        data: dict[str, Any] | None,
        listed: list[Draft] | None = None,
    ) -> None:
        """Say something else of one release, None for nothing, and of the others what was said."""
        listed = self.drafts if listed is None else listed
        place = listed.index(draft)
        span = self._span(self._known(draft))
        if release is None or span == [release]:
            if data is None:
                listed.remove(draft)
            else:
                draft.data = data
            return
        parts = [
            [r for r in span if numbers(r) < numbers(release)],
            [r for r in span if numbers(r) > numbers(release)],
        ]
        origin = draft.origin if draft.origin is not None else draft.after
        whole = draft.data
        pieces: list[Draft] = []
        for known, of in ((parts[0], whole), ([release], data), (parts[1], whole)):
            if known and of is not None:
                piece = Draft(dict(of), after=origin)
                self._limit(piece, known)
                pieces.append(piece)
        draft.data = pieces[0].data
        listed[place : place + 1] = [draft, *pieces[1:]]

    def _limit(self, draft: Draft, known: Sequence[str]) -> None:
        span = known[0] if len(known) == 1 else f"{known[0]}..{known[-1]}"
        draft.data = ordered({**draft.data, "releases": span})

    def _span(self, entry: Entry | KnownCause) -> list[str]:
        return [r for r in self.releases if entry.concerns(r)]

    def _concerns(self, entry: Entry | KnownCause, release: str | None) -> bool:
        return release is None or entry.concerns(release)

    def _reaches(self, entry: Entry | KnownCause, witness: Witness) -> bool:
        """Return whether a run can show that an entry is gone: a real machine need not be named."""
        return entry.machines is None or not {*entry.machines}.isdisjoint(witness.names)

    def _entry(self, draft: Draft) -> Entry:
        return entry_of(self.baseline.name, draft.data, self.registry)

    def _known(self, draft: Draft) -> Entry | KnownCause:
        if "clause" in draft.data:
            return self._entry(draft)
        return cause_of(self.baseline.name, draft.data)

    def _of_others(self, witness: Witness) -> KnownFailures | None:
        """Return what the included files expect here, as this one changes it."""
        changes = tuple(change_of(self.baseline.name, d.data, self.registry) for d in self.changes)
        others = replace(self.baseline, own=(), own_causes=(), changes=changes)
        release = Release.parse(witness.release)
        return others.expected(release, *witness.names) if others.includes else None

    def _say(self, what: Transition, entry: Entry | KnownCause, done: str) -> None:
        self.amendments.append(Amendment(what, entry.label, done))


def _same(first: Result, second: Result) -> bool:
    return (first.clause, first.verdict, shown(first)) == (
        second.clause,
        second.verdict,
        shown(second),
    )
