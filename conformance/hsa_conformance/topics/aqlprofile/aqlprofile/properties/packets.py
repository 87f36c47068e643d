"""Packets that the profiler writes."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.values import PATTERN, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.aqlprofile.aqlprofile.fixtures import (
    COMMANDS,
    INFO,
    INFOS,
    PACKET,
    PREFIX,
    lay_out,
    profile,
)
from hsa_conformance.topics.aqlprofile.aqlprofile.state import COUNTERS, TRACE

proves = Proofs()

#: The functions that write a packet for a profile, and the parameters that it is written to.
_PACKETS: Final = {
    f"{PREFIX}start": "aql_start_packet",
    f"{PREFIX}stop": "aql_stop_packet",
    f"{PREFIX}read": "aql_read_packet",
}
#: Where the size of a buffer stands in a profile.
_SIZES: Final = {"commands": 72, "output": 56}
_LEGACY: Final = f"{PREFIX}legacy_get_pm4"
_MARK: Final = f"{PREFIX}att_marker"
_CHANNELS: Final = f"{PREFIX}att_marker_channel_t"


@proves.each(_PACKETS, "commands-alone")
def only_the_commands_of_a_packet_are_written(scene: Scene) -> None:
    """Of the packet, the header and the completion signal stay what they were."""
    function = scene.clause.function
    answer = scene.set_up(function, profile=profile(scene).address, **{_PACKETS[function]: Out()})
    packet = answer.outputs[_PACKETS[function]] or b""
    rest = packet[: COMMANDS.start] + packet[COMMANDS.stop :]
    scene.require(
        len(packet) == PACKET and rest == bytes([PATTERN]) * len(rest),
        "more of the packet than its commands was written",
        packet.hex(" "),
    )


@proves("hsa_ven_amd_aqlprofile_start/sizes-asked")
def without_buffers_the_sizes_are_written(scene: Scene) -> None:
    """With a buffer at NULL, the call writes its size into the profile, and no packet."""
    made = profile(scene)
    buffer = scene.each("buffer", {name: name for name in _SIZES})
    address = lay_out(scene, made.agent, COUNTERS, made.events, **{buffer: 0})
    answer = scene.call(f"{PREFIX}start", profile=address, aql_start_packet=Out())
    scene.require(answer.ok, "the sizes are not written", answer.name)
    size = scene.session.read(address + _SIZES[buffer], 4)
    scene.require(any(size or b""), "the size is not written", size)
    scene.require(answer.untouched("aql_start_packet"), "a packet is written", answer.name)


@proves("hsa_ven_amd_aqlprofile_get_info/sizes-suffice")
def buffers_of_the_sizes_that_are_told_suffice(scene: Scene) -> None:
    """With buffers of the sizes that the attributes tell, the packet of the start is written."""
    made = profile(scene)
    number = scene.session.registry.constants
    sizes = [
        scene.set_up(INFO, profile=made.address, attribute=number[f"{INFOS}{name}"], value=Out())
        for name in ("COMMAND_BUFFER_SIZE", "PMC_DATA_SIZE")
    ]
    commands, output = (answer.number("value") & 0xFFFFFFFF for answer in sizes)
    # Without a buffer, the call would only tell the size.
    room = {"commands": max(commands, 1), "output": max(output, 1)}
    address = lay_out(scene, made.agent, COUNTERS, made.events, **room)
    answer = scene.call(f"{PREFIX}start", profile=address, aql_start_packet=Out())
    scene.require_status(answer, SUCCESS)
    written = not answer.untouched("aql_start_packet")
    scene.require(written, "the packet is not written", answer.name)


@proves("hsa_ven_amd_aqlprofile_legacy_get_pm4/size")
def a_packets_commands_take_so_many_bytes(scene: Scene) -> None:
    """Of memory that is large enough, no byte behind the commands' size is written."""
    made = scene.set_up(
        f"{PREFIX}start", profile=profile(scene).address, aql_start_packet=Out()
    ).content("aql_start_packet")
    size = scene.session.registry.constants["HSA_VEN_AMD_AQLPROFILE_LEGACY_PM4_PACKET_SIZE"]
    packet = scene.session.place(bytes(made), "packet")
    answer = scene.call(_LEGACY, aql_packet=packet, data=Out(size=2 * size))
    if not answer.ok:
        raise CannotMake("the device is not one of those that the function is for")
    written = answer.outputs["data"] or b""
    untouched = bytes([PATTERN]) * size
    scene.require(written[size:] == untouched, "more was written", written.hex(" "))
    scene.require(written[size - 4 : size] != untouched[:4], "less was written", written.hex(" "))


@proves("hsa_ven_amd_aqlprofile_att_marker/success")
def a_mark_is_put_into_a_trace(scene: Scene) -> None:
    """The packet of a mark is written for a profile of a trace, on each channel."""
    channels = scene.session.registry.enums[_CHANNELS].enumerators
    answer = scene.call(
        _MARK,
        profile=profile(scene, TRACE).address,
        aql_marker_packet=Out(),
        data=scene.draw(drawing.integers(0, (1 << 32) - 1)),
        channel=scene.each("channel", {e.name: e.value for e in channels}),
    )
    scene.require_status(answer, SUCCESS)
    written = not answer.untouched("aql_marker_packet")
    scene.require(written, "the packet is not written", answer.name)
