"""Objects that live while something else happens: what has a name for other processes."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.amd.ipc.generators import (
    gpu_block,
    name_of,
    name_of_signal,
    shareable_signal,
)
from hsa_conformance.topics.amd.pools.fixtures import known_pools


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    shared = ("hsa_amd_signal_create", "hsa_amd_ipc_signal_create")
    yield ObjectKind("named signal", lambda: name_of_signal(f, shareable_signal(f)), shared)
    if f.session.offers("hsa_amd_memory_pool_allocate") and known_pools(
        f, lambda p: p.allocatable and p.location == "gpu"
    ):
        named = ("hsa_amd_ipc_memory_create",)
        yield ObjectKind("named block", lambda: name_of(f, gpu_block(f)), named)
