"""One function called again and again, by C where that is possible: at full speed, beside others.

The loop of C is `lfind`. It calls a function with an object and the address of one element after
the other, until the function answers 0. Here the object is the first argument, and the elements
that are not there lie `step` bytes apart: their addresses are the second argument.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

_WORD = 1 << 64
_ROUND = 512

_lfind = ctypes.CDLL(None).lfind
_lfind.restype = ctypes.c_uint64
_lfind.argtypes = [
    ctypes.c_uint64,
    ctypes.c_uint64,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_void_p,
]


class Repetition:
    """Calls `function(first, operand)`, `function(first, operand + step)` and so on.

    Args:
        function: takes two arguments of 64 bits.
        first: the first argument.
        operand: the second one of the first call.
        step: by how much it grows from call to call; not 0.
        most: how many calls are made at most; no operand among them is 0.

    Attributes:
        made: how many calls were made.
        zeros: how many of them returned a number whose lower 32 bits are 0; without a meaning for
            functions that return nothing.

    """

    def __init__(
        self, function: Callable[..., Any], first: int, operand: int, step: int, most: int
    ) -> None:
        self.made = 0
        self.zeros = 0
        self._stopped = False
        self._first, self._operand, self._step, self._most = first, operand, step, most
        self._function = function
        is_c = hasattr(function, "argtypes")
        self._address = ctypes.cast(function, ctypes.c_void_p) if is_c else None  # type: ignore[arg-type]

    def run(self) -> None:
        """Make the calls, until there were as many as allowed or `stop` is called."""
        while self.made < self._most and not self._stopped:
            operand = self._operand + self.made * self._step
            count = min(_ROUND, self._most - self.made)
            if self._address is None:
                self._slowly(operand, count)
            else:
                self._fast(operand % _WORD, count)

    def stop(self) -> None:
        """Let no further round of calls begin."""
        self._stopped = True

    def _fast(self, operand: int, count: int) -> None:
        left = ctypes.c_size_t(count)
        step = self._step % _WORD
        end = _lfind(self._first % _WORD, operand, ctypes.addressof(left), step, self._address)
        if end:
            # The address that is no element says at which call the answer was 0.
            self.made += (end - operand) % _WORD // step + 1
            self.zeros += 1
        else:
            self.made += count

    def _slowly(self, operand: int, count: int) -> None:
        for call in range(count):
            answer = self._function(self._first, operand + call * self._step) or 0
            self.made += 1
            self.zeros += answer % (1 << 32) == 0
