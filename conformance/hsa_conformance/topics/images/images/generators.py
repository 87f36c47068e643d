"""What conditions about images want of a call: descriptors, data, pitches, levels."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import replace

from hsa_conformance.engine.calls.values import Data
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Unsuitable
from hsa_conformance.engine.generation.generators import Generator, Generators
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.images.images import discovery
from hsa_conformance.topics.images.images.descriptors import Descriptor
from hsa_conformance.topics.images.images.discovery import image_agent, image_agents, limits
from hsa_conformance.topics.images.images.fixtures import (
    ACCESSES,
    BOX,
    EVEN_WIDTH,
    accesses,
    ask_data,
    data,
    formats,
    image,
    lay_out,
    levelled,
    needs,
    some_geometry,
    supported,
    vary,
)
from hsa_conformance.topics.images.images.state import OPAQUE, Image

#: What reaches the elements of images, which have to be right in each layout.
_COPYING = frozenset(f"hsa_ext_image_{name}" for name in ("copy", "import", "export", "clear"))


def current(b: Builder, descriptor: str) -> Descriptor:
    """Return the descriptor that the call has by now.

    Raises:
        CannotMake: it has none.

    """
    address = b.number(descriptor)
    content = b.session.model.read(address, 56) if address else None
    if content is None:
        raise CannotMake("there is no descriptor yet")
    return Descriptor.parse(content)


def holder(b: Builder) -> int:
    """Return the agent that what the call is about belongs to: the call's, if it has images.

    Raises:
        Unsuitable: the call's is fixed, and has none.

    """
    able = [a.handle for a in image_agents(b)]
    agent = b.number("agent") if b.number("agent") in able else image_agent(b)
    if "agent" in b.values.fixed and agent != b.number("agent"):
        raise Unsuitable("the agent has no images")
    return agent


def _image(b: Builder, x: str) -> None:
    agent = holder(b)
    b.values["agent"] = agent
    if b.function.name.endswith("_v2"):
        b.values[x] = levelled(b, agent)
        return
    # Two images of one call have one format.
    others = [p.name for p in b.function.params if p.type == "hsa_ext_image_t" and p.name != x]
    found = [b.session.model.find("image", b.number(other)) for other in others]
    like = next((i.descriptor for i in found if isinstance(i, Image)), None)
    linear = b.function.name in _COPYING and (like is None or like.geometry != BOX)
    layouts = {"linear": True, "opaque": False} if linear else {"opaque": False}
    b.values[x] = image(b, agent, like, linear=b.each(f"layout of {x}", layouts))
    if "dst_memory" in b.function.parameter:  # an output, of which no condition speaks
        _elements(b, "dst_memory")


def _no_image(b: Builder, x: str) -> None:
    b.values[x] = b.no_object(x, (agent.handle for agent in known_agents(b)))


def _format(b: Builder, agent: str, descriptor: str, access: str) -> None:
    b.values[agent] = image_agent(b)
    if b.number(access) not in ACCESSES:
        b.values[access] = b.choose(b.suiting(access, ACCESSES) or ACCESSES)
    linear = "image_data_row_pitch" in b.values
    chosen = supported(b, b.number(agent), b.number(access), linear=linear)
    b.values[descriptor] = lay_out(b, chosen)


def _no_format(b: Builder, agent: str, descriptor: str, access: str) -> None:
    discovery.discover(b)
    permission = b.number(access) if b.number(access) in ACCESSES else b.choose(ACCESSES)
    imageless = [a.handle for a in known_agents(b) if a not in image_agents(b)]
    chosen = b.choose([image_agent(b), *imageless])
    have, lack = formats(b, chosen, permission)
    if "image_data_row_pitch" in b.values:
        lack = [d for d in lack if d.geometry != BOX]
    # Where only the permission is what is missing, a library has to look twice.
    other = [d for d in lack if discovery.capability(b, chosen, d.format, OPAQUE)]
    never = [d for d in lack if d not in other]
    b.values[agent], b.values[access] = chosen, permission
    groups = [group for group in (other, never) if group] or [have]
    described = some_geometry(b, b.choose(groups))
    b.values[descriptor] = lay_out(b, described)
    if "image_data" in b.values and described in other:
        _aligned(b, agent, descriptor, "image_data")


def _size(b: Builder, agent: str, descriptor: str) -> None:
    b.values[descriptor] = lay_out(b, vary(b, replace(current(b, descriptor), width=EVEN_WIDTH)))


def _too_large(b: Builder, agent: str, descriptor: str) -> None:
    discovery.discover(b)
    small = current(b, descriptor)
    most = limits(b, b.number(agent), small.geometry)
    names = ("width", "height", "depth", "layers")
    name, limit = b.choose(
        [p for p, u in zip(zip(names, most, strict=True), small.uses, strict=True) if u]
    )
    number = b.choose([limit + 1, 2 * limit, limit + 1000])
    b.values[descriptor] = lay_out(b, replace(small, **{name: number}))


def _aligned(b: Builder, agent: str, descriptor: str, address: str) -> None:
    chosen, where = b.number(agent), b.number(descriptor)
    permission = _permission(b, chosen, descriptor)
    size, alignment = needs(ask_data(b, chosen, where, permission))
    if "image_data_row_pitch" in b.values:
        wanted = needs(ask_data(b, chosen, where, permission, (0, 0)))
        size, alignment = max(size, wanted[0]), max(alignment, wanted[1])
    b.values[address] = data(b, chosen, 2 * size, alignment)


def _permission(b: Builder, agent: int, descriptor: str) -> int:
    """Return a permission that data can be asked for: the call's, or else one that there is."""
    there = accesses(b, agent, current(b, descriptor))
    if not there:
        raise Unsuitable("no image of the format can be")
    access = b.number("access_permission")
    return access if access in there else there[0]


def _unaligned(b: Builder, agent: str, descriptor: str, address: str) -> None:
    _aligned(b, agent, descriptor, address)
    b.values[address] = b.number(address) + b.choose([1, 4, 8])


def _pitch(b: Builder, agent: str, descriptor: str, row: str, slice_: str) -> None:
    chosen = current(b, descriptor)
    least = chosen.row
    if least is None:
        raise CannotMake("the texts do not say how large an element is")
    pitch = b.each(row, {"0": 0, "the least": least, "twice the least": 2 * least})
    whole = chosen.slice(pitch or least)
    pitches = pitch, b.choose([0, whole] if whole else [0])
    access = b.number("access_permission")
    where = b.values[descriptor]
    assert isinstance(where, int)
    ask_data(b, b.number(agent), where, access if access in ACCESSES else 1, pitches)
    b.values[row], b.values[slice_] = pitches


def _no_pitch(b: Builder, agent: str, descriptor: str, row: str, slice_: str) -> None:
    chosen = current(b, descriptor)
    least, element = chosen.row, chosen.element
    if not least or not element:
        raise CannotMake("the texts do not say how large an element is")
    whole = chosen.slice(least)
    wrong = [(least - element, 0), (1, 0), (least // 2, 0)]
    if element > 1:
        wrong.append((least + 1, 0))
    wrong.append((least, whole // 2 if whole else least))
    if whole:
        wrong.append((least, whole + 1))
    wrong = [w for w in wrong if w != (least, whole)]
    b.values[row], b.values[slice_] = b.choose(wrong)


def _levels(b: Builder, descriptor: str) -> None:
    chosen = current(b, descriptor)
    levels = b.choose([1, 0, chosen.most_levels, 2])
    b.values[descriptor] = lay_out(b, replace(chosen, levels=min(levels, chosen.most_levels)))


def _too_many_levels(b: Builder, descriptor: str) -> None:
    chosen = current(b, descriptor)
    levels = chosen.most_levels + b.choose([1, 2, 100])
    b.values[descriptor] = lay_out(b, replace(chosen, levels=levels))


def _pointer(b: Builder, x: str) -> None:
    agent = holder(b)
    b.values["agent"] = agent
    b.values[x] = b.session.lay_out(_pointed_at(levelled(b, agent)))


def _no_pointer(b: Builder, x: str) -> None:
    b.values[x] = b.session.lay_out(_pointed_at(b.choose([0, b.readable()])))


def _pointed_at(handle: int) -> Data:
    return Data(int(handle).to_bytes(8, "little"), f"&{handle}", {0: handle})


def _level(b: Builder, array: str, level: str) -> None:
    if not b.number(array):
        _pointer(b, array)
    b.values[level] = b.choose([0, 1])


def _no_level(b: Builder, array: str, level: str) -> None:
    if not b.number(array):
        _pointer(b, array)
    b.values[level] = b.choose([4, 5, 100, (1 << 32) - 1])


GENERATORS: Mapping[str, Generators] = {
    "is_image": Generators(_image, _no_image),
    "image_format_supported": Generators(_format, _no_format),
    "image_size_supported": Generators(_size, _too_large),
    "image_data_aligned": Generators(_aligned, _unaligned),
    "image_pitch_supported": Generators(_pitch, _no_pitch),
    "mipmap_levels_fit": Generators(_levels, _too_many_levels),
    "points_at_image": Generators(_pointer, _no_pointer),
    "has_level": Generators(_level, _no_level),
}


def _element(b: Builder, x: str) -> None:
    """Give a region that is the first element of an image."""
    b.values[x] = b.session.lay_out(Data(struct.pack("<6I", 0, 0, 0, 1, 1, 1), "the first element"))


def _one(b: Builder, x: str) -> None:
    """Give the range of one element."""
    b.values[x] = b.session.lay_out(Data(struct.pack("<3I", 1, 1, 1), "one element"))


def _elements(b: Builder, x: str) -> None:
    """Give memory that holds an element, and that the agent of the image can access."""
    b.values["agent"] = holder(b)
    b.values[x] = data(b, b.number("agent"), EVEN_WIDTH, EVEN_WIDTH)


ADDRESSES: Mapping[str, Generator] = {
    "hsa_ext_image_copy.range": _one,
    "hsa_ext_image_import.src_memory": _elements,
    **{f"hsa_ext_image_{name}.image_region": _element for name in ("import", "export", "clear")},
}
