"""Queues that are created from descriptors, several in one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.queues.descriptors import (
    AIE,
    ANY_ENGINE,
    COPY,
    PACKET,
    QUEUE,
    SIZE,
    Descriptor,
    descriptors,
)
from hsa_conformance.topics.amd.queues.generators import units
from hsa_conformance.topics.amd.queues.properties.masks import mask_of, some_units, whole_mask
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.queues.generators import limits
from hsa_conformance.topics.shared.attributes import number
from hsa_conformance.topics.shared.queues import index, layout
from hsa_reports import Verdict

proves = Proofs()

CREATE: Final = "hsa_amd_queue_create"
INFO: Final = "hsa_amd_queue_get_info"
ENGINES: Final = "HSA_AMD_AGENT_INFO_NUM_SDMA_ENG"


class _CreationResult:
    """The answer of a call, and the queues that it wrote into the descriptors."""

    def __init__(self, scene: Scene, agent: int, wanted: Sequence[Descriptor]) -> None:
        place = scene.session.lay_out(descriptors(wanted))
        self.answer: Answer = scene.call(CREATE, agent=agent, descs=place, num_descs=len(wanted))
        content = scene.session.read(place, SIZE * len(wanted)) or bytes(SIZE * len(wanted))
        self.queues = [
            int.from_bytes(content[at + QUEUE : at + QUEUE + 8], "little")
            for at in range(0, len(content), SIZE)
        ]


def _gpu(scene: Scene) -> tuple[int, Descriptor]:
    """Return a GPU, and the descriptor of its smallest queue."""
    gpu = some_gpu(scene).handle
    return gpu, _smallest(scene, gpu)


def _smallest(scene: Scene, gpu: int) -> Descriptor:
    return Descriptor(PACKET * max(limits(scene, gpu).least, 1))


def _good(scene: Scene, agent: int, wanted: Sequence[Descriptor]) -> list[int]:
    """Create queues, all of which have to come."""
    made = _CreationResult(scene, agent, wanted)
    scene.require_status(made.answer, SUCCESS)
    scene.require(0 not in made.queues, "a descriptor of a successful call names NULL", made.queues)
    return made.queues


def _too_large(scene: Scene, agent: int, right: Descriptor) -> Descriptor:
    return replace(right, size=2 * PACKET * limits(scene, agent).most)


@proves("hsa_amd_queue_create/queues-written")
def each_descriptor_names_its_queue(scene: Scene) -> None:
    """After success each descriptor names a queue of its own that can be read.

    They ask for rings of several sizes, and none that asks for a larger one names a smaller one.
    """
    gpu, right = _gpu(scene)
    shifts = scene.shuffled(range(scene.draw(drawing.integers(1, 3))))
    made = _good(scene, gpu, [replace(right, size=right.size << shift) for shift in shifts])
    scene.require(len(set(made)) == len(made), "two descriptors name one queue", made)
    for queue in made:
        found = index(scene, queue, "write")
        scene.require(found == 0, "the write index of a new queue is not 0", found)
    sizes = [layout(scene, queue).size for _, queue in sorted(zip(shifts, made, strict=True))]
    scene.require(sizes == sorted(sizes), "the queues of two descriptors are swapped", sizes)


@proves("hsa_amd_queue_create/failed-null")
def a_queue_that_cannot_be_created_is_null(scene: Scene) -> None:
    """A descriptor whose queue cannot be created names NULL, wherever it is in the list."""
    gpu, right = _gpu(scene)
    wanted = scene.shuffled([replace(right, engine=AIE), right])
    made = _CreationResult(scene, gpu, wanted)
    found = made.queues[[d.engine for d in wanted].index(AIE)]
    scene.require(found == 0, "what could not be created is not NULL", f"{found:#x}")


@proves("hsa_amd_queue_create/partial-failure")
def the_queues_that_were_created_can_be_used(scene: Scene) -> None:
    """When one queue of a list cannot be created, each that was has indices that can be read."""
    gpu, right = _gpu(scene)
    made = _CreationResult(scene, gpu, scene.shuffled([replace(right, engine=AIE), right]))
    scene.require(not made.answer.ok, "the call succeeded", made.answer.name)
    created = [queue for queue in made.queues if queue]
    if not created:
        raise CannotMake("the call created no queue")
    for queue in created:
        found = index(scene, queue, "write")
        scene.require(found == 0, "the write index of a new queue is not 0", found)
        scene.require_status(scene.call("hsa_queue_destroy", queue=queue), SUCCESS)


@proves("hsa_amd_queue_create/first-error")
def the_result_is_the_one_of_the_first_failure(scene: Scene) -> None:
    """When several queues fail, the status is that of the first of them on its own."""
    gpu, right = _gpu(scene)
    failing = [replace(right, engine=AIE), _too_large(scene, gpu, right)]
    wanted = scene.shuffled(failing)
    alone = _CreationResult(scene, gpu, wanted[:1]).answer.name
    both = _CreationResult(scene, gpu, wanted).answer.name
    scene.require(both == alone, f"the first queue alone fails with {alone}", both)


@proves("hsa_amd_queue_create/ring-size")
def the_ring_has_the_bytes_asked_for(scene: Scene) -> None:
    """A ring has the bytes asked for.

    Its size counts packets for a compute queue, and bytes for a copy queue.
    """
    gpu, right = _gpu(scene)
    size = right.size << scene.draw(drawing.integers(0, 3))
    engine = scene.choose([0, COPY])
    made = _CreationResult(scene, gpu, [replace(right, size=size, engine=engine)])
    if not made.answer.ok and engine == COPY:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the GPU has no copy queue of that size")
    scene.require_status(made.answer, SUCCESS)
    found = layout(scene, made.queues[0]).size
    wanted = size if engine == COPY else size // PACKET
    scene.require(found == wanted, f"the size of the queue is not {wanted}", found)


@proves("hsa_amd_queue_create/mask-applied")
def a_queue_has_the_mask_of_its_descriptor(scene: Scene) -> None:
    """A new compute queue has the mask of compute units that its descriptor gives."""
    gpu, right = _gpu(scene)
    of = units(scene, gpu)
    bits, mask = whole_mask(of), some_units(scene, of)
    place = scene.session.place(mask.to_bytes(bits // 8, "little"), f"mask {mask:#x}")
    [queue] = _good(scene, gpu, [replace(right, mask=place, bits=bits)])
    found = mask_of(scene, queue, bits)
    scene.require(found == mask, f"the mask is not {mask:#x}", f"{found:#x}")


def _copy_queues(scene: Scene, gpu: int, count: int) -> list[int]:
    wanted = replace(_smallest(scene, gpu), engine=COPY, copy_engine=ANY_ENGINE)
    made = _CreationResult(scene, gpu, [wanted] * count)
    if not made.answer.ok:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the GPU has no copy queues")
    return made.queues


def _engine(scene: Scene, queue: int) -> int:
    return number(scene, INFO, "HSA_AMD_QUEUE_INFO_SDMA_ENGINE_ID", queue=queue)


@proves("hsa_amd_queue_create/any-copy-engine")
def copy_queues_take_turns_on_the_engines(scene: Scene) -> None:
    """Copy queues for any engine use each engine once before one comes again.

    Where the agent says that it has several engines, more than one is used.
    """
    gpu = some_gpu(scene).handle
    there = number(scene, "hsa_agent_get_info", ENGINES, agent=gpu)
    engines = [_engine(scene, queue) for queue in _copy_queues(scene, gpu, 8)]
    turn = len(set(engines))
    scene.require(turn > 1 or there <= 1, f"all use one engine of {there}", engines)
    scene.require(
        all(engines[n] == engines[n % turn] for n in range(len(engines))),
        "copy queues do not take turns on the engines",
        engines,
    )


@proves("hsa_amd_queue_get_info/copy-engine")
def a_copy_queue_names_its_engine(scene: Scene) -> None:
    """A copy queue names its engine, also where any engine was asked for."""
    [queue] = _copy_queues(scene, some_gpu(scene).handle, 1)
    found = _engine(scene, queue)
    scene.require(found != ANY_ENGINE, "the engine of a copy queue is any", f"{found:#x}")
