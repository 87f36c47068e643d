"""Objects that live while something else happens: virtual memory in each of its states."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.vmem import fixtures as vmem
from hsa_conformance.topics.core.agents.fixtures import known_agents


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    able = f.session.model.supports("virtual memory") and f.session.offers("hsa_amd_vmem_map")
    if not able or not known_pools(f, lambda p: p.allocatable and p.location == "gpu"):
        return
    yield ObjectKind("reservation", lambda: vmem.reserve(f, f.session.model.page_size))
    yield ObjectKind("memory handle", lambda: vmem.create_handle(f))
    yield ObjectKind("mapping", lambda: vmem.new_mapping(f))
    yield ObjectKind("mapping with access", lambda: _accessible(f), ("hsa_amd_vmem_set_access",))
    exported = ("hsa_amd_vmem_export_shareable_handle",)
    yield ObjectKind("exported handle", lambda: vmem.export_handle(f), exported)


def _accessible(f: Fixtures) -> None:
    """Map a handle, and let the first GPU reach it."""
    vmem.grant_access(f, vmem.new_mapping(f), known_agents(f, "gpu")[0].handle)
