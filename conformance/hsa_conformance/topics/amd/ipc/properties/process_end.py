"""What is left of sharing by name when the other process has ended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.ipc.generators import (
    attach,
    attach_signal,
    gpu_block,
    known_block,
    known_signal,
    name_of,
    name_of_signal,
    shareable_signal,
)
from hsa_conformance.topics.amd.ipc.properties.memory import (
    ATTACH,
    ATTACH_TIMEOUT,
    CREATE,
    DETACH,
    SharedBlocks,
)
from hsa_conformance.topics.amd.pools.device_copies import written_by_gpu
from hsa_conformance.topics.core.signals.generators import VALUES
from hsa_conformance.topics.core.signals.properties.waits import FOREVER
from hsa_conformance.topics.shared.ends import FEW, doomed_partner, end_partner
from hsa_conformance.topics.shared.signals import store, ticks, value, wait
from hsa_spec import DecidedBy

proves = Proofs()

#: Seconds of a wait that nobody ends.
SHORT_WAIT: Final = 0.01


@proves("hsa_amd_ipc_memory_attach/owner-ended", fresh=True, examples=FEW)
def attaching_to_a_block_of_nobody_ends(scene: Scene) -> None:
    """An attempt to attach to a block whose process has ended ends as well, whatever it says."""
    scene.session.need_own_process()
    story = SharedBlocks(scene)
    end_partner(scene)
    scene.session.model.objects.pop("ipc_memory", None)
    no_agents: dict[str, Value] = {"num_agents": 0, "mapping_agents": 0, "mapped_ptr": Out()}
    _require_end(scene, ATTACH, {"handle": story.name, "len": story.block.size, **no_agents})


@proves("hsa_amd_ipc_signal_attach/owner-ended", fresh=True, examples=FEW)
def attaching_to_a_signal_of_nobody_ends(scene: Scene) -> None:
    """An attempt to attach to a signal whose process has ended ends as well, whatever it says."""
    owner = doomed_partner(scene)
    name = known_signal(scene.session, name_of_signal(owner, shareable_signal(owner)))
    end_partner(scene)
    scene.session.model.objects.pop("ipc_signal", None)
    _require_end(scene, "hsa_amd_ipc_signal_attach", {"handle": name, "signal": Out()})


def _require_end(scene: Scene, function: str, arguments: Mapping[str, Value]) -> None:
    """Demand that a call ends in far more time than it may take to look for a process."""
    scene.session.start(function, arguments)
    scene.session.join(ATTACH_TIMEOUT)
    scene.has_ended()


@proves("hsa_amd_ipc_memory_attach/outlives-creator", fresh=True, examples=FEW)
def an_attached_block_outlives_the_process_that_made_it(scene: Scene) -> None:
    """An attached block keeps its bytes when the process that created it ends."""
    scene.session.need_own_process()
    story = SharedBlocks(scene)
    content = story.content()
    offset = story.place(content)
    written_by_gpu(story.owner, story.block.address + offset, content)
    mapped = story.attach()
    end_partner(scene)
    story.require_shown(scene, mapped + offset, content)


@proves("hsa_amd_ipc_memory_detach/owner-ended", fresh=True, examples=FEW)
def a_block_of_nobody_is_detached(scene: Scene) -> None:
    """A block whose process has ended is detached as often as it was attached."""
    scene.session.need_own_process()
    story = SharedBlocks(scene)
    given = [story.attach() for _ in range(scene.choose([1, 2]))]
    end_partner(scene)
    for mapped in given:
        scene.require_status(scene.call(DETACH, mapped_ptr=mapped), SUCCESS)


@proves("hsa_amd_ipc_memory_create/attacher-ended", fresh=True, examples=FEW)
def a_block_stays_its_owners_when_who_attached_has_ended(scene: Scene) -> None:
    """After the end of a process that had attached, a block is named and freed."""
    other, block = doomed_partner(scene), gpu_block(scene)
    name = name_of(scene, block)
    attach(other, known_block(other.session, scene.session, block, name), block.size)
    end_partner(scene)
    named = scene.call(CREATE, ptr=block.address, len=block.size, handle=Out())
    scene.require_status(named, SUCCESS)
    scene.require_status(scene.call("hsa_amd_memory_pool_free", ptr=block.address), SUCCESS)


@proves("hsa_amd_ipc_signal_attach/waits-go-on", fresh=True, examples=FEW)
def a_wait_for_a_signal_of_nobody_ends(scene: Scene) -> None:
    """Once the process of an attached signal has ended, a wait ends with a store or its time.

    It is under way when the process ends, or begins later.
    """
    owner = doomed_partner(scene)
    name = known_signal(scene.session, name_of_signal(owner, shareable_signal(owner)))
    attached = attach_signal(scene, name)
    if scene.each("wait", {"begins later": False, "is under way": True}):
        _start_waiting(scene, attached)
    end_partner(scene)
    store(scene, attached, 1)
    if scene.session.under_way is not None:
        scene.session.join()
    wait(scene, attached, "EQ", 2, ticks(scene, SHORT_WAIT))
    scene.has_ended()


def _start_waiting(scene: Scene, handle: int) -> None:
    arguments = {"signal": handle, "condition": 0, "compare_value": 1}
    waiting = {**arguments, "timeout_hint": FOREVER, "wait_state_hint": scene.choose([0, 1])}
    scene.session.start("hsa_signal_wait_scacquire", waiting)


@proves("hsa_amd_ipc_signal_attach/counted", fresh=True, examples=FEW)
def an_attached_signal_outlives_the_process_that_made_it(scene: Scene) -> None:
    """An attached signal is used and destroyed as before when its process has ended."""
    owner = doomed_partner(scene)
    initial, later = scene.draw(VALUES), scene.draw(VALUES)
    shared = shareable_signal(owner, initial)
    attached = attach_signal(scene, known_signal(scene.session, name_of_signal(owner, shared)))
    end_partner(scene)
    found = [value(scene, attached)]
    store(scene, attached, later)
    found.append(value(scene, attached))
    scene.require(found == [initial, later], f"the values are not {initial} and {later}", found)
    answer = scene.call("hsa_signal_destroy", signal=attached)
    scene.require_status(answer, SUCCESS, decided_by=DecidedBy.RUNTIME)


@proves("hsa_amd_ipc_signal_create/attacher-ended", fresh=True, examples=FEW)
def a_signal_stays_its_owners_when_who_attached_has_ended(scene: Scene) -> None:
    """After the end of a process that had attached, a signal has its value, and is named again."""
    initial = scene.draw(VALUES)
    other, shared = doomed_partner(scene), shareable_signal(scene, initial)
    attach_signal(other, known_signal(other.session, name_of_signal(scene, shared)))
    end_partner(scene)
    found = value(scene, shared)
    scene.require(found == initial, f"the value is not {initial}", found)
    named = scene.call("hsa_amd_ipc_signal_create", signal=shared, handle=Out())
    scene.require_status(named, SUCCESS)
    scene.require_status(scene.call("hsa_signal_destroy", signal=shared), SUCCESS)
