"""Waits that take long."""

from __future__ import annotations

import time
from typing import Final

from hsa_adapters import interrupts
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.signals.generators import group, signal
from hsa_conformance.topics.core.signals.properties.groups import WAITS, waiting_for_any
from hsa_conformance.topics.core.signals.properties.waits import FOREVER, drawn, unmet, waiting
from hsa_conformance.topics.shared.attributes import number
from hsa_conformance.topics.shared.signals import ticks
from hsa_reports import Verdict

proves = Proofs()

#: Seconds that a group is waited for at most, and the share of the run's time.
LONGEST_WAIT: Final = 60.0
SHARE: Final = 0.1
#: Seconds beyond the longest wait in which it has to be over.
GRACE: Final = 10.0


@proves.each(WAITS, "no-timeout", fresh=True, examples=0.1, once=True)
def a_group_is_waited_for_however_long_it_takes(scene: Scene) -> None:
    """A wait for a group does not return before a signal meets its condition.

    For some time, a minute at most, none does; then one is changed so that it does.
    """
    handles = [signal(scene, 1), signal(scene, 1)]
    equal = scene.session.registry.constants["HSA_SIGNAL_CONDITION_EQ"]
    each = [{"condition": equal, "compare_value": 0} for _ in handles]
    arguments = waiting_for_any(scene, group(scene, handles), each)
    scene.session.start(scene.clause.function, arguments)
    _sleep(min(LONGEST_WAIT, SHARE * scene.session.length))
    scene.call("hsa_signal_store_screlease", signal=handles[1], value=0)
    answer = scene.session.join()
    scene.require_status(answer, SUCCESS)
    value = answer.number("value", signed=True)
    scene.require(value == 0, "the wait returned before any signal met its condition", value)


@proves("signal/longest-wait", fresh=True, examples=0.1, once=True)
def a_wait_ends_after_the_longest_time(scene: Scene) -> None:
    """A wait ends after HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT, though its hint says never."""
    most = number(scene, "hsa_system_get_info", "HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT")
    seconds = most / ticks(scene, 1)
    if seconds > scene.session.length:
        reason = f"the longest wait of this library takes {seconds:.3g} s: longer than the run"
        raise Unavailable(Verdict.UNTESTED, reason)
    arguments = waiting(scene, signal(scene, 1), drawn(scene, unmet(1)), FOREVER)
    scene.session.start("hsa_signal_wait_scacquire", arguments)
    scene.session.join(seconds + GRACE)
    scene.has_ended()


def _sleep(seconds: float) -> None:
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        interrupts.checkpoint()
        time.sleep(min(left, 0.5))
