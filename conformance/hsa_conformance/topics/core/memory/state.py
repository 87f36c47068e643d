"""Memory regions, blocks from them, and ranges that the runtime was told of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.core.agents.state import Agent

#: No example looks at more memory at once; sizes in bytes.
LARGEST_LOOK: Final = 1 << 24

SEGMENTS: Final = ("global", "readonly", "private", "group", "kernarg")


@dataclass(frozen=True)
class Region:
    """A memory region that the library enumerated; sizes in bytes.

    Attributes:
        owners: the agents that it was reported for.
        granule: what sizes of blocks are multiples of, 0 where nothing can be allocated.
        alignment: what their addresses are multiples of, likewise.

    """

    handle: int
    owners: tuple[Agent, ...]
    segment: int
    flags: int
    allocatable: bool
    max_size: int
    granule: int
    alignment: int

    @property
    def agent(self) -> int:
        """Return the handle of the first agent that it was reported for."""
        return self.owners[0].handle

    @property
    def devices(self) -> Sequence[str]:
        """Return the kinds of the agents that it was reported for; see `Agent.device`."""
        return [agent.device for agent in self.owners]

    @property
    def device(self) -> str:
        """Return "cpu" if it was reported for an agent of the host, else the first agent's kind."""
        return "cpu" if "cpu" in self.devices else self.devices[0]

    @property
    def of_host(self) -> bool:
        """Return whether it was reported for an agent that is known to be of the host."""
        return any(agent.kind == "cpu" for agent in self.owners)


@dataclass(frozen=True)
class RegionBlock:
    """A block from hsa_memory_allocate, its size rounded up to the region's granule."""

    address: int
    size: int
    region: int
    segment: str


@dataclass(frozen=True)
class Registration:
    """A range from hsa_memory_register."""

    address: int
    size: int


def _allocate(model: Model, answer: Answer) -> None:
    address, args = answer["ptr"], answer.args
    region = model.find("region", args["region"])
    granule, segment = (region.granule, region.segment) if isinstance(region, Region) else (1, 0)
    granule = granule or 1  # of a region in which nothing should have been allocated
    size = -(-args["size"] // granule) * granule
    named = SEGMENTS[segment] if segment < len(SEGMENTS) else "unknown"
    block = RegionBlock(address, size, args["region"], named)
    model.add("region_block", address, thing=block)


def _free(model: Model, answer: Answer) -> None:
    model.remove("region_block", answer.args["ptr"])
    model.remove("allocation", answer.args["ptr"])


def _register(model: Model, answer: Answer) -> None:
    address, size = answer.args["ptr"], answer.args["size"]
    inside = (b.address <= address < b.address + b.size for b in model.live("region_block"))
    if address and not any(inside):  # registering a block changes nothing
        model.add("registration", address, size, thing=Registration(address, size))


def _deregister(model: Model, answer: Answer) -> None:
    model.remove("registration", answer.args["ptr"], answer.args["size"])


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_memory_allocate": _allocate,
    "hsa_memory_free": _free,
    "hsa_memory_register": _register,
    "hsa_memory_deregister": _deregister,
}

#: Registrations first: they may be of blocks.
CLEAN_UP = (
    CleanUp("registration", "hsa_memory_deregister", "ptr", "size", makers=["hsa_memory_register"]),
    CleanUp("region_block", "hsa_memory_free", "ptr", makers=["hsa_memory_allocate"]),
)


def _can_own(model: Model, agent: int, address: int) -> bool:
    block = model.find("region_block", address)
    return (
        isinstance(block, RegionBlock) and model.find("region_of", agent, block.region) is not None
    )


def _is_memory(model: Model, address: int, size: int) -> bool:
    if size > LARGEST_LOOK:
        raise ProvesNothing("that is more memory than the suite looks at")
    return model.read(address, size) is not None


def _is_registered(model: Model, address: int, size: int) -> bool:
    return model.find("registration", address, size) is not None


def _overlaps_registration(model: Model, address: int, size: int) -> bool:
    return any(
        (r.address, r.size) != (address, size)
        and r.address < address + size
        and address < r.address + r.size
        for r in model.live("registration")
    )


FACTS: Mapping[str, Fact] = {
    "can_own": _can_own,
    "is_memory": _is_memory,
    "is_registered": _is_registered,
    "overlaps_registration": _overlaps_registration,
}
