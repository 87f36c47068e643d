"""Memory pools, who reaches them, and blocks from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition


@dataclass(frozen=True)
class Pool:
    """A memory pool that the library listed; sizes in bytes."""

    handle: int
    agent: int
    location: str
    segment: int
    flags: int
    allocatable: bool
    granule: int
    alignment: int
    max_size: int
    size: int


@dataclass(frozen=True)
class Allocation:
    """A block from hsa_amd_memory_pool_allocate; `size` is that of whole granules."""

    address: int
    size: int
    pool: int
    asked: int = 0


def pools(model: Model) -> list[Pool]:
    """Return the memory pools in the order in which the library listed them."""
    return model.live("pool")


def find_pool(model: Model, handle: int) -> Pool | None:
    """Return the memory pool with this handle."""
    found: Pool | None = model.find("pool", handle)
    return found


def pool_access(model: Model, agent: int, pool: int) -> str:
    """Return "never", "default" or "on_request": how the agent reaches buffers in the pool."""
    return model.find("pool_access", agent, pool) or "never"


def find_allocation(model: Model, address: int) -> Allocation | None:
    """Return the block that starts here."""
    found: Allocation | None = model.find("allocation", address)
    return found


def allocation_around(model: Model, address: int) -> Allocation | None:
    """Return the block that contains an address."""
    found: Allocation | None = model.around("allocation", address)
    return found


def _allocate(model: Model, answer: Answer) -> None:
    address, args = answer["ptr"], answer.args
    pool = find_pool(model, args["memory_pool"])
    # Some pools have no granule: those in which nothing should have been allocated.
    granule = (pool.granule if pool else 1) or 1
    size = -(-args["size"] // granule) * granule
    block = Allocation(address, size, args["memory_pool"], args["size"])
    model.add("allocation", address, thing=block)


def _free(model: Model, answer: Answer) -> None:
    model.remove("allocation", answer.args["ptr"])


@dataclass(frozen=True)
class Grant:
    """The agents that were given access to a block."""

    block: Allocation
    agents: frozenset[int]


def _allow(model: Model, answer: Answer) -> None:
    args = answer.args
    block = allocation_around(model, args["ptr"])
    if block is not None:
        agents = frozenset(model.words(args["agents"], args["num_agents"]))
        model.add("grant", block.address, thing=Grant(block, agents))


def granted(model: Model, block: Allocation) -> frozenset[int] | None:
    """Return the agents that the last list for a block named; None where there was none."""
    found = model.find("grant", block.address)
    return found.agents if isinstance(found, Grant) and found.block is block else None


def may_reach(model: Model, agent: int, address: int) -> bool:
    """Return whether an agent is not known to have no access to what lies at an address."""
    block = allocation_around(model, address)
    if block is None or pool_access(model, agent, block.pool) == "default":
        return True
    return agent in (granted(model, block) or ())


def _reaches_pool(model: Model, agent: int, pool: int) -> bool:
    return pool_access(model, agent, pool) != "never"


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_memory_pool_allocate": _allocate,
    "hsa_amd_memory_pool_free": _free,
    "hsa_amd_agents_allow_access": _allow,
}

CLEAN_UP = (
    CleanUp(
        "allocation",
        "hsa_amd_memory_pool_free",
        "ptr",
        makers=["hsa_amd_memory_pool_allocate"],
    ),
)

FACTS: Mapping[str, Fact] = {"reaches_pool": _reaches_pool}
