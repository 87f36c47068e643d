"""What allocating from and freeing to memory pools changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hsa_conformance.model.state import Allocation, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


def _allocate(model: Model, answer: Answer) -> None:
    address, args = answer["ptr"], answer.args
    pool = model.pool(args["memory_pool"])
    granule = pool.granule if pool else 1
    size = -(-args["size"] // granule) * granule
    model.allocations[address] = Allocation(address, size, args["memory_pool"])


def _free(model: Model, answer: Answer) -> None:
    model.allocations.pop(answer.args["ptr"], None)


RECORD: dict[str, Callable[[Model, Answer], None]] = {
    "hsa_amd_memory_pool_allocate": _allocate,
    "hsa_amd_memory_pool_free": _free,
}
