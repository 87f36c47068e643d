"""A cause of failures that is known, by the id that reports print for it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from hsa_conformance.baselines.entry import Change, within
from hsa_reports import Result, Upstream
from hsa_reports.signature import signature
from hsa_reports.verdicts import BROKEN
from hsa_spec.releases import Release

_ID = re.compile(r".+-[0-9a-f]{8}")


@dataclass(frozen=True)
class KnownCause:
    """All failures of one cause, whatever clauses they break.

    Attributes:
        id: that of the cause in reports, where no baseline names it: words and eight digits.
        releases: the releases in which it shows.
        machines: the imitated machines on which it does; None: on all.
        defect: whose defect it is, a value of `hsa_conformance.findings.pages.Defect`.
        reason: one sentence.
        finding: the page that explains it, if there is one.
        source: where the cause is, if that is known.
        chance: whether it depends on chance.
        upstream: what the library's own project has about it.

    """

    id: str
    releases: Release
    machines: tuple[str, ...] | None
    defect: str
    reason: str
    finding: str | None = None
    source: str | None = None
    chance: bool = False
    upstream: tuple[Upstream, ...] = ()

    @property
    def label(self) -> str:
        """Return what a report calls it."""
        return f"cause {self.id}"

    def concerns(self, release: str) -> bool:
        """Return whether it is known of a release such as "6.1.2"."""
        return within(self.releases, release)

    def matches(self, result: Result) -> bool:
        """Return whether a result is a failure that comes from it."""
        return result.verdict in BROKEN and signature(result).id == self.id

    def dropped(self, change: Change, release: str | None, names: tuple[str, ...]) -> bool:
        """Return whether a file that includes this one says that it does not show."""
        return change.drops(self.id) and change.in_force(release, names)


def is_id(text: str) -> bool:
    """Return whether a text looks like the id of a cause that nobody has named."""
    return _ID.fullmatch(text) is not None
