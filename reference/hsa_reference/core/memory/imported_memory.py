"""Memory that others made and that is mapped here."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeVar

from hsa_reference import memory
from hsa_reference.core.memory.heaps import Heap, host_permission
from hsa_reference.core.memory.places import DescriptorMemory
from hsa_reference.state import State
from hsa_reference.undoing import undoing


@dataclass(eq=False)
class ImportedMemory(DescriptorMemory):
    """Memory of others that is mapped.

    Args:
        source: where its memory is.
        allowed: handles of the agents that can access it.

    """

    source: Heap
    allowed: frozenset[int]

    @property
    def heap(self) -> Heap:
        """Return where its memory is."""
        return self.source

    @property
    def agents(self) -> frozenset[int]:
        """Return the agents that can access it."""
        return self.allowed

    def release(self) -> None:
        """Unmap it."""
        memory.unmap(self.address, self.size)
        os.close(self.descriptor)


T = TypeVar("T", bound=ImportedMemory)


def map_imported(
    state: State, kind: type[T], descriptor: int, source: Heap, agents: Iterable[int]
) -> T:
    """Map all memory behind a descriptor, and return what it is here.

    Args:
        state: of the runtime.
        kind: what it is.
        descriptor: of the memory; what is returned closes it, as a failure does.
        source: where the memory is.
        agents: handles of those that can access it.

    Raises:
        OSError: there is no room.

    """
    allowed = frozenset(agents)
    with undoing(lambda: os.close(descriptor)):
        size = os.fstat(descriptor).st_size
        permission = host_permission(state, allowed)
        address = memory.map_shared(size, descriptor, permission, source.model.alignment)
    return kind(address, size, descriptor, source, allowed)
