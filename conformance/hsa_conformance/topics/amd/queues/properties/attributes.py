"""What hsa_amd_queue_get_info says of a queue of the compute engine."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.amd.queues.generators import counted_queue
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.attributes import ask_where_answered, number
from hsa_conformance.topics.shared.kernels import await_end
from hsa_conformance.topics.shared.queues import barrier, index, submit
from hsa_conformance.topics.shared.signals import becomes

proves = Proofs()

GET: Final = "hsa_amd_queue_get_info"
UNCOUNTED: Final = 2**32 - 1


@proves("hsa_amd_queue_get_info/agent")
def the_agent_is_the_one_of_the_creation(scene: Scene) -> None:
    """The agent of a queue is the one it was created on, also with several GPUs."""
    queue = queues.queue(scene)
    found = number(scene, GET, "HSA_AMD_QUEUE_INFO_AGENT", queue=queue.handle)
    scene.require(found == queue.agent, f"the agent is not {queue.agent}", f"{found:#x}")


@proves("hsa_amd_queue_get_info/use-count")
def only_a_counted_queue_counts_who_uses_it(scene: Scene) -> None:
    """A counted queue has a use count of 1 or more, and any other queue UINT32_MAX."""
    counted = scene.choose([False, True])
    queue = counted_queue(scene) if counted else queues.queue(scene).handle
    found = number(scene, GET, "HSA_QUEUE_INFO_USE_COUNT", queue=queue)
    right = 1 <= found < UNCOUNTED if counted else found == UNCOUNTED
    scene.require(right, "the number of users is wrong", f"{found:#x}")


@proves("hsa_amd_queue_get_info/hardware-id")
def queues_with_hardware_of_their_own_have_their_own_ids(scene: Scene) -> None:
    """Two queues with hardware of their own have two hardware ids."""
    both = [queues.queue(scene, agent=some_gpu(scene).handle).handle for _ in range(2)]
    first, second = (number(scene, GET, "HSA_QUEUE_INFO_HW_ID", queue=queue) for queue in both)
    scene.require(first != second, "two queues that are not counted share hardware", first)


@proves("hsa_amd_queue_get_info/no-fault")
def a_new_queue_has_no_fault(scene: Scene) -> None:
    """The fault status of a queue that made no access is false."""
    queue = queues.queue(scene).handle
    found = number(scene, GET, "HSA_AMD_QUEUE_INFO_VM_FAULT_STATUS", queue=queue)
    scene.require(found == 0, "a new queue has a fault", found)


@proves("hsa_amd_queue_get_info/index-addresses")
def the_indices_are_found_at_their_addresses(scene: Scene) -> None:
    """After a packet, a queue's indices are read at the addresses that the query gives for them."""
    queue = queues.queue(scene).handle
    done = signal(scene, 1)
    submit(scene, queue, barrier(completion=done))
    await_end(scene, done)
    # The read index may be the last to change.
    becomes(lambda: index(scene, queue, "read") == 1)
    for which in scene.parts("index", {name: name for name in ("read", "write")}):
        attribute = f"HSA_AMD_QUEUE_INFO_{which.upper()}_POINTER"
        address = ask_where_answered(scene, GET, attribute, queue=queue).number("value")
        content = scene.session.read(address, 8)
        found = None if content is None else int.from_bytes(content, "little")
        wanted = index(scene, queue, which)
        scene.require(found == wanted, f"the {which} index is {wanted}", found)
