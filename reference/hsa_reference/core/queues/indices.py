"""Operations on the indices of a queue, one function for each operation and memory order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hsa_reference.core.queues.state import READ_INDEX, WRITE_INDEX, Queues
from hsa_reference.effects import Effect, unlocked
from hsa_reference.native import Direct, native
from hsa_reference.state import State

_OFFSETS = {"read": READ_INDEX, "write": WRITE_INDEX}
_LOADS = ("relaxed", "scacquire", "acquire")
_STORES = ("relaxed", "screlease", "release")
_BOTH = ("scacq_screl", "acq_rel", "scacquire", "acquire", "relaxed", "screlease", "release")
_ORDERS: Mapping[tuple[str, str], tuple[str, ...]] = {
    ("load", "read"): _LOADS,
    ("load", "write"): _LOADS,
    ("store", "read"): _STORES,
    ("store", "write"): _STORES,
    ("cas", "write"): _BOTH,
    ("add", "write"): _BOTH,
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
    perform: Callable[..., int | None] = getattr(native(), direct.operation)
    order, offset = direct.order, direct.offset

    @unlocked
    def effect(state: State, queue: int, *values: int) -> int:
        return perform(state.part(Queues).index(queue, offset), *values, order) or 0

    return effect
