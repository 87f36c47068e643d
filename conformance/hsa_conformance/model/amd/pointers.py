"""Which addresses are of memory that the runtime knows."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.findings import ProvesNothing
from hsa_conformance.model.state import Allocation, Fact, Model


def block_around(model: Model, address: int) -> Allocation | None:
    """Return the block that contains an address."""
    blocks = model.allocations.values()
    return next((b for b in blocks if b.address <= address < b.address + b.size), None)


def _is_known_memory(model: Model, address: int) -> bool:
    blocks = model.kept("region_block")
    if (
        block_around(model, address) is not None
        or any(b.address <= address < b.address + b.size for b in blocks)
        or model.mapping_around(address) is not None
    ):
        return True
    if model.reservation_around(address) is not None:
        raise ProvesNothing("the text does not say whether reserved addresses are known memory")
    return False


def _is_known_start(model: Model, address: int) -> bool:
    return _is_known_memory(model, address) and model.allocation(address) is not None


FACTS: Mapping[str, Fact] = {
    "is_known_memory": _is_known_memory,
    "is_known_start": _is_known_start,
}
