"""What runs change of a baseline, entry by entry."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from hsa_conformance.baselines.baseline import Baseline
from hsa_conformance.baselines.drafts import drafts, ordered, shown
from hsa_conformance.baselines.entry import Entry
from hsa_conformance.baselines.reading import entry_of
from hsa_conformance.baselines.witness import Witness
from hsa_reports import Result, Verdict
from hsa_reports.transitions import Transition, transition
from hsa_spec import Registry
from hsa_spec.releases import Release, numbers


@dataclass(eq=False)
class Draft:
    """An entry on its way into a file.

    Attributes:
        data: its keys and values.
        origin: its number in the file, None for a new one.
        after: the number of the entry that a new one stands behind.

    """

    data: dict[str, Any]
    origin: int | None = None
    after: int | None = None


@dataclass(frozen=True)
class Said:
    """One change: what became of an entry, and what is done about it."""

    what: Transition
    about: str
    done: str

    def __str__(self) -> str:
        """Return it as a line."""
        return f"{self.what}: {self.about}: {self.done}"


@dataclass
class Update:
    """A file on its way from one text to another.

    Attributes:
        baseline: what the file says now.
        registry: knows the clauses.
        drafts: its entries, in their order.
        releases: the releases that it is made on.
        said: the changes.

    """

    baseline: Baseline
    registry: Registry
    drafts: list[Draft]
    releases: list[str]
    said: list[Said] = field(default_factory=list)

    def take(self, witness: Witness) -> None:
        """Change what a run shows to be otherwise."""
        release = witness.release if not self.baseline.any_release else None
        if release and release not in self.releases:
            self.releases = sorted([*self.releases, release], key=numbers)
        here = [d for d in self.drafts if self._concerns(self._entry(d), release)]
        others = self._of_others(witness)
        news = [
            r
            for r in witness.failures
            if not any(witness.shows(e, r) for e in others)
            and not any(witness.shows(self._entry(d), r) for d in here)
        ]
        for draft in here:
            self._hold(draft, witness, release, news)
        for entry in others:
            if witness.fate(entry, others).what is Transition.MENDED:
                advice = "an included file names it; `changes` of this one may drop it"
                self._say(Transition.MENDED, entry, advice)
        rest = [r for r in news if not self._widened(r, witness, release)]
        for data in drafts(witness, rest):
            self._add(data)

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
            self._say(Transition.MENDED, entry, f"no longer {', '.join(gone)}")
        elif (now := self._instead(entry, witness, news)) is not None:
            news[:] = [r for r in news if not _same(r, now)]
            word = transition(entry.verdict, now.verdict, alike=False) or Transition.OTHERWISE
            data = {**draft.data, "verdict": str(now.verdict), "got": shown(now)}
            data.pop("exact", None)
            self._carve(draft, release, data)
            self._say(word, entry, f"now {now.verdict}: {shown(now)}")
        else:
            self._carve(draft, release, None)
            where = f" of {release}" if release and draft in self.drafts else ""
            self._say(Transition.MENDED, entry, f"removed{where}")

    def _instead(self, entry: Entry, witness: Witness, news: Sequence[Result]) -> Result | None:
        """Return a failure that has come in the place of another."""
        if entry.verdict is Verdict.BLOCKED:
            return None
        for result in news:
            alike = result.value in entry.values if entry.values else result.value is None
            here = result.clause == entry.clause and witness.is_for(entry.machines, result)
            if here and (alike or entry.any_value) and result.failure is not None:
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
                if _unbroken(known, self.releases):
                    self._limit(draft, known)
                    said = draft.data.get("releases", "all releases")
                    self._say(Transition.REGRESSED, entry, f"now of {said}")
                    return True
        return False

    def _add(self, data: dict[str, Any]) -> None:
        if self.baseline.any_release:
            data.pop("releases", None)
        self.drafts.append(Draft(data, after=self._place(data["clause"])))
        self._say(Transition.REGRESSED, self._entry(self.drafts[-1]), "added")

    def _place(self, clause: str) -> int | None:
        """Return the last entry of the same clause, or else of the same function."""
        for name in (clause, f"{clause.partition('/')[0]}/"):
            found = [d.origin for d in self.drafts if d.data["clause"].startswith(name)]
            numbered = [origin for origin in found if origin is not None]
            if numbered:
                return numbered[-1]
        return None

    def _carve(self, draft: Draft, release: str | None, data: dict[str, Any] | None) -> None:
        """Say something else of one release, None for nothing, and of the others what was said."""
        place = self.drafts.index(draft)
        span = self._span(self._entry(draft))
        if release is None or span == [release]:
            if data is None:
                self.drafts.remove(draft)
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
        self.drafts[place : place + 1] = [draft, *pieces[1:]]

    def _limit(self, draft: Draft, known: Sequence[str]) -> None:
        span = known[0] if len(known) == 1 else f"{known[0]}..{known[-1]}"
        draft.data = ordered({**draft.data, "releases": span})

    def _span(self, entry: Entry) -> list[str]:
        return [r for r in self.releases if entry.concerns(r)]

    def _concerns(self, entry: Entry, release: str | None) -> bool:
        return release is None or entry.concerns(release)

    def _reaches(self, entry: Entry, witness: Witness) -> bool:
        """Return whether a run can show that an entry is gone: a real machine need not be named."""
        return entry.machines is None or not {*entry.machines}.isdisjoint(witness.names)

    def _entry(self, draft: Draft) -> Entry:
        return entry_of(self.baseline.name, draft.data, self.registry)

    def _of_others(self, witness: Witness) -> tuple[Entry, ...]:
        """Return what the included files expect here."""
        others = replace(self.baseline, own=())
        release = Release.parse(witness.release)
        found = others.expected(release, *witness.names) if others.includes else None
        return found.entries if found else ()

    def _say(self, what: Transition, entry: Entry, done: str) -> None:
        self.said.append(Said(what, entry.label, done))


def _same(first: Result, second: Result) -> bool:
    return (first.clause, first.verdict, shown(first)) == (
        second.clause,
        second.verdict,
        shown(second),
    )


def _unbroken(some: Sequence[str], releases: Sequence[str]) -> bool:
    """Return whether some releases have none of the others between them."""
    places = [releases.index(r) for r in some]
    return places[-1] - places[0] + 1 == len(places)


def begun(baseline: Baseline, data: dict[str, Any], registry: Registry) -> Update:
    """Return an update of a file that changes nothing yet.

    Args:
        baseline: what the file says.
        data: the same, as YAML has it.
        registry: knows the clauses.

    """
    listed = [Draft(dict(entry), origin=n) for n, entry in enumerate(data.get("entries") or ())]
    releases = sorted(baseline.releases, key=numbers)
    return Update(baseline, registry, listed, releases)


def edits(update: Update, data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what has to be done to the text: the name of a method of `Sheet`, and its arguments.

    Args:
        update: the update.
        data: what the file said before.

    """
    before = data.get("entries") or []
    own = set(data.get("releases", ()))
    new = [r for r in update.releases if r not in update.baseline.releases]
    if new:
        yield "set_releases", (sorted({*own, *new}, key=numbers),)
    kept = {d.origin: d.data for d in update.drafts if d.origin is not None}
    for number, entry in enumerate(before):
        now = kept.get(number)
        if now is None:
            yield "drop", (number,)
            continue
        for key in dict.fromkeys([*entry, *now]):
            if entry.get(key) != now.get(key):
                yield "set", (number, key, now.get(key))
    for draft in update.drafts:
        if draft.origin is None:
            yield "add", (draft.after, draft.data)
