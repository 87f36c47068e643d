"""The few forms of MessagePack that the metadata of code objects needs.

The first bytes are those of "Formats" in the specification of MessagePack.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

Packable = int | str | Sequence["Packable"] | Mapping[str, "Packable"]


def pack(value: Packable) -> bytes:
    """Return a number that is not negative, a text, a list or a mapping in MessagePack.

    Raises:
        ValueError: it is too large for the forms that are needed.

    """
    match value:
        case int():
            return _number(value)
        case str():
            data = value.encode()
            return _head(len(data), 0xA0, 31, 0xDA) + data
        case Mapping():
            head = _head(len(value), 0x80, 15, 0xDE)
            return head + b"".join(pack(k) + pack(v) for k, v in value.items())
        case _:
            return _head(len(value), 0x90, 15, 0xDC) + b"".join(map(pack, value))


def _number(value: int) -> bytes:
    if not 0 <= value < 1 << 64:
        raise ValueError(f"{value} has no form here")
    if value < 1 << 7:
        return bytes([value])
    if value < 1 << 32:
        return struct.pack(">BI", 0xCE, value)
    return struct.pack(">BQ", 0xCF, value)


def _head(count: int, short: int, most: int, long: int) -> bytes:
    if count >= 1 << 16:
        raise ValueError(f"{count} things are too many")
    return bytes([short | count]) if count <= most else struct.pack(">BH", long, count)
