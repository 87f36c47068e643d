"""Signals in shared memory of their own, and the names by which other processes find them.

A name says which process has the memory open, and as which descriptor. It stands for the signal
while that process keeps it; a random token, which the memory's own name has as well, tells it from
whatever else has that descriptor later.
"""

from __future__ import annotations

import os
import re
import struct

from hsa_reference import memory
from hsa_reference.descriptors import with_room
from hsa_reference.requests import FILE, FROM_PROCESS, ask
from hsa_reference.undoing import undoing

#: Bytes of a name, a hsa_amd_ipc_signal_t.
NAME = 32

_NAME = struct.Struct("<8sII16s")
_MAGIC = b"hsa-sig\0"
_LINK = re.compile(r"/memfd:hsa-reference signal=([0-9a-f]{32}) \(deleted\)")


def create() -> int:
    """Make memory for one signal and return its descriptor.

    Raises:
        OSError: there is no memory, or no descriptor left.

    """
    token = os.urandom(16).hex()
    name = f"hsa-reference signal={token}"
    ask(FILE)
    descriptor = with_room(lambda: os.memfd_create(name, os.MFD_CLOEXEC))
    with undoing(lambda: os.close(descriptor)):
        os.ftruncate(descriptor, memory.PAGE)
    return descriptor


def name_of(descriptor: int) -> bytes:
    """Return the name by which other processes find the memory of a descriptor of this one."""
    token = _token(f"/proc/self/fd/{descriptor}")
    assert token is not None, "whoever has a descriptor of a signal closes it"
    return _NAME.pack(_MAGIC, os.getpid(), descriptor, token)


def is_name(name: bytes) -> bool:
    """Return whether a name stands for the signal of a process that still has it."""
    return _found(name) is not None


def attach(name: bytes) -> int:
    """Return a new descriptor of the memory that a name stands for.

    Raises:
        OSError: there is no such memory any more, or no descriptor left.

    """
    found = _found(name)
    if found is None:
        raise FileNotFoundError
    ask(FROM_PROCESS)
    descriptor = os.open(found, os.O_RDWR | os.O_CLOEXEC)
    if _token(f"/proc/self/fd/{descriptor}") != _NAME.unpack(name)[3]:
        os.close(descriptor)
        raise FileNotFoundError
    return descriptor


def _found(name: bytes) -> str | None:
    """Return the path of the memory that a name stands for."""
    magic, process, descriptor, token = _NAME.unpack(name)
    path = f"/proc/{process}/fd/{descriptor}"
    return path if magic == _MAGIC and _token(path) == token else None


def _token(path: str) -> bytes | None:
    try:
        link = _LINK.fullmatch(os.readlink(path))  # noqa: PTH115 - no file
    except OSError:
        return None
    return bytes.fromhex(link[1]) if link else None
