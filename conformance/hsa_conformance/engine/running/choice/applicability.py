"""Why a clause gets no checks: one ordered list of reasons, and the verdict of each.

A check finds out by itself that the machine lacks something, such as a GPU: its fixtures raise
`Unavailable` with NOT_APPLICABLE (`generation/fixtures.py`, `Fixtures.require_any`).

The first reason that applies decides:

| Reason | Verdict |
| --- | --- |
| the function is not offered: not claimed, not of this release, or lacking | NOT_APPLICABLE |
| (an export clause is judged whatever follows) | |
| the clause declares that no test can show it | UNTESTED |
| it needs what only a long run has | UNTESTED |
| the suite lacks the topic (calls before hsa_init are judged all the same) | UNTESTED |
| the text leaves it undefined | UNTESTED |
| no program can reach the function: it is inline | UNTESTED |
| it needs an extension that the mask of extensions has no bit for | NOT_APPLICABLE |
| it needs what this machine does not offer: kernels, or a driver that fails | UNTESTED |
| the suite cannot make a term of its condition, or has no property | UNTESTED |
| the library should have the function, or the way to its table, and does not | BLOCKED |
| the clause is not of this release, or may not be and none stands in for it | NOT_APPLICABLE |
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from hsa_adapters.faults import Faults
from hsa_adapters.protocol import Subject
from hsa_conformance.engine.calls.outcomes import NO_KERNELS
from hsa_conformance.engine.checks.case import Case, Form
from hsa_conformance.engine.library.offered_api import offered_api_of
from hsa_conformance.engine.running.choice.cases import Cases
from hsa_conformance.engine.session.extensions import MASK, needed
from hsa_conformance.engine.session.tables import missing, unreachable
from hsa_conformance.engine.topic import Topics
from hsa_reports import Verdict
from hsa_spec import Clause, Function, Registry, Strength, Versions
from hsa_spec.conditions.syntax import Apply, Not
from hsa_spec.releases import Release, follows

#: What a clause needs that only the profile of long runs meets.
LONG_RUN = "long_run"

#: Clauses that are not shown of functions which only libraries of tools are handed.
_WITHOUT_TOOLS = (Form.ANY_REQUEST, Form.THREADS)

#: What is tested by calls that generators make for conditions.
_FROM_CONDITIONS = (Form.CONDITIONS, Form.EXHAUSTION, Form.ANY_REQUEST)

#: Needs that runs do not meet, unless they are said to, and what they stand for.
UNMET = {
    LONG_RUN: "takes long, as --profile soak alone does",
}


@dataclass(frozen=True)
class Exclusion:
    """A clause that is not run, with the verdict that says so."""

    verdict: Verdict
    reason: str


class GeneralExclusions:
    """The reasons that hold for every library and machine.

    Args:
        registry: the specification.
        topics: what the suite knows of the API.
        met: what clauses need that this run meets, beside what all runs do.

    """

    def __init__(self, registry: Registry, topics: Topics, met: Collection[str] = ()) -> None:
        self.registry = registry
        self.topics = topics
        self.cases = Cases(registry, topics)
        self._unmet = {need: words for need, words in UNMET.items() if need not in met}

    def reason(self, clause: Clause) -> str | None:
        """Return why a clause is declared not to be tested, or None when it is tested."""
        case = self.cases.of(clause)
        function = case.function
        of_export = case.form is Form.EXPORT
        untouched = function.topic not in self.topics.by_name and not case.before_init
        reasons = (
            (clause.untestable, True),
            *((self._unmet[need], True) for need in clause.needs if need in self._unmet),
            (f"the suite has no tests of {function.topic} yet", not of_export and untouched),
            (
                "the suite refuses and makes at one time no calls beside a library of tools",
                case.form in _WITHOUT_TOOLS and case.tools_only,
            ),
            ("the text leaves it undefined", clause.strength is Strength.UNDEFINED),
            (unreachable(function), not of_export),
        )
        return next((reason for reason, applies in reasons if reason and applies), None)

    def lack(self, clause: Clause) -> str | None:
        """Return what the suite lacks to test a clause that is to be tested, if anything."""
        case = self.cases.of(clause)
        if case.form in _FROM_CONDITIONS:
            term = None if case.before_init else self._unmade(case)
            return f"the suite cannot make {term!r} yet" if term else None
        return None if self._has_check(case) else "nothing in the suite shows it yet"

    def _has_check(self, case: Case) -> bool:
        if case.form is Form.RELATION:
            return self.registry.relations[case.clause.id][0].of in self.topics.holders
        return case.proved or case.form not in (Form.PROPERTY, Form.NEW_HANDLE)

    def _unmade(self, case: Case) -> str | None:
        """Return a term that a call about the clause needs and that the suite cannot make."""
        success = case.function.success
        atoms = [*case.clause.when, *(success.when if success else ())]
        terms = (n.of if isinstance(n, Not) else n for n in (a.node for a in atoms))
        names = (node.term.name for node in terms if isinstance(node, Apply))
        return next((name for name in names if name not in self.topics.repertoire.generators), None)


class Applicability:
    """Decides for one subject.

    Args:
        general: what holds for every subject.
        subject: what is under test.
        release: what is known of its version.
        faults: makes the machine fail; None where nothing does.
        no_memory: why processes cannot be refused memory; None where they can be.
        denied: the names of the extensions that the library says it lacks.

    """

    def __init__(
        self,
        general: GeneralExclusions,
        subject: Subject,
        release: Release,
        *,
        faults: Faults | None = None,
        no_memory: str | None = "memory cannot be refused",
        denied: Collection[str] = (),
    ) -> None:
        self.general = general
        self.subject = subject
        self.release = release
        self.offered_api = offered_api_of(subject, release, general.registry)
        self.faults = faults
        self.no_memory = no_memory
        self.denied = denied

    def in_force(self, clause: Clause) -> bool | None:
        """Return whether the clause says anything about this release; None: nobody knows."""
        return self.release.has(clause.versions)

    def instead(self, clause: Clause) -> tuple[Clause, ...]:
        """Return the clauses one of which is in force if this one is not, as nobody knows."""
        if self.in_force(clause) is not None:
            return ()
        return tuple(
            other
            for other in self.general.registry.subject(clause).clauses
            if other.kind is clause.kind
            and (
                follows(other.versions, clause.versions) or follows(clause.versions, other.versions)
            )
            and self.in_force(other) is None
            and self.general.reason(other) is None
        )

    def exclusion(self, clause: Clause) -> Exclusion | None:
        """Return why a clause cannot be judged, or None when it can; see the module's table."""
        case = self.general.cases.of(clause)
        if excuse := self._excuse(case.function):
            return Exclusion(Verdict.NOT_APPLICABLE, excuse)
        if case.form is Form.EXPORT:
            return None
        excuses: tuple[tuple[Verdict, Callable[[], str | None]], ...] = (
            (Verdict.UNTESTED, lambda: self.general.reason(clause)),
            (Verdict.NOT_APPLICABLE, lambda: self._denied(case)),
            (Verdict.UNTESTED, lambda: self._unmet(case)),
            (Verdict.UNTESTED, lambda: self.general.lack(clause)),
        )
        for verdict, ask in excuses:
            if reason := ask():
                return Exclusion(verdict, reason)
        if symbol := missing(case.function, self.subject.exports):
            return Exclusion(Verdict.BLOCKED, f"{symbol}/exported: the symbol is missing")
        if not self.in_force(clause) and not self.instead(clause):
            return Exclusion(Verdict.NOT_APPLICABLE, self._not_part(clause.versions))
        return None

    def _denied(self, case: Case) -> str | None:
        """Return that the library says it lacks the extension that a clause needs, if it does."""
        function = case.function
        extension = needed(case.clause, function, self.general.registry)
        if function.export == "library" and function.name in self.subject.exports:
            return None
        return f"{MASK} has no bit for {extension}" if extension in self.denied else None

    def _unmet(self, case: Case) -> str | None:
        """Return what a clause needs that this subject's machine does not offer."""
        if "kernels" in case.clause.needs and self.subject.kernels is False:
            return NO_KERNELS
        if not case.needs_failing:
            return None
        if case.takes_memory:
            return self._unrefused(case)
        if self.faults is None:
            return "needs a machine that can be made to run out of resources (--virtual-kfd)"
        if case.form is Form.ANY_REQUEST or self._reached(case):
            return None
        return "the suite does not know what the driver has to refuse for this"

    def _unrefused(self, case: Case) -> str | None:
        """Return why neither the driver nor the C library can refuse a call its memory."""
        if self.no_memory is None or self._reached(case):
            return None
        needed = "" if self.faults else "needs a machine that can be made to run out of resources"
        return f"{needed} (--virtual-kfd), and {self.no_memory}" if needed else self.no_memory

    def _reached(self, case: Case) -> bool:
        """Return whether it is known what the driver has to refuse for a clause."""
        refusals = self.general.topics.refusals(case.function.topic)
        if refusals is None or self.faults is None:
            return False
        return refusals.reach(case, self.faults)

    def _excuse(self, function: Function) -> str | None:
        """Return why a function is not judged at all, or None where it is."""
        exported = function.name in self.subject.exports
        named = f"{function.name} is {'' if exported else 'not '}exported, and"
        if function.name in self.offered_api.functions:
            claimed = self.subject.claims is not None
            if exported or claimed or self.release.has(function.versions) is True:
                return None
            return f"{named} need not be in this release ({self.release})"
        if self.subject.claims is not None:
            return f"{named} the implementation does not claim it"
        return f"{named} {self._not_part(function.versions)}"

    def _not_part(self, versions: Versions) -> str:
        """Say that the release lacks something, and since when it is there."""
        bounds = f": {versions}" if str(versions) else ""
        return f"not part of this release ({self.release}){bounds}"
