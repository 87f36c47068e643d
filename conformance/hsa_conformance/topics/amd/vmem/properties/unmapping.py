"""Properties of hsa_amd_vmem_unmap: what goes and what stays."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_conformance.engine.calls.comparing import at_most, some
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import INVALID_ALLOCATION, SUCCESS
from hsa_conformance.topics.amd.pools.fixtures import new_block
from hsa_conformance.topics.amd.vmem.fixtures import create_handle, map_handle, reserve
from hsa_conformance.topics.amd.vmem.properties.memory import (
    NONE,
    PERMISSIONS,
    grant,
    host_memory,
    mapped,
    mark,
    marked,
    open_to_host,
    permission_of,
    reaching,
    require_bytes,
    require_no_read,
    row,
    twin,
    unmap,
    write,
)
from hsa_conformance.topics.amd.vmem.state import Mapping

proves = Proofs()


@proves("hsa_amd_vmem_unmap/not-mapped-any-more")
def unmapped_memory_has_no_permissions(scene: Scene) -> None:
    """The query for access to unmapped addresses is refused for every agent that had access."""
    handle = host_memory(scene)
    mapping = mapped(scene, handle)
    if scene.draw(drawing.booleans()):
        marked(scene, handle)
    agents = reaching(scene, mapping)
    for agent in agents:
        grant(scene, mapping, agent)
    if scene.draw(drawing.booleans()):
        agents = [*agents, open_to_host(scene, mapping)]
    unmap(scene, mapping)
    for agent in agents:
        answer = scene.call(
            "hsa_amd_vmem_get_access", va=mapping.address, perms=Out(), agent_handle=agent.handle
        )
        scene.require_status(answer, INVALID_ALLOCATION)


@proves("hsa_amd_vmem_unmap/host-access-gone")
def unmapped_memory_cannot_be_read(scene: Scene) -> None:
    """A read of unmapped addresses by the host faults, though it can read the memory elsewhere."""
    mapping, _ = marked(scene)
    if scene.draw(drawing.booleans()):
        open_to_host(scene, mapped(scene, mapping.handle))
    unmap(scene, mapping)
    require_no_read(scene, mapping.address, mapping.size, "the host reads unmapped addresses")


@proves("hsa_amd_vmem_unmap/access-starts-anew")
def memory_mapped_again_is_accessible_to_nobody(scene: Scene) -> None:
    """Memory mapped again at an address is accessible to nobody until access is set again."""
    mapping, _ = marked(scene)
    agents = reaching(scene, mapping)
    for agent in agents:
        grant(scene, mapping, agent)
    same = scene.draw(drawing.booleans())
    handle = mapping.handle if same else twin(scene, mapping.handle)
    unmap(scene, mapping)
    map_handle(scene, handle, mapping.address)
    require_no_read(scene, mapping.address, mapping.size, "the host reads without permission")
    for agent in agents:
        found = permission_of(scene, mapping.address, agent)
        scene.require(
            found in (NONE, INVALID_ALLOCATION), f"{agent.handle} kept its permission", found
        )


@proves("hsa_amd_vmem_unmap/bytes-stay")
def memory_keeps_its_bytes_while_it_is_not_mapped(scene: Scene) -> None:
    """Memory that is unmapped and mapped again, there or elsewhere, shows its old bytes."""
    mapping, wanted = marked(scene)
    handle = mapping.handle
    unmap(scene, mapping)
    if scene.draw(drawing.booleans()):
        other = mapped(scene, twin(scene, handle))
        open_to_host(scene, other)
        write(scene, other.address, mark(scene, other.size, 2))
    same = scene.draw(drawing.booleans())
    # A library that gave the addresses away with the mapping is told so elsewhere.
    free = not scene.session.model.overlapping("mapping", mapping.address, mapping.size)
    shown = map_handle(scene, handle, mapping.address) if same and free else mapped(scene, handle)
    open_to_host(scene, shown)
    require_bytes(scene, shown.address, wanted, "the bytes differ after mapping again")


@proves("hsa_amd_vmem_unmap/others-stay")
def other_mappings_stay(scene: Scene) -> None:
    """After an unmap, neighbours and other mappings of the handle show their bytes.

    GPUs have the access to them that they had.
    """
    found = row(scene)
    gone, wanted = found.pop(scene.draw(drawing.integers(0, len(found) - 1)))
    elsewhere = mapped(scene, gone.handle)
    open_to_host(scene, elsewhere)
    others = [*(mapping for mapping, _ in found), elsewhere]
    for mapping in (*others, gone):
        for agent in reaching(scene, mapping):
            grant(scene, mapping, agent, scene.choose(PERMISSIONS))
    before = _permissions(scene, others)
    unmap(scene, gone)
    for mapping, expected in [*found, (elsewhere, wanted)]:
        require_bytes(scene, mapping.address, expected, "another mapping lost its bytes")
    after = _permissions(scene, others)
    scene.require(after == before, "another mapping lost its access", f"{after}, before {before}")


@proves("hsa_amd_vmem_unmap/still-reserved")
def unmapped_addresses_stay_reserved(scene: Scene) -> None:
    """After an unmap no new range and no block of a pool lies in the reservation."""
    mapping = mapped(scene, host_memory(scene))
    start, size = mapping.address, mapping.size
    if scene.draw(drawing.booleans()):
        open_to_host(scene, mapping)
    unmap(scene, mapping)
    for _ in range(scene.draw(drawing.integers(1, 4))):
        answer = scene.set_up(
            "hsa_amd_vmem_address_reserve",
            va=Out(),
            size=size,
            address=scene.choose([start, 0]),
            flags=0,
        )
        _require_elsewhere(scene, answer["va"], size, start, size)
    if scene.draw(drawing.booleans()):
        block = new_block(scene)
        _require_elsewhere(scene, block.address, block.size, start, size)
    again = scene.call(
        "hsa_amd_vmem_map",
        va=start,
        size=size,
        in_offset=0,
        memory_handle=mapping.handle.handle,
        flags=0,
    )
    scene.require_status(again, SUCCESS)


def _require_elsewhere(scene: Scene, address: int, length: int, start: int, size: int) -> None:
    scene.require(
        some(at_most(address + length, start), at_most(start + size, address)),
        "the unmapped addresses were given to something else",
        f"{address:#x} + {length:#x}",
    )


@proves("hsa_amd_vmem_unmap/allows-free")
def a_range_can_be_freed_after_its_last_mapping(scene: Scene) -> None:
    """A reservation can be freed once all its mappings are unmapped, in any order."""
    handle = create_handle(scene)
    count = scene.draw(drawing.integers(1, 4))
    room = reserve(scene, 2 * count * handle.size)
    mappings = [
        map_handle(scene, scene.choose([handle, twin(scene, handle)]), room.address + offset)
        for offset in range(0, count * handle.size, handle.size)
    ]
    for mapping in scene.shuffled(mappings):
        unmap(scene, mapping)
    answer = scene.call("hsa_amd_vmem_address_free", va=room.address, size=room.size)
    scene.require_status(answer, SUCCESS)


@proves("hsa_amd_vmem_unmap/failure-changes-nothing")
def a_refused_unmap_changes_nothing(scene: Scene) -> None:
    """An unmap of a wrong range is refused, and the mapping and the one after it stay.

    The range is too short, ends or starts inside a mapping, or starts after both.
    """
    page = scene.session.model.page_size
    handle = host_memory(scene, 2 * scene.granule())
    start, size = reserve(scene, 3 * handle.size).address, handle.size
    mappings = [
        map_handle(scene, handle, start),
        map_handle(scene, twin(scene, handle), start + size),
    ]
    marks = []
    for tag, mapping in enumerate(mappings, 1):
        for agent in reaching(scene, mapping):
            grant(scene, mapping, agent, scene.choose(PERMISSIONS))
        open_to_host(scene, mapping)
        marks.append(mark(scene, size, tag))
        write(scene, mapping.address, marks[-1])
    permissions = _permissions(scene, mappings)
    wrong = [
        (start, size - page),
        (start, size + page),
        (start, page),
        (start + page, size - page),
        (start + page, size),
        (start, 2 * size + page),
        (start + 2 * size, size),
    ]
    for _ in range(scene.draw(drawing.integers(1, 3))):
        va, length = scene.choose(wrong)
        if scene.call("hsa_amd_vmem_unmap", va=va, size=length).ok:
            raise CannotMake("a wrong range was unmapped")
    for mapping, wanted in zip(mappings, marks, strict=True):
        require_bytes(scene, mapping.address, wanted, "the refused call changed the bytes")
    found = _permissions(scene, mappings)
    scene.require(found == permissions, "the refused call changed a permission", found)
    for mapping in mappings:
        answer = scene.call("hsa_amd_vmem_unmap", va=mapping.address, size=size)
        scene.require_status(answer, SUCCESS)


def _permissions(scene: Scene, mappings: Sequence[Mapping]) -> list[list[int | str]]:
    """Return what the query for access gives for each mapping and each GPU that reaches it."""
    return [
        [permission_of(scene, mapping.address, agent) for agent in reaching(scene, mapping)]
        for mapping in mappings
    ]
