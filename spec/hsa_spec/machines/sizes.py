"""Sizes as people write them."""

from __future__ import annotations

import re

_UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}
_SIZE = re.compile(rf"(\d+) ({'|'.join(_UNITS)})")


def in_bytes(size: str | int) -> int:
    """Return a size in bytes, which is a number of them or a text such as "64 KiB".

    Raises:
        ValueError: it is neither.

    """
    found = _SIZE.fullmatch(str(size))
    return int(found[1]) * _UNITS[found[2]] if found else int(size)
