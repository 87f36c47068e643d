"""One function called again and again, as fast as the processor can, beside other calls.

A loop in Python would not do: its thread needs the interpreter between two calls, which the other
thread has just then, and their calls would hardly ever meet.
"""

from __future__ import annotations

import ctypes
import mmap
import time
from collections.abc import Callable, Sequence
from typing import Any

from hsa_adapters.worker.calls.machine_code import address, executable

#: The loop for x86-64, as a text in tests/library/tables/machine_code; it gets the address of a
#: _Control.
_LOOP = bytes.fromhex(
    "53"  # push rbx
    "4889fb"  # mov rbx, rdi
    "488b7b08"  # again: mov rdi, first
    "488b7310"  # mov rsi, operand
    "ff13"  # call function
    "83f801"  # cmp eax, 1
    "4883533000"  # adc zeros, 0
    "488b4318"  # mov rax, step
    "48014310"  # add operand, rax
    "48ff4328"  # inc made
    "48ff4b20"  # dec left
    "7407"  # jz done
    "48837b3800"  # cmp stopped, 0
    "74d5"  # je again
    "5b"  # done: pop rbx
    "c3"  # ret
)


class _Control(ctypes.Structure):
    _fields_ = [
        (name, ctypes.c_uint64)
        for name in ("function", "first", "operand", "step", "left", "made", "zeros", "stopped")
    ]


class Repetition:
    """Calls `function(first, operand)`, `function(first, operand + step)` and so on.

    Args:
        function: takes at most two arguments of 64 bits.
        arguments: those of the first call.
        step: by how much the second one grows from call to call.
        most: how many calls are made at most, at least one.

    """

    def __init__(
        self, function: Callable[..., Any], arguments: Sequence[int], step: int, most: int
    ) -> None:
        self._function = function
        self._taken = len(arguments)
        first, operand = [*arguments, 0, 0][:2]  # a function does not look at more than it takes
        self._control = _Control(0, first, operand, step, most)
        self._loop = _loop() if hasattr(function, "argtypes") else None

    @property
    def made(self) -> int:
        """How many calls were made."""
        return int(self._control.made)

    @property
    def zeros(self) -> int:
        """How many of them returned a number whose lower 32 bits are 0.

        It means nothing for functions that return nothing.
        """
        return int(self._control.zeros)

    def run(self) -> None:
        """Make the calls, until there were as many as allowed or `stop` is called."""
        if self._loop is None:
            self._slowly()
        else:
            code = ctypes.cast(self._function, ctypes.c_void_p)  # type: ignore[arg-type]
            self._control.function = code.value or 0
            self._loop(ctypes.addressof(self._control))

    def stop(self) -> None:
        """Let no further call begin."""
        self._control.stopped = 1

    def _slowly(self) -> None:
        control = self._control
        while control.left and not control.stopped:
            operand = ctypes.c_int64(control.operand).value
            given = (control.first, operand)[: self._taken]
            answer = self._function(*given) or 0
            control.zeros += answer % (1 << 32) == 0
            control.operand += control.step
            control.made += 1
            control.left -= 1
            # Let the other thread of Python run, which would wait for its turn otherwise.
            time.sleep(0)


_code: mmap.mmap | None = None


def _loop() -> Callable[[int], None] | None:
    """Return the loop of machine code, or None where there is none or it is not allowed."""
    global _code  # noqa: PLW0603 - it is made once
    _code = _code or executable(_LOOP)
    return ctypes.CFUNCTYPE(None, ctypes.c_void_p)(address(_code)) if _code else None
