"""Ranges of memory that can be exported, and descriptors of them."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.topics.amd.dmabuf.state import FEATURE
from hsa_conformance.topics.amd.ipc.generators import gpu_block
from hsa_conformance.topics.amd.pools.fixtures import known_pools, new_block
from hsa_conformance.topics.amd.pools.state import Allocation, find_allocation
from hsa_reports import Verdict

_QUERY = "HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED"


def discover(fixtures: Fixtures) -> None:
    """Ask whether GPUs can export memory."""
    session = fixtures.session
    if session.model.find("discover", 0) is not None:
        return
    session.model.add("discover", 0, thing=FEATURE)
    attribute = session.registry.constants[_QUERY]
    with session.learning():
        answer = session.call("hsa_system_get_info", attribute=attribute, value=Out())
    if answer.ok and answer.number("value"):
        session.model.features.add(FEATURE)


def exportable_block(fixtures: Fixtures) -> Allocation:
    """Allocate memory that can be exported.

    Raises:
        Unavailable: the machine has none.

    """
    discover(fixtures)
    if not fixtures.session.model.supports(FEATURE):
        raise Unavailable(Verdict.NOT_APPLICABLE, "the driver does not let GPUs export memory")
    return gpu_block(fixtures)


def export(fixtures: Fixtures, address: int, size: int) -> tuple[int, int]:
    """Export memory; return the descriptor, and the offset of the memory."""
    answer = fixtures.session.set_up(
        "hsa_amd_portable_export_dmabuf", ptr=address, size=size, dmabuf=Out(), offset=Out()
    )
    return answer["dmabuf"], answer.number("offset")


def part(fixtures: Fixtures, block: Allocation) -> tuple[int, int]:
    """Draw some of a block, often all that follows an address; return that and the size."""
    offset = fixtures.draw(sizes(0, block.size - 1))
    left = block.size - offset
    size = fixtures.draw(sizes(most=left)) if fixtures.draw(drawing.booleans()) else left
    return block.address + offset, size


def _within(b: Builder, address: str, size: str) -> None:
    block = find_allocation(b.session.model, b.number(address)) or exportable_block(b)
    b.values[address], b.values[size] = part(b, block)


def _not_within(b: Builder, address: str, size: str) -> None:
    kind = b.choose(["memory", "too long", "before", "freed"])
    block = exportable_block(b)
    b.values[address], b.values[size] = block.address, block.size
    if kind == "memory":
        b.values[address] = b.readable()
    elif kind == "too long":
        b.values[size] = block.size + 1
    elif kind == "before":
        b.values[address], b.values[size] = block.address - 1, 2
    else:
        b.session.set_up("hsa_amd_memory_pool_free", ptr=block.address)


def _exportable(b: Builder, address: str) -> None:
    b.values[address] = exportable_block(b).address


def _not_exportable(b: Builder, address: str) -> None:
    pools = known_pools(b, lambda p: p.allocatable and p.location == "cpu")
    block = new_block(b, b.choose(pools))
    b.values[address] = block.address
    if "size" in b.values:
        b.values["size"] = block.size


def _reached_over(b: Builder, address: str, flags: str) -> None:
    del address, flags  # any that are valid are, or it is not known


def _not_reached_over(b: Builder, address: str, flags: str) -> None:
    raise CannotMake("no text says what is not reached over PCI Express")


def _exported(b: Builder, descriptor: str) -> None:
    block = exportable_block(b)
    b.values[descriptor], _ = export(b, *part(b, block))


def _not_exported(b: Builder, descriptor: str) -> None:
    raise CannotMake("nothing is said of other files")


GENERATORS: Mapping[str, Generators] = {
    "within_allocation": Generators(_within, _not_within),
    "memory_is_exportable": Generators(_exportable, _not_exportable),
    "is_reached_over": Generators(_reached_over, _not_reached_over),
    "is_exported_buffer": Generators(_exported, _not_exported),
}
