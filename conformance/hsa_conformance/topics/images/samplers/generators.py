"""Samplers and their descriptors."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence

from hsa_conformance.engine.calls.values import Data, Out
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.images.images.discovery import discover, image_agent
from hsa_conformance.topics.images.images.generators import holder

#: The functions that create samplers.
CREATE = ("hsa_ext_sampler_create", "hsa_ext_sampler_create_v2")

_CLAMPING = (1, 2, 0)
_REPEATING = (3, 4)
_LINEAR = 1


def descriptor(members: Sequence[int]) -> Data:
    """Return a descriptor; the forms differ in how many of the members they have.

    Args:
        members: how coordinates count, the filter, and four modes of addressing, the first of which
            the newest form takes for the filter between levels.

    """
    return Data(struct.pack("<6I", *members), f"{{{', '.join(map(str, members))}}}")


def supported(fixtures: Fixtures, function: str) -> Data:
    """Draw a descriptor that agents with images support, for a function that creates samplers."""
    normalised = fixtures.choose([0, 1])
    filter_ = fixtures.choose([0, _LINEAR])
    modes = (*_CLAMPING, *_REPEATING) if normalised else _CLAMPING
    first = fixtures.choose(modes)
    if function != "hsa_ext_sampler_create" and first > _LINEAR:
        first = 0  # it may stand where the filter between levels does
    rest = [fixtures.choose(modes) if function.endswith("_v2") else first for _ in range(3)]
    return descriptor([normalised, filter_, first, *rest])


def sampler(fixtures: Fixtures, agent: int, function: str = "hsa_ext_sampler_create") -> int:
    """Create a sampler of an agent, and return its handle."""
    answer = fixtures.session.set_up(
        function, agent=agent, sampler_descriptor=supported(fixtures, function), sampler=Out()
    )
    return answer["sampler"]


def _sampler(b: Builder, x: str) -> None:
    agent = holder(b)
    b.values["agent"], b.values[x] = agent, sampler(b, agent)


def _no_sampler(b: Builder, x: str) -> None:
    b.values[x] = b.no_object(x, (agent.handle for agent in known_agents(b)))


def _supported(b: Builder, agent: str, address: str) -> None:
    b.values[agent] = image_agent(b)
    b.values[address] = b.session.lay_out(supported(b, b.function.name))


def _unsupported(b: Builder, agent: str, address: str) -> None:
    discover(b)
    b.values[agent] = image_agent(b)
    wrong = b.choose([[0, 7, 0, 0, 0, 0], [2, 0, 0, 0, 0, 0], [0, 0, 9, 9, 9, 9]])
    b.values[address] = b.session.lay_out(descriptor(wrong))


GENERATORS: Mapping[str, Generators] = {
    "is_sampler": Generators(_sampler, _no_sampler),
    "sampler_supported": Generators(_supported, _unsupported),
}
