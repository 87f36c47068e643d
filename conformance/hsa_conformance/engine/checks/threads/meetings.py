"""Two threads that wait for each other before the calls which are to be made at one time.

What a thread does besides, such as to make what it gives back, takes its time. Without waiting, few
of the calls that matter would meet one of the other thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import median
from typing import Final

from hsa_conformance.engine.checks.threads.bursts import Cycle
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.together import Event, Task, Wait

#: How often threads meet at first and at least, and at most. Each begins later in half of them.
_LEAST: Final = 6
_MOST: Final = 48
#: How long they may meet again and again, in nanoseconds.
_TIME: Final = 2_000_000
#: How often the quicker call is made for one of the other, at most.
_OFTEN: Final = 8
#: What a thread takes between two calls, in nanoseconds, and the longest time that it begins later.
_BETWEEN: Final = 100
_LATE: Final = 1_000_000
#: How many steps of a pause a thread takes in a nanosecond, about.
_STEPS: Final = 3


class Meetings:
    """Two threads of which each makes its calls again and again.

    Args:
        session: the process.
        parts: what each thread does.
        functions: the function of each whose calls are to be made at one time.
        chance: decides by how much one of the two begins later, which they do in turn.

    Attributes:
        spent: how many nanoseconds the calls took so far.

    """

    def __init__(
        self, session: Session, parts: Sequence[Cycle], functions: Sequence[str], chance: Random
    ) -> None:
        self._session = session
        self._parts = parts
        self._functions = functions
        self._chance = chance
        self.spent = 0
        self._times = _LEAST
        self._often = [1, 1]
        self._late = [_BETWEEN, _BETWEEN]

    def again(self) -> Sequence[Event]:
        """Let the threads meet some times, and return what came of their calls.

        Raises:
            Ended: the process did not survive them.

        """
        lanes: list[list[Task]] = [[], []]
        waits: list[list[Wait]] = [[], []]
        for number in range(1, self._times + 1):
            late = number % 2
            for lane, part in enumerate(self._parts):
                for step in part.steps:
                    meets = self._session.offered_api.newest(step[0]) == self._functions[lane]
                    often = self._often[lane] if meets else 1
                    pause = self._chance.randrange(self._late[lane]) if lane == late else 0
                    first = Wait(number, pause * _STEPS) if meets else Wait()
                    lanes[lane] += [step] * often
                    waits[lane] += [first, *[Wait()] * (often - 1)]
        events = self._session.together(lanes, waits=waits)
        self._learn(events)
        return events

    def _learn(self, events: Sequence[Event]) -> None:
        """Find out how often the threads should meet, and how long each of them is busy then."""
        took = [self._took(lane, events) for lane in (0, 1)]
        for lane, part in enumerate(self._parts):
            own, other = took[lane] + _BETWEEN, took[1 - lane]
            self._late[lane] = max(_BETWEEN, min(_LATE, int(other)))
            if part.back is None:
                self._often[lane] = max(1, min(_OFTEN, int(other / own)))
        whole = max(e.ended for e in events) - min(e.began for e in events)
        self.spent += whole
        self._times = max(_LEAST, min(_MOST, int(_TIME * self._times / max(whole, 1))))

    def _took(self, lane: int, events: Sequence[Event]) -> float:
        """Return how many nanoseconds a call of the function of a thread takes."""
        name = self._functions[lane]
        return median(
            e.ended - e.began for e in events if e.lane == lane and e.answer.function.name == name
        )
