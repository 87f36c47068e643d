"""What is true of the state of the reference at any time."""

from __future__ import annotations

import os
from collections import Counter
from itertools import pairwise

from hsa_reference.state import State


def check(state: State) -> None:
    """Compare the books of a runtime with each other and with the process."""
    inside = Counter(m.reservation.address for m in state.mappings)
    assert all(r.mappings == inside[r.address] for r in state.reservations)
    for mapping in state.mappings:
        reservation = mapping.reservation
        assert state.reservations.at(reservation.address) is reservation
        assert reservation.address <= mapping.address
        assert mapping.address + mapping.size <= reservation.address + reservation.size
        assert state.handles[mapping.memory.handle] is mapping.memory
    mapped = Counter(m.memory.handle for m in state.mappings)
    for handle in state.handles.values():
        assert handle.mappings == mapped[handle.handle]
        assert handle.references > 0 or handle.mappings > 0
        assert state.handle_of[handle.identity] is handle
        assert os.fstat(handle.descriptor).st_size == handle.size
    assert len(state.handle_of) == len(state.handles)
    for pool in state.catalogue.pools:
        held = sum(h.size for h in state.handles.values() if h.owner is pool and not h.imported)
        blocks = sum(b.size for b in state.allocations if b.owner is pool)
        assert pool.used == held + blocks
    for table in (state.reservations, state.mappings, state.allocations):
        ends = [(item.address, item.address + item.size) for item in table]
        assert all(end <= start for (_, end), (start, _) in pairwise(ends))
