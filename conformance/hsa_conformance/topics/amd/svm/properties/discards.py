"""Reserved ranges whose pages are given up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.arrays import handle_array
from hsa_conformance.engine.generation.values.geometry import MOST_UNTOUCHED, sizes
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.svm.generators import discover
from hsa_conformance.topics.amd.vmem.fixtures import reserve
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.copies import (
    completion,
    dependencies,
    require_counted_down,
    require_waits,
    wait,
    waiting,
)
from hsa_reports import Verdict

proves = Proofs()

DISCARD: Final = "hsa_amd_svm_discard_batch_async"

#: The address of a range, and its bytes.
Range = tuple[int, int]


def _ranges(scene: Scene) -> list[Range]:
    """Reserve ranges of several sizes.

    Raises:
        Unavailable: the machine has no GPU that retries faults.

    """
    some_gpu(scene)
    discover(scene)
    if not scene.session.model.find("retries"):
        raise Unavailable(Verdict.NOT_APPLICABLE, "GPUs do not retry faults on the machine")
    granule = scene.granule()
    lengths = sizes(granule, MOST_UNTOUCHED, granule)
    wanted = scene.draw(drawing.lists(lengths, min_size=1, max_size=3))
    return [(reserve(scene, size).address, size) for size in wanted]


def _arguments(ranges: Sequence[Range], done: int, after: tuple[int, ...] = ()) -> dict[str, Value]:
    return {
        "ptrs": handle_array([address for address, _ in ranges]),
        "sizes": handle_array([size for _, size in ranges]),
        "count": len(ranges),
        **waiting(after),
        "completion_signal": done,
    }


@proves("hsa_amd_svm_discard_batch_async/after-dependencies")
def a_discard_waits_for_its_signals(scene: Scene) -> None:
    """A discard is complete when all dependency signals are 0, and not before."""
    ranges = _ranges(scene)
    after = dependencies(scene)
    done = signal(scene, 1)
    scene.set_up(DISCARD, **_arguments(ranges, done, after))
    require_waits(scene, done, after, "discard")


@proves("hsa_amd_svm_discard_batch_async/completion")
def the_completion_signal_of_a_discard_goes_down_by_one(scene: Scene) -> None:
    """A discard takes its completion signal down by one, whatever its value and the ranges."""
    ranges = _ranges(scene)
    initial = scene.draw(drawing.integers(-4, 4))
    done = completion(scene, initial)
    scene.set_up(DISCARD, **_arguments(ranges, done))
    require_counted_down(scene, done, initial)


@proves("hsa_amd_svm_discard_batch_async/still-reserved")
def a_range_is_reserved_after_it_was_discarded(scene: Scene) -> None:
    """Ranges that were discarded can be discarded again, and given back as ranges."""
    ranges = _ranges(scene)
    for make in (scene.set_up, scene.call):
        done = signal(scene, 1)
        answer = make(DISCARD, **_arguments(ranges, done))
        scene.require_status(answer, SUCCESS)
        left = wait(scene, done)
        scene.require(left == 0, "the discard is not complete", left)
    for address, size in ranges:
        answer = scene.call("hsa_amd_vmem_address_free", va=address, size=size)
        scene.require_status(answer, SUCCESS)
