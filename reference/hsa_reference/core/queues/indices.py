"""Operations on the indices of a queue, one function for each operation and memory order."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_reference.core.orders import ALL, LOADS, STORES
from hsa_reference.core.queues.queue import READ_INDEX, WRITE_INDEX
from hsa_reference.core.queues.state import Queues
from hsa_reference.effects import Effect, unlocked
from hsa_reference.native import Direct, native
from hsa_reference.state import State

_OFFSETS = {"read": READ_INDEX, "write": WRITE_INDEX}
_ORDERS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("load", "read"): LOADS,
    ("load", "write"): LOADS,
    ("store", "read"): STORES,
    ("store", "write"): STORES,
    ("cas", "write"): ALL,
    ("add", "write"): ALL,
}


#: The functions by name.
DIRECT: Mapping[str, Direct] = {
    f"hsa_queue_{operation}_{which}_index_{order}": Direct(
        f"{operation}_64",
        relaxed=order == "relaxed",
        returns=operation != "store",
        live="is_address",
        offset=_OFFSETS[which],
    )
    for (operation, which), orders in _ORDERS.items()
    for order in orders
}


def effects() -> Mapping[str, Effect]:
    """Return the functions by name, as Python calls them."""
    return {name: _effect(direct) for name, direct in DIRECT.items()}


def _effect(direct: Direct) -> Effect:
    operation, order, offset = direct.operation, direct.order, direct.offset

    @unlocked
    def effect(state: State, queue: int, *values: int) -> int:
        address = state.part(Queues).index(queue, offset)
        before: int | None = getattr(native(), operation)(address, *values, order)
        return before or 0

    return effect
