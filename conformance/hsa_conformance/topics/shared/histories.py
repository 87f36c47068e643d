"""Numbers that several threads change at one time, and whether some order explains what came of it.

The number is a signal's value, or an index of a queue. In a history each thread makes a few calls,
which are drawn; some order of all of them has to explain each result, and the number in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.session.threads import overlap
from hsa_conformance.engine.session.threads.linear import explained
from hsa_conformance.engine.session.threads.together import Event, Task
from hsa_reports import Verdict

#: Threads of a history, and calls of each.
THREADS: Final = 2
CALLS: Final = 12
#: Histories of an example, and how many there are at most while too few calls overlap.
HISTORIES: Final = 6
MOST: Final = 60

_WORD: Final = 1 << 64

#: What an operation makes of a number and its operands.
Change = Callable[[int, Mapping[str, int]], int]


def histories(scene: Scene) -> Iterator[int]:
    """Yield the numbers of the histories of an example, of which enough overlap if they can."""
    session = scene.session
    if reason := session.process.no_barrier:
        raise Unavailable(Verdict.UNTESTED, reason)
    for number in range(MOST):
        if number >= HISTORIES and overlap.is_enough(session.overlapping, session.timed):
            return
        yield number


def require_order(
    scene: Scene,
    lanes: Sequence[Sequence[Task]],
    changes: Mapping[str, Change],
    before: int,
    end: Callable[[], int],
) -> None:
    """Require that some order of calls explains what they returned, and the number in the end.

    Args:
        scene: where the clause is demanded.
        lanes: the calls of each thread.
        changes: what each function that is called makes of the number; what returns a number
            returns the one from before it.
        before: the number before all calls.
        end: returns the number after them.

    """
    events = scene.session.together(lanes)
    last = end() % _WORD

    def step(number: int, event: Event) -> Sequence[int]:
        function = event.answer.function
        if function.result != "void" and event.answer.status % _WORD != number:
            return ()
        return [changes[function.name](number, event.answer.args) % _WORD]

    told = "; ".join(
        f"thread {e.lane + 1}: {e.answer.function.name} returned {e.answer.status}" for e in events
    )
    scene.require(
        explained(events, before % _WORD, step, lambda number: number == last),
        f"no order of {len(events)} calls explains what they return, and {last:#x} in the end",
        told,
    )


def drawn_lanes(
    scene: Scene, make: Callable[[str], Task], function: str, others: Sequence[str]
) -> list[list[Task]]:
    """Return the calls of each thread: of a function, and of others beside it.

    Args:
        scene: where the calls are drawn.
        make: returns a call of a function.
        function: the function that the clause is about.
        others: functions that may be called as well.

    """
    beside = [function, *others]

    def lane() -> list[Task]:
        which = [
            function if scene.draw(drawing.booleans()) else scene.draw(drawing.sampled_from(beside))
            for _ in range(CALLS - 1)
        ]
        return [make(name) for name in (function, *which)]

    return [lane() for _ in range(THREADS)]
