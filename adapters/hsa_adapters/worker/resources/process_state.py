"""What a process changes of itself that hinders nobody: how it takes signals, its limits and so on.

It is looked at from inside, and compared with what a process has that has made no call.
"""

from __future__ import annotations

import contextlib
import ctypes
import locale
import os
import re
import resource
import signal
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from hsa_adapters.worker.resources.descriptors import room
from hsa_adapters.worker.resources.remains import MACHINE

_STATUS = re.compile(rb"(Umask|SigBlk|SigIgn|SigCgt|Seccomp|TracerPid):\s*(\w+)")
_CORE = "core files"
_LIMITS = {
    "address space": resource.RLIMIT_AS,
    _CORE: resource.RLIMIT_CORE,
    "processor time": resource.RLIMIT_CPU,
    "data": resource.RLIMIT_DATA,
    "the size of files": resource.RLIMIT_FSIZE,
    "locked memory": resource.RLIMIT_MEMLOCK,
    "open files": resource.RLIMIT_NOFILE,
    "processes": resource.RLIMIT_NPROC,
    "the stack": resource.RLIMIT_STACK,
}
#: The C libraries take these for themselves.
_OF_THE_C_LIBRARY = (32, 33, 34)
_EVERY = 64
_GET_DUMPABLE, _GET_SECCOMP = 3, 21  # PR_GET_DUMPABLE and PR_GET_SECCOMP of <linux/prctl.h>
_FILTERED = 2  # SECCOMP_MODE_FILTER of <linux/seccomp.h>
#: What changes, with its bits in the control word of the x87 and in MXCSR, as volume 1 of the AMD64
#: Architecture Programmer's Manual has them.
_ARITHMETIC = {
    "how floating point numbers are rounded": (0x0F00, 0x6000),
    "which floating point exceptions raise a signal": (0x003F, 0x1F80),
    "whether tiny floating point numbers are zero": (0, 0x8040),
}
#: Size, and offsets of these two words, of fenv_t for x86-64, in <fenv.h> of glibc and of musl.
_FENV, _CONTROL, _MXCSR = 32, 0, 28
#: More variables than this are not listed.
_MANY = 8
_CLOSED = (0, 0)
STREAMS = ("standard input", "standard output", "standard error")
#: Folder of objects of shared memory.
_SHARED = "/dev/shm/"
#: More threads, and more mebibytes of output, than a runtime starts or prints by the way.
_THREADS, _OUTPUT = 32, 1

_prctl = ctypes.CDLL(None).prctl


@dataclass(frozen=True)
class ProcessState:
    """What a process has at one time.

    Attributes:
        caught: bits of the signals that it has a handler for; `ignored` and `blocked` in that way.
        umask: the rights that files are made without.
        restrained: what it does to be restrained or shut off, in the third person.
        limits: the soft limits, by what they are of.
        priority: how nice it is.
        folders: its current directory, and its root.
        variables: its environment.
        shared: the names of objects of shared memory, whoever made them.
        streams: see `streams`.
        locale: its locale.
        arithmetic: bits of what a processor does with floating point numbers; see `_ARITHMETIC`.
        threads: how many threads it has.
        printed: bytes of its output, which its caller knows.

    """

    caught: int
    ignored: int
    blocked: int
    umask: str
    restrained: frozenset[str]
    limits: Mapping[str, int]
    priority: int
    folders: tuple[str, str]
    variables: Mapping[bytes, bytes]
    shared: frozenset[str]
    streams: tuple[tuple[int, int], ...]
    locale: str
    arithmetic: tuple[int, ...]
    threads: int
    printed: int


def streams() -> tuple[tuple[int, int], ...]:
    """Return device and number of what descriptors 0, 1 and 2 are; zeros where one is closed."""
    found: list[tuple[int, int]] = []
    for descriptor in range(len(STREAMS)):
        try:
            told = os.fstat(descriptor)
        except OSError:
            found.append(_CLOSED)
        else:
            found.append((told.st_dev, told.st_ino))
    return tuple(found)


def is_filtered() -> bool:
    """Return whether system calls of this process are filtered, which most filters let it ask."""
    return bool(_prctl(_GET_SECCOMP, 0, 0, 0, 0) == _FILTERED)


def lowered_limits() -> tuple[str, ...]:
    """Return the limits, by what they are of, that an imitated driver lowers."""
    return ("open files",) if MACHINE in os.environ else ()


def read(printed: int = 0) -> ProcessState:
    """Return what this process has now.

    Args:
        printed: bytes of its output.

    Raises:
        OSError: it may not even look.

    """
    with room():
        file = os.open("/proc/self/status", os.O_RDONLY)
        told = dict(_STATUS.findall(os.read(file, 1 << 14)))
        os.close(file)
        folders = tuple(os.readlink(f"/proc/self/{name}") for name in ("cwd", "root"))  # noqa: PTH115
        threads = len(os.listdir("/proc/self/task"))  # noqa: PTH208
        shared = frozenset(os.listdir(_SHARED)) if os.path.isdir(_SHARED) else frozenset()  # noqa: PTH112, PTH208
    taken = lowered_limits()
    return ProcessState(
        int(told[b"SigCgt"], 16),
        int(told[b"SigIgn"], 16),
        int(told[b"SigBlk"], 16),
        told.get(b"Umask", b"").decode(),
        frozenset(_restrained(told)),
        {
            name: resource.getrlimit(limit)[0]
            for name, limit in _LIMITS.items()
            if name not in taken
        },
        os.getpriority(os.PRIO_PROCESS, 0),
        (folders[0], folders[1]),
        _variables(),
        shared,
        streams(),
        locale.setlocale(locale.LC_ALL),
        _arithmetic(),
        threads,
        printed,
    )


def after(now: ProcessState, restored: Iterable[int]) -> ProcessState:
    """Return what a process has that is forked from this one to make calls.

    Args:
        now: what this one has.
        restored: the signals for which it takes the default again; it also writes no core files.

    """
    taken = sum(1 << (number - 1) for number in restored)
    return replace(
        now,
        caught=now.caught & ~taken,
        ignored=now.ignored & ~taken,
        limits={**now.limits, _CORE: 0},
    )


def differences(before: ProcessState, now: ProcessState) -> Iterator[str]:
    """Yield in words what is another now, in the third person."""
    if now == before:
        return
    yield from _of_signals("sets a handler for", now.caught & ~before.caught)
    yield from _of_signals("takes away the handler for", before.caught & ~now.caught & ~now.ignored)
    yield from _of_signals("ignores", now.ignored & ~before.ignored)
    yield from _of_signals("no longer ignores", before.ignored & ~now.ignored & ~now.caught)
    yield from _of_signals("blocks", now.blocked & ~before.blocked)
    yield from _of_signals("lets through", before.blocked & ~now.blocked)
    if now.umask != before.umask:
        yield f"sets the umask to {now.umask}"
    yield from sorted(now.restrained - before.restrained)
    for name, most in now.limits.items():
        if most != before.limits[name]:
            yield f"sets the limit of {name} to {'none' if most < 0 else most}"
    if now.priority != before.priority:
        yield f"sets the nice value to {now.priority}"
    for name, old, new in zip(("current", "root"), before.folders, now.folders):  # noqa: B905 - Python 3.9
        if old != new:
            yield f"changes the {name} directory to {new}"
    yield from _of_streams(before.streams, now.streams)
    if now.locale != before.locale:
        yield "changes the locale"
    for what, bits, others in zip(_ARITHMETIC, before.arithmetic, now.arithmetic):  # noqa: B905 - Python 3.9
        if bits != others:
            yield f"changes {what}"
    yield from _of_variables(before.variables, now.variables)
    if (more := now.threads - before.threads) > _THREADS:
        yield f"starts {more} threads"
    if (more := (now.printed - before.printed) >> 20) > _OUTPUT:
        yield f"prints {more} MiB"


def files(before: ProcessState, now: ProcessState) -> list[str]:
    """Return the paths of objects of shared memory that are new."""
    return [_SHARED + name for name in sorted(now.shared - before.shared)]


def _restrained(told: Mapping[bytes, bytes]) -> Iterator[str]:
    if told.get(b"Seccomp") == b"2":
        yield "filters system calls"
    if told.get(b"TracerPid", b"0") != b"0":
        yield "lets another process trace it"
    if _prctl(_GET_DUMPABLE, 0, 0, 0, 0) == 0:
        yield "keeps others from looking at it"


def _of_signals(what: str, bits: int) -> Iterator[str]:
    numbers = [
        n for n in range(1, _EVERY + 1) if bits >> (n - 1) & 1 and n not in _OF_THE_C_LIBRARY
    ]
    if len(numbers) > _EVERY // 2:
        yield f"{what} nearly all signals"
    elif numbers:
        yield f"{what} {_listed([_name(number) for number in numbers])}"


def _of_streams(before: Sequence[tuple[int, int]], now: Sequence[tuple[int, int]]) -> Iterator[str]:
    moved = [(s, n) for s, o, n in zip(STREAMS, before, now) if o != n]  # noqa: B905 - Python 3.9
    if closed := [stream for stream, new in moved if new == _CLOSED]:
        yield f"closes {_listed(closed)}"
    if replaced := [stream for stream, new in moved if new != _CLOSED]:
        yield f"replaces {_listed(replaced)}"


def _of_variables(before: Mapping[bytes, bytes], now: Mapping[bytes, bytes]) -> Iterator[str]:
    changed = {name for name, _ in before.items() ^ now.items()}
    for variable in sorted(changed & now.keys()):
        yield f"sets the variable {os.fsdecode(variable)}"
    if gone := sorted(changed - now.keys()):
        names = [os.fsdecode(variable) for variable in gone]
        yield f"unsets {_listed(names) if len(names) <= _MANY else f'{len(names)} variables'}"


def _name(number: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _arithmetic() -> tuple[int, ...]:
    """Return the bits of each of `_ARITHMETIC`; zeros where they cannot be asked for."""
    # Python itself needs C's mathematics.
    ask = getattr(ctypes.CDLL(None), "fegetenv", None)
    environment = ctypes.create_string_buffer(_FENV)
    if ask is not None and os.uname().machine == "x86_64":
        ask(environment)
    (control,) = struct.unpack_from("<H", environment, _CONTROL)
    (mxcsr,) = struct.unpack_from("<I", environment, _MXCSR)
    return tuple(control & x87 | (mxcsr & sse) << 16 for x87, sse in _ARITHMETIC.values())


def _variables() -> dict[bytes, bytes]:
    """Return the environment as C has it, which the one of Python does not follow."""
    entries = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    found: dict[bytes, bytes] = {}
    place = 0
    while entries and (entry := entries[place]) is not None:
        name, _, value = entry.partition(b"=")
        found[name] = value
        place += 1
    return found
