"""The generated checks of a status clause: inputs that satisfy it, and inputs that just miss it."""

from __future__ import annotations

from contextlib import suppress

from hsa_conformance.engine.atoms import counts_references, is_state, is_uninitialised
from hsa_conformance.engine.check import Check, Counts
from hsa_conformance.engine.definedness import is_defined
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.enumerations import Enumerations
from hsa_conformance.engine.generation.fixtures import CannotMake, Draw, Lacking, Unsuitable
from hsa_conformance.engine.judge import Judge
from hsa_conformance.engine.outcomes import Blocked, Inconsistent, Unavailable
from hsa_conformance.engine.session import Session
from hsa_conformance.engine.statuses import SUCCESS
from hsa_spec import Clause, Registry, Strength
from hsa_spec.conditions import Atom


def status_checks(
    clause: Clause, registry: Registry, judge: Judge, repertoire: Repertoire, *, covered: bool
) -> list[Check]:
    """Return the checks of one status clause.

    Args:
        clause: the clause.
        registry: the specification.
        judge: says which answers are right.
        repertoire: makes conditions hold.
        covered: whether the suite has the topic, so that valid calls can be made.

    """
    generator = _Generator(clause, registry, judge, repertoire)
    started = generator.initialised
    checks = [Check(clause.id, "satisfied", generator.satisfied, initialised=started, sweeps=True)]
    if generator.flippable and covered:
        # What misses `not initialized()` is a call in an initialised runtime.
        checks.append(Check(clause.id, "near miss", generator.near_miss, initialised=True))
    return checks


def can_miss(clause: Clause) -> bool:
    """Return whether some input can just miss the clause: whether any argument decides it."""
    return any(not is_state(a) or is_uninitialised(a) for a in clause.when)


class _Generator:
    def __init__(
        self, clause: Clause, registry: Registry, judge: Judge, repertoire: Repertoire
    ) -> None:
        self.clause = clause
        self.function = function = registry.functions[clause.function]
        self.judge = judge
        self.repertoire = repertoire
        self.uninitialised = any(is_uninitialised(a) for a in clause.when)
        # What the reference count decides is tried from zero: hsa_init must not need hsa_init.
        self.initialised = not self.uninitialised and not any(
            counts_references(a) for a in clause.when
        )
        success = function.success
        self.valid = [a for a in success.when if not is_state(a)] if success else []
        self.own = [a for a in clause.when if not is_state(a)]
        self.enumerations = Enumerations(clause, function, registry, self.valid, self.own)
        self.flippable: list[Atom | None] = [None] if self.uninitialised else list(self.own)

    @property
    def _promises_more(self) -> bool:
        """Return whether the clause promises success beside the one that says what is right."""
        return self.clause.is_success and self.clause is not self.function.success

    def satisfied(self, session: Session, draw: Draw, counts: Counts) -> None:
        builder = Builder(session, self.function, draw)
        lacking = None
        self.enumerations.pin(builder)
        if self.initialised:
            lacking = self._make_valid(builder)
        else:
            if self.uninitialised:
                _live_before(builder)
            _harmless(builder)
        self.repertoire.satisfy(builder, self.own)
        self.enumerations.note(builder)
        if self.clause is self.function.success:
            _require_defined(builder)
        expected = self.judge.expect(self.function, session.model, builder.raw())
        if expected.undefined and self.clause.strength is not Strength.OBSERVED:
            raise CannotMake("what was reached is undefined")
        if lacking is not None and set(expected.allowed) - set(self.clause.status):
            raise lacking  # something else is wrong, too, and would excuse the answer
        self._call(session, builder, counts, near=False)

    def _make_valid(self, builder: Builder) -> Unavailable | Lacking | None:
        """Make all that success wants hold, as far as the machine can; return what it lacks."""
        valid = [a for a in self.valid if not builder.rules_out(a)]
        try:
            self.repertoire.satisfy(builder, valid)
        except (Unavailable, Lacking) as lacking:
            if self.clause is self.function.success:
                raise
            for atom in valid:
                with suppress(Unavailable, CannotMake):
                    self.repertoire.satisfy(builder, [atom])
            return lacking
        return None

    def near_miss(self, session: Session, draw: Draw, counts: Counts) -> None:
        builder = Builder(session, self.function, draw)
        self.repertoire.satisfy(builder, self.valid)
        flipped = builder.choose(self.flippable)
        if flipped is not None:
            try:
                self.repertoire.satisfy(builder, [a for a in self.own if a is not flipped])
                if builder.holds(flipped):
                    self.repertoire.make(builder, flipped, wanted=False)
            except Lacking as lacking:
                raise CannotMake(str(lacking)) from None  # another atom may be turned around
        self._call(session, builder, counts, near=True)

    def _call(self, session: Session, builder: Builder, counts: Counts, *, near: bool) -> None:
        expected = self.judge.expect(self.function, session.model, builder.raw())
        if near:
            if expected.open or set(self.clause.status) & set(expected.allowed):
                raise CannotMake("what was reached proves nothing about the clause")
            if not session.runs_kernels and any("kernels" in c.needs for c in expected.holding):
                raise CannotMake("what was reached needs a device that runs kernels")
            counts.near_misses += 1
        else:
            if self.clause not in expected.holding:
                raise Inconsistent(f"{self.clause.id} was satisfied and is said not to hold")
            counts.satisfied += 1
        session.expected = expected
        answer = session.call_with(self.function.name, builder.values)
        if near and self._promises_more and not answer.ok and SUCCESS not in expected.allowed:
            # It is refused, as it has to be. With which status, is tried where all else is right:
            # a library that refuses what this clause promises would be blamed for it twice.
            return
        self.judge.check(self.clause, answer, expected)


def _require_defined(builder: Builder) -> None:
    """Go on only where the text says what a query reports; elsewhere any answer is right.

    Raises:
        Unsuitable: the text does not say that the object has the attribute.
        Blocked: the object cannot be asked what that depends on.

    """
    session, function = builder.session, builder.function
    values = {p.name: builder.values[p.name] for p in function.params if p.direction == "in"}
    names = [p.name for p in function.params if p.role == "attribute" and p.name in values]
    for name in names:
        del values[name]
        asked = session.registry.reported(function.name, builder.number(name))
        if asked is None or isinstance(asked.elsewhere, int):
            continue
        if not is_defined(session, function, asked, values):
            raise Unsuitable(f"{asked.name} is not defined for it")


def _live_before(builder: Builder) -> None:
    """Choose how the runtime came not to be initialised: never was, or is no more."""
    if builder.choose(["never", "before"]) == "never":
        return
    session = builder.session
    try:
        session.set_up("hsa_init")
    except Blocked as blocked:
        if blocked.deadly:
            raise
    else:
        session.set_up("hsa_shut_down")


def _harmless(builder: Builder) -> None:
    """Fill in what does no harm to a runtime that looks at its arguments before its state."""
    for parameter in builder.function.params:
        if parameter.role == "descriptor":
            builder.values[parameter.name] = builder.session.open_file(builder.granule())
        elif builder.values[parameter.name] == 0 and (
            "*" in parameter.type or parameter.role in ("address", "handle", "array")
        ):
            builder.values[parameter.name] = builder.readable()
