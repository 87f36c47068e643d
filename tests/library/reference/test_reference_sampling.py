"""Sampling sessions on what the driver reserved, and configurations as a client reads them."""

from __future__ import annotations

import struct
from ctypes import string_at

from tests.library.reference.reference_client import Client

STOCHASTIC = 1
CYCLES = 1
CALLBACK = 0x1000
_CONFIGURATION = struct.Struct("<IIQQQ")


def create(client: Client, number: int, interval: int, method: int = STOCHASTIC) -> str:
    """Return the status of a session on what the driver reserved under a number."""
    gpu = client.agents()[1]
    return client.call(
        "hsa_ven_amd_pcs_create_from_id",
        *(number, gpu, method, method, interval, 0, 64, CALLBACK, 0, client.OUT),
    )


def test_configurations_are_those_of_the_machine(client: Client) -> None:
    listed = client.visit("hsa_ven_amd_pcs_iterate_configuration", client.agents()[1])
    ways = [_CONFIGURATION.unpack(string_at(address, 32)) for address in listed]
    assert [(0, 0, 1, 1_000_000, 0), (STOCHASTIC, CYCLES, 256, 1 << 31, 1)] == ways


def test_an_agent_without_a_way_to_sample_it_lists_none(client: Client) -> None:
    cpu, _, second = client.agents()
    listed = [client.visit("hsa_ven_amd_pcs_iterate_configuration", a) for a in (cpu, second)]
    assert [[], []] == listed


def test_agents_with_a_way_to_sample_them_have_the_extension(client: Client) -> None:
    number = client.constants["HSA_EXTENSION_AMD_PC_SAMPLING"]
    asked = [
        client.ok("hsa_agent_extension_supported", number, agent, 1, 0, client.OUT)
        for agent in client.agents()
    ]
    assert [0, 1, 0] == asked


def test_a_session_takes_the_ways_to_sample_an_agent(client: Client) -> None:
    assert "HSA_STATUS_SUCCESS" == create(client, 7, 256)
    assert [] == client.visit("hsa_ven_amd_pcs_iterate_configuration", client.agents()[1])


def test_what_the_driver_reserved_becomes_a_session_once(client: Client) -> None:
    answers = [create(client, 7, 256), create(client, 7, 256)]
    assert ["HSA_STATUS_SUCCESS", "HSA_STATUS_ERROR_RESOURCE_BUSY"] == answers


def test_a_session_is_of_the_way_that_the_driver_reserved(client: Client) -> None:
    wrong = [create(client, 7, 256, method=0), create(client, 7, 257), create(client, 8, 256)]
    assert ["HSA_STATUS_ERROR_INVALID_ARGUMENT"] * 3 == wrong
