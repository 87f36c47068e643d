"""Samplers."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_reference import memory
from hsa_reference.core.agents import Agents
from hsa_reference.handles import SAMPLERS
from hsa_reference.images.images.state import Images
from hsa_reference.objects import Objects
from hsa_reference.state import Part, State
from hsa_reference.status import (
    INVALID_ARGUMENT,
    OUT_OF_RESOURCES,
    SAMPLER_DESCRIPTOR_UNSUPPORTED,
    SUCCESS,
    Answer,
)


@dataclass(frozen=True)
class Sampler:
    """A live sampler: its agent, how coordinates count, the filters, and modes by dimension."""

    agent: int
    coordinates: int
    filter: int
    level_filter: int
    modes: tuple[int, ...]


class Samplers(Part):
    """The samplers, by handle."""

    def __init__(self, state: State) -> None:
        constants = state.registry.constants
        self.by_handle: Objects[int, Sampler] = Objects()
        self._serial = 0
        self._images, self._agents = state.part(Images), state.part(Agents)
        self._most = constants["HSA_EXT_AGENT_INFO_MAX_SAMPLER_HANDLERS"]
        self._coordinates, self._filters, self._modes = (
            {e.value for e in state.registry.enums[f"hsa_ext_sampler_{name}_t"].enumerators}
            for name in ("coordinate_mode", "filter_mode", "addressing_mode")
        )
        self.no_filter = constants["HSA_EXT_SAMPLER_FILTER_MODE_NONE"]
        self._unnormalised = constants["HSA_EXT_SAMPLER_COORDINATE_MODE_UNNORMALIZED"]
        self._repeating = {
            constants[f"HSA_EXT_SAMPLER_ADDRESSING_MODE_{name}"]
            for name in ("REPEAT", "MIRRORED_REPEAT")
        }
        state.things["sampler"] = self.by_handle.get
        state.facts["sampler_supported"] = self._begins_well

    def release(self) -> None:
        """Forget every sampler."""
        self.by_handle.clear()

    def supports(self, sampler: Sampler) -> bool:
        """Return whether its agent supports a sampler; repeating needs normalised coordinates."""
        modes = self._modes
        if sampler.coordinates == self._unnormalised:
            modes = modes - self._repeating
        return (
            self._images.has_images(sampler.agent)
            and sampler.coordinates in self._coordinates
            and sampler.filter in self._filters - {self.no_filter}
            and sampler.level_filter in self._filters
            and modes.issuperset(sampler.modes)
        )

    def add(self, sampler: Sampler) -> int | None:
        """Return the handle of a new sampler, None where the agent has as many as it can have.

        Raises:
            OSError: there is no memory.

        """
        most = self._agents.by_handle[sampler.agent].attributes[self._most]
        live = sum(s.agent == sampler.agent for s in self.by_handle.values())
        if live >= int.from_bytes(most, "little"):
            return None
        self._serial += 1
        self.by_handle[SAMPLERS + self._serial] = sampler
        return SAMPLERS + self._serial

    def _begins_well(self, agent: int, address: int) -> bool:
        """Decide by what both forms of a descriptor begin with: three numbers.

        The third is the addressing mode in the first form and the filter between levels in the
        second one, whose values are modes that go with all coordinates.
        """
        if not address:
            return False
        coordinates, filter_, third = memory.numbers(address, 3)
        return self.supports(Sampler(agent, coordinates, filter_, self.no_filter, (third,)))


PART = Samplers


def hsa_ext_sampler_create(
    state: State, agent: int, sampler_descriptor: int, sampler: int
) -> Answer:
    """Make a sampler with one addressing mode for all dimensions."""
    coordinates, filter_, mode = memory.numbers(sampler_descriptor, 3)
    none = state.part(Samplers).no_filter
    return _create(state, Sampler(agent, coordinates, filter_, none, (mode,) * 3), sampler)


def hsa_ext_sampler_create_v2(
    state: State, agent: int, sampler_descriptor: int, sampler: int
) -> Answer:
    """Make a sampler with an addressing mode for each dimension."""
    coordinates, filter_, level_filter, *modes = memory.numbers(sampler_descriptor, 6)
    described = Sampler(agent, coordinates, filter_, level_filter, tuple(modes))
    if not state.part(Samplers).supports(described):
        return SAMPLER_DESCRIPTOR_UNSUPPORTED
    return _create(state, described, sampler)


def _create(state: State, described: Sampler, output: int) -> Answer:
    try:
        handle = state.part(Samplers).add(described)
    except OSError:
        return OUT_OF_RESOURCES
    if handle is None:
        return OUT_OF_RESOURCES
    memory.store(output, handle, 8)
    return SUCCESS


def hsa_ext_sampler_destroy(state: State, agent: int, sampler: int) -> Answer:
    """Forget a sampler of the agent."""
    samplers = state.part(Samplers).by_handle
    if samplers[sampler].agent != agent:
        return INVALID_ARGUMENT
    del samplers[sampler]
    return SUCCESS
