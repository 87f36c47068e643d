"""Objects that live while something else happens: memory of the host, locked."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.amd.locks.generators import host_memory, lock


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    page = f.session.model.page_size
    needs = ("hsa_amd_memory_lock", "hsa_amd_memory_pool_allocate")
    yield ObjectKind("locked memory", lambda: lock(f, host_memory(f, 1), page), needs)
