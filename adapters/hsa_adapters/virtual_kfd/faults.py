"""Refusals of the driver on demand: the n-th call of a kind fails, or each from there on."""

from __future__ import annotations

import errno
import fcntl
import re
import struct
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import BinaryIO

from hsa_adapters.virtual_kfd.build import SOURCES
from hsa_adapters.virtual_kfd.errnos import ERRNOS
from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_adapters.virtual_kfd.folder import VirtualKfd

# The first members of the file that the processes of a machine share; see driver/base/shared.h:
# the failure to come, behind it a number for each kind of call, and the calls from a failure on.
_RECORD = struct.Struct("=6i")
_KINDS = struct.Struct("=273i")
_NOTED = struct.Struct("=9i")
_LARGEST = 2**31 - 1
_KERNEL = 0x10F  # the place of the kernels among them


@cache
def calls() -> Mapping[str, int]:
    """Return the numbers of the calls that can be refused, by name.

    They are ioctls of /dev/kfd by the kernel's names, functions of libdrm by theirs (one of them
    twice: "amdgpu_bo_va_op_unmap" takes mappings away), and

    - "open_kfd", "open_render" and "open_file": /dev/kfd, a render node, another of their files,
      such as one of the topology;
    - "read_file": reading such a file, once it is open, by the functions of stdio;
    - "mmap": of a device;
    - "pthread_create": of any thread that neither the driver nor Python starts.
    """
    return {name: number for name, number in numbers().items() if name in ERRNOS}


def numbers() -> Mapping[str, int]:
    """Return the numbers of all calls that the driver knows, by name."""
    ioctls = re.search(
        r"enum kfd_ioctl \{(.*?)\};", (SOURCES / "base/kfd.h").read_text(), re.DOTALL
    )
    others = re.findall(r"CALL_(\w+) = (0x\w+)", (SOURCES / "base/faults.h").read_text())
    named = re.findall(r"(\w+) = (0x\w+)", ioctls[1] if ioctls else "")
    return {name: int(number, 16) for name, number in [*named, *others] if name != "KFD_IOCTLS"}


def arm(kfd: VirtualKfd, call: str, error: str, after: int = 0, *, lasting: bool = False) -> None:
    """Let a later call fail, in whichever process makes it: `watch`, with a refusal to come.

    It takes the place of what was armed before, and `hits` starts again from 0.

    Args:
        kfd: the machine.
        call: one of `calls()`, such as "ALLOC_MEMORY_OF_GPU".
        error: the errno by name, such as "ENOMEM": one that the kernel gives there.
        after: how many calls of the kind succeed before.
        lasting: whether all later ones of the kind fail, too.

    Raises:
        VirtualKfdError: there is no such call, it cannot fail in this way, or the count is out of
            range.

    """
    if call not in calls():
        known = ", ".join(sorted(calls()))
        raise VirtualKfdError(f"no call {call!r} can be refused; those that can are {known}")
    if error not in ERRNOS[call]:
        given = ", ".join(ERRNOS[call])
        raise VirtualKfdError(f"{call} is never refused with {error!r}; it is with {given}")
    if not 0 <= after <= _LARGEST:
        raise VirtualKfdError(f"{after} calls cannot succeed before one fails")
    _begin(kfd, calls()[call], after, getattr(errno, error), lasting=lasting)


def watch(kfd: VirtualKfd) -> None:
    """Let no call fail, and count them from here on; see `made`.

    Counted, and refused, is what the first thread of a process asks for, and threads that were
    started meanwhile. What a runtime's other threads do is nothing that a call asked for.
    """
    _begin(kfd)


def disarm(kfd: VirtualKfd) -> None:
    """Let no call fail any more, and count on."""
    with _shared(kfd) as file:
        file.write(_RECORD.pack(0, 0, 0, 0, 0, _round(file)))


def made(kfd: VirtualKfd) -> Mapping[str, int]:
    """Return how many calls of each kind were made since `arm` or `watch`, refused ones among them.

    Kinds of which there were none are left out.
    """
    counted = _counted(kfd)
    return {name: counted[number] for name, number in calls().items() if counted[number]}


def noted(kfd: VirtualKfd) -> Sequence[str]:
    """Return the kind of the call that failed first since `arm`, and of the few next ones."""
    with _shared(kfd) as file:
        file.seek(_RECORD.size + _KINDS.size)
        count, *kinds = _NOTED.unpack(file.read(_NOTED.size).ljust(_NOTED.size, b"\0"))
    names = {number: name for name, number in numbers().items()}
    return [names[number] for number in kinds[:count]]


def kernels(kfd: VirtualKfd) -> int:
    """Return how many kernels were given since `arm` or `watch` that devices do not execute."""
    return _counted(kfd)[_KERNEL]


def hits(kfd: VirtualKfd) -> int:
    """Return how many calls have failed since `arm`: 0 or 1, or more if the failure lasts."""
    return _record(kfd)[3]


def left(kfd: VirtualKfd) -> int:
    """Return how many more calls succeed before one fails."""
    return _record(kfd)[1]


def each_failure(kfd: VirtualKfd, call: str, error: str) -> Generator[int]:
    """Enumerate the places where a piece of work can fail.

    For each number from 0 on, the call of that number fails while the caller does the work. The
    last turn is the first one in which the work makes no such call any more: it meets no failure.

        for n in each_failure(kfd, "ALLOC_MEMORY_OF_GPU", "ENOMEM"):
            work()  # in a process on the machine
            expect_failure = hits(kfd)

    Raises:
        VirtualKfdError: there is no such call or error.

    """
    for after in count():
        arm(kfd, call, error, after)
        try:
            yield after
            met = hits(kfd)
        finally:
            disarm(kfd)
        if not met:
            return


def _begin(
    kfd: VirtualKfd, number: int = 0, after: int = 0, error: int = 0, *, lasting: bool = False
) -> None:
    """Begin a round, in which nothing has been counted."""
    with _shared(kfd) as file:
        record = _RECORD.pack(number, after, error, 0, lasting, _round(file) % _LARGEST + 1)
        file.write(record + bytes(_KINDS.size + _NOTED.size))


def _counted(kfd: VirtualKfd) -> tuple[int, ...]:
    with _shared(kfd) as file:
        file.seek(_RECORD.size)
        return _KINDS.unpack(file.read(_KINDS.size).ljust(_KINDS.size, b"\0"))


def _round(file: BinaryIO) -> int:
    number: int = _RECORD.unpack(file.read(_RECORD.size).ljust(_RECORD.size, b"\0"))[5]
    file.seek(0)
    return number


def _record(kfd: VirtualKfd) -> tuple[int, ...]:
    with _shared(kfd) as file:
        return _RECORD.unpack(file.read(_RECORD.size).ljust(_RECORD.size, b"\0"))


@contextmanager
def _shared(kfd: VirtualKfd) -> Iterator[BinaryIO]:
    path = kfd.root / "shared"
    try:
        # As the processes on the machine do it: whoever comes first makes the file.
        path.touch(mode=0o600)
        with path.open("r+b", buffering=0) as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
    except OSError as problem:
        raise VirtualKfdError(f"cannot write to {path} ({problem.strerror})") from problem
