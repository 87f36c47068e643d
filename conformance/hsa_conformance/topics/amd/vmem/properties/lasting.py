"""Addresses that are reserved and freed many more times than there are any."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls import Answer, Out, Value
from hsa_conformance.engine.checks.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.outcomes import Unavailable
from hsa_conformance.engine.statuses import SUCCESS
from hsa_conformance.topics.amd.vmem.properties.reservations import ADDRESS_SPACE
from hsa_conformance.topics.shared.lasting import repeated
from hsa_reports import Verdict

proves = Proofs()

#: Bytes of a range, the largest that can be reserved.
SIZES: Final = tuple(1 << shift for shift in range(42, 35, -1))
#: How many times as much is reserved as there are addresses.
TIMES: Final = 8


@proves("hsa_amd_vmem_address_free/reusable", fresh=True, examples=0.1, once=True)
def addresses_do_not_run_out(scene: Scene) -> None:
    """Ranges are reserved and freed, in all eight times as much as a program can address.

    Each of them can be reserved.
    """
    if not scene.session.model.supports("virtual memory"):
        raise Unavailable(Verdict.NOT_APPLICABLE, "the driver offers no virtual memory API")

    def reserve(size: int) -> Answer:
        values: dict[str, Value] = {"va": Out(), "size": size, "address": 0, "flags": 0}
        return scene.call("hsa_amd_vmem_address_reserve", **values)

    def free(answer: Answer, size: int) -> None:
        scene.set_up("hsa_amd_vmem_address_free", va=answer["va"], size=size)

    # How much can be reserved at once no text says.
    for size in SIZES:
        first = reserve(size)
        if first.ok:
            free(first, size)
            break
    else:
        raise CannotMake(f"no range of {SIZES[-1] >> 30} GiB can be reserved")

    def work() -> None:
        answer = reserve(size)
        scene.require_status(answer, SUCCESS)
        free(answer, size)

    repeated(scene, TIMES * ADDRESS_SPACE // size, work)
