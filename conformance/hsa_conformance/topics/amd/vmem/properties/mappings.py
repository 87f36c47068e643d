"""Properties of hsa_amd_vmem_map: which bytes show where, and to whom."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.vmem.fixtures import create_handle, map_handle, reserve
from hsa_conformance.topics.amd.vmem.properties.memory import (
    grant,
    host_memory,
    mapped,
    mark,
    marked,
    open_to_host,
    reaching,
    require_access,
    require_bytes,
    require_no_read,
    row,
    write,
)

proves = Proofs()

#: The most bytes that are written at each end of memory to fill it.
MOST_AT_ONCE: Final = 1 << 16


@proves("hsa_amd_vmem_map/no-access")
def mapped_memory_cannot_be_read_yet(scene: Scene) -> None:
    """Before access is set for the host, its reads of mapped memory fault.

    A GPU may have access there, and the host at another mapping.
    """
    handle = create_handle(scene)
    if scene.draw(drawing.booleans()):
        marked(scene, handle)
    mapping = mapped(scene, handle)
    if scene.draw(drawing.booleans()):
        grant(scene, mapping, scene.choose(reaching(scene, mapping)))
    require_no_read(scene, mapping.address, mapping.size, "the host reads without permission")


@proves("hsa_amd_vmem_map/same-bytes")
def one_handle_shows_the_same_bytes_everywhere(scene: Scene) -> None:
    """What is written at one mapping of a handle is read at all of its mappings, wherever they are.

    Where access can be set to one of them, it can be to the others.
    """
    handle = host_memory(scene)
    count = scene.draw(drawing.integers(2, 4))
    together = reserve(scene, count * handle.size).address
    mappings = [map_handle(scene, handle, together + n * handle.size) for n in range(count - 1)]
    mappings.append(mapped(scene, handle))
    host = open_to_host(scene, mappings[0])
    for mapping in mappings[1:]:
        require_access(scene, mapping, host)
    for tag in range(1, 1 + scene.draw(drawing.integers(1, 3))):
        wanted = mark(scene, handle.size, tag)
        write(scene, scene.choose(mappings).address, wanted)
        for mapping in mappings:
            require_bytes(scene, mapping.address, wanted, "the bytes written elsewhere differ")


@proves("hsa_amd_vmem_map/own-bytes")
def neighbours_keep_their_own_bytes(scene: Scene) -> None:
    """Writing one of several handles mapped side by side changes no byte of the others."""
    neighbours = row(scene)
    position = scene.draw(drawing.integers(0, len(neighbours) - 1))
    written, _ = neighbours.pop(position)
    part = min(written.size, MOST_AT_ONCE)
    for place in (0, written.size - part):
        if not scene.session.write(written.address + place, bytes([0xEE]) * part):
            raise CannotMake("the host may not write")
    for mapping, wanted in neighbours:
        require_bytes(scene, mapping.address, wanted, "a neighbour's bytes changed")


@proves("hsa_amd_vmem_map/refused-keeps-mapping")
def a_refused_mapping_leaves_the_one_that_is_there(scene: Scene) -> None:
    """A map call that overlaps a mapping is refused, and that mapping keeps its bytes."""
    granule = scene.granule()
    before, old = scene.draw(drawing.integers(0, 2)), scene.draw(drawing.integers(1, 3))
    new = scene.draw(drawing.integers(1, 3))
    start = reserve(scene, (before + old + new) * granule).address
    mapping = map_handle(scene, host_memory(scene, old * granule), start + before * granule)
    open_to_host(scene, mapping)
    wanted = mark(scene, mapping.size)
    write(scene, mapping.address, wanted)
    first = max(0, before - new + 1)
    place = scene.draw(drawing.integers(first, before + old - 1))
    answer = scene.call(
        "hsa_amd_vmem_map",
        va=start + place * granule,
        size=new * granule,
        in_offset=0,
        memory_handle=create_handle(scene, new * granule).handle,
        flags=0,
    )
    if answer.ok:
        raise CannotMake("addresses in use were mapped again")
    require_bytes(scene, mapping.address, wanted, "the refused call changed the mapping's bytes")
    gone = scene.call("hsa_amd_vmem_unmap", va=mapping.address, size=mapping.size)
    scene.require_status(gone, SUCCESS)
