"""Signals of the operating system, for which a process has a handler that does nothing.

A system call in which a thread sleeps may come back early for one: sleepers have to look again.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import time

#: It is ignored where nobody handles it, so one that comes late harms nobody.
_SIGNAL = signal.SIGURG
_RESTART = 0x10000000  # SA_RESTART of <signal.h>
#: The number of the system call tgkill, by processor; most have the one of new architectures, in
#: <asm-generic/unistd.h>.
_TGKILL = {"x86_64": 234, "ppc64le": 250}.get(platform.machine(), 131)


class _Action(ctypes.Structure):
    """What sigaction of glibc and musl takes."""

    _fields_ = (
        ("handler", ctypes.c_void_p),
        ("mask", ctypes.c_uint64 * 16),
        ("flags", ctypes.c_int),
        ("restorer", ctypes.c_void_p),
    )


def interrupt(times: int, pause: float, *, restart: bool) -> None:
    """Send a signal to every thread of this process, again and again.

    Args:
        times: how often.
        pause: seconds before each time.
        restart: whether the handler is one behind which system calls go on by themselves.

    """
    libc = ctypes.CDLL(None, use_errno=True)
    # A function of C that needs no stack of Python, and has nothing to do with the signal.
    nothing = ctypes.cast(libc.getppid, ctypes.c_void_p).value
    action = _Action(handler=nothing, flags=_RESTART if restart else 0)
    libc.sigaction(int(_SIGNAL), ctypes.byref(action), None)
    ours = os.getpid()
    for _ in range(times):
        time.sleep(pause)
        for thread in os.listdir("/proc/self/task"):  # noqa: PTH208
            libc.syscall(_TGKILL, ours, int(thread), int(_SIGNAL))
