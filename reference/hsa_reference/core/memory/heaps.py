"""The memory that the machine has: one heap for each pool, and blocks of shared memory in it."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from hsa_reference import memory
from hsa_reference.core.agents import Agents
from hsa_reference.machine import PoolModel
from hsa_reference.state import Part, State


class Block(NamedTuple):
    """Shared memory that is mapped: its address, its size in bytes, and a descriptor of it."""

    address: int
    size: int
    descriptor: int


class Mappable(Protocol):
    """A block, or what was made of one."""

    @property
    def address(self) -> int: ...  # noqa: D102
    @property
    def size(self) -> int: ...  # noqa: D102
    @property
    def descriptor(self) -> int: ...  # noqa: D102


@dataclass(eq=False)
class Heap:
    """The memory of one pool of the machine.

    Args:
        index: its position in the machine, the same in every process.
        agent: the handle of the agent that it belongs to.
        model: what the machine says about it.
        used: how many bytes of it are taken.

    """

    index: int
    agent: int
    model: PoolModel
    used: int = 0

    def take(self, size: int) -> bool:
        """Count `size` bytes as taken; False where there are not so many left."""
        if self.used + size > self.model.size:
            return False
        self.used += size
        return True

    def give_back(self, size: int) -> None:
        """Count `size` bytes as free again."""
        self.used -= size

    def allocate(self, size: int, permission: int) -> Block | None:
        """Take a block of whole granules; None where the machine or the system has no more.

        Args:
            size: how many bytes are asked for.
            permission: the hsa_access_permission_t of the process.

        """
        rounded = -(-size // self.model.granule) * self.model.granule
        if not self.take(rounded):
            return None
        try:
            descriptor, _ = memory.create(rounded, self.index, 0)
            try:
                address = memory.map_shared(rounded, descriptor, permission, self.model.alignment)
            except OSError:
                os.close(descriptor)
                raise
        except OSError:
            self.give_back(rounded)
            return None
        return Block(address, rounded, descriptor)

    def free(self, block: Mappable) -> None:
        """Give a block back."""
        memory.unmap(block.address, block.size)
        os.close(block.descriptor)
        self.give_back(block.size)


class Heaps(Part):
    """The heaps, in the machine's order."""

    def __init__(self, state: State) -> None:
        agents = state.part(Agents)
        owned = [(agents.handle[a.name], p) for a in state.machine.agents for p in a.pools]
        self.in_order = tuple(Heap(i, agent, model) for i, (agent, model) in enumerate(owned))


def host_permission(state: State, agents: Iterable[int]) -> int:
    """Return the permission of the process where these agents have access: it runs on CPUs."""
    reached = any(map(state.part(Agents).on_host, agents))
    name = "HSA_ACCESS_PERMISSION_RW" if reached else "HSA_ACCESS_PERMISSION_NONE"
    return state.registry.constants[name]
