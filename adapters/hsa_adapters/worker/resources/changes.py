"""What a process changes of itself that hinders nobody: how it takes signals, its limits and so on.

It is looked at from inside, and compared with what a process has that has made no call.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import resource
import signal
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from hsa_adapters.worker.resources.descriptors import room
from hsa_adapters.worker.resources.remains import MACHINE

_STATUS = re.compile(rb"(Umask|SigBlk|SigIgn|SigCgt|Seccomp):\s*(\w+)")
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
#: Folder of objects of shared memory.
_SHARED = "/dev/shm/"


@dataclass(frozen=True)
class Standing:
    """What a process has at one time.

    Attributes:
        caught: bits of the signals that it has a handler for; `ignored` and `blocked` in that way.
        umask: the rights that files are made without.
        filtered: whether its system calls are filtered.
        limits: the soft limits, by what they are of.
        priority: how nice it is.
        folders: its current directory, and its root.
        variables: its environment.
        shared: the names of objects of shared memory, whoever made them.

    """

    caught: int
    ignored: int
    blocked: int
    umask: str
    filtered: bool
    limits: Mapping[str, int]
    priority: int
    folders: tuple[str, str]
    variables: Mapping[bytes, bytes]
    shared: frozenset[str]


def standing() -> Standing:
    """Return what this process has now.

    Raises:
        OSError: it may not even look.

    """
    with room():
        file = os.open("/proc/self/status", os.O_RDONLY)
        told = dict(_STATUS.findall(os.read(file, 1 << 14)))
        os.close(file)
        folders = tuple(os.readlink(f"/proc/self/{name}") for name in ("cwd", "root"))  # noqa: PTH115
        shared = frozenset(os.listdir(_SHARED)) if os.path.isdir(_SHARED) else frozenset()  # noqa: PTH112, PTH208
    taken = ("open files",) if MACHINE in os.environ else ()  # the imitated driver lowers it
    return Standing(
        int(told[b"SigCgt"], 16),
        int(told[b"SigIgn"], 16),
        int(told[b"SigBlk"], 16),
        told.get(b"Umask", b"").decode(),
        told.get(b"Seccomp") == b"2",
        {
            name: resource.getrlimit(limit)[0]
            for name, limit in _LIMITS.items()
            if name not in taken
        },
        os.getpriority(os.PRIO_PROCESS, 0),
        (folders[0], folders[1]),
        _variables(),
        shared,
    )


def after(now: Standing, restored: Iterable[int]) -> Standing:
    """Return what a process has that is forked from this one and makes some changes.

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


def differences(before: Standing, now: Standing) -> Iterator[str]:
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
    if now.filtered and not before.filtered:
        yield "filters system calls"
    for name, most in now.limits.items():
        if most != before.limits[name]:
            yield f"sets the limit of {name} to {'none' if most < 0 else most}"
    if now.priority != before.priority:
        yield f"sets the nice value to {now.priority}"
    for name, old, new in zip(("current", "root"), before.folders, now.folders):  # noqa: B905 - Python 3.9
        if old != new:
            yield f"changes the {name} directory to {new}"
    changed = {name for name, _ in before.variables.items() ^ now.variables.items()}
    for variable in sorted(changed & now.variables.keys()):
        yield f"sets the variable {os.fsdecode(variable)}"
    if gone := sorted(changed - now.variables.keys()):
        yield f"unsets {_listed([os.fsdecode(variable) for variable in gone])}"


def files(before: Standing, now: Standing) -> list[str]:
    """Return the paths of objects of shared memory that are new."""
    return [_SHARED + name for name in sorted(now.shared - before.shared)]


def _of_signals(what: str, bits: int) -> Iterator[str]:
    numbers = [
        n for n in range(1, _EVERY + 1) if bits >> (n - 1) & 1 and n not in _OF_THE_C_LIBRARY
    ]
    if len(numbers) > _EVERY // 2:
        yield f"{what} nearly all signals"
    elif numbers:
        yield f"{what} {_listed([_name(number) for number in numbers])}"


def _name(number: int) -> str:
    with contextlib.suppress(ValueError):
        return signal.Signals(number).name
    return f"signal {number}"


def _listed(words: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


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
