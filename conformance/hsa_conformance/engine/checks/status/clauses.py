"""The generated checks of a status clause: inputs that satisfy it, and inputs that just miss it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import Final, NoReturn

from hsa_conformance.engine.calls.outcomes import (
    Blocked,
    Inconsistent,
    OverBudget,
    ProvesNothing,
    Unavailable,
)
from hsa_conformance.engine.calls.values import OTHER_PATTERN, Answer, Out, numbers
from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.generation.atoms import exhausted, repeats
from hsa_conformance.engine.generation.attributes import (
    has_value,
    may_be_empty,
    reported,
    require_defined,
)
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.conditions import Repertoire
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import (
    CannotMake,
    Misfit,
    NotOnMachine,
    OutOfReach,
    Unsuitable,
)
from hsa_conformance.engine.generation.objects import Objects
from hsa_conformance.engine.generation.values.named_values import NamedValues
from hsa_conformance.engine.generation.values.sizes import Sizes
from hsa_conformance.engine.judging import verdict
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.session import Session
from hsa_reports import Verdict
from hsa_reports.demands import Fills
from hsa_spec import Clause, Function, Registry, Strength
from hsa_spec.conditions import Atom
from hsa_spec.conditions.syntax import Compare

#: What is done before and after a call that satisfies a clause.
Around = Callable[[Clause, Builder], AbstractContextManager[None]]

#: The condition of clauses about memory that has run out.
_NO_MEMORY: Final = 'exhausted("memory")'

#: The share of the profile's examples in which each condition of a clause is missed.
_MISSES: Final = 0.5


def status_checks(
    case: Case,
    judge: Judge,
    repertoire: Repertoire,
    registry: Registry,
    worded: frozenset[str],
    around: Around,
    *,
    covered: bool,
) -> list[Check]:
    """Return the checks of one status clause.

    Args:
        case: the clause.
        judge: says which answers are right.
        repertoire: makes conditions hold.
        registry: the specification.
        worded: ids of clauses that ask in words for more than their conditions do.
        around: looks at the objects of a call that satisfies the clause, before and after it.
        covered: whether the suite has the topic, so that valid calls can be made.

    """
    clause = case.clause
    generator = _Generator(case, judge, repertoire, registry, worded, around)
    started = generator.initialised
    checks = [
        Check(
            clause.id,
            "satisfied",
            generator.satisfied,
            initialised=started,
            sweeps=True,
            once=case.before_init,
            hints=frozenset(generator.sizes.hints),
        )
    ]
    if case.can_miss and covered:
        # What misses `not initialized()` is a call in an initialised runtime. On further machines
        # the clauses that hold for what just misses this one are tried with their own inputs.
        effort = min(1.0, len(generator.flippable) * _MISSES)
        miss = Check(
            clause.id,
            "near miss",
            generator.near_miss,
            examples=effort,
            least=len(generator.flippable),
            once=True,
        )
        checks.append(miss)
    return checks


class _Generator:
    def __init__(
        self,
        case: Case,
        judge: Judge,
        repertoire: Repertoire,
        registry: Registry,
        clauses_in_words: frozenset[str],
        around: Around,
    ) -> None:
        self.case = case
        self.around = around
        self.clause = clause = case.clause
        self.clauses_in_words = clauses_in_words
        self.function = function = case.function
        self.judge = judge
        self.repertoire = repertoire
        # What the reference count decides is tried from zero: hsa_init must not need hsa_init.
        self.initialised = not case.before_init and not case.counts_references
        self.valid, self.own = case.valid, case.own
        swept = self.swept_parameters = self._parameters_to_sweep()
        sized = [name for name in swept if _has_edges(function, name)]
        self.named = NamedValues(
            function, swept, self.valid, self.own, refused=SUCCESS not in clause.status
        )
        self.objects = Objects(function, repertoire, swept, self.valid, self.own)
        self.sizes = Sizes(function, registry, sized, self.valid, self.own)
        self.names_attribute = any(_names_attribute(function, atom) for atom in self.own)
        self.takes_memory = any("memory" in exhausted(c) for c in function.clauses)
        short = [c for c in function.clauses if any(a.text == _NO_MEMORY for a in c.when)]
        self.out_of_memory = {status for c in short for status in c.status}
        self.repeats = repeats(self.function)
        self.flippable: list[Atom | None] = [None] if case.before_init else list(self.own)
        self._flipped_atoms: list[Atom | None] = []  # in the examples so far
        self._vain_atoms: list[Atom | None] = []  # of which an example proved nothing

    def _parameters_to_sweep(self) -> list[str]:
        """Return the parameters that the clause is tried with value by value.

        A clause about a refusal is tried with the values of what its own conditions are about, and
        one about a runtime that is not initialised with none: each would cost a process, and it is
        not the value that decides.
        """
        if self.case.before_init or self.clause.strength is Strength.OBSERVED:
            return []
        mentioned = {name for atom in self.own for name in atom.arguments}
        succeeds = self.function.success in (None, self.clause)
        inputs = [p.name for p in self.function.params if p.direction == "in"]
        return [name for name in inputs if succeeds or name in mentioned]

    @property
    def _promises_more(self) -> bool:
        """Return whether the clause promises success beside the one that says what is right."""
        return self.clause.is_success and self.clause is not self.function.success

    def satisfied(self, session: Session, draw: Draw, counts: Counts) -> None:
        try:
            self._satisfied(session, draw, counts)
        except ProvesNothing as obstacle:
            final = isinstance(obstacle, NotOnMachine | OverBudget)
            if final or not self.sizes.pinned(session.axes):
                raise
            raise Misfit(str(obstacle)) from None

    def _satisfied(self, session: Session, draw: Draw, counts: Counts) -> None:
        builder = self.repertoire.begin(session, self.function, draw)
        lacking = None
        self.named.pin(builder)
        self.objects.pin(builder)
        builder.swept_parameters, builder.own = self.swept_parameters, self.own
        if self.initialised:
            lacking = self._make_valid(builder)
        else:
            if self.case.before_init:
                _live_before(builder)
            _harmless(builder)
        self.repertoire.satisfy(builder, self.own)
        if self.initialised and lacking is None:
            self.sizes.pin(builder, self.repertoire.satisfy)
        self.named.note(builder)
        self.objects.note(builder)
        builder.note()
        self.sizes.note(builder)
        if self.clause.is_success and not self.names_attribute:
            require_defined(builder)
        expected = self.judge.expect(self.function, session.model, builder.raw())
        if expected.undefined and self.clause.strength is not Strength.OBSERVED:
            if isinstance(lacking, NotOnMachine):
                raise OutOfReach(str(lacking))
            raise Unsuitable("what was reached is undefined")
        if self.clause in expected.perhaps_in_force and expected.open:
            raise Unsuitable("what was reached is in no clause of another version")
        if lacking is not None and set(expected.allowed) - set(self.clause.status):
            raise lacking  # something else is wrong, too, and would excuse the answer
        with self.around(self.clause, builder) if self.initialised else nullcontext():
            self._call(session, builder, counts, near=False)

    def _make_valid(self, builder: Builder) -> Unavailable | NotOnMachine | None:
        """Make all that success wants hold, as far as the machine can; return what it lacks."""
        valid = [a for a in self.valid if not builder.rules_out(a)]
        try:
            self.repertoire.satisfy(builder, valid)
        except (Unavailable, NotOnMachine) as lacking:
            if self.clause is self.function.success:
                raise
            self._make_some(builder, valid)
            return lacking
        return None

    def _make_some(self, builder: Builder, atoms: Sequence[Atom]) -> None:
        """Make as much hold as can be made to."""
        for atom in atoms:
            with suppress(Unavailable, CannotMake):
                self.repertoire.satisfy(builder, [atom])

    def near_miss(self, session: Session, draw: Draw, counts: Counts) -> None:
        builder, lacking = self.repertoire.begin(session, self.function, draw), None
        try:
            self.repertoire.satisfy(builder, self.valid)
        except Unavailable as found:
            # What the suite cannot make need not be right for a call to be refused as it has to be.
            if found.verdict is not Verdict.UNTESTED or self.clause is self.function.success:
                raise
            lacking = found
            self._make_some(builder, self.valid)
        atoms = list(enumerate(self.flippable))
        unflipped = [n for n, atom in atoms if atom not in self._flipped_atoms]
        telling = [n for n, atom in atoms if atom not in self._vain_atoms]
        flipped = builder.one_of(self.flippable, unflipped or telling)
        self._flipped_atoms.append(flipped)
        if flipped is not None:
            try:
                self.repertoire.satisfy(builder, [a for a in self.own if a is not flipped])
                if builder.holds(flipped):
                    self.repertoire.make(builder, flipped, wanted=False)
            except NotOnMachine as lacking:
                raise CannotMake(str(lacking)) from None  # another atom may be turned around
        try:
            self._call(session, builder, counts, near=True)
        except CannotMake as nothing:
            self._vain_atoms.append(flipped)
            raise lacking or nothing from None

    def _call(self, session: Session, builder: Builder, counts: Counts, *, near: bool) -> None:
        expected = self.judge.expect(self.function, session.model, builder.raw())
        if self.takes_memory and SUCCESS in expected.allowed:
            session.memory.claim(self.sizes.bytes(builder))
        if near:
            if expected.open or set(self.clause.status) & set(expected.allowed):
                raise CannotMake("what was reached proves nothing about the clause")
            if any(c.id in self.clauses_in_words for c in expected.holding):
                raise CannotMake("what was reached takes more than conditions say")
            if not session.runs_kernels and any("kernels" in c.needs for c in expected.holding):
                raise CannotMake("what was reached needs a device that runs kernels")
            counts.near_misses += 1
        else:
            if self.clause not in expected.holding:
                raise Inconsistent(f"{self.clause.id} was satisfied and is said not to hold")
            counts.satisfied += 1
        session.expected = expected
        answer = session.call_with(self.function.name, builder.values)
        if not near and answer.name in self.out_of_memory and self.sizes.largest(builder):
            counts.satisfied -= 1
            raise Unsuitable("the machine has no room for the largest size, which the text allows")
        if near and self._promises_more and not answer.ok and SUCCESS not in expected.allowed:
            # It is refused, as it has to be. With which status, is tried where all else is right:
            # a library that refuses what this clause promises would be blamed for it twice.
            return
        self.judge.check(self.clause, answer, expected)
        if not answer.ok:  # nothing has changed, so it is refused the next time, too
            again = session.call_with(self.function.name, builder.values)
            self.judge.check(self.clause, again, expected)
        elif not near and SUCCESS in self.clause.status:
            self._require_written(session, builder, answer)
            if self.clause.is_success:
                self._call_again(session, builder)
                self._leave_out(session, builder, answer)

    def _call_again(self, session: Session, builder: Builder) -> None:
        """Make a call that has succeeded once more, where the text says that it succeeds again."""
        if not self.repeats:
            return
        with suppress(ProvesNothing):
            expected = self.judge.expect(self.function, session.model, builder.raw())
            if expected.open or SUCCESS not in expected.allowed:
                return
            session.expected = expected
            again = session.call_with(self.function.name, builder.values)
            self.judge.check(self.clause, again, expected)

    def _leave_out(self, session: Session, builder: Builder, answer: Answer) -> None:
        """Make a call that has succeeded again, in turn without each output that may be NULL."""
        given = [p for p in self.function.params if p.name in answer.outputs]
        written = [p.name for p in given if not (p.conditional or answer.untouched(p.name))]
        for left_out in (p.name for p in given if p.nullable):
            with suppress(ProvesNothing):
                values = {**builder.values, left_out: 0}
                arguments = numbers(self.function, values)
                expected = self.judge.expect(self.function, session.model, arguments)
                if expected.open or SUCCESS not in expected.allowed:
                    continue
                session.expected = expected
                again = session.call_with(self.function.name, values)
                self.judge.check(self.clause, again, expected)
                for name in written:
                    if again.ok and name != left_out and again.untouched(name):
                        self._not_written(again, name, f" where {left_out} is NULL")

    def _not_written(self, answer: Answer, name: str, where: str = "") -> NoReturn:
        summary = f"answered SUCCESS and did not write {name}{where}"
        allowed = {SUCCESS: [self.clause.id]}
        got = f"{answer.name}, {name} untouched"
        raise breach(self.clause, summary, got, allowed, demand=Fills(name))

    def _require_written(self, session: Session, builder: Builder, answer: Answer) -> None:
        """Demand that a query wrote the attribute, which is defined for the object.

        Where nothing seems to be written, the value may be what was there before: the query is
        made again with something else there.
        """
        for name, attribute in reported(builder).items():
            if not answer.untouched(name) or not has_value(builder, attribute):
                continue
            if may_be_empty(builder, attribute):
                continue
            values = {**builder.values, name: Out(pattern=OTHER_PATTERN)}
            again = session.call_with(self.function.name, values)
            found = verdict.of_breach(self.clause)
            if again.ok and again.untouched(name, OTHER_PATTERN) and found is not Verdict.UNTESTED:
                self._not_written(again, name)


def _has_edges(function: Function, name: str) -> bool:
    """Return whether a parameter is a size. How many elements an array has is none."""
    parameter = function.parameter[name]
    if parameter.role == "count":
        return not any(p.length == name for p in function.params)
    return parameter.power_of_two or parameter.role in ("size", "offset", "alignment")


def _names_attribute(function: Function, atom: Atom) -> bool:
    """Return whether a condition is about one attribute, and says itself what holds for it."""
    asked = {p.name for p in function.params if p.role == "attribute"}
    node = atom.node
    return isinstance(node, Compare) and node.op == "==" and not asked.isdisjoint(atom.arguments)


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
            "*" in parameter.type or parameter.role in ("address", "handle", "array", "struct")
        ):
            builder.values[parameter.name] = builder.readable()
