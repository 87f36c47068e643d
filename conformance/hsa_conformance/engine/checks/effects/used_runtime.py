"""The check of what a runtime leaves behind that was used: started, used, and shut down.

A library may build something when a function is called first, and keep it for later calls. When the
runtime is shut down for good, that has to go, too: so it is started again and again, the same
functions are called each time, and what they make is destroyed before the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from random import Random
from typing import Final

from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.outcomes import Blocked, Inconsistent, ProvesNothing, Unavailable
from hsa_conformance.engine.calls.values import STATUS
from hsa_conformance.engine.checks.case import Case
from hsa_conformance.engine.checks.check import Check, Counts
from hsa_conformance.engine.checks.effects.leaks import start_again
from hsa_conformance.engine.checks.growth import growth, left_behind
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import begins, starts_runtime
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.valid_calls import ValidCalls
from hsa_conformance.engine.session.clean_up import clean_up_both
from hsa_conformance.engine.session.session import Session
from hsa_spec import Function

#: How many functions an example uses, at most.
_HANDFUL: Final = 8
#: How many examples there are for each of the profile's: each of them is many starts.
_SHARE: Final = 0.3
#: What reports call the choice of a function to which the remains are due.
USED_BY: Final = "used by"
#: A handful of functions, of which none is to blame by itself.
SEVERAL: Final = "several functions"


def used_runtime_check(
    case: Case, calls: ValidCalls, functions: Mapping[str, Function], seed: int
) -> Check:
    """Return the check of what the last hsa_shut_down leaves behind of a runtime that was used.

    Args:
        case: the clause.
        calls: builds calls that succeed.
        functions: the functions that the library offers, by name.
        seed: makes two runs choose the same.

    """
    usable = [
        f
        for f in functions.values()
        if f.success is not None
        # The other process keeps its runtime from round to round: its rounds are not equal to ours.
        and "second_process" not in f.success.needs
        and not starts_runtime(f)
        and not begins(f)
    ]

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        number = draw(drawing.ticket(f"{seed}:{case.clause.id}:used"))
        used = _UsedRuntime(session, calls, case.function, number)
        alone = session.axes.pins.get(USED_BY, SEVERAL)
        session.axes.offer(USED_BY, [SEVERAL])
        session.axes.chosen[USED_BY] = alone
        handful = Random(number).sample(usable, min(_HANDFUL, len(usable)))
        uses = used.fit(handful if alone == SEVERAL else [functions[alone]])
        grown = used.kept(uses)
        if grown and len(uses) > 1:
            culprits = [use for use in uses if used.kept([use])]
            session.axes.offer(USED_BY, [use.name for use in culprits])
            uses = [use for use in uses if use not in culprits]
            grown = used.kept(uses)
        counts.satisfied += 1
        if grown:
            before = len(session.trace.notes)
            used.once(uses)
            end = len(session.trace.notes)
            whose = "each of many equal rounds of these calls"
            raise left_behind(case.clause, whose, grown, "nothing", end - before, end)

    return Check(
        case.clause.id,
        "equal rounds of a runtime that is used",
        body,
        initialised=False,
        fresh=True,
        examples=_SHARE,
        sweeps=True,
        once=True,
    )


class _UsedRuntime:
    """A runtime that is started, used and shut down, again and again.

    Args:
        session: the process and what is known of it.
        calls: builds calls that succeed.
        last: the function that shuts it down.
        number: decides what each function is called with.

    """

    def __init__(self, session: Session, calls: ValidCalls, last: Function, number: int) -> None:
        self._session = session
        self._calls = calls
        self._last = last
        self._number = number

    def fit(self, functions: Sequence[Function]) -> list[Function]:
        """Return the functions that can be called, after which all can be destroyed.

        Raises:
            CannotMake: there is none.

        """
        session = self._session
        found: list[Function] = []
        with session.apart():
            self._start()
            for function in functions:
                with suppress(ProvesNothing, Unavailable, Blocked, Inconsistent):
                    self._use(function)
                    found.append(function)
                if session.is_over or session.model.lasting:
                    raise CannotMake(f"after {function.name} nothing is as before")
            self._end()
        if not found:
            raise CannotMake("none of the functions can be called here")
        return found

    def kept(self, uses: Sequence[Function]) -> Mapping[str, int]:
        """Return what grows from round to round with such uses, and does not without any.

        Raises:
            CannotMake: the process ends, or a call does not come back. Clauses about success and
                about a second start judge that; this one counts what stays of rounds that end.

        """
        try:
            return self._kept(uses)
        except Ended as obstacle:
            raise CannotMake(f"the rounds do not come to their end: {obstacle}") from None

    def _kept(self, uses: Sequence[Function]) -> Mapping[str, int]:
        def work() -> None:
            with self._session.apart():
                self.once(uses)

        found = growth(self._session.process, work) if uses else {}
        if not found:
            return {}
        without = growth(self._session.process, self._unused)
        left = {name: count for name, count in found.items() if name not in without}
        theirs = self._staying(uses) if left else {}
        return {name: count for name, count in left.items() if name not in theirs}

    def _unused(self) -> None:
        with self._session.apart():
            self.once([])

    def _staying(self, uses: Sequence[Function]) -> Mapping[str, int]:
        """Return what such uses leave where the runtime is not shut down: it is theirs."""

        def work() -> None:
            with self._session.apart():
                for use in uses:
                    self._use(use)
                self._give_back()

        with self._session.apart():
            self._start()
            try:
                return growth(self._session.process, work)
            finally:
                self._end()

    def once(self, uses: Sequence[Function]) -> None:
        """Start the runtime, use it, destroy all that was made, and shut it down.

        Raises:
            CannotMake: not every call can be made as before.

        """
        self._start()
        for use in uses:
            self._use(use)
        self._end()

    def _start(self) -> None:
        start_again(self._session)
        with self._session.trace.paused():
            self._session.discover(self._session)

    def _use(self, function: Function) -> None:
        """Call a function, each time with the same choices.

        Raises:
            CannotMake: it does not succeed.

        """
        session, name = self._session, function.name
        same = drawing.drawn_from(Random(f"{self._number}:{name}").getrandbits(32))
        try:
            builder = self._calls.build(session, function, same)
            if function.result == STATUS:
                self._calls.require_success(builder)
            if not session.call_with(name, builder.values).ok:
                raise CannotMake(f"{name} does not succeed each time")
        except (Blocked, Ended) as obstacle:
            raise CannotMake(f"{name} cannot be called: {obstacle}") from None

    def _give_back(self) -> None:
        if not clean_up_both(self._session):
            raise CannotMake("an object cannot be destroyed")

    def _end(self) -> None:
        self._give_back()
        self._session.call(self._last.name)
