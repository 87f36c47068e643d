"""A baseline, and what it expects of a release on a machine."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_conformance.baselines.entry import Change, Entry
from hsa_conformance.baselines.known_cause import KnownCause
from hsa_conformance.baselines.known_failures import KnownFailures
from hsa_spec.releases import Release, newest, numbers


@dataclass(frozen=True)
class Baseline:
    """The known failures of an implementation, over its releases.

    Attributes:
        name: what it is called.
        implementation: whose failures they are.
        releases: the releases that it, or one that it includes, was made on.
        own: the failures that it names itself, by clause.
        own_causes: the causes that it names itself, by the ids that reports print.
        includes: the baselines that it builds on.
        changes: what it says of their entries.
        any_release: whether it is about whatever is under test, as an earlier run of it is.
        held: the clauses that held in an earlier run.
        machines: the imitated machines of that run.

    """

    name: str
    implementation: str
    releases: tuple[str, ...]
    own: tuple[Entry, ...]
    includes: tuple[Baseline, ...] = ()
    changes: tuple[Change, ...] = ()
    any_release: bool = False
    own_causes: tuple[KnownCause, ...] = ()
    held: frozenset[str] = frozenset()
    machines: tuple[str, ...] = ()

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Return all entries, its own first; those of others as they say them."""
        return (*self.own, *(e for other in self.includes for e in other.entries))

    @property
    def causes(self) -> tuple[KnownCause, ...]:
        """Return all causes that it names by their ids, its own first."""
        return (*self.own_causes, *(c for other in self.includes for c in other.causes))

    def nearest(self, release: str) -> str | None:
        """Return the newest release that it was made on and that is not after another one."""
        return newest(r for r in self.releases if numbers(r) <= numbers(release))

    def expected(
        self, release: Release, *names: str, further: bool = False
    ) -> KnownFailures | None:
        """Return what is expected of a release, or None where the baseline says nothing of it.

        Of a release that it was not made on, what the nearest older one shows is expected.

        Args:
            release: what is known of the release.
            names: of the imitated machine that it runs on, and of that with its variables; none
                for a real one.
            further: clauses are judged elsewhere first, and here with few examples: a failure that
                is known of all machines need not show.

        """
        nearest = self.nearest(release.lowest) if release.lowest else None
        if nearest is None and not self.any_release:
            return None
        known = self._known(release.lowest, names)
        here = [e for e in known if e.machines is None or not {*names}.isdisjoint(e.machines)]
        own = [e for e in here if not further or (e.machines and names[-1] in e.machines)]
        certain = tuple(e for e in own if not e.chance)
        older = nearest if nearest != release.lowest else None
        causes = [c for c in self._causes(release.lowest, names) if _is_for(c, names)]
        shown = (c for c in causes if not further or (c.machines and names[-1] in c.machines))
        sure = tuple(c for c in shown if not c.chance)
        return KnownFailures(tuple(here if names else known), certain, older, tuple(causes), sure)

    def _causes(self, release: str | None, names: tuple[str, ...]) -> list[KnownCause]:
        """Return the causes that are known of a release, as far as nothing here drops them."""
        wanted = self._releases(release)
        own = [c for c in self.own_causes if self.any_release or any(map(c.concerns, wanted))]
        others = [c for other in self.includes for c in other._causes(release, names)]
        kept = (c for c in others if not any(c.dropped(x, release, names) for x in self.changes))
        return [*own, *kept]

    def _releases(self, release: str | None) -> list[str]:
        """Return a release and the one that stands in for it."""
        return [r for r in (release, release and self.nearest(release)) if r]

    def _known(self, release: str | None, names: tuple[str, ...]) -> list[Entry]:
        """Return the entries about a release, those of other files as they are changed here."""
        wanted = self._releases(release)
        own = [e for e in self.own if self.any_release or any(map(e.concerns, wanted))]
        others = [e for other in self.includes for e in other._known(release, names)]
        left = (self._changed(e, release, names) for e in others)
        return [*own, *(e for e in left if e is not None)]

    def _changed(self, entry: Entry, release: str | None, names: tuple[str, ...]) -> Entry | None:
        left: Entry | None = entry
        for change in self.changes:
            if left is not None and change.applies(entry, release, names):
                left = change.of(left)
        return left


def _is_for(cause: KnownCause, names: tuple[str, ...]) -> bool:
    """Return whether a cause may show on a machine; on a real one it may wherever it was seen."""
    return not names or cause.machines is None or not {*names}.isdisjoint(cause.machines)
