"""Layouts of images as other drivers describe them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.calls import Data, Out
from hsa_conformance.findings import Unavailable
from hsa_conformance.model.amd.images import VERSION
from hsa_conformance.model.images.descriptors import Descriptor
from hsa_conformance.strategies.builder import Builder, Stock
from hsa_conformance.strategies.images.images import (
    ACCESSES,
    ask_data,
    data,
    lay_out,
    needs,
    supported,
)
from hsa_conformance.strategies.images.survey import device, image_agent
from hsa_conformance.strategies.makers import Makers

_HEAD: Final = 8
_WORDS: Final = 32  # bytes of the descriptor that kernels read
_ROOM: Final = 256  # for what may follow: offsets of levels


def layout(stock: Stock, agent: int, access: int) -> tuple[Descriptor, int, int, Data]:
    """Return a descriptor, its address, data, and the layout that the data has.

    A driver of graphics describes its image by what kernels read of it; and the handle of an
    image of AMD's is the address of that. So an ordinary image shows what a driver would write.

    Raises:
        Unavailable: the handle is no address.

    """
    chosen = supported(stock, agent, access, "2D")
    address = lay_out(stock, chosen)
    size, alignment = needs(ask_data(stock, agent, address, access))
    memory = data(stock, agent, size, alignment)
    handle = stock.session.must(
        "hsa_ext_image_create",
        agent=agent,
        image_descriptor=address,
        image_data=memory,
        access_permission=access,
        image=Out(),
    )["image"]
    content = stock.session.read(handle, _WORDS)
    if content is None:
        raise Unavailable("NOT_APPLICABLE", "no driver of graphics is here to describe an image")
    found = described(VERSION, device(stock, agent), content)
    words = [int.from_bytes(found.content[i : i + 8], "little") for i in range(0, 40, 8)]
    stock.session.model.keep("image layout", agent, *chosen.key, *words, thing=True)
    return chosen, address, memory, found


def described(version: int, identifiers: int, content: bytes) -> Data:
    """Return a hsa_amd_image_descriptor_t."""
    head = version.to_bytes(4, "little") + identifiers.to_bytes(4, "little")
    words = f"{{{version}, {identifiers:#x}, ...}}"
    return Data(head + content + bytes(_ROOM - _HEAD - len(content)), words)


def _matching(b: Builder, agent: str, descriptor: str, address: str) -> None:
    b.values[agent] = image_agent(b)
    access = b.number("access_permission")
    permission = access if access in ACCESSES else b.choose(ACCESSES)
    _, where, memory, found = layout(b, b.number(agent), permission)
    b.values[descriptor], b.values["image_data"] = where, memory
    b.values[address] = b.session.lay_out(found)


def _mismatched(b: Builder, agent: str, descriptor: str, address: str) -> None:
    _matching(b, agent, descriptor, address)
    content = b.session.model.read(b.number(address), _HEAD + _WORDS) or b""
    right = device(b, b.number(agent))
    version, identifiers = b.choose(
        [(VERSION, right ^ 1), (VERSION, right ^ 0x10000), (VERSION + 1, right), (0, right)]
    )
    b.values[address] = b.session.lay_out(described(version, identifiers, content[_HEAD:]))


MAKERS: Mapping[str, Makers] = {"image_layout_matches": Makers(_matching, _mismatched)}
