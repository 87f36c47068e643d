"""The compute units that a queue may use. The suite sets no HSA_CU_MASK: none is disabled."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.comparing import equal, every, part
from hsa_conformance.engine.calls.values import Data, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.topics.amd.queues.generators import units
from hsa_conformance.topics.amd.queues.state import Units
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.queues import generators as queues

proves = Proofs()

GET: Final = "hsa_amd_queue_cu_get_mask"
SET: Final = "hsa_amd_queue_cu_set_mask"


def _queue(scene: Scene) -> tuple[int, Units]:
    """Return a queue of a GPU, and the compute units of the GPU."""
    gpu = some_gpu(scene).handle
    return queues.queue(scene, agent=gpu).handle, units(scene, gpu)


def whole_mask(of: Units) -> int:
    """Return how many bits a mask of all units has."""
    return -(-of.count // 32) * 32


def mask_of(scene: Scene, queue: int, bits: int) -> int:
    """Return the first bits of the mask of a queue."""
    return int.from_bytes(_content(scene, queue, bits), "little")


def _content(scene: Scene, queue: int, bits: int) -> bytes:
    answer = scene.set_up(GET, queue=queue, num_cu_mask_count=bits, cu_mask=Out(bits // 8))
    return answer.content("cu_mask")


def _set(scene: Scene, queue: int, bits: int, mask: int) -> None:
    content = Data(mask.to_bytes(bits // 8, "little"), f"mask {mask:#x}")
    scene.set_up(SET, queue=queue, num_cu_mask_count=bits, cu_mask=content)


def some_units(scene: Scene, of: Units) -> int:
    """Draw a mask with one unit at least, in pairs where the GPU wants that."""
    group = 0b11 if of.in_pairs else 0b1
    width = group.bit_length()
    chosen = scene.draw(
        drawing.sets(
            drawing.integers(0, of.count // width - 1), min_size=1, max_size=of.count // width
        )
    )
    return sum(group << width * position for position in chosen)


def _require(scene: Scene, found: bytes, wanted: int) -> None:
    content = wanted.to_bytes(len(found), "little")
    words = (equal(part(found, at, 4), part(content, at, 4)) for at in range(0, len(found), 4))
    got = int.from_bytes(found, "little")
    scene.require(every(*words), f"the mask is not {wanted:#x}", f"{got:#x}")


@proves("hsa_amd_queue_cu_set_mask/read-back")
def the_mask_that_was_set_is_read(scene: Scene) -> None:
    """After masks of compute units are set, the query gives the last of them."""
    queue, of = _queue(scene)
    for _ in range(scene.draw(drawing.integers(1, 2))):
        mask = some_units(scene, of)
        _set(scene, queue, whole_mask(of), mask)
        _require(scene, _content(scene, queue, whole_mask(of)), mask)


@proves("hsa_amd_queue_cu_set_mask/reset-enables-all")
def a_count_of_0_enables_all_units(scene: Scene) -> None:
    """After some compute units were chosen, a mask with a count of 0 enables all of them."""
    queue, of = _queue(scene)
    _set(scene, queue, whole_mask(of), some_units(scene, of))
    scene.set_up(SET, queue=queue, num_cu_mask_count=0, cu_mask=0)
    _require(scene, _content(scene, queue, whole_mask(of)), (1 << of.count) - 1)


@proves("hsa_amd_queue_cu_get_mask/initial-mask")
def a_new_queue_may_use_all_units(scene: Scene) -> None:
    """The mask of a new queue has a bit for each compute unit, and none beyond them."""
    queue, of = _queue(scene)
    _require(scene, _content(scene, queue, whole_mask(of)), (1 << of.count) - 1)


@proves("hsa_amd_queue_cu_get_mask/writes-first-bits")
def as_many_bits_are_written_as_asked_for(scene: Scene) -> None:
    """The query writes as many bits of the mask as were asked for, and nothing behind them."""
    queue, of = _queue(scene)
    whole = mask_of(scene, queue, whole_mask(of))
    bits = 32 * scene.draw(drawing.integers(1, whole_mask(of) // 32 + 2))
    answer = scene.set_up(GET, queue=queue, num_cu_mask_count=bits, cu_mask=Out(bits // 8))
    behind = answer.overrun()
    scene.require(behind is None, "bytes behind the mask were written", answer.guards["cu_mask"])
    _require(scene, answer.content("cu_mask"), whole & (1 << bits) - 1)
