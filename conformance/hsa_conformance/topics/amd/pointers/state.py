"""Which addresses are of memory that the runtime knows."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.model import Fact, Model
from hsa_conformance.engine.outcomes import ProvesNothing
from hsa_conformance.topics.amd.pools.state import allocation_around, find_allocation
from hsa_conformance.topics.amd.vmem.state import mapping_around, reservation_around


def _is_known_memory(model: Model, address: int) -> bool:
    blocks = model.live("region_block")
    if (
        allocation_around(model, address) is not None
        or any(b.address <= address < b.address + b.size for b in blocks)
        or mapping_around(model, address) is not None
    ):
        return True
    if reservation_around(model, address) is not None:
        raise ProvesNothing("the text does not say whether reserved addresses are known memory")
    return False


def _is_known_start(model: Model, address: int) -> bool:
    return _is_known_memory(model, address) and find_allocation(model, address) is not None


FACTS: Mapping[str, Fact] = {
    "is_known_memory": _is_known_memory,
    "is_known_start": _is_known_start,
}
