"""Layouts of images as other drivers describe them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Data, Out
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.generation.generators import Generators
from hsa_conformance.topics.amd.images.state import VERSION
from hsa_conformance.topics.images.images.descriptors import Descriptor
from hsa_conformance.topics.images.images.discovery import device, image_agent
from hsa_conformance.topics.images.images.fixtures import (
    ACCESSES,
    ask_data,
    data,
    lay_out,
    needs,
    supported,
)
from hsa_reports import Verdict

_HEAD: Final = 8
_WORDS: Final = 32  # bytes of the descriptor that kernels read
_ROOM: Final = 256  # for what may follow: offsets of levels


def layout(fixtures: Fixtures, agent: int, access: int) -> tuple[Descriptor, int, int, Data]:
    """Return a descriptor, its address, data, and the layout that the data has.

    A driver of graphics describes its image by what kernels read of it; and the handle of an
    image of AMD's is the address of that. So an ordinary image shows what a driver would write.

    Raises:
        Unavailable: the handle is no address.

    """
    chosen = supported(fixtures, agent, access)
    address = lay_out(fixtures, chosen)
    size, alignment = needs(ask_data(fixtures, agent, address, access))
    memory = data(fixtures, agent, size, alignment)
    handle = fixtures.session.set_up(
        "hsa_ext_image_create",
        agent=agent,
        image_descriptor=address,
        image_data=memory,
        access_permission=access,
        image=Out(),
    )["image"]
    content = fixtures.session.read(handle, _WORDS)
    if content is None:
        raise Unavailable(
            Verdict.NOT_APPLICABLE, "no driver of graphics is here to describe an image"
        )
    found = described(VERSION, device(fixtures, agent), content)
    words = [int.from_bytes(found.content[i : i + 8], "little") for i in range(0, 40, 8)]
    fixtures.session.model.add("image layout", agent, *chosen.key, *words, thing=True)
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


GENERATORS: Mapping[str, Generators] = {"image_layout_matches": Generators(_matching, _mismatched)}
