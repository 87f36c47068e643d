"""Images, their descriptors, and the memory that holds their data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from hsa_conformance.model.images.descriptors import GEOMETRIES, Descriptor, used
from hsa_conformance.model.images.images import CAPABILITY, LINEAR, OPAQUE
from hsa_conformance.session import Answer, Data, Out, Value
from hsa_conformance.strategies.builder import Builder, CannotMake, Stock
from hsa_conformance.strategies.images import survey
from hsa_conformance.strategies.images.survey import image_agent, image_agents, limits
from hsa_conformance.strategies.makers import Makers

#: A width whose rows suit every alignment that a linear image may want.
EVEN_WIDTH: Final = 256
#: The most that any image of the suite has in another dimension.
OTHERS: Final = (1, 2, 4)

_BOX: Final = GEOMETRIES.index("3D")

ACCESSES: Final = tuple(CAPABILITY)


def lay_out(stock: Stock, descriptor: Descriptor) -> int:
    """Put a descriptor into the process and return its address."""
    d = descriptor
    words = f"{{{GEOMETRIES[d.geometry]}, {d.width}, {d.height}, {d.depth}, {d.layers}, "
    return stock.session.lay_out(
        Data(d.content, words + f"{{{d.channel_type}, {d.channel_order}}}, {d.levels}}}")
    )


def formats(stock: Stock, agent: int, access: int) -> tuple[list[Descriptor], list[Descriptor]]:
    """Return small descriptors of all geometries: with a supported format, and with another."""
    survey.survey(stock)
    have: list[Descriptor] = []
    lack: list[Descriptor] = []
    for chosen in survey.formats(stock, agent):
        masks = [survey.capability(stock, agent, chosen, layout) for layout in (OPAQUE, LINEAR)]
        sides = {bool(mask & CAPABILITY[access]) for mask in masks}
        if len(sides) == 1:
            side = have if sides == {True} else lack
            side.append(_small(*chosen))
    return have, lack


def _small(geometry: int, channel_type: int, channel_order: int) -> Descriptor:
    _, height, depth, layers = used(geometry)
    return Descriptor(
        geometry, EVEN_WIDTH, 8 * height, 2 * depth, 2 * layers, channel_type, channel_order
    )


def vary(stock: Stock, descriptor: Descriptor) -> Descriptor:
    """Draw other dimensions, none of them large."""
    _, height, depth, layers = descriptor.uses
    return replace(
        descriptor,
        height=8 * stock.choose(OTHERS) if height else 0,
        depth=stock.choose(OTHERS) if depth else 0,
        layers=stock.choose(OTHERS) if layers else 0,
    )


def supported(
    stock: Stock, agent: int, access: int, geometry: str | None = None, *, linear: bool = False
) -> Descriptor:
    """Draw what an agent supports with this access.

    Args:
        stock: where it comes from.
        agent: the agent.
        access: the permission.
        geometry: only of this geometry.
        linear: whether it is for set-up in the linear layout, in which some agents have no boxes
            although no query says so.

    Raises:
        Unavailable: it supports none.

    """
    have, _ = formats(stock, agent, access)
    fitting = [d for d in have if geometry in (None, GEOMETRIES[d.geometry])]
    fitting = [d for d in fitting if not linear or d.geometry != _BOX]
    return vary(stock, stock.available(fitting, f"format of {geometry or 'images'} for the access"))


def ask_data(
    stock: Stock, agent: int, address: int, access: int, pitches: tuple[int, int] | None = None
) -> Answer:
    """Ask what the data of an image needs, in the linear layout if pitches are given.

    Raises:
        Blocked: the library does not say.

    """
    if pitches is None:
        return stock.session.must(
            "hsa_ext_image_data_get_info",
            agent=agent,
            image_descriptor=address,
            access_permission=access,
            image_data_info=Out(),
        )
    values = linear_question(agent, address, access, pitches)
    return stock.session.must("hsa_ext_image_data_get_info_with_layout", **values)


def linear_question(
    agent: int, address: int, access: int, pitches: tuple[int, int]
) -> dict[str, Value]:
    """Return the arguments that ask what the data of a linear image needs."""
    return {
        "agent": agent,
        "image_descriptor": address,
        "access_permission": access,
        "image_data_layout": LINEAR,
        "image_data_row_pitch": pitches[0],
        "image_data_slice_pitch": pitches[1],
        "image_data_info": Out(),
    }


def needs(info: Answer) -> tuple[int, int]:
    """Return the size and the alignment that data needs."""
    content = info.outputs["image_data_info"] or b""
    return int.from_bytes(content[:8], "little"), int.from_bytes(content[8:16], "little")


def data(stock: Stock, agent: int, size: int, alignment: int) -> int:
    """Allocate memory of the host for the data of an image, and let the agent access it."""
    pools = stock.pools(lambda p: p.allocatable and p.location == "cpu")
    pool = stock.available(pools, "memory pool of the host")
    room = size if alignment <= pool.alignment else size + alignment
    room = -(-room // pool.granule) * pool.granule
    block = stock.session.must(
        "hsa_amd_memory_pool_allocate", memory_pool=pool.handle, size=room, flags=0, ptr=Out()
    )["ptr"]
    if stock.session.model.pool_access(agent, pool.handle) == "on_request":
        stock.session.must(
            "hsa_amd_agents_allow_access",
            num_agents=1,
            agents=Data(int(agent).to_bytes(8, "little"), f"[{agent}]", {0: agent}),
            flags=0,
            ptr=block,
        )
    return block + -block % alignment


def image(stock: Stock, descriptor: Descriptor | None = None, access: int | None = None) -> int:
    """Create an image in the layout of the implementation, and return its handle."""
    agent = image_agent(stock)
    access = access or stock.choose(ACCESSES)
    address = lay_out(stock, descriptor or supported(stock, agent, access))
    size, alignment = needs(ask_data(stock, agent, address, access))
    return stock.session.must(
        "hsa_ext_image_create",
        agent=agent,
        image_descriptor=address,
        image_data=data(stock, agent, size, alignment),
        access_permission=access,
        image=Out(),
    )["image"]


def levelled(stock: Stock) -> tuple[int, int]:
    """Create an image with several levels, and return agent and handle."""
    agent = image_agent(stock)
    levels = stock.choose([3, 2, 4])
    chosen = replace(supported(stock, agent, 1, "2D"), height=EVEN_WIDTH, levels=levels)
    address = lay_out(stock, chosen)
    info = stock.session.must(
        "hsa_ext_image_data_get_info_v2",
        agent=agent,
        image_descriptor=address,
        access_permission=1,
        image_data_info=Out(),
    )
    answer = stock.session.must(
        "hsa_ext_image_create_v2",
        agent=agent,
        image_descriptor=address,
        image_data=data(stock, agent, *needs(info)),
        access_permission=1,
        image=Out(),
    )
    return agent, answer["image"]


# what conditions want


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


def _image(b: Builder, x: str) -> None:
    survey.survey(b)
    agent = b.number("agent")
    if b.function.name.endswith("_v2"):
        agent, b.values[x] = levelled(b)
    else:
        b.values[x] = image(b)
        agent = image_agent(b) if len(image_agents(b)) > 1 else image_agents(b)[0].handle
    b.values["agent"] = agent


def _no_image(b: Builder, x: str) -> None:
    wrong_kind = [a.handle for a in b.agents()][:1]
    b.values[x] = b.choose([b.readable(), *wrong_kind])


def _format(b: Builder, agent: str, descriptor: str, access: str) -> None:
    b.values[agent] = image_agent(b)
    if b.number(access) not in ACCESSES:
        b.values[access] = b.choose(b.suiting(access, ACCESSES) or ACCESSES)
    linear = "image_data_row_pitch" in b.values
    chosen = supported(b, b.number(agent), b.number(access), linear=linear)
    b.values[descriptor] = lay_out(b, chosen)


def _no_format(b: Builder, agent: str, descriptor: str, access: str) -> None:
    survey.survey(b)
    permission = b.number(access) if b.number(access) in ACCESSES else b.choose(ACCESSES)
    imageless = [a.handle for a in b.agents() if a not in image_agents(b)]
    chosen = b.choose([image_agent(b), *imageless])
    have, lack = formats(b, chosen, permission)
    if "image_data_row_pitch" in b.values:
        lack = [d for d in lack if d.geometry != _BOX]
    # Where only the permission is what is missing, a library has to look twice.
    other = [d for d in lack if survey.capability(b, chosen, d.format, OPAQUE)]
    never = [d for d in lack if d not in other]
    b.values[agent], b.values[access] = chosen, permission
    described = b.choose(b.choose([group for group in (other, never) if group] or [have]))
    b.values[descriptor] = lay_out(b, described)
    if "image_data" in b.values and described in other:
        _aligned(b, agent, descriptor, "image_data")


def _size(b: Builder, agent: str, descriptor: str) -> None:
    b.values[descriptor] = lay_out(b, vary(b, replace(current(b, descriptor), width=EVEN_WIDTH)))


def _too_large(b: Builder, agent: str, descriptor: str) -> None:
    survey.survey(b)
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
    mask = survey.capability(b, agent, current(b, descriptor).format, OPAQUE)
    there = [access for access in ACCESSES if mask & CAPABILITY[access]]
    if not there:
        raise CannotMake("no image of the format can be")
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
    pitch = b.choose([0, least, 2 * least])
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
    b.values["agent"], handle = levelled(b)
    b.values[x] = b.session.lay_out(_pointed_at(handle))


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


MAKERS: Mapping[str, Makers] = {
    "is_image": Makers(_image, _no_image),
    "image_format_supported": Makers(_format, _no_format),
    "image_size_supported": Makers(_size, _too_large),
    "image_data_aligned": Makers(_aligned, _unaligned),
    "image_pitch_supported": Makers(_pitch, _no_pitch),
    "mipmap_levels_fit": Makers(_levels, _too_many_levels),
    "points_at_image": Makers(_pointer, _no_pointer),
    "has_level": Makers(_level, _no_level),
}
