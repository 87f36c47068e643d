"""Whether what a failure shows is what an entry names."""

from __future__ import annotations

import re
from functools import cache

#: Stands for the rest of a word.
REST = "*"

_ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
_PROCESS = re.compile(r"(?<=://)[0-9]+\b")
_BYTES = re.compile(r"\b[0-9a-f]{2}(?: [0-9a-f]{2}){3,}\b")


def shows(text: str, got: str, *, exact: bool = False) -> bool:
    """Return whether a text has the words of an entry in it, whole and one after another.

    Args:
        text: what a failure shows.
        got: the words; `*` stands for the rest of a word, so that "SIG*" is any signal and
            "HSA_STATUS_ERROR" is no other status that begins in the same way.
        exact: whether there may be nothing else.

    """
    pattern = _pattern(got)
    return bool(pattern.fullmatch(text) if exact else pattern.search(text))


def lasting(text: str) -> str:
    """Return what a failure shows with `*` for what differs from run to run.

    That is addresses, numbers of processes, and bytes in a row that are not all the same.
    """
    text = _ADDRESS.sub(f"0x{REST}", text)
    return _BYTES.sub(_same_bytes, _PROCESS.sub(REST, text))


def _same_bytes(found: re.Match[str]) -> str:
    each = found[0].split()
    return found[0] if len({*each}) == 1 else " ".join(REST for _ in each)


@cache
def _pattern(got: str) -> re.Pattern[str]:
    words = r"\w*".join(map(re.escape, got.split(REST)))
    before = r"(?<!\w)" if re.match(r"\w", got) else ""
    after = r"(?!\w)" if re.search(r"\w\Z", got) else ""
    return re.compile(f"{before}{words}{after}", re.DOTALL)
