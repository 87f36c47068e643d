"""Images and samplers in random sequences, and what the data of images holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.random_programs.player import Player
from hsa_conformance.topics.images.images import discovery
from hsa_conformance.topics.images.images.descriptors import Descriptor
from hsa_conformance.topics.images.images.fixtures import ask_data, data, formats, lay_out, needs
from hsa_conformance.topics.images.images.properties.copies import (
    BYTES,
    ELEMENT,
    READ_WRITE,
    RGBA,
    Place,
)
from hsa_conformance.topics.images.images.state import LINEAR
from hsa_conformance.topics.images.samplers.generators import CREATE, supported

PLAIN: Final = "hsa_ext_image_create"
WITH_LAYOUT: Final = "hsa_ext_image_create_with_layout"
DESTROY: Final = "hsa_ext_image_destroy"
_USABLE: Final = "hsa_amd_memory_pool_allocate/usable-by-host"
_DESTROY_SAMPLER: Final = "hsa_ext_sampler_destroy"

#: Geometries of images, by whether boxes are among them: some agents have no linear ones.
_GEOMETRIES: Final = {PLAIN: (4, 2, 1), WITH_LAYOUT: (4, 1)}
#: The most elements in each direction; rows of so many suit every alignment of linear images.
_WIDTH, _HEIGHT, _SLICES = 64, 4, 3
#: Bytes of the largest image.
ROOM: Final = _WIDTH * _HEIGHT * _SLICES * ELEMENT
_MARK: Final = 16


@dataclass(eq=False)
class Memory:
    """The data of an image, which outlives it, the block it is in, and what was written there."""

    address: int
    size: int
    block: object
    marks: dict[int, bytes] = field(default_factory=dict)


@dataclass(eq=False)
class Picture:
    """A live image of bytes, and its elements as far as they were set."""

    agent: int
    handle: int
    range: Place
    data: Memory
    linear: bool
    elements: dict[Place, bytes] = field(default_factory=dict)


@dataclass(frozen=True)
class Part:
    """A part of an image."""

    offset: Place
    size: Place

    def __iter__(self) -> Iterator[Place]:
        """Yield the places of its elements, in the order in which memory has them."""
        (x, y, z), (width, height, slices) = self.offset, self.size
        return (
            (x + i, y + j, z + k)
            for k in range(slices)
            for j in range(height)
            for i in range(width)
        )


class Pictures:
    """Images and samplers that live, and the data of all images that ever did."""

    def __init__(self, p: Player) -> None:
        discovery.image_agent(p)
        self.agents = [agent.handle for agent in discovery.image_agents(p)]
        self.live: list[Picture] = []
        self.samplers: list[tuple[int, int]] = []
        self.memories: list[Memory] = []
        self.rooms: dict[int, int] = {}


def pictures(p: Player) -> list[Picture]:
    """Return the images that live."""
    return p.notes(Pictures).live


def room(p: Player, agent: int) -> int:
    """Return memory of the host that an agent copies elements to and from."""
    rooms = p.notes(Pictures).rooms
    if agent not in rooms:
        rooms[agent] = data(p, agent, ROOM, 256)
    return rooms[agent]


def some_part(p: Player, of: Place) -> Part:
    """Draw a part of a range."""
    offset = [p.one_of([0, most - 1, most // 2]) for most in of]
    size = [p.one_of([most - o, 1]) for most, o in zip(of, offset, strict=True)]
    return Part((offset[0], offset[1], offset[2]), (size[0], size[1], size[2]))


def create(p: Player) -> None:
    """Create an image of bytes, in either layout."""
    agent, function = p.one_of(p.notes(Pictures).agents), p.one_of([PLAIN, WITH_LAYOUT])
    have, _ = formats(p, agent, READ_WRITE)
    fitting = [(g, BYTES, RGBA) for g in _GEOMETRIES[function]]
    geometry = p.one_of([form[0] for form in fitting if form in {d.format for d in have}])
    height = p.one_of([_HEIGHT, 2])
    slices = 1 if geometry == 1 else p.one_of([_SLICES, 2])
    linear = function == WITH_LAYOUT
    layout = {"image_data_layout": LINEAR, "image_data_row_pitch": 0, "image_data_slice_pitch": 0}
    shape = Descriptor.sized(geometry, _WIDTH, height, slices, BYTES, RGBA)
    address = lay_out(p, shape)
    # What suits either layout is right for sure.
    asked = [needs(ask_data(p, agent, address, READ_WRITE, form)) for form in (None, (0, 0))]
    size = asked[linear][0]
    place = data(p, agent, size, max(alignment for _, alignment in asked))
    made = Memory(place, size, p.model.around("allocation", place))
    p.notes(Pictures).memories.append(made)
    _mark(p, made)
    still = p.keeping(look_at_data, f"{function}/data-preserved")
    answer = p.call(
        function,
        agent=agent,
        image_descriptor=address,
        image_data=made.address,
        access_permission=READ_WRITE,
        image=Out(),
        **(layout if linear else {}),
    )
    if answer.ok:
        extent = (_WIDTH, height, slices)
        pictures(p).append(Picture(agent, answer["image"], extent, made, linear))
        still()


def destroy(p: Player) -> None:
    """Destroy an image; others, and all data, stay."""
    gone = p.one_of(pictures(p))
    pictures(p).remove(gone)
    still = p.keeping(look_at_data, f"{DESTROY}/data-stays")
    if p.call(DESTROY, agent=gone.agent, image=gone.handle).ok:
        still()


def mark(p: Player) -> None:
    """Write to the data of an image, be it there or gone."""
    _mark(p, p.one_of(p.notes(Pictures).memories))


def _mark(p: Player, on: Memory) -> None:
    place = p.one_of([0, on.size - _MARK, on.size // 2 // _MARK * _MARK])
    content = bytes([p.one_of(range(1, 256))]) * _MARK
    if p.session.write(on.address + place, content):
        on.marks[place] = content


def look_at_data(p: Player, clause: str = _USABLE) -> None:
    """Read what was written to the data of every image there ever was, unless it was freed."""
    scene = p.demand(clause)
    for on in p.notes(Pictures).memories:
        if p.model.around("allocation", on.address) is not on.block:
            continue
        for place, content in on.marks.items():
            found = p.session.read(on.address + place, len(content))
            scene.require(
                found == content,
                f"the data of an image does not hold {content[:1].hex()} at byte {place} any more",
                "memory that cannot be read" if found is None else found.hex(" "),
            )


def create_sampler(p: Player) -> None:
    """Create a sampler."""
    agent = p.one_of(p.notes(Pictures).agents)
    function = p.one_of([name for name in CREATE if p.session.offers(name)])
    answer = p.call(
        function,
        agent=agent,
        sampler_descriptor=p.session.lay_out(supported(p, function)),
        sampler=Out(),
    )
    if answer.ok:
        p.notes(Pictures).samplers.append((agent, answer["sampler"]))


def destroy_sampler(p: Player) -> None:
    """Destroy a sampler; others stay."""
    gone = p.one_of(p.notes(Pictures).samplers)
    p.notes(Pictures).samplers.remove(gone)
    answer = p.session.call(_DESTROY_SAMPLER, agent=gone[0], sampler=gone[1])
    p.claim(f"{_DESTROY_SAMPLER}/others-unharmed").require(
        answer.ok, "a sampler that lives cannot be destroyed", answer.name
    )


def give_back(p: Player) -> None:
    """Destroy all that is left, in any order."""
    while pictures(p) or p.notes(Pictures).samplers:
        if pictures(p):
            destroy(p)
        if p.notes(Pictures).samplers:
            destroy_sampler(p)
