"""Checks of calls during which the driver of an imitated machine refuses a resource."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from hypothesis import strategies as st

from hsa_adapters.protocol import Ended, Faults
from hsa_conformance.calls import Answer
from hsa_conformance.campaign import Check, Counts
from hsa_conformance.checks.clauses import counts_references, is_state
from hsa_conformance.findings import Inconsistent, Violation
from hsa_conformance.judge import Judge
from hsa_conformance.reach import FAILING
from hsa_conformance.session import Session
from hsa_conformance.strategies.builder import Builder, CannotMake, Draw
from hsa_conformance.strategies.conditions import satisfy
from hsa_reports.actions import Refuse
from hsa_spec import Clause, Function, Registry, Strength
from hsa_spec.conditions import walk
from hsa_spec.conditions.syntax import Apply, Literal

#: The driver's calls that ask for a resource, and the error where there is none left.
REFUSALS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "memory": tuple(
        (call, "ENOMEM")
        for call in (
            *("ALLOC_MEMORY_OF_GPU", "MAP_MEMORY_TO_GPU", "mmap", "drm", "SVM"),
            *("CREATE_EVENT", "ACQUIRE_VM", "IMPORT_DMABUF"),
        )
    ),
    "descriptors": (("EXPORT_DMABUF", "EMFILE"), ("drm", "EMFILE")),
}

#: The clauses that say that a new handle is not 0.
NOT_ZERO: Final = "not-zero"

#: Where it was found out what functions ask the driver for, and what else they do without it.
TOPICS: Final = frozenset({"core/init", "amd/pools", "amd/pointers", "amd/vmem"})

Body = Callable[[Session, Draw, Counts], None]

#: Among the first how many calls of a kind the refusal begins; hsa_init makes up to six.
PLACES: Final = 8
#: The same for other functions, which make fewer.
FEW_PLACES: Final = 3
#: How many times the usual number of examples for each place: most of them meet no call.
EXAMPLES: Final = 1.6


def refusable(clause: Clause, function: Function) -> bool:
    """Tell whether it is known what to refuse so that a clause's resource runs out."""
    known = [resource in REFUSALS for resource in _resources(clause)] == [True]
    return known and function.topic in TOPICS


def refusal_check(clause: Clause, registry: Registry, judge: Judge, faults: Faults) -> Check:
    """Return the check of a status clause about a resource that has run out.

    Args:
        clause: the clause.
        registry: the specification.
        judge: says which answers are right.
        faults: makes the driver fail.

    """
    function = registry.functions[clause.function]
    [resource] = _resources(clause)

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        shortage = _Shortage(session, function, draw, faults, resource)
        session.model.short_of.add(resource)
        expected = judge.expect(function, session.model, shortage.builder.raw())
        session.model.short_of.remove(resource)
        if clause not in expected.holding:
            raise Inconsistent(f"{clause.id} is about {resource}, and is said not to hold")
        session.allowed = expected.allowed
        answer = shortage.failure()
        counts.satisfied += 1
        judge.check(clause, answer, expected)

    return _check(clause, "refused by the driver", body, function)


def recovery_checks(
    clause: Clause, registry: Registry, judge: Judge, faults: Faults
) -> list[Check]:
    """Return the check that a call which the driver made fail can be made again, if one can fail.

    Args:
        clause: the clause that says that a failed call leaves nothing behind.
        registry: the specification.
        judge: says which answers are right.
        faults: makes the driver fail.

    """
    function = registry.functions[clause.function]
    resources = _run_out(function)

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        shortage = _Shortage(session, function, draw, faults, draw(st.sampled_from(resources)))
        _unless_it_ends(shortage.failure)
        expected = judge.expect(function, session.model, shortage.builder.raw())
        session.allowed = {status: [clause.id] for status in expected.allowed}
        counts.satisfied += 1
        answer = session.call_with(function.name, shortage.builder.values)
        if answer.name not in expected.allowed:
            raise Violation(
                clause.id,
                "FAIL" if clause.strength is Strength.MUST else "WARN",
                "after a call that the driver made fail, the same call fails without that",
                answer.name,
                session.allowed,
            )

    return [_check(clause, "made again after a refusal", body, function)] if resources else []


def success_checks(clause: Clause, registry: Registry, faults: Faults) -> list[Check]:
    """Return the check that a call which succeeds although something was refused gives no handle 0.

    Args:
        clause: the clause that says that a new handle is not 0.
        registry: the specification.
        faults: makes the driver fail.

    """
    function = registry.functions[clause.function]
    resources = _run_out(function)
    [handle] = (p.name for p in function.params if (p.direction, p.role) == ("out", "handle"))

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        shortage = _Shortage(session, function, draw, faults, draw(st.sampled_from(resources)))
        answer = _unless_it_ends(shortage.call)
        if not answer.ok:
            raise CannotMake(f"{function.name} fails when the driver refuses something")
        counts.satisfied += 1
        if answer[handle] == 0:
            raise Violation(
                clause.id,
                "FAIL" if clause.strength is Strength.MUST else "WARN",
                "a call succeeds that the driver refused memory, and the handle is 0",
                f"{handle} = 0",
                {"another handle": [clause.id]},
            )

    return [_check(clause, "succeeds in spite of a refusal", body, function)] if resources else []


class _Shortage:
    """A valid call, and a call of the driver that is refused meanwhile."""

    def __init__(
        self, session: Session, function: Function, draw: Draw, faults: Faults, resource: str
    ) -> None:
        self.session = session
        self.faults = faults
        self.builder = Builder(session, function, draw)
        success = function.success
        satisfy(self.builder, [a for a in success.when if not is_state(a)] if success else [])
        call, error = self.builder.choose(REFUSALS[resource])
        # Once, from there on, or always: what asks again after a refusal shows the last two only.
        extent = draw(st.sampled_from(("once", "later", "always")))
        after = 0 if extent == "always" else draw(st.integers(0, _places(function) - 1))
        self.refusal = Refuse(call, error, after, lasting=extent != "once")

    def failure(self) -> Answer:
        """Make the call, which fails.

        Raises:
            Ended: the process did not survive the refusal.
            CannotMake: nothing was refused, or the function can do without.

        """
        answer = self.call()
        if answer.ok:
            raise CannotMake(self._unneeded())
        return answer

    def call(self) -> Answer:
        """Make the call.

        Raises:
            Ended: the process did not survive the refusal.
            CannotMake: nothing was refused.

        """
        refusal, function = self.refusal, self.builder.function.name
        self.session.note(words(refusal), "in the next step", refusal)
        self.faults.arm(refusal.call, refusal.error, refusal.after, lasting=refusal.lasting)
        try:
            answer = self.session.call_with(function, self.builder.values)
        except Ended:
            self._require_met()
            raise
        else:
            self._require_met()
        finally:
            self.faults.disarm()
        return answer

    def _require_met(self) -> None:
        if not self.faults.hits():
            raise CannotMake(self._unneeded())

    def _unneeded(self) -> str:
        return f"the driver refused nothing that {self.builder.function.name} cannot do without"


def words(refusal: Refuse) -> str:
    """Return a refusal in words."""
    number = refusal.after + 1
    ordinal = f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(number, 'th')}"
    later = " and all later ones" if refusal.lasting else ""
    return f"the driver refuses the {ordinal} {refusal.call}{later} with {refusal.error}"


def _unless_it_ends(call: Callable[[], Answer]) -> Answer:
    """Make a call; where it ends the process, that is for the clause of its status to tell."""
    try:
        return call()
    except Ended:
        raise CannotMake("the refusal ends the process") from None


def _run_out(function: Function) -> list[str]:
    """Return the resources that clauses of a function are about, and that can be refused."""
    about = [c for c in function.clauses if FAILING in c.needs and refusable(c, function)]
    return sorted({resource for clause in about for resource in _resources(clause)})


def _resources(clause: Clause) -> list[str]:
    """Return the resources that have run out where a clause holds."""
    return [
        str(node.args[0].value)
        for atom in clause.when
        for node in walk(atom.node)
        if isinstance(node, Apply) and node.term.name == "exhausted"
        if isinstance(node.args[0], Literal)
    ]


def _starts(function: Function) -> bool:
    """Tell whether a function starts the runtime: it must not find it started."""
    return function.success is not None and any(counts_references(a) for a in function.success.when)


def _places(function: Function) -> int:
    return PLACES if _starts(function) else FEW_PLACES


def _check(clause: Clause, name: str, body: Body, function: Function) -> Check:
    return Check(
        clause.id,
        name,
        body,
        initialised=not _starts(function),
        fresh=True,
        examples=EXAMPLES * _places(function),
    )
