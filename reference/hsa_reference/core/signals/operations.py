"""Operations on the value of a signal, one function for each operation and memory order."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import Effect, unlocked
from hsa_reference.native import RELAXED, SEQ_CST
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


def effects() -> Mapping[str, Effect]:
    """Return the functions by name."""
    named = (
        (f"hsa_signal_{operation}_{order}", operation, order)
        for operation, orders in _ORDERS.items()
        for order in orders
    )
    return {
        name: _effect(name, operation, RELAXED if order == "relaxed" else SEQ_CST)
        for name, operation, order in named
    }


def _effect(name: str, operation: str, order: int) -> Effect:
    returns = operation in ("load", "exchange", "cas")

    def effect(state: State, signal: int, *values: int) -> int:
        signals = state.part(Signals)
        signals.check(signal)
        before: int = getattr(signals.native, f"signal_{operation}")(signal, *values, order)
        return before if returns else 0

    effect.__name__ = effect.__qualname__ = name
    return unlocked(effect)
