"""Says which clauses a run can judge at all, and why not the others."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_adapters.protocol import Subject
from hsa_conformance.checks import has_check
from hsa_conformance.checks.shortages import refusable
from hsa_conformance.reach import FAILING, before_init, is_covered, unmade
from hsa_conformance.tables import missing, unreachable
from hsa_spec import Clause, Function, Kind, Registry, Strength
from hsa_spec.releases import Release

#: Needs that no run can meet yet, and what they stand for.
UNMET = {
    "long_run": "needs a run far longer than any profile's",
    "finalizer": "needs a finalizer, and no release of ROCr has one",
}


def declared(clause: Clause, registry: Registry) -> str | None:
    """Return why a clause is declared not to be tested, or None when it is tested."""
    if clause.untestable:
        return clause.untestable
    function = registry.functions[clause.function]
    unmet = [UNMET[n] for n in clause.needs if n in UNMET]
    if function.export == "library":
        unmet = [f"{function.name} is in a library of its own, which the suite does not load"]
    if unmet:
        return unmet[0]
    if clause.kind is not Kind.EXPORT and not is_covered(function) and not before_init(clause):
        return f"the suite has no tests of {function.topic} yet"
    if clause.strength is Strength.UNDEFINED:
        return "the text leaves it undefined"
    return None if clause.kind is Kind.EXPORT else unreachable(function, registry)


def unchecked(clause: Clause, function: Function) -> str | None:
    """Return what the suite lacks to test a clause that is not declared untested, if anything."""
    if clause.kind is Kind.STATUS:
        term = None if before_init(clause) else unmade(clause, function)
        return f"the suite cannot make {term!r} yet" if term else None
    return None if has_check(clause) else "nothing in the suite shows it yet"


@dataclass(frozen=True)
class Unjudged:
    """A clause that is not run, with the verdict that says so."""

    verdict: str
    reason: str


class Applicability:
    """Decides for one subject.

    Args:
        registry: the specification.
        subject: what is under test.
        release: what is known of its version.
        failing: whether the machine can be made to fail.

    """

    def __init__(
        self, registry: Registry, subject: Subject, release: Release, *, failing: bool = False
    ) -> None:
        self.registry = registry
        self.subject = subject
        self.release = release
        self.failing = failing

    def in_force(self, clause: Clause) -> bool:
        """Tell whether the clause says anything about this release."""
        return self.release.has(clause.versions) is not False

    def unjudged(self, clause: Clause) -> Unjudged | None:
        """Return why a clause cannot be judged, or None when it can."""
        function = self.registry.functions[clause.function]
        exported = function.name in self.subject.exports
        excuse = None if exported else self._need_not_export(function)
        if excuse is not None:
            return Unjudged("NOT_APPLICABLE", f"{function.name} is not exported, and {excuse}")
        if clause.kind is Kind.EXPORT:
            return None
        reason = declared(clause, self.registry) or self._unmet(clause)
        reason = reason or unchecked(clause, function)
        if reason is not None:
            return Unjudged("UNTESTED", reason)
        if symbol := missing(function, self.subject.exports):
            return Unjudged("BLOCKED", f"{symbol}/exported: the symbol is missing")
        if self.release.has(clause.versions) is not True:
            return Unjudged("NOT_APPLICABLE", f"not part of this release ({self.release})")
        return None

    def _unmet(self, clause: Clause) -> str | None:
        """Return what a clause needs that this subject's machine does not offer."""
        if "kernels" in clause.needs and self.subject.machine is not None:
            return "needs a device that runs kernels, which imitations do not"
        if FAILING in clause.needs and not self.failing:
            return "needs a machine that can be made to run out of resources (--virtual-kfd)"
        if FAILING in clause.needs and not refusable(
            clause, self.registry.functions[clause.function]
        ):
            return "the suite does not know what the driver has to refuse for this"
        return None

    def _need_not_export(self, function: Function) -> str | None:
        """Return why the subject may lack a function, or None when it may not."""
        claims = self.subject.claims
        if claims is not None:
            return None if function.name in claims else "the implementation does not claim it"
        if self.release.has(function.versions) is not True:
            return f"need not be in this release ({self.release})"
        return None
