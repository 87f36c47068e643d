"""Which addresses are of memory that the runtime knows."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.topics.amd.locks.foreign_memory import require_foreign_memory
from hsa_conformance.topics.amd.pools.state import allocation_around, find_allocation


def _is_known_memory(model: Model, address: int) -> bool:
    if allocation_around(model, address) or model.around("region_block", address):
        return True
    require_foreign_memory(model, address)
    return False


def _is_known_start(model: Model, address: int) -> bool:
    return _is_known_memory(model, address) and find_allocation(model, address) is not None


FACTS: Mapping[str, Fact] = {
    "is_known_memory": _is_known_memory,
    "is_known_start": _is_known_start,
}
