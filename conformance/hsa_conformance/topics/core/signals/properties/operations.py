"""The families of functions on a signal's value, and what each of them makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from hsa_conformance.engine.checks.effects.properties import Scene

LOADS: Final = ("scacquire", "relaxed", "acquire")
STORES: Final = ("relaxed", "screlease", "release")
SILENT: Final = ("relaxed", "screlease")
WAITS: Final = ("scacquire", "relaxed", "acquire")
ORDERS: Final = (
    *("scacq_screl", "acq_rel", "scacquire", "acquire", "relaxed", "screlease", "release"),
)

#: What an operation makes of the old value and its operand, before it is cut to 64 bits.
ARITHMETIC: Final[Mapping[str, Callable[[int, int], int]]] = {
    "store": lambda _, operand: operand,
    "silent_store": lambda _, operand: operand,
    "exchange": lambda _, operand: operand,
    "add": lambda old, operand: old + operand,
    "subtract": lambda old, operand: old - operand,
    "and": lambda old, operand: old & operand,
    "or": lambda old, operand: old | operand,
    "xor": lambda old, operand: old ^ operand,
}

_ORDERS: Final = {"store": STORES, "silent_store": SILENT, "load": LOADS, "wait": WAITS}


def functions(*operations: str) -> Iterator[str]:
    """Yield the functions of some operations, such as "add"."""
    for operation in operations:
        for order in _ORDERS.get(operation, ORDERS):
            yield f"hsa_signal_{operation}_{order}"


def operation(function: str) -> str:
    """Return the operation of a function, such as "add"."""
    name = function.removeprefix("hsa_signal_")
    return next(o for o in (*ARITHMETIC, "cas", "load", "wait") if name.startswith(f"{o}_"))


def operation_of(scene: Scene) -> str:
    """Return the operation of the function whose clause is proved."""
    return operation(scene.clause.function)
