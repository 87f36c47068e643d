"""Operations on the value of a signal, one function for each operation and memory order."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_reference.core.orders import ALL, LOADS, STORES
from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import Effect, unlocked
from hsa_reference.native import Direct, native
from hsa_reference.state import State

_ORDERS: Mapping[str, tuple[str, ...]] = {
    "load": LOADS,
    "store": STORES,
    "silent_store": ("relaxed", "screlease"),
    **dict.fromkeys(("exchange", "cas", "add", "subtract", "and", "or", "xor"), ALL),
}


#: The functions by name.
DIRECT: Mapping[str, Direct] = {
    f"hsa_signal_{operation}_{order}": Direct(
        f"signal_{operation}",
        relaxed=order == "relaxed",
        returns=operation in ("load", "exchange", "cas"),
        live="is_live",
    )
    for operation, orders in _ORDERS.items()
    for order in orders
}


def effects() -> Mapping[str, Effect]:
    """Return the functions by name, as Python calls them."""
    return {name: _effect(name, direct) for name, direct in DIRECT.items()}


def _effect(name: str, direct: Direct) -> Effect:
    operation, order, returns = direct.operation, direct.order, direct.returns

    def effect(state: State, signal: int, *values: int) -> int:
        state.part(Signals).check(signal)
        before: int | None = getattr(native(), operation)(signal, *values, order)
        return before if returns and before else 0

    effect.__name__ = effect.__qualname__ = name
    return unlocked(effect)
