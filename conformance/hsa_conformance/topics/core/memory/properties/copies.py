"""Copies that are waited for."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import PLAIN, CannotMake
from hsa_conformance.engine.generation.values.geometry import sizes
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.engine.session.threads.together import Task
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.core.memory.generators import block, owners, regions_where
from hsa_conformance.topics.shared.histories import histories
from hsa_conformance.topics.shared.memory import Marks, fill, require_contents

proves = Proofs()

COPY: Final = "hsa_memory_copy"

#: Bytes on either side of a destination that a copy must leave alone.
MARGIN: Final = 16
#: Threads that copy at one time, and copies of each.
THREADS: Final = 3
COPIES: Final = 4


def _content(scene: Scene, least: int = 1) -> bytes:
    """Return some bytes, a few or more than a page."""
    content: bytes = scene.draw(drawing.binary(min_size=least, max_size=64))
    if scene.each("size", {"a few bytes": False, "above a page": True}):
        return (content + b"\1") * (scene.session.model.page_size // (len(content) + 1) + 1)
    return content


def _place(scene: Scene, content: bytes) -> int:
    """Return the address of memory of the host with a content, of one of the kinds that exist."""
    address = scene.some_memory(scene.kinds(max(1, len(content)), on_host=True))
    fill(scene, address, content)
    return address


@proves("hsa_memory_copy/copied", examples=2)
def a_copy_has_the_bytes_of_its_source(scene: Scene) -> None:
    """After a copy, the destination holds the bytes of the source and no byte more is written."""
    content = _content(scene)
    before = bytes(byte ^ 0xFF for byte in content)
    frame = scene.draw(drawing.binary(min_size=MARGIN, max_size=MARGIN))
    room = _place(scene, frame + before + frame)
    scene.set_up(COPY, dst=room + MARGIN, src=_place(scene, content), size=len(content))
    summary = "the destination is not a copy of the source, with what was around it before"
    require_contents(scene, room, frame + content + frame, summary)


@proves("hsa_memory_copy/copied")
def a_copy_of_any_size_is_complete(scene: Scene) -> None:
    """After a copy of a byte, of pages or of more, the destination holds the bytes of its source.

    The byte after the destination stays as it was.
    """
    size: int = scene.draw(sizes())
    kinds = scene.kinds(size + 1, on_host=True, but=[PLAIN])
    if not kinds:
        raise CannotMake("only memory of the runtime is as large")
    source, room = (scene.some_memory(kinds) for _ in range(2))
    marks = Marks(scene, size)
    marks.put(source)
    marks.cover(room)
    fill(scene, room + size, b"\1")
    scene.set_up(COPY, dst=room, src=source, size=size)
    marks.require(room, "the destination is not a copy of the source")
    require_contents(scene, room + size, b"\1", "the copy went on after its end")


@proves("hsa_memory_copy/copied", examples=0.2, once=True, chance=True)
def threads_copy_each_its_own(scene: Scene) -> None:
    """Threads copy at one time, again and again: each destination holds what its source held.

    They copy from and to memory of the runtime, and memory that it knows nothing of.
    """
    lanes: list[list[Task]] = []
    rooms: list[tuple[int, bytes]] = []
    for thread in range(THREADS):
        lanes.append([])
        for _ in range(COPIES):
            content = bytes([thread + 1]) + scene.draw(drawing.binary(min_size=15, max_size=63))
            room, source = _place(scene, bytes(len(content))), _place(scene, content)
            lanes[-1].append((COPY, {"dst": room, "src": source, "size": len(content)}))
            rooms.append((room, content))
    for _ in histories(scene):
        for address, content in rooms:
            fill(scene, address, bytes(len(content)))
        for event in scene.session.together(lanes):
            scene.require_status(event.answer, SUCCESS)
        for address, content in rooms:
            summary = "beside other threads, the destination is not a copy of the source"
            require_contents(scene, address, content, summary)


@proves("hsa_memory_copy/source-kept")
def a_copy_leaves_its_source_as_it_is(scene: Scene) -> None:
    """A copy leaves the bytes of its source as they were."""
    content = _content(scene)
    source = _place(scene, content)
    scene.set_up(COPY, dst=_place(scene, bytes(len(content))), src=source, size=len(content))
    require_contents(scene, source, content, "the source has changed")


@proves("hsa_memory_copy/size-zero")
def a_copy_of_nothing_changes_nothing(scene: Scene) -> None:
    """A copy of no bytes writes to neither side."""
    source, target = _content(scene), _content(scene)
    places = _place(scene, source), _place(scene, target)
    scene.set_up(COPY, src=places[0], dst=places[1], size=0)
    for address, content in zip(places, (source, target), strict=True):
        require_contents(scene, address, content, "a copy of no bytes changed memory")


@proves("hsa_memory_copy/coarse-grained-to-owner")
def what_is_copied_to_coarse_grained_memory_is_seen_by_its_owner(scene: Scene) -> None:
    """After a copy to coarse-grained memory assigned to an agent, a copy back has its bytes."""
    some_gpu(scene)
    bit = scene.session.registry.constants["HSA_REGION_GLOBAL_FLAG_COARSE_GRAINED"]
    own = regions_where(
        scene, lambda r: r.allocatable and r.device == "gpu" and bool(r.flags & bit)
    )
    region = scene.available(own, "coarse-grained region of a GPU agent")
    scene.needs_kernels()
    content = _content(scene)
    room = block(scene, region, len(content))
    owner = scene.choose([a for a in owners(scene, region.handle) if a == region.agent])
    access = scene.session.registry.constants["HSA_ACCESS_PERMISSION_RW"]
    scene.set_up("hsa_memory_assign_agent", ptr=room, agent=owner, access=access)
    scene.set_up(COPY, dst=room, src=scene.session.place(content, "memory"), size=len(content))
    back = scene.session.place(bytes(len(content)), "memory")
    scene.set_up(COPY, dst=back, src=room, size=len(content))
    require_contents(scene, back, content, "the owner does not see what was copied to its memory")
