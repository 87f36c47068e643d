"""Where in the library a process was when a signal ended it."""

from __future__ import annotations

import contextlib
import ctypes
import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from hsa_adapters.worker.ends.call_encoding import LONGEST, ends_with_call
from hsa_adapters.worker.ends.crash import Crash
from hsa_adapters.worker.ends.mappings import Code, Mappings, Place, code
from hsa_adapters.worker.ends.unwinding import Unknown, caller, word

_FRAMES = 64


@dataclass(frozen=True)
class Library:
    """The library under test: its path as the loader has it, and its build id if it has one."""

    path: str
    build: str | None


def place_of(crash: Crash, library: Library) -> dict[str, object] | None:
    """Return the innermost instruction of the library that was under way.

    It is the one at which the process ended, or the call that led there. Callers are found by what
    the files say of the stack, and not by what merely looks like an address on it, so that two
    processes with one place ended at one instruction, or in one call.

    Args:
        crash: what the process noted.
        library: what is under test.

    Returns:
        The name of the file, its build id, the offset as `addr2line` wants it, and the name of the
        function where a symbol covers it; None where nobody can tell, or where the stack was used
        up, so that it is chance which instruction met its end.

    """
    if crash.overflow:
        return None
    for place in _frames(crash):
        if found := within(library, place.path, place.address):
            return found
    return None


def within(library: Library, path: str, offset: int) -> dict[str, object] | None:
    """Return what `place_of` says of an instruction; None where it is not the library's.

    Args:
        library: what is under test.
        path: of the file that the instruction is in.
        offset: its address there.

    """
    if path != library.path:
        return None
    return {
        "file": os.path.basename(library.path),  # noqa: PTH119
        "build": library.build,
        "offset": offset,
        "function": _function(library, offset),
    }


def has_data(library: Library, address: int) -> bool:
    """Return whether an address is among what the library's file was mapped to in this process.

    Args:
        library: what is under test; it was loaded before processes were forked from this one.
        address: in one of those processes.

    """
    end = 0
    with open("/proc/self/maps") as file:  # noqa: PTH123
        for line in file:
            words = line.split(maxsplit=5)
            low, high = (int(word, 16) for word in words[0].split("-"))
            path = words[5].rstrip("\n") if len(words) > 5 else ""
            # What begins as zeros is no part of the file, and stands right behind it.
            if path == library.path or (not path and low == end):
                if low <= address < high:
                    return True
                end = high
    return False


def _frames(crash: Crash) -> Iterator[Place]:
    """Give the instructions that were under way, the innermost first."""
    mapped = Mappings()
    low = crash.registers["rsp"]
    now = dict(crash.registers)
    with contextlib.suppress(Unknown):
        if not mapped.holds(now["rip"]):
            now = _before_the_jump(now, crash.stack, mapped)
        elif place := mapped.place(now["rip"]):
            yield place
            now = caller(place, now, crash.stack, low)
        for _ in range(_FRAMES):
            # The call may be the last instruction of its function.
            place = mapped.place(now["rip"] - 1)
            if place is None:
                return
            yield place
            now = caller(place, now, crash.stack, low)


def _before_the_jump(registers: dict[str, int], stack: bytes, mapped: Mappings) -> dict[str, int]:
    """Return the registers of a function whose call led to an address where there is no code.

    Raises:
        Unknown: the process came there in another way than by a call.

    """
    back = word(stack, 0)
    place = mapped.place(back - 1)
    if place is None or not _follows_a_call(place.code, place.address + 1):
        raise Unknown
    return {**registers, "rip": back, "rsp": registers["rsp"] + 8}


def _follows_a_call(file: Code, address: int) -> bool:
    end = file.offset(address - 1) + 1
    return ends_with_call(file.data[max(end - LONGEST, 0) : end])


@lru_cache(maxsize=256)
def _function(library: Library, address: int) -> str | None:
    """Return the name of the function of the library that has an instruction."""
    build = library.build or ""
    for path in (library.path, f"/usr/lib/debug/.build-id/{build[:2]}/{build[2:]}.debug"):
        file = code(path)
        name = file and file.function(address)
        if name:
            return _spelt_out(name)
    return None


def _spelt_out(name: str) -> str:
    """Return a name of C++ as people write it, if the library has loaded what can tell."""
    if not name.startswith("_Z"):
        return name  # what tells would take a name of C such as `w` for one of a type
    try:
        run_time = ctypes.CDLL("libstdc++.so.6", mode=os.RTLD_NOLOAD | os.RTLD_NOW)
    except OSError:
        return name
    demangle = run_time.__cxa_demangle
    demangle.restype = ctypes.c_void_p
    found = demangle(name.encode(), None, None, None)
    return ctypes.string_at(found).decode(errors="replace") if found else name
