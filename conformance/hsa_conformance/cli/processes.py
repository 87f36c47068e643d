"""How many processes a run has, or tries programs, where nobody says it."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from math import ceil
from pathlib import Path
from typing import Final

#: A process takes seconds to start: it is worth it for so many seconds of clauses.
WORTH: Final = 20.0

_CGROUPS = Path("/sys/fs/cgroup")


def cores() -> int:
    """Return how many cores this process may use, by its affinity and its control group."""
    allowed = len(os.sched_getaffinity(0))
    return max(1, min([allowed, *_quotas(Path("/proc/self/cgroup"), _CGROUPS)]))


def _quotas(membership: Path, root: Path) -> list[int]:
    """Return the cores that each control group around this process gives it."""
    found: list[int] = []
    with suppress(OSError, ValueError):
        groups = (line.split(":", 2) for line in membership.read_text().splitlines())
        own = next((path for number, _, path in groups if number == "0"), "/")
        folder = root / own.strip("/")
        for group in (folder, *folder.parents):
            if group == root.parent:
                break
            with suppress(OSError, ValueError):
                quota, period = (group / "cpu.max").read_text().split()
                if quota != "max":
                    found.append(ceil(int(quota) / int(period)))
    return found


def processes(asked: int | None, clauses: Collection[str], subject: str) -> int:
    """Return how many processes judge.

    Args:
        asked: what the command line says, None where it says nothing.
        clauses: the ids of what is to be judged.
        subject: the kind of what is under test; see `selection.durations`.

    """
    if asked is not None:
        return max(1, asked)
    from hsa_conformance.selection.durations import estimate

    return max(1, min(cores(), int(estimate(clauses, subject) / WORTH)))


def programs_at_once() -> int:
    """Return how many programs are tried at a time: two by core, since they wait."""
    return 2 * cores()
