"""Which call ends a process, where it may have returned before the process ends.

A timer or a thread that a call has started may end the process during a later call, which is
innocent: a process that makes fewer calls and is watched for a moment tells one from the other.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from hsa_adapters.ends import HANG
from hsa_adapters.errors import Ended

T = TypeVar("T")


@dataclass(frozen=True)
class Evidence(Generic[T]):
    """What the end of a process shows.

    Attributes:
        calls: how many calls it had made, with the one that was under way.
        found: what it shows.
        during: whether the last of these calls was under way, so that it is known which it was.

    """

    calls: int
    found: T
    during: bool


def may_be_late(end: Ended | None) -> bool:
    """Return whether an earlier call than the last may have ended a process."""
    if end is None or end.kind == HANG or end.between is not None:
        return False
    return not end.certain


def earliest(play: Callable[[int | None], Evidence[T] | None]) -> T | None:
    """Return what the end of a process shows with as few calls as it takes.

    Args:
        play: makes the calls in a fresh process, at most so many of them, watches the process for a
            moment, and returns what its end shows; None where it does not end.

    Returns:
        None where it does not end with all of the calls.

    """
    shown = play(None)
    if shown is None:
        return None
    # Most often it is the last one.
    alive, tried = 0, shown.calls - 1
    while tried > alive:
        fewer = play(tried)
        if fewer is None:
            alive = tried
        else:
            shown = fewer
        tried = (alive + shown.calls) // 2
    if not shown.during:
        shown = play(shown.calls) or shown
    return shown.found
