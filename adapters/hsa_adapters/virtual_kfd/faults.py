"""Failures of the driver on demand: the n-th call of a kind fails, or each from there on."""

from __future__ import annotations

import errno
import fcntl
import re
import struct
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from itertools import count
from typing import BinaryIO

from hsa_adapters.virtual_kfd.build import SOURCES
from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_adapters.virtual_kfd.folder import VirtualKfd

# The first member of the file that the processes of a machine share; see driver/base/shared.h.
_RECORD = struct.Struct("=5i")
_LARGEST = 2**31 - 1


@cache
def calls() -> Mapping[str, int]:
    """Return the numbers of the calls that can fail, by name.

    They are the ioctls of /dev/kfd, "mmap" (of any device), and "drm" (the functions of libdrm).
    """
    ioctls = re.search(
        r"enum kfd_ioctl \{(.*?)\};", (SOURCES / "base/kfd.h").read_text(), re.DOTALL
    )
    others = re.findall(r"#define INJECT_(\w+) (\w+)", (SOURCES / "base/faults.h").read_text())
    named = re.findall(r"(\w+) = (0x\w+)", ioctls[1] if ioctls else "")
    return {
        **{name: int(number, 16) for name, number in named if name != "KFD_IOCTLS"},
        **{name.lower(): int(number, 16) for name, number in others},
    }


def arm(
    kfd: VirtualKfd, call: str, error: str | int, after: int = 0, *, lasting: bool = False
) -> None:
    """Let a later call fail, in whichever process makes it.

    It takes the place of what was armed before, and `hits` starts again from 0.

    Args:
        kfd: the machine.
        call: one of `calls()`, such as "ALLOC_MEMORY_OF_GPU".
        error: the errno, as a number or by name, such as "ENOMEM".
        after: how many calls of the kind succeed before.
        lasting: whether all later ones of the kind fail, too.

    Raises:
        VirtualKfdError: there is no such call or error, or the count is out of range.

    """
    if call not in calls():
        raise VirtualKfdError(f"no call {call!r} can fail; known are {', '.join(sorted(calls()))}")
    number = getattr(errno, error, 0) if isinstance(error, str) else error
    if not isinstance(number, int) or not 0 < number <= _LARGEST:
        raise VirtualKfdError(f"there is no error {error!r}: name one, such as 'ENOMEM'")
    if not 0 <= after <= _LARGEST:
        raise VirtualKfdError(f"{after} calls cannot succeed before one fails")
    with _shared(kfd) as file:
        file.write(_RECORD.pack(calls()[call], after, number, 0, lasting))


def disarm(kfd: VirtualKfd) -> None:
    """Let no call fail any more."""
    with _shared(kfd) as file:
        file.write(bytes(_RECORD.size))


def hits(kfd: VirtualKfd) -> int:
    """Return how many calls have failed since `arm`: 0 or 1, or more if the failure lasts."""
    return _record(kfd)[3]


def left(kfd: VirtualKfd) -> int:
    """Return how many more calls succeed before one fails."""
    return _record(kfd)[1]


def each_failure(kfd: VirtualKfd, call: str, error: str | int) -> Generator[int]:
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
