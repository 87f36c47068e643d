"""Counters of GPUs: events, profiles, and packets. No device executes them, so buffers stay.

A result is what the output buffer holds where a device would put it.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator

from hsa_reference import memory
from hsa_reference.aqlprofile import commands
from hsa_reference.aqlprofile.profile import (
    PMC,
    RESULT,
    TRACE,
    Buffer,
    Device,
    Event,
    Profile,
    read_event,
    read_profile,
)
from hsa_reference.attributes import static_text, write
from hsa_reference.callbacks import iterate, name_coordinate, tell_coordinate
from hsa_reference.core.agents import Agents
from hsa_reference.core.extensions import Extensions
from hsa_reference.core.memory.places import Places
from hsa_reference.effects import LOCK, unlocked
from hsa_reference.state import Part, State
from hsa_reference.status import ERROR, INVALID_AGENT, INVALID_ARGUMENT, SUCCESS, Answer

_VERSION = (2, 0)  # of the header
_COORDINATES = ("xcc", "instance")
# Structures of hsa_ven_amd_aqlprofile.h.
_PMC_DATA = struct.Struct("<I4xIII4xQ")
_TRACE_DATA = struct.Struct("<I4xQI12x")
_QUERY = struct.Struct("<II")
_INFO = "HSA_VEN_AMD_AQLPROFILE_INFO_"


class Profiler(Part):
    """What GPUs can count, by the agent's handle.

    Attributes:
        error: why the last profile that was looked at was refused.

    """

    def __init__(self, state: State) -> None:
        handles = state.part(Agents).handle
        self.error = ""
        self._places = state.part(Places)
        self._parameters = state.registry.enums["hsa_ven_amd_aqlprofile_parameter_name_t"].values
        self.devices = {
            handles[a.name]: Device(
                {block.number: block for block in a.blocks},
                int(str(a.attributes.get("HSA_AMD_AGENT_INFO_NUM_XCC", 1))),
            )
            for a in state.machine.agents
            if a.device == "gpu"
        }
        extension = state.registry.constants["HSA_EXTENSION_AMD_AQLPROFILE"]
        counting = {agent for agent, device in self.devices.items() if device.blocks}
        state.part(Extensions).limit(extension, counting.__contains__)
        state.facts["is_profile"] = self._is_right
        state.facts["names_block"] = lambda profile, query: self.block(profile, query) is not None

    def release(self) -> None:
        """Forget the last error."""
        self.error = ""

    def block(self, profile: int, query: int) -> tuple[int, int] | None:
        """Return the number of the block that a query names, and how many of it the GPU has."""
        device, text = self.devices.get(read_profile(profile).agent), memory.load(query, 8)
        name = memory.text(text).decode("ascii", "replace") if text else ""
        blocks = device.blocks.values() if device else ()
        return next(((b.number, b.instances) for b in blocks if b.name == name), None)

    def results(self, profile: Profile) -> Iterator[bytes]:
        """Yield each result: of a counter by each die, or the trace, which has no bytes yet."""
        if profile.type == TRACE:
            yield _TRACE_DATA.pack(0, profile.output.address, 0)
            return
        for event in profile.events or ():
            for sample in range(self.devices[profile.agent].dies):
                yield self.result(profile, event, sample)

    def result(self, profile: Profile, event: Event, sample: int) -> bytes:
        """Return the result of a counter of the profile by a die."""
        dies, events = self.devices[profile.agent].dies, profile.events or ()
        place = profile.output.address + RESULT * (events.index(event) * dies + sample)
        with LOCK:  # the buffer may be where the host has no access
            counted = self._places.read(place, RESULT)
        return _PMC_DATA.pack(sample, *event, int.from_bytes(counted, "little"))

    def _is_right(self, address: int) -> bool:
        profile = read_profile(address)
        trouble = profile.trouble(self.devices.get(profile.agent), self._parameters)
        if trouble:
            self.error = trouble
        return not trouble


PART = Profiler


@unlocked
def hsa_ven_amd_aqlprofile_version_major(state: State) -> Answer:
    """Return the major version."""
    del state
    return _VERSION[0]


@unlocked
def hsa_ven_amd_aqlprofile_version_minor(state: State) -> Answer:
    """Return the minor version."""
    del state
    return _VERSION[1]


@unlocked
def hsa_ven_amd_aqlprofile_error_string(state: State, str: int) -> Answer:
    """Write the address of a text about the last error."""
    memory.store(str, static_text(state.part(Profiler).error), 8)
    return SUCCESS


@unlocked
def hsa_ven_amd_aqlprofile_validate_event(
    state: State, agent: int, event: int, result: int
) -> Answer:
    """Write whether a GPU has a counter."""
    memory.store(result, state.part(Profiler).devices[agent].counts(read_event(event)), 1)
    return SUCCESS


@unlocked
def hsa_ven_amd_aqlprofile_start(state: State, profile: int, aql_start_packet: int) -> Answer:
    """Write commands that start a measurement, and a packet that leads to them."""
    return _write(state, profile, aql_start_packet, commands.START)


@unlocked
def hsa_ven_amd_aqlprofile_stop(state: State, profile: int, aql_stop_packet: int) -> Answer:
    """Write commands that end a measurement, and a packet that leads to them."""
    return _write(state, profile, aql_stop_packet, commands.STOP)


@unlocked
def hsa_ven_amd_aqlprofile_read(state: State, profile: int, aql_read_packet: int) -> Answer:
    """Write commands that read counters, and a packet that leads to them."""
    return _write(state, profile, aql_read_packet, commands.READ)


@unlocked
def hsa_ven_amd_aqlprofile_att_marker(
    state: State, profile: int, aql_marker_packet: int, data: int, channel: int
) -> Answer:
    """Write commands that put a mark into a trace, and a packet that leads to them."""
    found = read_profile(profile)
    if found.type != TRACE:
        return ERROR
    stream = commands.write_stream(state.part(Places), found, commands.MARK, data, channel)
    commands.write_packet(aql_marker_packet, stream)
    return SUCCESS


@unlocked
def hsa_ven_amd_aqlprofile_legacy_get_pm4(state: State, aql_packet: int, data: int) -> Answer:
    """Write the commands of a packet."""
    commands.write_legacy(aql_packet, data)
    return SUCCESS


@unlocked
def hsa_ven_amd_aqlprofile_get_info(
    state: State, profile: int, attribute: int, value: int
) -> Answer:
    """Write an attribute of a profile; a size also where the profile has no buffers yet."""
    profiler, found = state.part(Profiler), read_profile(profile)
    device = profiler.devices.get(found.agent)
    if device is None:
        return ERROR
    match state.registry.reported("hsa_ven_amd_aqlprofile_get_info", attribute):
        case None:
            return INVALID_ARGUMENT
        case known:
            name = known.name.removeprefix(_INFO)
    values: dict[str, object] = {}
    match name:
        case "COMMAND_BUFFER_SIZE":
            values[known.name] = found.command_size
        case "PMC_DATA_SIZE":
            values[known.name] = found.data_size(device)
        case "BLOCK_COUNTERS":
            return _write_counters(device, found, value)
        case "BLOCK_ID":
            return _write_block(profiler.block(profile, value), value)
        case "ENABLE_CMD" | "DISABLE_CMD":
            kind = commands.ENABLE if name == "ENABLE_CMD" else commands.DISABLE
            address, size = commands.write_stream(state.part(Places), found, kind)
            values[known.name] = {"ptr": address, "size": size}
        case _:
            return _write_result(profiler, found, name == "TRACE_DATA", value)
    write(state.registry, "hsa_ven_amd_aqlprofile_get_info", attribute, values, value)
    return SUCCESS


@unlocked
def hsa_ven_amd_aqlprofile_iterate_data(
    state: State, profile: int, callback: int, data: int
) -> Answer:
    """Call the application with each result."""
    found = read_profile(profile)
    kind = state.registry.constants[f"{_INFO}{'PMC' if found.type == PMC else 'TRACE'}_DATA"]
    results = map(ctypes.create_string_buffer, state.part(Profiler).results(found))
    kept = list(results)
    return iterate(callback, map(ctypes.addressof, kept), data, kind)


@unlocked
def hsa_ven_amd_aqlprofile_iterate_event_ids(state: State, callback: int) -> Answer:
    """Call the application with each kind of coordinate."""
    for number, name in enumerate(_COORDINATES):
        status = name_coordinate(callback, number, static_text(name))
        if status:
            return status
    return SUCCESS


@unlocked
def hsa_ven_amd_aqlprofile_iterate_event_coord(
    state: State, agent: int, event: int, sample_id: int, callback: int, userdata: int
) -> Answer:
    """Call the application with each coordinate of a sample: its die, and its block's number."""
    device, counter = state.part(Profiler).devices.get(agent), read_event(event)
    if device is None:
        return INVALID_AGENT
    if not device.counts(counter) or sample_id >= device.dies:
        return INVALID_ARGUMENT
    extents = (device.dies, device.blocks[counter.block].instances)
    for number, place in enumerate(zip(extents, (sample_id, counter.instance), strict=True)):
        name = static_text(_COORDINATES[number])
        status = tell_coordinate(callback, (number, number, *place), name, userdata)
        if status:
            return status
    return SUCCESS


def _write(state: State, profile: int, packet: int, kind: int) -> Answer:
    stream: Buffer = commands.write_stream(state.part(Places), read_profile(profile), kind)
    commands.write_packet(packet, stream)
    return SUCCESS


def _write_counters(device: Device, profile: Profile, value: int) -> Answer:
    first = next(iter(profile.events or ()), None)
    if first is None or first.block not in device.blocks:
        return ERROR
    memory.store(value, device.blocks[first.block].counters, 4)
    return SUCCESS


def _write_block(block: tuple[int, int] | None, query: int) -> Answer:
    if block is None:
        return ERROR
    ctypes.memmove(query + 8, _QUERY.pack(*block), _QUERY.size)
    return SUCCESS


def _write_result(profiler: Profiler, profile: Profile, trace: bool, value: int) -> Answer:
    """Write the result that a hsa_ven_amd_aqlprofile_info_data_t names."""
    if trace != (profile.type == TRACE):
        return ERROR
    sample, event = memory.load(value, 4), read_event(value + 8)
    if trace:
        known = sample == 0
    else:
        known = event in (profile.events or ()) and sample < profiler.devices[profile.agent].dies
    if not known:
        return ERROR
    found = next(profiler.results(profile)) if trace else profiler.result(profile, event, sample)
    ctypes.memmove(value, found, len(found))
    return SUCCESS
