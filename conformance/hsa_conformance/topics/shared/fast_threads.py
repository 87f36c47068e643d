"""One call that each of two threads makes again and again, as fast as the processor can."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Scene
from hsa_conformance.engine.session.threads.litmus import PlannedCall
from hsa_reports import Verdict

#: How often threads begin together, and how often each makes its call the first time, and at most.
_BEGINNINGS: Final = 12
_FIRST: Final = 100
_MOST: Final = 20_000
#: How many seconds its calls should take each time.
_TIME: Final = 0.002


def fast_threads(
    scene: Scene, function: str, arguments: Sequence[Mapping[str, int]]
) -> Iterator[int]:
    """Let two threads call a function again and again, at one time; yield how often each has.

    Args:
        scene: where they make the calls.
        function: its name.
        arguments: those of each thread.

    Raises:
        Unavailable: threads cannot be released at one time here.

    """
    if reason := scene.session.process.no_barrier:
        raise Unavailable(Verdict.UNTESTED, reason)
    made, times = 0, _FIRST
    for _ in range(1 if scene.session.interpreted else _BEGINNINGS):
        took = scene.session.litmus([[PlannedCall(function, each)] for each in arguments], times)
        made += times
        yield made
        times = max(1, min(_MOST, int(times * _TIME / max(*took, 1e-6))))
