"""What allocating from and freeing to memory pools changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from hsa_conformance.model.state import Allocation, Fact, Model

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


def _reaches_pool(model: Model, agent: int, pool: int) -> bool:
    return model.pool_access(agent, pool) != "never"


RECORD: dict[str, Callable[[Model, Answer], None]] = {
    "hsa_amd_memory_pool_allocate": _allocate,
    "hsa_amd_memory_pool_free": _free,
}

FACTS: Mapping[str, Fact] = {"reaches_pool": _reaches_pool}
