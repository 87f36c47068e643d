"""Code objects with more in the file than anybody needs, which are the same code all the same."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Final

from hsa_conformance.code_objects import elf

_HEADER: Final = 64  # bytes of a section header
_PLACE, _COUNT = 40, 60  # of the section headers, in the header of the file
_FIRST_OF_SYSTEM: Final = 0x6FFF_0000  # a type of sections that no system has given a meaning


def _padded(content: bytes) -> bytes:
    """Add bytes behind all that is there."""
    return content + b"\xa5" * 4093


def _moved(content: bytes) -> bytes:
    """Move the section headers farther back."""
    return _with_headers(content + bytes(4096), _headers(content))


def _commented(content: bytes) -> bytes:
    """Add a section of text that is not loaded."""
    return _with_section(content, elf.PROGBITS, b"made by nobody\0")


def _empty(content: bytes) -> bytes:
    """Add a section without content."""
    return _with_section(content, elf.PROGBITS, b"")


def _unknown(content: bytes) -> bytes:
    """Add a section of an unknown type."""
    return _with_section(content, _FIRST_OF_SYSTEM, b"\xff" * 24)


#: What is added, by what reports call it.
VARIANTS: Final[Mapping[str, Callable[[bytes], bytes]]] = {
    "bytes at the end": _padded,
    "section headers farther back": _moved,
    "section that is not loaded": _commented,
    "empty section": _empty,
    "section of an unknown type": _unknown,
}


def _with_section(content: bytes, kind: int, data: bytes) -> bytes:
    header = struct.pack("<IIQQQQIIQQ", 0, kind, 0, 0, len(content), len(data), 0, 0, 1, 0)
    return _with_headers(content + data, _headers(content) + header)


def _headers(content: bytes) -> bytes:
    """Return the section headers, which stand at the end of what `build` makes."""
    return content[int.from_bytes(content[_PLACE : _PLACE + 8], "little") :]


def _with_headers(content: bytes, headers: bytes) -> bytes:
    """Return a file with other section headers, at its end."""
    body = bytearray(content.ljust(-(-len(content) // 8) * 8, b"\0"))
    struct.pack_into("<Q", body, _PLACE, len(body))
    struct.pack_into("<H", body, _COUNT, len(headers) // _HEADER)
    return bytes(body) + headers
