"""What is true of the state of the reference at any time."""

from __future__ import annotations

import os
from collections import Counter
from itertools import pairwise

from hsa_reference.amd.pools.state import Pools
from hsa_reference.amd.vmem.state import VirtualMemory
from hsa_reference.state import State


def check(state: State) -> None:
    """Compare the books of a runtime with each other and with the process."""
    pools, vmem = state.part(Pools), state.part(VirtualMemory)
    inside = Counter(m.reservation.address for m in vmem.mappings)
    assert all(r.mappings == inside[r.address] for r in vmem.reservations)
    for mapping in vmem.mappings:
        reservation = mapping.reservation
        assert vmem.reservations.at(reservation.address) is reservation
        assert reservation.address <= mapping.address
        assert mapping.address + mapping.size <= reservation.address + reservation.size
        assert vmem.handles[mapping.memory.handle] is mapping.memory
    mapped = Counter(m.memory.handle for m in vmem.mappings)
    for handle in vmem.handles.values():
        assert handle.mappings == mapped[handle.handle]
        assert handle.references > 0 or handle.mappings > 0
        assert vmem.handle_of[handle.identity] is handle
        assert os.fstat(handle.descriptor).st_size == handle.size
    assert len(vmem.handle_of) == len(vmem.handles)
    for pool in pools.in_order:
        held = sum(h.size for h in vmem.handles.values() if h.owner is pool and not h.imported)
        blocks = sum(b.size for b in pools.allocations if b.owner is pool)
        assert pool.heap.used == held + blocks
    for table in (vmem.reservations, vmem.mappings, pools.allocations):
        ends = [(item.address, item.address + item.size) for item in table]
        assert all(end <= start for (_, end), (start, _) in pairwise(ends))
