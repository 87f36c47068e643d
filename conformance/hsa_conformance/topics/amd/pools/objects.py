"""Objects that live while something else happens: a block from a pool."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.amd.pools.fixtures import known_pools, new_block


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    if f.session.offers("hsa_amd_memory_pool_allocate") and known_pools(f, lambda p: p.allocatable):
        yield ObjectKind("block", lambda: new_block(f))
