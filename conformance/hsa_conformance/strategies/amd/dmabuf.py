"""Ranges of memory that can be exported, and descriptors of them."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from hsa_conformance.calls import Out
from hsa_conformance.findings import Unavailable
from hsa_conformance.model.amd.dmabuf import FEATURE
from hsa_conformance.model.state import Allocation
from hsa_conformance.strategies.amd.ipc import gpu_block
from hsa_conformance.strategies.builder import Builder, CannotMake, Stock
from hsa_conformance.strategies.makers import Makers

_QUERY = "HSA_AMD_SYSTEM_INFO_DMABUF_SUPPORTED"


def survey(stock: Stock) -> None:
    """Ask whether GPUs can export memory."""
    session = stock.session
    if session.model.find("survey", 0) is not None:
        return
    session.model.keep("survey", 0, thing=FEATURE)
    attribute = session.registry.constants[_QUERY]
    answer = session.call("hsa_system_get_info", attribute=attribute, value=Out(1))
    if answer.ok and answer.number("value"):
        session.model.features.add(FEATURE)


def exportable_block(stock: Stock) -> Allocation:
    """Allocate memory that can be exported.

    Raises:
        Unavailable: the machine has none.

    """
    survey(stock)
    if not stock.session.model.supports(FEATURE):
        raise Unavailable("NOT_APPLICABLE", "the driver does not let GPUs export memory")
    return gpu_block(stock)


def export(stock: Stock, address: int, size: int) -> tuple[int, int]:
    """Export memory; return the descriptor, and the offset of the memory."""
    answer = stock.session.must(
        "hsa_amd_portable_export_dmabuf", ptr=address, size=size, dmabuf=Out(), offset=Out()
    )
    return answer["dmabuf"], answer.number("offset")


def part(stock: Stock, block: Allocation) -> tuple[int, int]:
    """Draw some of a block, often all of it; return its address and size."""
    if stock.draw(st.booleans()):
        return block.address, block.size
    offset = stock.draw(st.integers(0, block.size - 1))
    return block.address + offset, stock.draw(st.integers(1, block.size - offset))


def _within(b: Builder, address: str, size: str) -> None:
    block = b.session.model.allocation(b.number(address)) or exportable_block(b)
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
        b.session.must("hsa_amd_memory_pool_free", ptr=block.address)


def _exportable(b: Builder, address: str) -> None:
    b.values[address] = exportable_block(b).address


def _not_exportable(b: Builder, address: str) -> None:
    pools = b.pools(lambda p: p.allocatable and p.location == "cpu")
    block = b.session.model.allocations[b.block(b.choose(pools))]
    b.values[address] = block.address
    if "size" in b.values:
        b.values["size"] = block.size


def _exported(b: Builder, descriptor: str) -> None:
    block = exportable_block(b)
    b.values[descriptor], _ = export(b, *part(b, block))


def _not_exported(b: Builder, descriptor: str) -> None:
    raise CannotMake("nothing is said of other files")


MAKERS: Mapping[str, Makers] = {
    "within_allocation": Makers(_within, _not_within),
    "memory_is_exportable": Makers(_exportable, _not_exportable),
    "is_exported_buffer": Makers(_exported, _not_exported),
}
