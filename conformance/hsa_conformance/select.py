"""Chooses clauses by the names that people type."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from hsa_spec import Clause, Registry

#: Short names of groups of topics, for `check GROUP` and `--select`.
GROUPS = {
    "vmem": "amd/vmem",
    "pools": "amd/pools",
    "pointers": "amd/pointers",
    "init": "core/init",
    "status": "core/status",
    "system": "core/system",
    "copies": "amd/copies",
    "svm": "amd/svm",
    "migration": "amd/migration",
    "agents": "core/agents",
    "signals": "core/signals",
    "isas": "core/isas",
    "caches": "core/caches",
    "memory": "core/memory",
    "locks": "amd/locks",
    "ipc": "amd/ipc",
    "dmabuf": "amd/dmabuf",
    "files": "amd/files",
    "profiling": "amd/profiling",
    "spm": "amd/spm",
    "pc-sampling": "pc_sampling/pc_sampling",
    "queues": "core/queues",
    "extensions": "core/extensions",
    "events": "amd/events",
    "settings": "amd/settings",
    "coherency": "amd/coherency",
    "userdata": "amd/userdata",
    "amd-signals": "amd/signals",
    "executables": "core/executables",
    "code-objects": "core/code_objects",
    "amd-queues": "amd/queues",
    "images": "images/images",
    "samplers": "images/samplers",
    "amd-images": "amd/images",
    "interop": "amd/interop",
}


class SelectionError(Exception):
    """A name matches nothing; the message says what is near."""


def select(registry: Registry, wanted: Sequence[str]) -> list[Clause]:
    """Return the clauses that are wanted, in the order of the registry; all for no wish.

    Args:
        registry: the specification.
        wanted: groups, topics, functions, clause ids or beginnings of ids.

    Raises:
        SelectionError: a name matches no clause.

    """
    if not wanted:
        return list(registry.clauses.values())
    chosen: set[str] = set()
    for name in wanted:
        found = list(registry.select(GROUPS.get(name, name)))
        if not found:
            raise SelectionError(_unknown(registry, name))
        # A whole name means itself, although it may be the beginning of another.
        exact = [c for c in found if name in (c.id, c.function)]
        chosen |= {c.id for c in exact or found}
    return [c for c in registry.clauses.values() if c.id in chosen]


def _unknown(registry: Registry, name: str) -> str:
    names = [*GROUPS, *registry.topics, *registry.functions, *registry.clauses]
    near = get_close_matches(name, names, 3)
    hint = f"did you mean {' or '.join(near)}?" if near else "see `hsa-conformance spec list`"
    return f"{name!r} is no group, topic, function or clause; {hint}"
