"""Numbers and structures of Linux and its C library that Python has no names for."""

from __future__ import annotations

import ctypes
import platform
import struct

import pytest

from hsa_adapters.worker.ends import interruption
from hsa_adapters.worker.resources import ledger
from hsa_adapters.worker.supervision import serve, supervisor
from hsa_adapters.worker.threads import on_cores
from hsa_device.server import channel
from hsa_reference import memory
from hsa_reference.amd import spm
from hsa_reference.native import functions
from tests.library.tables.from_c import constants, fields, members, values

TABLES = {
    "sys/prctl.h": {
        "PR_SET_PDEATHSIG": supervisor._PDEATHSIG,
        "PR_SET_CHILD_SUBREAPER": supervisor._SUBREAPER,
        "PR_SET_TIMERSLACK": on_cores._SET_TIMER_SLACK,
    },
    "time.h": {"CLOCK_REALTIME_COARSE": serve._CLOCK_OF_FILES},
    "signal.h": {
        "SA_RESTART": interruption._RESTART,
        "offsetof(struct sigaction, sa_handler)": interruption._Action.handler.offset,
        "offsetof(struct sigaction, sa_flags)": interruption._Action.flags.offset,
        "sizeof(struct sigaction)": ctypes.sizeof(interruption._Action),
    },
    "syscall.h": {"SYS_tgkill": interruption._TGKILL},
    "malloc.h": {
        "sizeof(struct mallinfo2)": ctypes.sizeof(ledger._Heap),
        "offsetof(struct mallinfo2, hblkhd)": ledger._Heap.word4.offset,
        "offsetof(struct mallinfo2, uordblks)": ledger._Heap.word7.offset,
    },
    "linux/mman.h": {"MAP_FIXED": memory._MAP_FIXED, "MAP_NORESERVE": memory._MAP_NORESERVE},
    "stdint.h": {
        "__ATOMIC_RELAXED": functions.RELAXED,
        "__ATOMIC_ACQUIRE": functions.ACQUIRE,
        "__ATOMIC_RELEASE": functions.RELEASE,
        "__ATOMIC_ACQ_REL": functions.ACQ_REL,
        "__ATOMIC_SEQ_CST": functions.SEQ_CST,
    },
}


@pytest.mark.parametrize("header", TABLES)
def test_numbers_are_those_of_the_header(header: str) -> None:
    assert values([header], TABLES[header]) == TABLES[header]


def test_tgkill_has_the_numbers_of_other_processors() -> None:
    """Most have that of the list which new processors share."""
    (found,) = constants(["asm-generic/unistd.h"], ["__NR_tgkill"])
    assert found == (interruption._TGKILL if platform.machine() == "aarch64" else 131)


def test_memory_is_asked_about_as_the_header_says() -> None:
    found = constants(
        ["sys/mman.h", "fcntl.h"],
        ["PROT_NONE", "MS_ASYNC", "FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE"],
    )
    assert found == [memory._NONE, memory._ASYNC, memory._PUNCH_HOLE]


@pytest.mark.parametrize(
    ("layout", "header", "structure", "names"),
    [
        (channel._CREDENTIALS, "sys/socket.h", "struct ucred", "pid uid gid"),
        (spm._LOCK, "fcntl.h", "struct flock", "l_type l_whence l_start l_len l_pid"),
    ],
)
def test_structures_are_laid_out_as_in_the_header(
    layout: struct.Struct, header: str, structure: str, names: str
) -> None:
    assert members([header], structure, names.split()) == fields(layout)
