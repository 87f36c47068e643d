"""What becomes of dispatches: what kernels see, what is seen of them, and how they fail."""

from __future__ import annotations

import time
from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import EXCEPTION, OUT_OF_RESOURCES
from hsa_conformance.topics.core.memory.generators import block, regions_where
from hsa_conformance.topics.core.queues import generators as queues
from hsa_conformance.topics.core.queues.properties.reports import failed, require_reported
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.kernels import (
    arguments,
    await_end,
    begin,
    failing,
    loaded,
    packet,
    run,
    set_word,
    word,
    words,
)
from hsa_conformance.topics.shared.queues import BARRIER_BIT, dispatch, submit
from hsa_conformance.topics.shared.signals import MOMENT, becomes, value

proves = Proofs()

#: What the packets that ask for too much ask for; no machine has as much for one work-group.
TOO_MUCH: Final = 1 << 30
#: Any word that is not 0.
WORDS: Final = drawing.integers(1, 2**64 - 1)


@proves("hsa_queue_create/release-fence", examples=0.5)
def what_a_kernel_stores_is_seen_when_it_is_complete(scene: Scene) -> None:
    """A kernel stores its last argument, all bits of it; the host sees it when it is complete."""
    kernel, wanted = loaded(scene, "store"), scene.draw(WORDS)
    queue, place = queues.queue(scene, agent=kernel.agent).handle, words(scene, 0)
    run(scene, queue, kernel, place, wanted)
    found = word(scene, place)
    scene.require(found == wanted, f"the host does not see {wanted:#x}", f"{found:#x}")


@proves("hsa_queue_create/acquire-fence", examples=0.5)
def a_kernel_sees_what_was_stored_before_it_began(scene: Scene) -> None:
    """A kernel copies a word that the host stored before, or that a kernel before it stored.

    It has copied what was there earlier, too. The dispatches have fences for the whole system, and
    the second of two has the barrier bit.
    """
    wanted = scene.draw(WORDS)
    kernel = loaded(scene, "copy")
    queue = queues.queue(scene, slots=2, agent=kernel.agent).handle
    place, done = words(scene, 0, 0), signal(scene, 1)
    run(scene, queue, kernel, place + 8, place)  # from here on a cache may have the old word
    copies = packet(kernel, arguments(scene, place + 8, place), done, BARRIER_BIT)
    if scene.one_of([True, False]):
        set_word(scene, place, wanted)
        submit(scene, queue, copies)
    else:
        store = loaded(scene, "store", kernel.agent)
        submit(scene, queue, packet(store, arguments(scene, place, wanted)), copies)
    await_end(scene, done)
    found = word(scene, place + 8)
    scene.require(found == wanted, f"the kernel did not see {wanted:#x}", f"{found:#x}")


@proves("hsa_queue_create/kernel-traps", examples=0.5)
def a_kernel_that_traps_is_an_exception(scene: Scene) -> None:
    """A kernel that traps is reported to its queue's callback as an exception."""
    kernel = failing(scene, "trap")
    _, _, reports = failed(scene, packet(kernel), kernel.agent)
    require_reported(scene, reports, EXCEPTION)


@proves("packet/too-demanding", examples=0.5)
def a_dispatch_that_asks_for_too_much_is_out_of_resources(scene: Scene) -> None:
    """A dispatch with more group memory than a work-group can have is out of resources."""
    kernel = failing(scene, "nothing")
    demanding = dispatch(kernel.object, 0, 0, private=0, group=TOO_MUCH)
    _, _, reports = failed(scene, demanding, kernel.agent)
    require_reported(scene, reports, OUT_OF_RESOURCES)


@proves("hsa_queue_inactivate/aborts", examples=0.5)
def a_kernel_of_a_queue_that_is_inactivated_goes_no_further(scene: Scene) -> None:
    """A kernel waits for a word when its queue is inactivated; it does not see the word set."""
    queue, gate, done = _held(scene, 1)
    scene.set_up("hsa_queue_inactivate", queue=queue)
    set_word(scene, gate)
    time.sleep(MOMENT)
    found, left = word(scene, gate + 8), value(scene, done)
    ended = (found, left) == (gate, 1)
    scene.require(ended, "the kernel went on", f"{found:#x}, and its signal {left}")


@proves("global_memory/fine-grained-for-kernels", examples=0.5)
def a_kernel_sees_what_the_host_stores_meanwhile(scene: Scene) -> None:
    """A kernel that waits for a word in fine-grained memory ends when the host sets it.

    Before that the host sees what it stored first, and then what it stores last.
    """
    wanted = scene.draw(WORDS)
    _, gate, done = _held(scene, wanted)
    time.sleep(MOMENT)
    early, left = word(scene, gate + 8), value(scene, done)
    scene.require((early, left) == (gate, 1), "the kernel did not wait", f"{early:#x}, {left}")
    set_word(scene, gate)
    await_end(scene, done)
    found = word(scene, gate + 8)
    scene.require(found == wanted, f"the host does not see {wanted:#x}", f"{found:#x}")


@proves("hsa_memory_copy/coarse-grained-to-owner", examples=0.5)
def a_kernel_loads_what_was_copied_to_memory_of_its_agent(scene: Scene) -> None:
    """A kernel loads a word that was copied to coarse-grained memory assigned to its agent."""
    scene.needs_kernels()
    kernel, constants = loaded(scene, "copy"), scene.session.registry.constants
    bit = constants["HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED"]
    own = regions_where(
        scene, lambda r: r.allocatable and r.agent == kernel.agent and bool(r.flags & bit)
    )
    room = block(scene, scene.available(own, "coarse-grained region of a GPU agent"), 8)
    access = constants["HSA_ACCESS_PERMISSION_RW"]
    scene.set_up("hsa_memory_assign_agent", ptr=room, agent=kernel.agent, access=access)
    wanted, place = scene.draw(WORDS), words(scene, 0)
    source = scene.session.place(wanted.to_bytes(8, "little"), "memory")
    scene.set_up("hsa_memory_copy", dst=room, src=source, size=8)
    run(scene, queues.queue(scene, agent=kernel.agent).handle, kernel, place, room)
    found = word(scene, place)
    scene.require(found == wanted, f"the kernel did not load {wanted:#x}", f"{found:#x}")


def _held(scene: Scene, wanted: int) -> tuple[int, int, int]:
    """Begin a kernel that waits for a word, and return its queue, the word, and its signal.

    Once it has begun, the word after that one is the address of the first; at its end it is the
    one that is given.

    Raises:
        Blocked: it does not begin.

    """
    kernel = loaded(scene, "hold")
    queue, gate = queues.queue(scene, agent=kernel.agent).handle, words(scene, 0, 0)
    done = begin(scene, queue, kernel, gate, gate + 8, wanted)
    if not becomes(lambda: word(scene, gate + 8) != 0):
        raise Blocked("hsa_queue_create/success", "a dispatch that does not begin")
    return queue, gate, done
