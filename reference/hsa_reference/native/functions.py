"""The functions of the C file, for Python."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from functools import cache
from time import monotonic_ns
from typing import Any

from hsa_reference.native.library import load

#: Memory orders, as C compilers number them.
RELAXED, ACQUIRE, RELEASE, ACQ_REL, SEQ_CST = 0, 2, 3, 4, 5
#: The limit of a wait without one.
NO_LIMIT = 2**64 - 1

Load = Callable[[int, int], int]
Modify = Callable[[int, int, int], int]
Swap = Callable[[int, int, int, int], int]

#: A simple type of ctypes.
CType = type[Any]

_KINDS: dict[int, CType] = {16: ctypes.c_uint16, 32: ctypes.c_uint32, 64: ctypes.c_uint64}
_MODIFYING = ("exchange", "add", "subtract", "and", "or", "xor")
_ADDRESS, _VALUE, _ORDER = ctypes.c_uint64, ctypes.c_int64, ctypes.c_int
# What a wait of C answers beside 0 or an index; the second after the handler of a POSIX signal.
_TIME_OVER, _INTERRUPTED = -1, -2


class Native:
    """Atomic operations on addresses and on signals, and waits for signals.

    Those on addresses are named by operation and bits, such as `load_64` or `and_16`. They take an
    address, the values (unsigned), and a memory order, and return what was there before; so do
    those on signals, such as `signal_add`, whose values have a sign and which wake those who wait.
    Only waits and code of the application let other threads of Python run.
    """

    load_16: Load
    load_32: Load
    load_64: Load
    store_16: Modify
    store_32: Modify
    store_64: Modify
    exchange_16: Modify
    exchange_32: Modify
    exchange_64: Modify
    add_16: Modify
    add_32: Modify
    add_64: Modify
    subtract_16: Modify
    subtract_32: Modify
    subtract_64: Modify
    and_16: Modify
    and_32: Modify
    and_64: Modify
    or_16: Modify
    or_32: Modify
    or_64: Modify
    xor_16: Modify
    xor_32: Modify
    xor_64: Modify
    cas_16: Swap
    cas_32: Swap
    cas_64: Swap
    signal_load: Load
    signal_store: Modify
    signal_silent_store: Modify
    signal_exchange: Modify
    signal_add: Modify
    signal_subtract: Modify
    signal_and: Modify
    signal_or: Modify
    signal_xor: Modify
    signal_cas: Swap
    signal_wake: Callable[[int], None]
    signal_end: Callable[[int], None]
    guard: Callable[[int], None]
    thread_begins: Callable[[], None]
    block_signals: Callable[[int], None]
    restore_signals: Callable[[int], None]
    call_application: Sequence[Callable[..., int]]

    def __init__(self) -> None:
        waiting, short = load()
        for bits, kind in _KINDS.items():
            _bind_all(self, short, "", f"_{bits}", _ADDRESS, kind)
        _bind_all(self, short, "signal_", "", _ADDRESS, _VALUE)
        _bind(self, short, "signal_silent_store", None, [_ADDRESS, _VALUE, _ORDER])
        _bind(self, short, "signal_wake", None, [_ADDRESS])
        _bind(self, short, "signal_end", None, [_ADDRESS])
        _bind(self, short, "guard", None, [_ADDRESS])
        _bind(self, short, "thread_begins", None, [])
        _bind(self, short, "block_signals", None, [_ADDRESS])
        _bind(self, short, "restore_signals", None, [_ADDRESS])
        # By how many arguments the function has: each costs, also one that is always 0.
        self.call_application = [
            _typed(waiting, "call_application", ctypes.c_uint64, (1 + count) * [ctypes.c_uint64])
            for count in range(7)
        ]
        pointer = ctypes.c_void_p
        single = [_ADDRESS, ctypes.c_uint32, _VALUE, ctypes.c_uint64, ctypes.c_int, pointer]
        several = [ctypes.c_uint32, *3 * [pointer], ctypes.c_uint64, ctypes.c_int, pointer]
        self._wait = _typed(waiting, "signal_wait", ctypes.c_int64, single)
        self._wait_any = _typed(waiting, "signal_wait_any", ctypes.c_int64, several)
        self._wait_all = _typed(waiting, "signal_wait_all", ctypes.c_int64, [*several, pointer])

    def signal_wait(
        self, signal: int, condition: int, compare: int, limit: int = NO_LIMIT, active: bool = False
    ) -> tuple[bool, int]:
        """Wait until a signal meets a condition.

        Args:
            signal: its handle.
            condition: a hsa_signal_condition_t; any other number is met at once.
            compare: what the value is compared with.
            limit: nanoseconds, NO_LIMIT for none.
            active: whether to look for a while before the thread sleeps.

        Returns:
            Whether the condition was met, and the value seen last, which is 0 once the signal is
            destroyed.

        """
        value = ctypes.c_int64()
        wait, seen = self._wait, ctypes.byref(value)
        found = _resumed(limit, lambda rest: wait(signal, condition, compare, rest, active, seen))
        return found == 0, value.value

    def signal_wait_any(
        self,
        signals: Sequence[int],
        conditions: Sequence[int],
        compare: Sequence[int],
        limit: int = NO_LIMIT,
        active: bool = False,
    ) -> tuple[int | None, int]:
        """Wait until one of several signals meets its condition.

        Args:
            signals: handles; 0 and destroyed signals are passed over.
            conditions: one for each of them.
            compare: what their values are compared with.
            limit: nanoseconds, NO_LIMIT for none.
            active: whether to look for a while before the thread sleeps.

        Returns:
            The index of the signal and the value that met the condition; None and 0 when time is
            over, or there is no live signal.

        """
        value = ctypes.c_int64()
        wait, seen = self._wait_any, ctypes.byref(value)
        lists = _lists(signals, conditions, compare)
        found = _resumed(limit, lambda rest: wait(*lists, rest, active, seen))
        return (None if found == _TIME_OVER else found), value.value

    def signal_wait_all(
        self,
        signals: Sequence[int],
        conditions: Sequence[int],
        compare: Sequence[int],
        limit: int = NO_LIMIT,
        active: bool = False,
    ) -> list[int] | None:
        """Wait until each of several signals has met its condition at some time.

        Args:
            signals: handles; 0 and destroyed signals count as met, with the value 0.
            conditions: one for each of them.
            compare: what their values are compared with.
            limit: nanoseconds, NO_LIMIT for none.
            active: whether to look for a while before the thread sleeps.

        Returns:
            The values that met the conditions, or None when time is over.

        """
        met, values = (ctypes.c_uint8 * len(signals))(), (ctypes.c_int64 * len(signals))()
        lists = _lists(signals, conditions, compare)
        found = _resumed(limit, lambda rest: self._wait_all(*lists, rest, active, met, values))
        return None if found == _TIME_OVER else list(values)


@cache
def native() -> Native:
    """Return the functions; the C file is compiled when no process of this user has done it yet.

    Raises:
        NativeError: it cannot be compiled; the message says what to do.

    """
    return Native()


def _lists(
    signals: Sequence[int], conditions: Sequence[int], compare: Sequence[int]
) -> tuple[object, ...]:
    count = len(signals)
    return (
        count,
        (ctypes.c_uint64 * count)(*signals),
        (ctypes.c_uint32 * count)(*conditions),
        (ctypes.c_int64 * count)(*compare),
    )


def _bind_all(
    to: Native, library: ctypes.PyDLL, before: str, after: str, address: CType, value: CType
) -> None:
    """Bind load, store, compare-exchange and what modifies, for one type of value."""
    _bind(to, library, f"{before}load{after}", value, [address, _ORDER])
    _bind(to, library, f"{before}store{after}", None, [address, value, _ORDER])
    _bind(to, library, f"{before}cas{after}", value, [address, value, value, _ORDER])
    for name in _MODIFYING:
        _bind(to, library, f"{before}{name}{after}", value, [address, value, _ORDER])


def _bind(
    to: Native, library: ctypes.PyDLL, name: str, result: CType | None, arguments: list[CType]
) -> None:
    setattr(to, name, _typed(library, name, result, arguments))


def _typed(
    library: ctypes.CDLL, name: str, result: CType | None, arguments: list[CType]
) -> Callable[..., int]:
    function = library[name]
    function.restype, function.argtypes = result, arguments
    return function


def _resumed(limit: int, wait: Callable[[int], int]) -> int:
    """Wait for so many nanoseconds; in between Python runs its handlers of POSIX signals."""
    end = None if limit == NO_LIMIT else monotonic_ns() + limit
    while (found := wait(limit)) == _INTERRUPTED:
        if end is not None:
            limit = max(0, end - monotonic_ns())
    return found
