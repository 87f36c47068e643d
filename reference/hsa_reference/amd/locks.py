"""Memory of the program that is locked for agents."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_reference import memory
from hsa_reference.amd.pools.state import Pools
from hsa_reference.core.agents import Agents
from hsa_reference.core.memory.places import Place, Places
from hsa_reference.objects import Listed
from hsa_reference.state import Part, State
from hsa_reference.status import OUT_OF_RESOURCES, SUCCESS, Answer


@dataclass(eq=False)
class Lock(Place):
    """A range of the program's memory that is locked; agents find it where the process does.

    Args:
        owner: the handle of the agent that it belongs to.
        pool_flags: of the pool that it is locked to, 0 without one.
        allowed: handles of the agents that can access it.

    """

    owner: int
    pool_flags: int
    allowed: frozenset[int]

    @property
    def agent(self) -> int:
        """Return the handle of the agent that the memory belongs to."""
        return self.owner

    @property
    def flags(self) -> int:
        """Return a bit set of hsa_amd_memory_pool_global_flag_t."""
        return self.pool_flags

    @property
    def agents(self) -> frozenset[int]:
        """Return the agents that can access it."""
        return self.allowed


class Locks(Part):
    """The locked ranges, in the order in which they were locked; they may overlap."""

    def __init__(self, state: State) -> None:
        self.locked: Listed[Lock] = Listed()
        state.part(Places).add(self._around)
        state.facts["is_locked"] = lambda address: self.at(address) is not None

    def at(self, address: int) -> Lock | None:
        """Return the latest range that starts at an address."""
        return next((lock for lock in reversed(self.locked) if lock.address == address), None)

    def release(self) -> None:
        """Unlock everything."""
        self.locked.clear()

    def _around(self, address: int) -> Lock | None:
        return next(
            (
                lock
                for lock in reversed(self.locked)
                if lock.address <= address < lock.address + lock.size
            ),
            None,
        )


PART = Locks


def hsa_amd_memory_lock(
    state: State, host_ptr: int, size: int, agents: int, num_agent: int, agent_ptr: int
) -> Answer:
    """Lock memory. It belongs to the first CPU, and has the flags of no pool."""
    known = state.part(Agents)
    host = next(handle for handle in known.by_handle if known.on_host(handle))
    return _lock(state, Lock(host_ptr, size, host, 0, _named(state, agents, num_agent)), agent_ptr)


def hsa_amd_memory_lock_to_pool(
    state: State,
    host_ptr: int,
    size: int,
    agents: int,
    num_agent: int,
    pool: int,
    flags: int,
    agent_ptr: int,
) -> Answer:
    """Lock memory as if it came from a pool. No flag has a meaning yet."""
    heap = state.part(Pools).by_handle[pool].heap
    allowed = _named(state, agents, num_agent)
    return _lock(state, Lock(host_ptr, size, heap.agent, heap.model.flags, allowed), agent_ptr)


def hsa_amd_memory_unlock(state: State, host_ptr: int) -> Answer:
    """Undo the latest lock of an address."""
    locks = state.part(Locks)
    lock = locks.at(host_ptr)
    if lock is not None:
        locks.locked.remove(lock)
    return SUCCESS


def _lock(state: State, lock: Lock, agent_ptr: int) -> Answer:
    try:
        state.part(Locks).locked.append(lock)
    except OSError:
        return OUT_OF_RESOURCES
    memory.store(agent_ptr, lock.address, 8)
    return SUCCESS


def _named(state: State, agents: int, count: int) -> frozenset[int]:
    """Return the agents of an array; without one, all of them."""
    return frozenset(memory.words(agents, count) if agents else state.part(Agents).by_handle)
