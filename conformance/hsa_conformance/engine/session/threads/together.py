"""Calls of several threads that are released at one time, and what came of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace

from hsa_adapters.calls import Call, TimedOutcome
from hsa_adapters.errors import Ended
from hsa_conformance.engine.calls.answers import as_step
from hsa_conformance.engine.calls.arguments import PreparedCall
from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer, Before, Value
from hsa_conformance.engine.session.threads.background import Background
from hsa_reports import actions

#: Waits until threads of this process may make calls at one time, and lets others do so again.
Race = Callable[[], AbstractContextManager[None]]
#: A function and its arguments.
Task = tuple[str, Mapping[str, Value]]


@dataclass(frozen=True)
class Wait:
    """What a call waits for that is made beside others; see `Call`."""

    meeting: int = 0
    pause: int = 0


@dataclass(frozen=True)
class Event:
    """A call that was made beside others.

    Attributes:
        lane: the number of its thread.
        values: its arguments as they were asked for.
        raw: the same as numbers.
        answer: what it answered.
        began: a time before it, in nanoseconds, which can be compared between threads.
        ended: a time after it.

    """

    lane: int
    values: Mapping[str, Value]
    raw: Sequence[int]
    answer: Answer
    began: int
    ended: int

    def beside(self, other: Event) -> bool:
        """Return whether another thread made the other call while this one was under way."""
        return self.lane != other.lane and self.began < other.ended and other.began < self.ended


class Together(Background):
    """Makes calls in one process, of which several threads may make some at one time."""

    #: Whether one thread makes the calls of all threads, one after the other: what goes wrong then
    #: as well has nothing to do with threads.
    alone = False
    #: The function whose calls threads leave out: what goes wrong then as well is not its doing.
    left_out: str | None = None
    #: The two functions whose calls are to overlap; None where any two may.
    pair: tuple[str, str] | None = None
    timed = 0  #: how many calls threads have made at one time, of a pair those that are fewer
    overlapping = 0  #: how many of these were under way while another thread was in such a call
    ended_together = False  #: whether the process ended during such calls
    race: Race = nullcontext  #: what is held while threads make calls at one time
    #: Whether threads of the library take turns, as those of Python do: what they can show at one
    #: time, they show at once.
    interpreted = False

    def together(
        self,
        lanes: Sequence[Sequence[Task]],
        budget: float | None = None,
        waits: Sequence[Sequence[Wait]] = (),
    ) -> list[Event]:
        """Make calls in several threads that are released at one time; the model learns nothing.

        Args:
            lanes: the calls of each thread, which it makes one after the other.
            budget: seconds that all of them may take; None for as long as one call may.
            waits: what each of these calls waits for; (): for nothing.

        Returns:
            What came of them, in the order in which they ended.

        Raises:
            Ended: the process did not survive them.
            Unavailable: the library has no such function.
            ProvesNothing: calls take what those give that are left out.

        """
        if self.left_out is not None:
            lanes = self._without(self.left_out, lanes)
        values = [[given for _, given in lane] for lane in lanes]
        return self._at_once([self._in_turn(lane) for lane in lanes], values, budget, waits)

    def repeated(self, call: PreparedCall, threads: int) -> list[Event]:
        """Make one call in several threads that are released at one time; see `together`."""
        if call.function.name == self.left_out:
            return []
        return self._at_once([[call]] * threads, [[{}]] * threads, None)

    def _without(self, function: str, lanes: Sequence[Sequence[Task]]) -> list[list[Task]]:
        """Return the calls of each thread but those of a function."""
        given = (value for lane in lanes for _, values in lane for value in values.values())
        if any(isinstance(value, Before) for value in given):
            raise ProvesNothing(f"a call takes what {function} may give")
        return [kept for lane in lanes if (kept := [task for task in lane if task[0] != function])]

    def _at_once(
        self,
        prepared: Sequence[Sequence[PreparedCall]],
        values: Sequence[Sequence[Mapping[str, Value]]],
        budget: float | None,
        waits: Sequence[Sequence[Wait]] = (),
    ) -> list[Event]:
        functions = [call.function.name for lane in prepared for call in lane]
        if not functions:
            return []
        self.count(functions[-1], len(functions))
        try:
            outcomes = self._released(prepared, budget, waits)
        except Ended as end:
            self.ended, self.ended_together = end, True
            words = _words([(n, call.words) for n, lane in enumerate(prepared) for call in lane])
            self.trace.note(words, f"{end.kind}: {end.detail}", _unfinished(prepared))
            raise
        events = [
            Event(n, given, _raw(call), self._answered(call, timed), timed.began, timed.ended)
            for n, (lane, calls, done) in enumerate(zip(values, prepared, outcomes, strict=True))
            for given, call, timed in zip(lane, calls, done, strict=True)
        ]
        self.trace.note_later(lambda: _story(prepared, events))
        for event in events:
            event.answer.step_count = self.trace.step_count
        counted, others = self._paired(events)
        self.timed += len(counted)
        self.overlapping += sum(any(map(event.beside, others)) for event in counted)
        return sorted(events, key=lambda event: event.ended)

    def _paired(self, events: Sequence[Event]) -> Sequence[Sequence[Event]]:
        """Return the calls of the functions of the pair, the fewer first; without one, all twice.

        A function may take so much longer than the other that few calls of that can meet it.
        """
        if self.pair is None:
            return events, events
        of = [[e for e in events if e.answer.function.name == name] for name in self.pair]
        return sorted(of, key=len)

    def _in_turn(self, lane: Sequence[Task]) -> list[PreparedCall]:
        """Prepare the calls of a thread, of which each may take what the one before gives."""
        prepared: list[PreparedCall] = []
        for name, values in lane:
            before = prepared[-1] if prepared else None
            prepared.append(self._prepared(self.offered_api.newest(name), values, before))
        return prepared

    def _released(
        self,
        prepared: Sequence[Sequence[PreparedCall]],
        budget: float | None,
        waits: Sequence[Sequence[Wait]],
    ) -> Sequence[Sequence[TimedOutcome]]:
        lanes = [[call.call for call in lane] for lane in prepared]
        if not self.alone:
            for lane, of in zip(lanes, waits, strict=False):
                lane[:] = [
                    replace(call, meeting=wait.meeting, pause=wait.pause)
                    for call, wait in zip(lane, of, strict=True)
                ]
            with self.race():
                return self.process.together(lanes, budget)
        done = iter(self._in_one([call for lane in lanes for call in lane], budget))
        return [[next(done) for _ in lane] for lane in lanes]

    def _in_one(self, calls: Sequence[Call], budget: float | None) -> Sequence[TimedOutcome]:
        """Make calls in one thread, if it can be in one that was there before and stays."""
        if any(call.loads for call in calls):
            return self.process.together([calls], budget)[0]
        outcomes = self.process.batch(calls)
        return [TimedOutcome(outcome, 2 * n, 2 * n + 1) for n, outcome in enumerate(outcomes)]

    def _answered(self, prepared: PreparedCall, timed: TimedOutcome) -> Answer:
        outcome = timed.outcome
        return self._answer(prepared.function, prepared.outputs, outcome, prepared.numbers)

    def remember(self, answer: Answer) -> None:
        """Let the model remember what a call has changed that threads have made."""
        self._remember(answer)


def _raw(call: PreparedCall) -> list[int]:
    return [a.raw if isinstance(a.raw, int) else 1 for a in call.arguments]


def _words(calls: Sequence[tuple[int, str]]) -> str:
    return "at one time: " + "; ".join(f"thread {lane + 1}: {words}" for lane, words in calls)


def _unfinished(prepared: Sequence[Sequence[PreparedCall]]) -> actions.Together:
    return actions.Together(
        tuple(
            tuple(
                actions.Call(call.function.name, call.events, None, address=call.event_address)
                for call in lane
            )
            for lane in prepared
        )
    )


def _story(
    prepared: Sequence[Sequence[PreparedCall]], events: Sequence[Event]
) -> tuple[str, str, actions.Together]:
    done = iter(events)
    lanes: list[tuple[actions.Call, ...]] = []
    words: list[tuple[int, str]] = []
    results: list[str] = []
    for number, lane in enumerate(prepared):
        calls: list[actions.Call] = []
        for call in lane:
            said, result, action = as_step(call, next(done).answer)
            words.append((number, said))
            results.append(result)
            calls.append(action)
        lanes.append(tuple(calls))
    return _words(words), "; ".join(results), actions.Together(tuple(lanes))
