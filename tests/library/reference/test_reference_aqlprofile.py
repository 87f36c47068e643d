"""Profiles in memory: what is refused and why, where packets lead, which results there are."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from tests.library.reference.reference_client import Client

SQ, TCC = 6, 12
DIES = 8  # of a gfx942
PREFIX = "hsa_ven_amd_aqlprofile_"
INFO = "HSA_VEN_AMD_AQLPROFILE_INFO_"
_LARGE = 4096
_COORDINATE = ctypes.CFUNCTYPE(
    ctypes.c_uint32, *[ctypes.c_int] * 4, ctypes.c_char_p, ctypes.c_uint64
)
_RESULT = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_uint64)


@dataclass
class Profile:
    """A profile of counters in memory, with buffers that suffice."""

    client: Client
    changes: Mapping[str, int] = field(default_factory=dict)
    events: tuple[tuple[int, int, int], ...] = ((SQ, 0, 4), (TCC, 3, 9))
    kept: list[Any] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.commands = self.place(bytes(_LARGE))
        self.output = self.place(bytes(_LARGE))
        values = {
            "agent": self.client.agents()[1],
            "type": 0,
            "events": self.place(b"".join(struct.pack("<III", *e) for e in self.events)),
            "count": len(self.events),
            "parameters": 0,
            "parameter_count": 0,
            "output": self.output,
            "output_size": _LARGE,
            "commands": self.commands,
            "commands_size": _LARGE,
        } | dict(self.changes)
        self.address = self.place(struct.pack("<QI4xQI4xQI4xQI4xQI4x", *values.values()))

    def place(self, content: bytes) -> int:
        self.kept.append(ctypes.create_string_buffer(content, max(len(content), 1)))
        return ctypes.addressof(self.kept[-1])

    def call(self, function: str, *args: object) -> str:
        status = self.client.call(f"{PREFIX}{function}", self.address, *args)
        return status.removeprefix("HSA_STATUS_")

    def error(self) -> str:
        text = self.client.ok(f"{PREFIX}error_string", self.client.OUT)
        return ctypes.string_at(text).decode()


@pytest.mark.parametrize(
    ("changes", "events", "error"),
    [
        ({"agent": 0}, ((SQ, 0, 4),), "the agent of the profile is no GPU"),
        ({"type": 2}, ((SQ, 0, 4),), "the type of the profile is none"),
        ({"events": 8}, ((SQ, 0, 4),), "the events or the parameters of the profile cannot be"),
        ({"parameters": 8, "parameter_count": 1}, ((SQ, 0, 4),), "the events or the parameters"),
        ({}, (), "the profile has no events"),
        ({}, ((SQ, 1, 4),), "the GPU does not have a counter of the profile"),
        ({}, ((SQ, 0, 300),), "the GPU does not have a counter of the profile"),
        ({}, tuple((TCC, 0, n) for n in range(5)), "the profile has more events of a block than"),
        ({"commands": 0}, ((SQ, 0, 4),), "the command buffer is too small"),
        ({"commands_size": 383}, ((SQ, 0, 4),), "the command buffer is too small"),
        ({"output": 0}, ((SQ, 0, 4),), "the output buffer is too small"),
        ({"output_size": 8 * DIES - 1}, ((SQ, 0, 4),), "the output buffer is too small"),
        ({"type": 1, "output_size": 0}, (), "the output buffer is too small"),
    ],
)
def test_a_profile_that_cannot_be_measured_is_refused_with_a_reason(
    client: Client,
    changes: Mapping[str, int],
    events: tuple[tuple[int, int, int], ...],
    error: str,
) -> None:
    profile = Profile(client, changes, events)
    packet = profile.place(bytes(64))
    assert "ERROR" == profile.call("start", packet)
    assert profile.error().startswith(error)


def test_an_unknown_parameter_is_refused(client: Client) -> None:
    names = ctypes.create_string_buffer(struct.pack("<II", 77, 0))
    place = {"parameters": ctypes.addressof(names), "parameter_count": 1}
    profile = Profile(client, place)
    assert "ERROR" == profile.call("start", profile.place(bytes(64)))
    assert "a parameter of the profile has an unknown name" == profile.error()


def test_buffers_of_the_size_that_is_asked_for_suffice(client: Client) -> None:
    """Of exactly these sizes; both are known before there are buffers."""
    empty = Profile(client, {"commands": 0, "output": 0})
    sizes = empty.place(bytes(8))
    assert "SUCCESS" == empty.call("get_info", f"{INFO}COMMAND_BUFFER_SIZE", sizes)
    assert "SUCCESS" == empty.call("get_info", f"{INFO}PMC_DATA_SIZE", sizes + 4)
    commands, output = struct.unpack("<II", ctypes.string_at(sizes, 8))
    profile = Profile(client, {"commands_size": commands, "output_size": output})
    packet = profile.place(bytes(64))
    assert ["SUCCESS"] * 3 == [profile.call(f, packet) for f in ("start", "read", "stop")]


def test_each_packet_leads_to_its_own_commands_in_the_buffer(client: Client) -> None:
    profile = Profile(client)
    places = []
    for function in ("start", "stop", "read"):
        packet = profile.place(bytes(64))
        profile.call(function, packet)
        _, _, _, low, high, words, *_ = struct.unpack("<HHIIII", ctypes.string_at(packet, 20))
        places.append((low | high << 32, (words & 0xFFFFF) * 4))
    assert 3 == len({start for start, _ in places})
    ends = [start + size for start, size in places]
    assert min(places)[0] >= profile.commands
    assert max(ends) <= profile.commands + _LARGE
    assert all(ctypes.string_at(start, size).strip(b"\0") for start, size in places)


def test_a_result_is_of_each_counter_and_each_die(client: Client) -> None:
    profile = Profile(client)
    counted = list(range(100, 100 + 2 * DIES))
    ctypes.memmove(profile.output, struct.pack(f"<{2 * DIES}Q", *counted), 16 * DIES)
    seen: list[tuple[int, ...]] = []

    def result(kind: int, data: int, given: int) -> int:
        seen.append((kind, given, *struct.unpack("<I4xIII4xQ", ctypes.string_at(data, 32))))
        return 0

    called = _RESULT(result)
    profile.call("iterate_data", ctypes.cast(called, ctypes.c_void_p).value, 5)
    expected = [
        (2, 5, die, *event, 100 + DIES * number + die)
        for number, event in enumerate(profile.events)
        for die in range(DIES)
    ]
    assert expected == seen


def test_buffers_may_be_where_the_host_has_no_access(client: Client) -> None:
    there = client.ok("hsa_amd_memory_pool_allocate", client.pool, 2 * _LARGE, 0, client.OUT)
    content = struct.pack("<QQ", 7, 8)
    profile = Profile(client, {"commands": there, "output": there + _LARGE}, ((SQ, 0, 4),))
    given, taken = profile.place(content), profile.place(bytes(32))
    client.ok("hsa_memory_copy", there + _LARGE, given, len(content))
    assert "SUCCESS" == profile.call("start", profile.place(bytes(64)))
    client.ok("hsa_memory_copy", taken, there, 32)
    assert ctypes.string_at(taken, 32).strip(b"\0")
    query = profile.place(struct.pack("<I4xIII12x", 1, SQ, 0, 4))
    assert "SUCCESS" == profile.call("get_info", f"{INFO}PMC_DATA", query)
    assert (1, SQ, 0, 4, 8) == struct.unpack("<I4xIII4xQ", ctypes.string_at(query, 32))


def test_an_error_ends_with_its_runtime(client: Client) -> None:
    profile = Profile(client, {"type": 2})
    profile.call("start", profile.place(bytes(64)))
    client.ok("hsa_shut_down")
    client.ok("hsa_init")
    assert "" == profile.error()


def test_agents_that_count_have_the_extension(client: Client) -> None:
    number = client.constants["HSA_EXTENSION_AMD_AQLPROFILE"]
    asked = [
        client.ok("hsa_agent_extension_supported", number, agent, 1, 0, client.OUT)
        for agent in client.agents()
    ]
    assert [0, 1, 0] == asked


def test_a_block_is_found_by_its_name(client: Client) -> None:
    """Before there are buffers, and without events."""
    profile = Profile(client, {"commands": 0, "output": 0}, ())
    query = profile.place(struct.pack("<QII", profile.place(b"TCC\0"), 0, 0))
    assert "SUCCESS" == profile.call("get_info", f"{INFO}BLOCK_ID", query)
    assert (TCC, 16) == struct.unpack("<II", ctypes.string_at(query + 8, 8))
    for name in (profile.place(b"TC\0"), 0):
        unknown = profile.place(struct.pack("<QII", name, 0, 0))
        assert "ERROR" == profile.call("get_info", f"{INFO}BLOCK_ID", unknown)


def test_commands_that_enable_counters_lie_in_the_command_buffer(client: Client) -> None:
    profile = Profile(client)
    found = profile.place(bytes(16))
    assert "SUCCESS" == profile.call("get_info", f"{INFO}ENABLE_CMD", found)
    start, size = struct.unpack("<QI", ctypes.string_at(found, 12))
    assert profile.commands <= start < start + size <= profile.commands + _LARGE


def test_coordinates_are_those_of_the_sample_and_the_event(client: Client) -> None:
    seen: list[tuple[object, ...]] = []

    def coordinate(*given: Any) -> int:
        seen.append(given)
        return 0

    called = _COORDINATE(coordinate)
    event = ctypes.create_string_buffer(struct.pack("<III", TCC, 3, 9))
    client.ok(
        f"{PREFIX}iterate_event_coord",
        *(client.agents()[1], ctypes.addressof(event), 2),
        *(ctypes.cast(called, ctypes.c_void_p).value, 5),
    )
    assert [(0, 0, DIES, 2, b"xcc", 5), (1, 1, 16, 3, b"instance", 5)] == seen
