"""What the worker reads of a library's file before it loads it: its kind and its build id."""

from __future__ import annotations

import os
import struct

# Numbers and layouts of ELF: chapters 4 and 5 of the System V ABI, as in <elf.h>.
_MACHINES = {3: "x86", 40: "ARM", 62: "x86-64", 183: "AArch64", 243: "RISC-V"}
_SHARED, _NOTE, _BUILD_ID = 3, 4, 3


class LoadError(Exception):
    """The library cannot be loaded.

    Args:
        message: says what to do.
        misuse: whether what was named is no library that could be loaded at all.

    """

    def __init__(self, message: str, *, misuse: bool = True) -> None:
        super().__init__(message)
        self.misuse = misuse


def build_id(path: str) -> str | None:
    """Check that a file is a shared library for this machine and return its build id.

    Args:
        path: an existing file.

    Returns:
        The build id in hexadecimal, or None when the library has none.

    Raises:
        LoadError: the file is something else.

    """
    if not os.path.isfile(path):  # noqa: PTH113 - reading a device or a pipe may never end
        raise LoadError(f"{path} is not an ordinary file: give the shared library itself")
    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read()
    except OSError as error:
        raise LoadError(f"{path} cannot be read: {error.strerror}") from error
    if data[:4] != b"\x7fELF" or len(data) < 64:
        raise LoadError(f"{path} is not an ELF file: give the shared library itself")
    ours, theirs = _machine(_own_header()), _machine(data)
    if theirs != ours:
        raise LoadError(
            f"{path} is for {theirs}, but this Python is for {ours}: run it where both are the "
            "same (--via)"
        )
    if struct.unpack_from("<H", data, 16)[0] != _SHARED:
        raise LoadError(f"{path} cannot be loaded: it is an ELF file but not a shared library")
    try:
        return _find_build_id(data)
    except struct.error as error:
        text = f"{path} is damaged: its program headers end early"
        raise LoadError(text, misuse=False) from error


def _own_header() -> bytes:
    with open("/proc/self/exe", "rb") as file:  # noqa: PTH123
        return file.read(64)


def _machine(header: bytes) -> str:
    number: int = struct.unpack_from("<H", header, 18)[0]
    name = _MACHINES.get(number, f"machine {number}")
    return name if header[4] == 2 else f"{name}, 32 bits"


def _find_build_id(data: bytes) -> str | None:
    (table,) = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    for position in range(table, table + size * count, size):
        kind, _, offset, _, _, length = struct.unpack_from("<IIQQQQ", data, position)
        end = offset + length
        while kind == _NOTE and offset + 12 <= end:
            name_size, value_size, note = struct.unpack_from("<III", data, offset)
            value = offset + 12 + (name_size + 3 & ~3)
            if note == _BUILD_ID and data[offset + 12 : offset + 16] == b"GNU\0":
                return data[value : value + value_size].hex()
            offset = value + (value_size + 3 & ~3)
    return None


def locate(path: str) -> str:
    """Return the real path of a library, or a bare name as it is, for the dynamic loader to find.

    Raises:
        LoadError: there is no such file.

    """
    if os.path.exists(path):  # noqa: PTH110
        return os.path.realpath(path)
    if "/" in path:
        raise LoadError(f"{path} does not exist: give the path of the library on that machine")
    return path
