"""Operations on the indices of a queue, one function for each operation and memory order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hsa_reference.core.queues.state import READ_INDEX, WRITE_INDEX, Queues
from hsa_reference.effects import Effect, unlocked
from hsa_reference.native import RELAXED, SEQ_CST, native
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


def effects() -> Mapping[str, Effect]:
    """Return the functions by name."""
    return {
        f"hsa_queue_{operation}_{which}_index_{order}": _effect(
            operation, _OFFSETS[which], RELAXED if order == "relaxed" else SEQ_CST
        )
        for (operation, which), orders in _ORDERS.items()
        for order in orders
    }


def _effect(operation: str, offset: int, order: int) -> Effect:
    perform: Callable[..., int | None] = getattr(native(), f"{operation}_64")

    @unlocked
    def effect(state: State, queue: int, *values: int) -> int:
        return perform(state.part(Queues).index(queue, offset), *values, order) or 0

    return effect
