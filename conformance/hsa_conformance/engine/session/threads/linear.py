"""Whether some order of calls explains what each of them answered.

Of two calls of which one had ended before the other began, it comes first. Otherwise either may:
calls that overlap are as if one had been made after the other, and nobody knows which. The
properties of topics ask this; for the clauses `threads`, `checks/threads/histories.py` does.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Final, TypeVar

from hsa_conformance.engine.session.threads.together import Event

State = TypeVar("State", bound=Hashable)

#: The most calls of a history that orders are searched for.
MOST: Final = 50


def explained(
    events: Sequence[Event],
    state: State,
    step: Callable[[State, Event], Sequence[State]],
    fits: Callable[[State], bool],
) -> bool:
    """Return whether calls made in some order may all have answered as they did.

    Args:
        events: the calls, at most MOST.
        state: how things were before them.
        step: returns the states in which a call may leave things, none where it would not have
            answered so.
        fits: whether things may be so afterwards.

    """
    assert len(events) <= MOST, f"{len(events)} calls are too many"
    every = frozenset(range(len(events)))
    before = [frozenset(n for n in every if events[n].ended < event.began) for event in events]
    begin = (frozenset[int](), state)
    todo, known = [begin], {begin}
    while todo:
        done, now = todo.pop()
        if done == every and fits(now):
            return True
        for n in every - done:
            if before[n] <= done:
                places = {(done | {n}, then) for then in step(now, events[n])} - known
                known |= places
                todo += places
    return False
