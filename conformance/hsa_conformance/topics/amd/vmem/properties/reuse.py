"""Addresses that are reserved and freed many more times than there are any."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.vmem.properties.reservations import ADDRESS_SPACE
from hsa_conformance.topics.shared.repetition import repeated
from hsa_reports import Verdict

proves = Proofs()

#: Bytes of a range, the largest that can be reserved. ROCr has addresses for less than others.
SIZES: Final = tuple(1 << shift for shift in range(42, 29, -1))
#: How many times as many ranges are reserved as there can be at once.
TIMES: Final = 8
#: How many at least.
LEAST: Final = 1024


@proves("hsa_amd_vmem_address_free/reusable", fresh=True, examples=0.1, once=True)
def addresses_do_not_run_out(scene: Scene) -> None:
    """Ranges are reserved and freed: 1024, or eight times as many as there can be at once.

    Each of them can be reserved. How many there can be is tried out first.
    """
    if not scene.session.model.supports("virtual memory"):
        raise Unavailable(Verdict.NOT_APPLICABLE, "the driver offers no virtual memory API")

    def reserve(size: int) -> Answer:
        values: dict[str, Value] = {"va": Out(), "size": size, "address": 0, "flags": 0}
        return scene.call("hsa_amd_vmem_address_reserve", **values)

    def free(answer: Answer, size: int) -> None:
        scene.set_up("hsa_amd_vmem_address_free", va=answer["va"], size=size)

    def held(size: int) -> int:
        """Return how many ranges there can be at once."""
        ranges: list[Answer] = []
        while len(ranges) < ADDRESS_SPACE // size and (answer := reserve(size)).ok:
            ranges.append(answer)
        for one in ranges:
            free(one, size)
        return len(ranges)

    # How much can be reserved at once no text says.
    with scene.session.apart():
        found = next(((size, most) for size in SIZES if (most := held(size))), None)
    if found is None:
        raise CannotMake(f"no range of {SIZES[-1] >> 30} GiB can be reserved")
    size, most = found

    def work() -> None:
        answer = reserve(size)
        scene.require_status(answer, SUCCESS)
        free(answer, size)

    repeated(scene, max(LEAST, TIMES * most), work)
