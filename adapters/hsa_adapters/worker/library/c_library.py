"""Which C library a shared library is built for, and which one this Python uses."""

from __future__ import annotations

import os
import struct

from hsa_adapters.worker.library.elf import LoadError

# Numbers and layouts of ELF: chapter 5 of the System V ABI, as in <elf.h>.
_LOAD, _DYNAMIC = 1, 2
_END, _NEEDED, _STRTAB = 0, 1, 5
_GLIBC = "libc.so.6"


def own() -> str:
    """Return the C library of this Python, such as "glibc 2.36", "musl" or "unknown"."""
    try:
        name = os.confstr("CS_GNU_LIBC_VERSION")
    except (ValueError, OSError):
        name = None
    if name:
        return name
    with open("/proc/self/maps") as file:  # noqa: PTH123
        return "musl" if any(map(_is_musl, file)) else "unknown"


def _is_musl(mapping: str) -> bool:
    """Return whether a line of /proc/self/maps is about musl.

    Alpine's file has the name of the loader; Debian's has that of the C library, and a link to it.
    """
    name = mapping.rstrip().rpartition("/")[2]
    return name == "libc.so" or name.startswith("ld-musl-")


def check(path: str) -> None:
    """Refuse a library that is built for musl where this Python uses glibc.

    The other way round musl itself stands in for glibc, as far as that goes.

    Args:
        path: a shared library for this machine.

    Raises:
        LoadError: it needs another C library than this Python has.

    """
    names = _needed_by(path)
    theirs = next((n for n in names if n.startswith("libc.musl-") or n == "libc.so"), None)
    ours = own()
    if theirs is None or not ours.startswith("glibc"):
        return
    raise LoadError(
        f"{path} is built for the C library musl (it needs {theirs}), and this Python uses {ours}: "
        'run it with a Python that uses musl, as in --via "podman exec -i alpine {argv}" or '
        '--via "/path/to/python3 {args}"'
    )


def check_preloaded(path: str) -> None:
    """Refuse a library that this Python could not be started again with, loaded before all others.

    Args:
        path: a shared library for this machine.

    Raises:
        LoadError: it is built for another C library than this Python has.

    """
    check(path)
    if wants_glibc(path):
        raise LoadError(
            f"{path} cannot be loaded before the library: it is built for glibc, and this Python "
            "uses musl; run it with a Python that uses glibc"
        )


def wants_glibc(path: str) -> bool:
    """Return whether a library is built for glibc and this Python uses musl."""
    return own() == "musl" and _GLIBC in _needed_by(path)


def _needed_by(path: str) -> list[str]:
    """Return what the library needs, nothing where that cannot be read."""
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            return needed(file.read())
    except (OSError, struct.error, ValueError):
        return []  # what is wrong with it, the dynamic loader says


def needed(data: bytes) -> list[str]:
    """Return the names of the libraries that a shared library says it needs.

    Args:
        data: the ELF file, of 64 bits.

    Raises:
        struct.error: it ends too early.
        ValueError: an address is in no part of the file.

    """
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    segments = [struct.unpack_from("<IIQQQQ", data, table + n * size) for n in range(count)]
    loaded = [
        (address, offset, length)
        for kind, _, offset, address, _, length in segments
        if kind == _LOAD
    ]
    entries: list[tuple[int, int]] = []
    for kind, _, offset, _, _, length in segments:
        for position in range(offset, offset + length if kind == _DYNAMIC else offset, 16):
            entries.append(struct.unpack_from("<QQ", data, position))
            if entries[-1][0] == _END:
                break
    strings: int | None = next((value for tag, value in entries if tag == _STRTAB), None)
    if strings is None:
        return []
    start = _offset(strings, loaded)
    return [_text(data, start + value) for tag, value in entries if tag == _NEEDED]


def _offset(address: int, loaded: list[tuple[int, int, int]]) -> int:
    for begin, offset, length in loaded:
        if begin <= address < begin + length:
            return offset + address - begin
    raise ValueError("no such address")


def _text(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode("utf-8", "replace")
