"""Names by which processes share memory and signals, and what they stand for."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, NotOnMachine
from hsa_conformance.engine.generation.generators import Generators, put_handles
from hsa_conformance.engine.generation.values.geometry import sizes, within
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.ipc.state import SHAREABLE, SharedBlock, shared_block
from hsa_conformance.topics.amd.pools.fixtures import allocate, allocate_block, known_pools
from hsa_conformance.topics.amd.pools.generators import access
from hsa_conformance.topics.amd.pools.state import (
    Allocation,
    Pool,
    find_allocation,
    find_pool,
    pools,
)
from hsa_conformance.topics.core.agents.fixtures import known_agents, put_agents
from hsa_conformance.topics.core.signals.generators import VALUES, signal
from hsa_reports import Verdict


def peer_of(fixtures: Fixtures) -> Fixtures:
    """Return a fixtures of valid things in the second process."""
    return Fixtures(fixtures.session.initialised_peer(), fixtures.draw)


# blocks of memory


def gpu_pools(fixtures: Fixtures) -> list[Pool]:
    """Return the pools of GPUs that blocks can come from.

    Raises:
        Unavailable: there is none.

    """
    found = known_pools(fixtures, lambda p: p.allocatable and p.location == "gpu")
    if not found:
        raise Unavailable(Verdict.NOT_APPLICABLE, "no GPU agent has an allocatable memory pool")
    return found


def gpu_block(fixtures: Fixtures) -> Allocation:
    """Allocate memory of a GPU: a granule, pages or more."""
    pool = fixtures.choose(gpu_pools(fixtures))
    return _sized(
        fixtures, pool, fixtures.draw(sizes(pool.granule, within(pool.size), pool.granule))
    )


def another_like(fixtures: Fixtures, block: Allocation) -> Allocation:
    """Allocate as much memory of the same pool as a block has, or had: it may come again."""
    pool = find_pool(fixtures.session.model, block.pool)
    assert pool is not None, "a block is from a pool"
    return _sized(fixtures, pool, block.size)


def _sized(fixtures: Fixtures, pool: Pool, size: int) -> Allocation:
    found = find_allocation(fixtures.session.model, allocate(fixtures, pool, size))
    assert found is not None, "the set-up has succeeded"
    return found


def name_of(fixtures: Fixtures, block: Allocation) -> bytes:
    """Make a name for a block."""
    answer = fixtures.session.set_up(
        "hsa_amd_ipc_memory_create", ptr=block.address, len=block.size, handle=Out()
    )
    return answer.outputs["handle"] or b""


def place_name(session: Session, name: bytes) -> int:
    """Put a name into a process, and return its address."""
    return session.place(name, "name")


def altered(session: Session, name: bytes) -> int:
    """Put something that is nobody's name into a process, and return its address.

    Its third word is that of a real name: where that tells the process, some libraries would wait
    for a process that does not exist to come up.
    """
    changed = bytes(b if 8 <= i < 12 else b ^ 0xFF for i, b in enumerate(name))
    return place_name(session, changed)


def known_block(session: Session, owner: Session, block: Allocation, name: bytes) -> int:
    """Let a process know another one's block by its name, and return the name's address there."""
    number = [p.handle for p in pools(owner.model)].index(block.pool)
    shared = SharedBlock(block.size, pools(session.model)[number].handle)
    session.model.add("ipc_memory", int.from_bytes(name, "little"), thing=shared)
    return place_name(session, name)


def attach(fixtures: Fixtures, name: int, size: int) -> int:
    """Map a block of another process for all agents, and return its address."""
    answer = fixtures.session.set_up(
        "hsa_amd_ipc_memory_attach",
        handle=name,
        len=size,
        num_agents=0,
        mapping_agents=0,
        mapped_ptr=Out(),
    )
    return answer["mapped_ptr"]


def foreign_block(fixtures: Fixtures) -> tuple[int, int]:
    """Let the second process share a block; return the name's address here, and the size."""
    peer = peer_of(fixtures)
    block = gpu_block(peer)
    return known_block(fixtures.session, peer.session, block, name_of(peer, block)), block.size


def _whole(b: Builder, address: str, size: str) -> None:
    block = find_allocation(b.session.model, b.number(address))
    if block is None:
        block = gpu_block(b)
        b.values[address] = block.address
    b.values[size] = block.size


def _not_whole(b: Builder, address: str, size: str) -> None:
    block = gpu_block(b)
    granule = b.granule()
    kind = b.choose(["longer", "inside", "memory", "empty", "shorter"])
    b.values[address], b.values[size] = block.address, block.size
    if kind == "longer":
        b.values[size] = block.size + b.choose([1, granule])
    elif kind == "shorter":
        if block.size <= granule:
            raise CannotMake("a block of one granule cannot be shorter")
        b.values[size] = block.size - granule
    elif kind == "empty":
        b.values[size] = 0
    elif kind == "inside":
        if block.size <= granule:
            raise CannotMake("a block of one granule has no second one")
        b.values[address], b.values[size] = block.address + granule, block.size - granule
    else:
        b.values[address] = b.readable()


def _gpu_memory(b: Builder, address: str) -> None:
    b.values[address] = gpu_block(b).address


def _host_block(b: Builder, address: str) -> None:
    b.values[address] = allocate_block(
        b, b.choose(known_pools(b, lambda p: p.allocatable and p.location == "cpu"))
    )


def _shared(b: Builder, handle: str, size: str) -> None:
    b.values[handle], b.values[size] = foreign_block(b)


def _not_shared(b: Builder, handle: str, size: str) -> None:
    peer = peer_of(b)
    block = gpu_block(peer)
    b.values[handle] = known_block(b.session, peer.session, block, name_of(peer, block))
    b.values[size] = b.choose([block.size + b.granule(), block.size + 1, 0, block.size - 1])


def _reaching(b: Builder, array: str, count: str, handle: str) -> None:
    block = shared_block(b.session.model, b.number(handle))
    if block is None:
        raise CannotMake("the name stands for nothing yet")
    able = [a for a in known_agents(b) if access(b, a.handle, block.pool) != "never"]
    put_agents(b, array, count, able)


def _not_reaching(b: Builder, array: str, count: str, handle: str) -> None:
    block = shared_block(b.session.model, b.number(handle))
    if block is None:
        raise CannotMake("the name stands for nothing yet")
    unable = [a.handle for a in known_agents(b) if access(b, a.handle, block.pool) == "never"]
    if not unable:
        raise NotOnMachine("every agent of the machine can reach the memory")
    put_handles(b, array, count, [b.choose(unable)])


def _attached(b: Builder, address: str) -> None:
    name, size = foreign_block(b)
    b.values[address] = attach(b, name, size)


def _not_attached(b: Builder, address: str) -> None:
    b.values[address] = b.some_memory(b.kinds())


# signals


def shareable_signal(fixtures: Fixtures, initial: int = 0) -> int:
    """Create a signal that other processes can attach to."""
    answer = fixtures.session.set_up(
        "hsa_amd_signal_create",
        initial_value=initial,
        num_consumers=0,
        consumers=0,
        attributes=SHAREABLE,
        signal=Out(),
    )
    return answer["signal"]


def name_of_signal(fixtures: Fixtures, handle: int) -> bytes:
    """Make a name for a signal."""
    answer = fixtures.session.set_up("hsa_amd_ipc_signal_create", signal=handle, handle=Out())
    return answer.outputs["handle"] or b""


def known_signal(session: Session, name: bytes) -> int:
    """Let a process know another one's signal by its name, and return the name's address there."""
    session.model.add("ipc_signal", int.from_bytes(name, "little"), thing=name)
    return place_name(session, name)


def attach_signal(fixtures: Fixtures, name: int) -> int:
    """Get a signal of another process."""
    answer = fixtures.session.set_up("hsa_amd_ipc_signal_attach", handle=name, signal=Out())
    return answer["signal"]


def _shareable_signal(b: Builder, x: str) -> None:
    b.values[x] = shareable_signal(b, b.draw(VALUES))


def _private_signal(b: Builder, x: str) -> None:
    b.values[x] = signal(b, b.draw(VALUES))


def _named_signal(b: Builder, handle: str) -> None:
    peer = peer_of(b)
    name = name_of_signal(peer, shareable_signal(peer, b.draw(VALUES)))
    b.values[handle] = known_signal(b.session, name)


def _no_named_signal(b: Builder, handle: str) -> None:
    peer = peer_of(b)
    b.values[handle] = altered(b.session, name_of_signal(peer, shareable_signal(peer)))


GENERATORS: Mapping[str, Generators] = {
    "is_whole_allocation": Generators(_whole, _not_whole),
    "is_gpu_memory": Generators(_gpu_memory, _host_block),
    "is_ipc_memory": Generators(_shared, _not_shared),
    "ipc_agents_reach": Generators(_reaching, _not_reaching),
    "is_attached": Generators(_attached, _not_attached),
    "is_ipc_signal": Generators(_named_signal, _no_named_signal),
    "signal_is_shareable": Generators(_shareable_signal, _private_signal),
}
