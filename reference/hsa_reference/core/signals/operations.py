"""Operations on the value of a signal, one function for each operation and memory order."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import Effect, unlocked
from hsa_reference.native import Direct, native
from hsa_reference.state import State

# HSA puts all its synchronizing operations in one order, which "sc" in a name says; the older names
# without it mean the same.
_ACQUIRING = ("scacquire", "acquire")
_RELEASING = ("screlease", "release")
_ALL = ("scacq_screl", "acq_rel", *_ACQUIRING, "relaxed", *_RELEASING)

_ORDERS: Mapping[str, tuple[str, ...]] = {
    "load": ("relaxed", *_ACQUIRING),
    "store": ("relaxed", *_RELEASING),
    "silent_store": ("relaxed", "screlease"),
    **dict.fromkeys(("exchange", "cas", "add", "subtract", "and", "or", "xor"), _ALL),
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
    perform: Callable[..., int | None] = getattr(native(), direct.operation)
    order, returns = direct.order, direct.returns

    def effect(state: State, signal: int, *values: int) -> int:
        state.part(Signals).check(signal)
        before = perform(signal, *values, order)
        return before if returns and before else 0

    effect.__name__ = effect.__qualname__ = name
    return unlocked(effect)
