"""The signals whose changes are checked, in memory that code in C looks into.

All other changes go to the runtime without Python. The C part is `templates/tool.c.j2` of
`hsa_reference.library`, which has the same layout.
"""

from __future__ import annotations

import ctypes
from typing import Final

#: The functions whose calls C looks at, in the order of the table that it shares: those that change
#: a signal by a value and answer nothing.
STORES: Final = tuple(
    f"hsa_signal_{operation}_{order}"
    for operations, orders in (
        (("store", "silent_store"), ("relaxed", "screlease")),
        (
            ("add", "subtract", "and", "or", "xor"),
            ("relaxed", "scacquire", "screlease", "scacq_screl"),
        ),
    )
    for operation in operations
    for order in orders
)
#: How many signals there is room for, and how many places C looks at for one.
PLACES: Final = 4096
PROBES: Final = 32

#: What a place had that is free again; no signal has this handle.
_FREED: Final = 1


class Area(ctypes.Structure):
    """The memory that is shared."""

    _fields_ = (
        ("stores", ctypes.c_uint64 * len(STORES)),
        ("original", ctypes.c_uint64 * len(STORES)),
        ("checked", ctypes.c_uint64 * len(STORES)),
        ("signals", ctypes.c_uint64 * PLACES),
    )


class WatchedSignals:
    """The signals that are watched.

    Args:
        area: address of the memory that is shared; `stores` is filled, the rest is zero.

    """

    def __init__(self, area: int) -> None:
        self._area = Area.from_address(area)
        self._area.signals[:] = [0] * PLACES

    def behind(self, name: str, original: int, checked: int) -> int | None:
        """Return the code in C that stands for a function, None where there is none.

        Args:
            name: of the function.
            original: what it calls where the signal is not watched.
            checked: what it calls where it is.

        """
        if name not in STORES:
            return None
        index = STORES.index(name)
        self._area.original[index] = original
        self._area.checked[index] = checked
        stand_in: int = self._area.stores[index]
        return stand_in

    def watch(self, signal: int, on: bool) -> None:
        """Begin or end to watch a signal; where there is no place, it is not watched."""
        places = [self._place(signal, probe) for probe in range(PROBES)]
        signals = self._area.signals
        at = next((p for p in places if signals[p] == signal), None)
        if not on:
            if at is not None:
                signals[at] = _FREED
            return
        free = next((p for p in places if signals[p] in (0, _FREED)), None)
        if at is None and free is not None:
            signals[free] = signal

    @staticmethod
    def _place(signal: int, probe: int) -> int:
        return ((signal >> 6) + probe) % PLACES
