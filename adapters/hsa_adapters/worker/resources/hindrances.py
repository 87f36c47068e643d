"""What a process may do no more, as the kernel tells others: its limits, and its system calls.

It is looked at from outside, since a process that may do little cannot tell it itself. One that has
ended tells it until its parent asks how.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping

from hsa_adapters.worker.resources.process_state import lowered_limits

_LIMIT = re.compile(r"Max (.+?) {2,}(\d+|unlimited) ")
#: The worker lowers this one itself.
_OWN = "core file size"


def hindrances(pid: int) -> list[str]:
    """Return in words what a process may do no more that this one, which forked it, may.

    Args:
        pid: its number; nothing can be told of one that is gone.

    """
    before, now = _limits(os.getpid()), _limits(pid)
    ignored = (_OWN, *lowered_limits())
    found = [
        f"its limit of {name} is {most}, not {before[name]}"
        for name, most in now.items()
        if name not in ignored and _number(most) < _number(before[name])
    ]
    filtered = any(line.split() == ["Seccomp:", "2"] for line in _lines(pid, "status"))
    ours = any(line.split() == ["Seccomp:", "2"] for line in _lines(os.getpid(), "status"))
    return [*found, "its system calls are filtered"] if filtered and not ours else found


def _limits(pid: int) -> Mapping[str, str]:
    matches = (_LIMIT.match(line) for line in _lines(pid, "limits"))
    return {match[1]: match[2] for match in matches if match}


def _number(most: str) -> float:
    return float("inf") if most == "unlimited" else int(most)


def _lines(pid: int, name: str) -> Iterator[str]:
    try:
        with open(f"/proc/{pid}/{name}") as file:  # noqa: PTH123
            yield from file
    except OSError:
        return
