"""Profiles as a client lays them out in memory, and what they need."""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from hsa_reference import memory
from hsa_reference.machine import BlockModel

PMC, TRACE = 0, 1
RESULT = 8  # bytes of a counter's result
_ENTRY = 32  # bytes that commands take for an event, and once more for the profile
_AREAS = 6  # to start, to stop, to read, to enable, to disable, and to mark
# Structures of hsa_ven_amd_aqlprofile.h.
_PROFILE = struct.Struct("<QI4xQI4xQI4xQI4xQI4x")
_EVENT = struct.Struct("<III")
_PARAMETER = struct.Struct("<II")


class Event(NamedTuple):
    """A counter of a block: a hsa_ven_amd_aqlprofile_event_t."""

    block: int
    instance: int
    counter: int


class Buffer(NamedTuple):
    """A buffer: its address, and its size in bytes."""

    address: int
    size: int


@dataclass(frozen=True)
class Device:
    """What a GPU can count.

    Attributes:
        blocks: by their number.
        dies: each of which counts on its own; the number of samples of a counter.

    """

    blocks: Mapping[int, BlockModel]
    dies: int

    def counts(self, event: Event) -> bool:
        """Return whether it has a counter."""
        block = self.blocks.get(event.block)
        return (
            block is not None and event.instance < block.instances and event.counter < block.events
        )


@dataclass(frozen=True)
class Profile:
    """A profile.

    Attributes:
        agent: the handle of the GPU.
        type: PMC or TRACE.
        events: the counters, None where their memory cannot be read.
        parameters: the names of its parameters, likewise.
        output: where results go.
        commands: where commands are put.

    """

    agent: int
    type: int
    events: tuple[Event, ...] | None
    parameters: tuple[int, ...] | None
    output: Buffer
    commands: Buffer

    @property
    def area(self) -> int:
        """Return how many bytes one stream of commands takes."""
        return _ENTRY * (1 + len(self.events or ()))

    @property
    def command_size(self) -> int:
        """Return how many bytes of commands there can be."""
        return _AREAS * self.area

    def data_size(self, device: Device) -> int:
        """Return how many bytes its counters' results take."""
        return RESULT * device.dies * len(self.events or ())

    def trouble(self, device: Device | None, parameters: Collection[int]) -> str | None:
        """Return why nothing can be measured with it, None where it is right.

        Args:
            device: what its GPU can count, None where its agent is none.
            parameters: the names of parameters that there are.

        """
        return next(self._troubles(device, parameters), None)

    def _troubles(self, device: Device | None, parameters: Collection[int]) -> Iterator[str]:
        if device is None:
            yield "the agent of the profile is no GPU"
            return
        if self.type not in (PMC, TRACE):
            yield "the type of the profile is none"
        if self.events is None or self.parameters is None:
            yield "the events or the parameters of the profile cannot be read"
            return
        if not set(self.parameters) <= set(parameters):
            yield "a parameter of the profile has an unknown name"
        if self.type == PMC and not self.events:
            yield "the profile has no events"
        if not all(device.counts(event) for event in self.events):
            yield "the GPU does not have a counter of the profile"
            return
        used = Counter((event.block, event.instance) for event in self.events)
        if any(device.blocks[block].counters < n for (block, _), n in used.items()):
            yield "the profile has more events of a block than it counts at a time"
        if not self.commands.address or self.commands.size < self.command_size:
            yield "the command buffer is too small"
        needed = self.data_size(device) if self.type == PMC else 1
        if not self.output.address or self.output.size < needed:
            yield "the output buffer is too small"


def read_event(address: int) -> Event:
    """Read an event."""
    return Event(*_EVENT.unpack(memory.copy(address, _EVENT.size)))


def read_profile(address: int) -> Profile:
    """Read a profile; what it points to is read where it can be."""
    agent, kind, events, count, names, named, *buffers = _PROFILE.unpack(
        memory.copy(address, _PROFILE.size)
    )
    listed = _list(_EVENT, events, count)
    parameters = _list(_PARAMETER, names, named)
    return Profile(
        agent,
        kind,
        None if listed is None else tuple(Event(*each) for each in listed),
        None if parameters is None else tuple(name for name, _ in parameters),
        Buffer(*buffers[:2]),
        Buffer(*buffers[2:]),
    )


def _list(structure: struct.Struct, address: int, count: int) -> list[tuple[int, ...]] | None:
    content = memory.peek(address, structure.size * count) if count else b""
    return None if content is None else list(structure.iter_unpack(content))
