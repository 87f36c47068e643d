"""The memory that the machine has: one heap for each pool, and blocks of shared memory in it."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from hsa_reference import memory
from hsa_reference.core.agents import Agents
from hsa_reference.machine import PoolModel
from hsa_reference.requests import POOL, ask
from hsa_reference.state import Part, State
from hsa_reference.undoing import undoing


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

    def take(self, size: int) -> None:
        """Count `size` bytes as taken.

        Raises:
            OSError: there are not so many left.

        """
        ask(POOL)
        if self.used + size > self.model.size:
            raise OSError(errno.ENOMEM, os.strerror(errno.ENOMEM))
        self.used += size

    def give_back(self, size: int) -> None:
        """Count `size` bytes as free again."""
        self.used -= size

    @contextmanager
    def allocated(self, size: int, permission: int) -> Iterator[Block]:
        """Take a block of whole granules, which goes if what keeps it is refused anything.

        Args:
            size: how many bytes are asked for.
            permission: the hsa_access_permission_t of the process.

        Raises:
            OSError: the machine or the system has no more.

        """
        rounded = -(-size // self.model.granule) * self.model.granule
        self.take(rounded)
        with undoing(lambda: self.give_back(rounded)):
            descriptor, _ = memory.create(rounded, self.index, 0)
            with undoing(lambda: os.close(descriptor)):
                address = memory.map_shared(rounded, descriptor, permission, self.model.alignment)
        block = Block(address, rounded, descriptor)
        with undoing(lambda: self.free(block)):
            yield block

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

    def holdings(self) -> Mapping[str, int]:
        """Return how much memory of all pools is taken."""
        return {"bytes of pool memory": sum(heap.used for heap in self.in_order)}


def host_permission(state: State, agents: Iterable[int]) -> int:
    """Return the permission of the process where these agents have access: it runs on CPUs."""
    reached = any(map(state.part(Agents).on_host, agents))
    name = "HSA_ACCESS_PERMISSION_RW" if reached else "HSA_ACCESS_PERMISSION_NONE"
    return state.registry.constants[name]
