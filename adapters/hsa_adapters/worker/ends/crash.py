"""What a process notes of itself when a signal ends it: registers, and the top of the stack.

A few instructions of machine code do it, with system calls alone, so that it works whatever the
library has broken: what cannot be read is left out, and the process ends by the same signal as it
would have. A handler that somebody else has installed stays, and one that is installed later takes
the place of this one.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import struct
from collections.abc import Mapping
from dataclasses import dataclass

from hsa_adapters.worker.calls.machine_code import address, executable

#: The handler for x86-64, as a text in tests/library/tables/machine_code. It reads the structures
#: of <signal.h> and <ucontext.h>, and writes process, signal and the address that faulted, then the
#: registers, then the stack into the file; once in a process. Then it lets the same signal end the
#: process.
_HANDLER = bytes.fromhex(
    "53"  # push rbx
    "55"  # push rbp
    "89fb"  # mov ebx, signal
    "4889d5"  # mov rbp, context
    "b827000000 0f05"  # getpid
    "ff7610"  # push what faulted
    "53"  # push signal
    "50"  # push process
    "b801000000"  # mov eax, 1
    "8705c6000000"  # xchg taken, eax
    "85c0"  # test eax, eax
    "7547"  # jnz end
    "8b3db8000000"  # mov edi, file
    "4889e6"  # mov rsi, rsp
    "ba18000000"  # mov edx, 24
    "4531d2"  # xor r10d, r10d
    "b812000000 0f05"  # pwrite64
    "488d7528"  # lea rsi, registers of the context
    "ba88000000"  # mov edx, 136
    "41ba18000000"  # mov r10d, 24
    "b812000000 0f05"  # pwrite64
    "488bb5a0000000"  # mov rsi, rsp of the context
    "ba00000100"  # mov edx, 65536
    "41ba00010000"  # mov r10d, 256
    "b812000000 0f05"  # pwrite64
    "89df"  # end: mov edi, signal
    "488d354e000000"  # lea rsi, the default action
    "31d2"  # xor edx, edx
    "41ba08000000"  # mov r10d, 8
    "b80d000000 0f05"  # rt_sigaction
    "b8ba000000 0f05"  # gettid
    "89c6"  # mov esi, eax
    "5f"  # pop process
    "89da"  # mov edx, signal
    "b8ea000000 0f05"  # tgkill: it arrives when this returns
    "58585d5b"  # pop what was pushed
    "c3"  # ret
)
_DEFAULT, _FILE = 0xC0, 0xE0  # where its data are: the default action, the file and whether taken
_STACK = 256
# In the order of REG_R8 and so on in <ucontext.h>.
_REGISTERS: tuple[str, ...] = (
    "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15",
    "rdi", "rsi", "rbp", "rbx", "rdx", "rax", "rcx", "rsp", "rip",
)  # fmt: skip
_HEAD = struct.Struct(f"<{3 + len(_REGISTERS)}Q")
_OWN_STACK = 1 << 16
_LARGEST_STACK = 8 << 20
_ON_STACK, _WITH_DETAILS = 0x08000000, 4  # SA_ONSTACK and SA_SIGINFO of <signal.h>
_SIGNALS = (
    signal.SIGSEGV,
    signal.SIGBUS,
    signal.SIGFPE,
    signal.SIGILL,
    signal.SIGABRT,
    signal.SIGTRAP,
)


class _Action(ctypes.Structure):
    _fields_ = [
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_uint64 * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    ]


class _Stack(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("flags", ctypes.c_int), ("size", ctypes.c_size_t)]


@dataclass(frozen=True)
class Crash:
    """What a process noted of itself.

    Args:
        signal: the number of the signal that was about to end it.
        fault: for SIGSEGV and SIGBUS, the address that it could not use.
        registers: the processor's registers, by name.
        stack: what stood at the address in "rsp" and above it, as far as it could be read.

    """

    signal: int
    fault: int
    registers: Mapping[str, int]
    stack: bytes

    @property
    def overflow(self) -> bool:
        """Return whether the stack was used up, so that where it happened is chance."""
        distance = self.fault - self.registers["rsp"]
        return self.signal in (signal.SIGSEGV, signal.SIGBUS) and abs(distance) < _OWN_STACK

    def on_stack_of_main_thread(self) -> bool:
        """Return whether the thread was the first one of a process that this one has forked."""
        with open("/proc/self/maps") as file:  # noqa: PTH123
            ends = [line.partition("-")[2].split()[0] for line in file if "[stack]" in line]
        return any(0 < int(end, 16) - self.registers["rsp"] < _LARGEST_STACK for end in ends)


class Recorder:
    """Lets processes that are forked from this one note what they do when a signal ends them.

    Does nothing on processors that it has no code for.
    """

    def __init__(self) -> None:
        self._code = executable(_HANDLER.ljust(_DEFAULT, b"\0"))
        if self._code is None:
            return
        self.write_to(-1)
        self._stack = mmap.mmap(-1, _OWN_STACK, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        library = ctypes.CDLL(None)
        library.sigaltstack(ctypes.byref(_Stack(address(self._stack), 0, _OWN_STACK)), None)
        ours = _Action(address(self._code), flags=_ON_STACK | _WITH_DETAILS)
        for number in _SIGNALS:
            before = _Action()
            library.sigaction(number, None, ctypes.byref(before))
            if not before.handler:
                library.sigaction(number, ctypes.byref(ours), None)

    def write_to(self, file: int) -> None:
        """Let this process note it in a file of its own, which is empty."""
        if self._code is not None:
            self._code[_FILE : _FILE + 4] = struct.pack("<i", file)


def read(file: int, process: int) -> Crash | None:
    """Return what a process noted, or nothing.

    Args:
        file: where it was to be noted.
        process: the id of the process; those that it forks write into the same file.

    """
    noted = os.pread(file, os.fstat(file).st_size, 0)
    if len(noted) < _HEAD.size:
        return None
    pid, number, fault, *registers = _HEAD.unpack_from(noted)
    if pid != process:
        return None
    named = dict(zip(_REGISTERS, registers))  # noqa: B905 - Python 3.9 knows no strict
    return Crash(number, fault, named, noted[_STACK:])
