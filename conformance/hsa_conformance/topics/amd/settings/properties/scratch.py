"""The limit of the scratch that an agent's queues keep, and the kernels that use it."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hsa_conformance.code_objects import Does
from hsa_conformance.engine.calls.outcomes import Blocked, ProvesNothing, Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.amd.settings.generators import SET_LIMIT, reclaiming
from hsa_conformance.topics.core.queues.generators import queue
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared import kernels
from hsa_conformance.topics.shared.attributes import number
from hsa_conformance.topics.shared.signals import MOMENT, becomes, completes, ticks
from hsa_reports import Verdict
from hsa_spec import DecidedBy

proves = Proofs()

#: Bytes of private memory that a dispatch asks for, where its kernel does not ask for more.
_PRIVATE: Final = {"as declared": 0, "4 KiB": 1 << 12, "64 KiB": 1 << 16}
_HELD: Final = 1 << 12
#: Seconds after which a call that does not wait has returned, also beside a busy device.
_TIMEOUT: Final = 10 * MOMENT


@proves("hsa_amd_agent_set_async_scratch_limit/reads-back")
def the_limit_is_what_was_set(scene: Scene) -> None:
    """After a scratch limit is set, the agent's attribute gives it."""
    agent, scratch = reclaiming(scene)
    limit: int = scene.draw(drawing.integers(0, scratch.most))
    scene.set_up(SET_LIMIT, agent=agent, threshold=limit)
    _require_limit(scene, agent, limit)


@proves("hsa_amd_agent_set_async_scratch_limit/reads-back")
def the_limit_is_what_was_set_once_queues_are_gone(scene: Scene) -> None:
    """After queues of an agent were created and destroyed, its limit is the one that is set."""
    agent, scratch = reclaiming(scene)
    for _ in range(scene.draw(drawing.integers(1, 3))):
        made = queue(scene, agent=agent)
        scene.set_up("hsa_queue_destroy", queue=made.handle)
    limit: int = scene.draw(drawing.integers(0, scratch.most))
    scene.require_status(scene.call(SET_LIMIT, agent=agent, threshold=limit), SUCCESS)
    _require_limit(scene, agent, limit)


@proves("hsa_amd_agent_set_async_scratch_limit/kernels-keep-private-memory", examples=0.5)
def kernels_have_private_memory_whatever_the_limit_is(scene: Scene) -> None:
    """A kernel takes half a word through its private memory, and does so again behind each limit.

    The limits are drawn: 0, the largest, and some between.
    """
    kernel, most = _kernel(scene, "private")
    size = scene.each("private memory", _PRIVATE)
    kernel = replace(kernel, private=max(kernel.private, size))
    of, wanted = queue(scene, agent=kernel.agent).handle, scene.draw(drawing.integers(1, 2**32 - 1))
    limits = drawing.lists(
        drawing.sampled_from([0, most]) | drawing.integers(0, most), min_size=1, max_size=3
    )
    kernels.run(scene, of, kernel, kernels.words(scene, 0), wanted)
    for limit in scene.draw(limits):
        scene.set_up(SET_LIMIT, agent=kernel.agent, threshold=limit)
        _require_private(scene, of, kernel, wanted)


@proves("hsa_amd_agent_set_async_scratch_limit/waits", examples=0.5)
def a_limit_waits_for_a_dispatch_whose_memory_it_takes(scene: Scene) -> None:
    """While a kernel with private memory waits for a word, a thread sets a limit of 0.

    The call returns only after another thread begins to set that word.
    """
    if reason := scene.session.process.no_barrier:
        raise Unavailable(Verdict.UNTESTED, reason)
    kernel, most = _kernel(scene, "hold")
    kernel = replace(kernel, private=_HELD)
    of, gate, wanted = queue(scene, agent=kernel.agent).handle, kernels.words(scene, 0, 0, 1), 1
    scene.set_up(SET_LIMIT, agent=kernel.agent, threshold=most)
    done = kernels.begin(scene, of, kernel, gate, gate + 8, wanted)
    if not becomes(lambda: kernels.word(scene, gate + 8) != 0):
        raise Blocked("hsa_queue_create/success", "a dispatch that does not begin")
    limit: Task = (SET_LIMIT, {"agent": kernel.agent, "threshold": 0})
    opens: Task = ("hsa_memory_copy", {"dst": gate, "src": gate + 16, "size": 8})
    events = scene.session.together([[limit], [_pause(scene), opens]])
    (returned,) = (event for event in events if event.lane == 0)
    _, opened = (event for event in events if event.lane == 1)
    scene.require_status(returned.answer, SUCCESS)
    if returned.began > opened.began:
        raise ProvesNothing("the limit was set when the kernel could end")
    scene.require(
        returned.ended > opened.began,
        "the call returned before the dispatch that uses the memory could end",
        f"{(opened.began - returned.ended) / 1e6:.1f} ms before",
    )
    kernels.await_end(scene, done)


def _kernel(scene: Scene, does: Does) -> tuple[kernels.Kernel, int]:
    """Return a kernel for an agent whose scratch can be reclaimed, and the largest limit there."""
    agent, scratch = reclaiming(scene)
    if agent not in kernels.agents(scene, does):
        raise Unavailable(Verdict.UNTESTED, "the suite has no kernel for the agent")
    return kernels.loaded(scene, does, agent), scratch.most


def _require_limit(scene: Scene, agent: int, limit: int) -> None:
    attribute = "HSA_AMD_AGENT_INFO_SCRATCH_LIMIT_CURRENT"
    found = number(scene, "hsa_agent_get_info", attribute, agent=agent)
    scene.require(found == limit, f"the limit is not the {limit} bytes that were set", found)


def _require_private(scene: Scene, of: int, kernel: kernels.Kernel, wanted: int) -> None:
    place = kernels.words(scene, 0)
    complete = completes(scene, kernels.begin(scene, of, kernel, place, wanted))
    found = kernels.word(scene, place)
    right = complete and found == wanted
    scene.require(
        right,
        f"private memory does not give {wanted:#x} back",
        f"{found:#x}, and the dispatch is {'' if complete else 'not '}complete",
        decided_by=None if right else DecidedBy.DEVICE,  # or by the library: nobody can tell
    )


def _pause(scene: Scene) -> Task:
    """Return a wait for a signal that does not change, by which other calls have returned."""
    constants = scene.session.registry.constants
    return "hsa_signal_wait_scacquire", {
        "signal": signal(scene, 0),
        "condition": constants["HSA_SIGNAL_CONDITION_EQ"],
        "compare_value": 1,
        "timeout_hint": ticks(scene, _TIMEOUT),
        "wait_state_hint": constants["HSA_WAIT_STATE_BLOCKED"],
    }
