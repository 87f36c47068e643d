"""Addresses of loaded code, and how many segments it has."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.topics.core.executables.loaded_code import LoadedCode, symbol_address
from hsa_conformance.topics.loader.loader.state import (
    Address,
    SegmentCount,
    contents,
)
from hsa_conformance.topics.shared.code.state import executable as live

SEGMENTS: Final = "hsa_ven_amd_loader_query_segment_descriptors"
HOST: Final = "hsa_ven_amd_loader_query_host_address"
DESCRIPTOR: Final = 64  # bytes of the description of a segment
ENTRY: Final = 16  # where a kernel's descriptor says how far away the code starts


def segment_count(fixtures: Fixtures) -> int:
    """Ask how many segments are loaded."""
    session = fixtures.session
    place = session.place(bytes(8), "&count")
    session.set_up(SEGMENTS, segment_descriptors=0, num_segment_descriptors=place)
    count = session.read_number(place, "count")
    session.model.add("segment_count", thing=SegmentCount(count, contents(session.model)))
    return count


def variable_address(fixtures: Fixtures, found: LoadedCode) -> int:
    """Return the address of a variable that holds VALUE."""
    name = found.code.variables[0].name
    address = symbol_address(fixtures, found, name, "VARIABLE_ADDRESS")
    return _note(fixtures, found, address, kernel=False)


def kernel_address(fixtures: Fixtures, found: LoadedCode) -> int:
    """Return the address where the code of a kernel starts."""
    descriptor = symbol_address(
        fixtures, found, f"{found.code.kernels[0].name}.kd", "KERNEL_OBJECT"
    )
    copy = fixtures.session.set_up(HOST, device_address=descriptor, host_address=Out())
    entry = fixtures.session.read_number(copy["host_address"] + ENTRY, "entry")
    return _note(fixtures, found, descriptor + entry, kernel=True)


def _note(fixtures: Fixtures, found: LoadedCode, address: int, *, kernel: bool) -> int:
    model = fixtures.session.model
    place = Address(live(model, found.executable), kernel)
    model.add("loaded_address", address, thing=place)
    return address
