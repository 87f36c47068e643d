"""Images, their descriptors, and the memory that holds their data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hsa_conformance.engine.calls.values import Answer, Data, Out, Value
from hsa_conformance.engine.generation.fixtures import Fixtures, Unsuitable
from hsa_conformance.topics.amd.pools.fixtures import allocate, allow_access, known_pools
from hsa_conformance.topics.amd.pools.state import pool_access
from hsa_conformance.topics.images.images import discovery
from hsa_conformance.topics.images.images.descriptors import GEOMETRIES, Descriptor
from hsa_conformance.topics.images.images.state import CAPABILITY, LINEAR, OPAQUE

#: A width whose rows suit every alignment that a linear image may want.
EVEN_WIDTH: Final = 256
#: The most that any image of the suite has in another dimension.
OTHERS: Final = (1, 2, 4)

BOX: Final = GEOMETRIES.index("3D")

ACCESSES: Final = tuple(CAPABILITY)


def lay_out(fixtures: Fixtures, descriptor: Descriptor) -> int:
    """Put a descriptor into the process and return its address."""
    d = descriptor
    words = f"{{{GEOMETRIES[d.geometry]}, {d.width}, {d.height}, {d.depth}, {d.layers}, "
    return fixtures.session.lay_out(
        Data(d.content, words + f"{{{d.channel_type}, {d.channel_order}}}, {d.levels}}}")
    )


def formats(
    fixtures: Fixtures, agent: int, access: int
) -> tuple[list[Descriptor], list[Descriptor]]:
    """Return small descriptors of all geometries: with a supported format, and with another."""
    discovery.discover(fixtures)
    have: list[Descriptor] = []
    lack: list[Descriptor] = []
    for chosen in discovery.formats(fixtures, agent):
        masks = [
            discovery.capability(fixtures, agent, chosen, layout) for layout in (OPAQUE, LINEAR)
        ]
        # An image that nobody may access has no format.
        sides = {bool(mask & CAPABILITY.get(access, 0)) for mask in masks}
        if len(sides) == 1:
            side = have if sides == {True} else lack
            side.append(small(*chosen))
    return have, lack


def small(geometry: int, channel_type: int, channel_order: int) -> Descriptor:
    """Return the descriptor of a small image."""
    return Descriptor.sized(geometry, EVEN_WIDTH, 8, 2, channel_type, channel_order)


def vary(fixtures: Fixtures, descriptor: Descriptor) -> Descriptor:
    """Draw other dimensions, none of them large."""
    _, height, depth, layers = descriptor.uses
    return replace(
        descriptor,
        height=8 * fixtures.choose(OTHERS) if height else 0,
        depth=fixtures.choose(OTHERS) if depth else 0,
        layers=fixtures.choose(OTHERS) if layers else 0,
    )


def some_geometry(fixtures: Fixtures, descriptors: Sequence[Descriptor]) -> Descriptor:
    """Draw one of several descriptors; each geometry among them is to be tried."""
    axis = fixtures.axis("geometry")
    if axis is None:
        return fixtures.choose(descriptors)
    return fixtures.some_sort(axis, descriptors, lambda d: GEOMETRIES[d.geometry])


def supported(
    fixtures: Fixtures,
    agent: int,
    access: int,
    geometry: str | None = None,
    *,
    linear: bool = False,
) -> Descriptor:
    """Draw what an agent supports with this access.

    Args:
        fixtures: where it comes from.
        agent: the agent.
        access: the permission.
        geometry: only of this geometry.
        linear: whether it is for set-up in the linear layout, in which some agents have no boxes
            although no query says so.

    Raises:
        Unavailable: it supports none.

    """
    have, _ = formats(fixtures, agent, access)
    fitting = [d for d in have if geometry in (None, GEOMETRIES[d.geometry])]
    fitting = [d for d in fitting if not linear or d.geometry != BOX]
    what = f"format of {geometry or 'images'} for the access"
    return vary(fixtures, some_geometry(fixtures, fixtures.require_any(fitting, what)))


def ask_data(
    fixtures: Fixtures,
    agent: int,
    address: int,
    access: int,
    pitches: tuple[int, int] | None = None,
) -> Answer:
    """Ask what the data of an image needs, in the linear layout if pitches are given.

    Raises:
        Blocked: the library does not say.
        Unsuitable: the agent has no images.

    """
    if agent not in [able.handle for able in discovery.image_agents(fixtures)]:
        raise Unsuitable("the agent has no images")
    if pitches is None:
        return fixtures.session.set_up(
            "hsa_ext_image_data_get_info",
            agent=agent,
            image_descriptor=address,
            access_permission=access,
            image_data_info=Out(),
        )
    values = linear_question(agent, address, access, pitches)
    return fixtures.session.set_up("hsa_ext_image_data_get_info_with_layout", **values)


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


def accesses(fixtures: Fixtures, agent: int, descriptor: Descriptor) -> list[int]:
    """Return the permissions with which an agent supports a format."""
    mask = discovery.capability(fixtures, agent, descriptor.format, OPAQUE)
    return [access for access, bit in CAPABILITY.items() if mask & bit]


def data(fixtures: Fixtures, agent: int, size: int, alignment: int) -> int:
    """Allocate memory of the host for the data of an image, and let the agent access it."""
    pools = known_pools(fixtures, lambda p: p.allocatable and p.location == "cpu")
    pool = fixtures.available(pools, "memory pool of the host")
    room = size if alignment <= pool.alignment else size + alignment
    block = allocate(fixtures, pool, room)
    if pool_access(fixtures.session.model, agent, pool.handle) == "on_request":
        allow_access(fixtures, [agent], block)
    return block + -block % alignment


def image(
    fixtures: Fixtures, agent: int, like: Descriptor | None = None, *, linear: bool = False
) -> int:
    """Create an image of an agent, and return its handle.

    Args:
        fixtures: where it comes from.
        agent: the agent.
        like: another image of the agent, whose format and dimensions it is to have.
        linear: whether it is in the linear layout, and not in that of the implementation.

    """
    access = fixtures.choose(ACCESSES if like is None else accesses(fixtures, agent, like))
    address = lay_out(fixtures, like or supported(fixtures, agent, access, linear=linear))
    size, alignment = needs(ask_data(fixtures, agent, address, access, (0, 0) if linear else None))
    where = data(fixtures, agent, size, alignment)
    if linear:
        values = linear_question(agent, address, access, (0, 0))
        del values["image_data_info"]
        return fixtures.session.set_up(
            "hsa_ext_image_create_with_layout", **values, image_data=where, image=Out()
        )["image"]
    return fixtures.session.set_up(
        "hsa_ext_image_create",
        agent=agent,
        image_descriptor=address,
        image_data=where,
        access_permission=access,
        image=Out(),
    )["image"]


def levelled(fixtures: Fixtures, agent: int) -> int:
    """Create an image of an agent with several levels, and return its handle."""
    levels = fixtures.choose([3, 2, 4])
    chosen = replace(supported(fixtures, agent, 1, "2D"), height=EVEN_WIDTH, levels=levels)
    address = lay_out(fixtures, chosen)
    info = fixtures.session.set_up(
        "hsa_ext_image_data_get_info_v2",
        agent=agent,
        image_descriptor=address,
        access_permission=1,
        image_data_info=Out(),
    )
    answer = fixtures.session.set_up(
        "hsa_ext_image_create_v2",
        agent=agent,
        image_descriptor=address,
        image_data=data(fixtures, agent, *needs(info)),
        access_permission=1,
        image=Out(),
    )
    return answer["image"]
