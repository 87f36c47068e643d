"""Judges what calls of several threads answered, and whether what they made is there, and whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final, NoReturn

from hsa_conformance.engine.calls.outcomes import Violation
from hsa_conformance.engine.calls.values import STATUS, Answer
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.judge import THREADS, Expectation, Judge
from hsa_conformance.engine.session.clean_up import close_descriptors, giving_back
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.together import Event, Task
from hsa_reports.demands import AsAlone, Demand
from hsa_spec import Clause, Function, Registry

#: How many orders of calls are tried at most; where none of these explains them, nobody is accused.
_ORDERS: Final = 500


#: What reports call what a callback was called with.
HEARD: Final = "list of calls of the callback"

#: Roles of arguments that are the addresses of something.
_POINTED_AT: Final = ("struct", "string")

#: What a call said, by what it is: its status, an output, what its callback was called with.
Said = Mapping[str, object]


@dataclass(frozen=True)
class _Mismatch:
    """Why a call does not fit where an order of the calls has it."""

    summary: str
    got: str
    function: str


class Histories:
    """Makes calls in several threads, and judges them.

    Args:
        session: the process and what is known of it.
        clause: the clause that is demanded.
        judge: says which answers are right.

    """

    def __init__(self, session: Session, clause: Clause, judge: Judge) -> None:
        self.session = session
        self.clause = clause
        self.judge = judge

    def add(self, lanes: Sequence[Sequence[Task]]) -> None:
        """Make the calls, judge them, and give back what they made.

        Raises:
            Violation: no order of the calls explains them, or what they made cannot be given back.
            Ended: the process did not survive them.

        """
        self.session.expected = None
        events = self.session.together(lanes)
        self._explain(events)
        self._compare(events)
        self._give_back()

    def add_unless_alone(self, lanes: Sequence[Sequence[Task]]) -> None:
        """Make the calls and judge them, unless one thread that makes them goes wrong as well.

        Raises:
            Violation, Ended: as for `add`.

        """
        try:
            self.add(lanes)
        except Violation:
            alone, self.session.alone = self.session.alone, True
            try:
                self.add(lanes)
            except Violation:
                return
            finally:
                self.session.alone = alone
            raise

    def _explain(self, events: Sequence[Event]) -> None:
        """Find an order of the calls that explains their answers, and remember what they made."""
        model, rules = self.session.model, self.session.rules
        tried = 0
        wrong: _Mismatch | None = None
        given_back = {
            raw
            for event in events
            for p, raw in zip(event.answer.function.params, event.raw, strict=True)
            if p.ownership == "consumes"
        }

        def place(left: Sequence[Event], *, searching: bool) -> bool:
            nonlocal tried, wrong
            for event in left:
                if any(other.ended < event.began for other in left):
                    continue
                answer, function = event.answer, event.answer.function
                expected = self.judge.expect(function, model, event.raw)
                if not expected.open and answer.name not in expected.allowed:
                    wrong = wrong or _misfit(answer, expected)
                    continue
                changes = function.name in rules.transitions
                before = model.moment() if searching and changes else None
                taken = self._remember(answer, given_back)
                wrong = wrong or taken
                others = [other for other in left if other is not event]
                if not taken and place(others, searching=searching):
                    return True
                if before is None:
                    return False  # where it stands makes no difference, or one order is tried
                model.go_back(before)
                tried += 1
                if tried > _ORDERS:
                    raise CannotMake("there are too many orders of the calls")
            return not left

        # The first order explains them nearly always, and a moment is dear.
        first = model.moment()
        if not place(events, searching=False):
            model.go_back(first)
            wrong = None
            if not place(events, searching=True) and wrong is not None:
                self._accuse(wrong.summary, wrong.got, wrong.function)
        for event in events:
            self._require_outputs(event.answer)

    def _remember(self, answer: Answer, given_back: Set[int]) -> _Mismatch | None:
        """Remember what a call has made; return what is wrong if it is there already.

        Args:
            answer: the call's.
            given_back: what other calls of the history take, and may have taken before.

        """
        objects = self.session.model.objects
        before = sum(map(len, objects.values()))
        self.session.remember(answer)
        name = answer.function.name
        made = [
            p.name
            for p in answer.function.params
            # A descriptor is the kernel's to number.
            if p.ownership == "creates" and p.role != "descriptor"
        ]
        known = name in self.session.rules.transitions
        if answer.ok and made and known and sum(map(len, objects.values())) <= before:
            got = ", ".join(f"{of} = {answer[of]:#x}" for of in made if of in answer.symbols)
            taken = _Mismatch(f"{name} gave what is there already", got, name)
            if given_back.isdisjoint(answer[of] for of in made if of in answer.symbols):
                self._accuse(taken.summary, taken.got, taken.function)
            return taken
        return None

    def _require_outputs(self, answer: Answer) -> None:
        name = answer.function.name
        if not answer.ok:
            return
        if behind := answer.overrun():
            self._accuse(f"{name} wrote outside of {behind}", f"bytes next to {behind}", name)
        for output in answer.unwritten():
            if output in answer.outputs:
                summary = f"{name} answered SUCCESS and did not write {output}"
                self._accuse(summary, f"{output} untouched", name)

    def _compare(self, events: Sequence[Event]) -> None:
        """Require that questions are answered as they are in one thread."""
        known: dict[int, Said | None] = {}
        registry = self.session.registry
        for event in events:
            answer, name = event.answer, event.answer.function.name
            changes = name in self.session.rules.transitions
            if not answer.ok or changes or not asks(answer.function):
                continue
            if id(event.values) not in known:
                with self.session.trace.paused():
                    answers = [self.session.call_with(name, event.values) for _ in "12"]
                one, other = (said(told, registry) for told in answers)
                known[id(event.values)] = one if one == other else None
            alone = known[id(event.values)]
            if alone is not None and (others := _differing(alone, said(answer, registry))):
                got = f"another {' and another '.join(others)}"
                summary = f"{name} answers otherwise than in one thread"
                self._accuse(summary, got, name, AsAlone(name))

    def _give_back(self) -> None:
        """Give back what there is, and require that it can be."""
        session = self.session
        for function, arguments in giving_back(session):
            answer = session.call(function, **arguments)
            if not answer.ok:
                self._accuse(f"{function} refuses what threads have made", answer.name)
        close_descriptors(session)

    def _accuse(
        self, summary: str, got: str, function: str = "", demand: Demand | None = None
    ) -> NoReturn:
        """Say what is wrong with the calls of a function, by default of the one under test."""
        clause = self.session.registry.clauses.get(f"{function}/{THREADS}", self.clause)
        allowed = {clause.states: [clause.id]}
        raise breach(clause, summary, got, allowed, demand=demand)


def _misfit(answer: Answer, expected: Expectation) -> _Mismatch:
    name, wanted = answer.function.name, " or ".join(expected.allowed)
    return _Mismatch(f"{name} answered {answer.name} instead of {wanted}", answer.name, name)


def asks(function: Function) -> bool:
    """Return whether a function only tells what there is, and so the same each time."""
    lists = any(p.type.startswith("callback:") for p in function.params) and any(
        p.name == "data" for p in function.params
    )
    owned = {p.ownership for p in function.params}
    finds = any(p.ownership == "borrows" and p.direction == "out" for p in function.params)
    asked = any(p.role == "attribute" for p in function.params)
    # What else is written may be another thing each time, such as the name of what is shared.
    tells = lists or finds or asked or function.stable or _says_of_numbers(function)
    return tells and owned.isdisjoint(("creates", "consumes"))


def _says_of_numbers(function: Function) -> bool:
    """Return whether a function says something of numbers alone, which nobody can change."""
    given = [p.role for p in function.params if p.direction == "in"]
    writes = any(p.direction == "out" for p in function.params)
    # Who is given no number tells of a state, such as the last error.
    numbers = bool(given) and {"enum", "value"}.issuperset(given)
    return function.result == STATUS and writes and numbers


def said(answer: Answer, registry: Registry) -> Said:
    """Return what a call said.

    What a callback is handed by its address may lie on the stack of the thread that calls.
    """
    types = (p.type.partition(":") for p in answer.function.params)
    named = next((name for kind, _, name in types if kind == "callback"), None)
    params = registry.callbacks[named].params if named else ()
    # A callback of an earlier call may have been called meanwhile, with fewer arguments.
    left_out = {position for position, p in enumerate(params) if p.role in _POINTED_AT}
    heard = sorted(
        tuple(value for n, value in enumerate(arguments) if n not in left_out)
        for arguments in answer.callbacks
    )
    return {"status": answer.name, **answer.outputs, HEARD: heard}


def _differing(one: Said, other: Said) -> list[str]:
    return [what for what, told in one.items() if other[what] != told]
