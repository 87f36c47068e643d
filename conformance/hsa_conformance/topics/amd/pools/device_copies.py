"""Copies that a GPU makes, for properties that want to know what a GPU sees."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.amd.pools.fixtures import allocate, allow_access, known_pools
from hsa_conformance.topics.amd.pools.state import may_reach
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.signals import completes

COPY: Final = "hsa_amd_memory_async_copy"


def copied(
    fixtures: Fixtures,
    target: tuple[int, Agent],
    source: tuple[int, Agent],
    size: int,
    done: int | None = None,
) -> int:
    """Copy bytes from one agent's side to another's, and return the signal when it is done.

    Args:
        fixtures: where to copy.
        target: an address, and the agent on whose side it is.
        source: likewise.
        size: how many bytes.
        done: the signal; None for a new one.

    Raises:
        Blocked: the copy is refused, fails, or is not done in time.

    """
    if done is None:
        done = signal(fixtures, 1)
    else:
        fixtures.session.call("hsa_signal_store_screlease", signal=done, value=1)
    fixtures.session.set_up(
        COPY,
        dst=target[0],
        dst_agent=target[1].handle,
        src=source[0],
        src_agent=source[1].handle,
        size=size,
        num_dep_signals=0,
        dep_signals=0,
        completion_signal=done,
    )
    if not completes(fixtures, done):
        raise Blocked(f"{COPY}/completion", "a copy that is not done")
    return done


def device_room(fixtures: Fixtures, size: int, beside: int | None = None) -> tuple[int, Agent]:
    """Return memory of a GPU for at least so many bytes, and the GPU.

    Args:
        fixtures: where to allocate.
        size: in bytes.
        beside: an address that the GPU is to copy from or to; None for any GPU.

    """
    model = fixtures.session.model
    gpus = known_agents(fixtures, "gpu")
    if beside is not None:
        gpus = [gpu for gpu in gpus if may_reach(model, gpu.handle, beside)]
    gpu = fixtures.available(gpus, "GPU agent that reaches the memory")
    pool = fixtures.choose(known_pools(fixtures, lambda p: p.allocatable and p.agent == gpu.handle))
    return allocate(fixtures, pool, size), gpu


def host_room(fixtures: Fixtures) -> tuple[int, Agent]:
    """Return a page of the host that every GPU can write to, and an agent of the host."""
    pool = fixtures.choose(known_pools(fixtures, lambda p: p.allocatable and p.location == "cpu"))
    address = allocate(fixtures, pool, fixtures.session.model.page_size)
    allow_access(fixtures, (agent.handle for agent in known_agents(fixtures, "gpu")), address)
    return address, fixtures.choose(known_agents(fixtures, "cpu"))


def seen_by_gpu(fixtures: Fixtures, address: int, size: int) -> bytes | None:
    """Return what a GPU that may reads at an address, up to a page, as the host then finds it.

    Raises:
        Blocked: a GPU does not copy from or to memory that it owns or was given access to.

    """
    room = device_room(fixtures, size, address)
    back = host_room(fixtures)
    copied(fixtures, room, (address, back[1]), size)
    copied(fixtures, back, room, size)
    return fixtures.session.read(back[0], size)


def written_by_gpu(fixtures: Fixtures, address: int, content: bytes) -> None:
    """Let a GPU that may write bytes, a page at most, to an address.

    Raises:
        Blocked: a GPU does not copy.

    """
    source = host_room(fixtures)
    room = device_room(fixtures, len(content), address)
    if not fixtures.session.write(source[0], content):
        raise Blocked("hsa_amd_memory_pool_allocate/usable-by-host", "a fault")
    copied(fixtures, room, source, len(content))
    copied(fixtures, (address, source[1]), room, len(content))
