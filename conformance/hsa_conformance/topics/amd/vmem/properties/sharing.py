"""Properties of sharing: descriptors of memory, exported and imported, here and elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from hsa_conformance.engine.calls.comparing import among
from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.judging.statuses import INVALID_ALLOCATION, INVALID_ARGUMENT, SUCCESS
from hsa_conformance.topics.amd.pools.fixtures import all_pools
from hsa_conformance.topics.amd.vmem.fixtures import create_handle, reserve
from hsa_conformance.topics.amd.vmem.properties.memory import (
    mapped,
    mark,
    marked,
    need_released_handles_told_apart,
    open_to_host,
    properties,
    release,
    require_bytes,
    tells_released_handles,
    twin,
    unmap,
    write,
)
from hsa_conformance.topics.amd.vmem.state import Mapping, MemoryHandle
from hsa_spec import DecidedBy

proves = Proofs()


def export(scene: Scene, handle: MemoryHandle) -> int:
    """Export a handle and return the descriptor, as preparation."""
    answer = scene.set_up(
        "hsa_amd_vmem_export_shareable_handle", dmabuf_fd=Out(), handle=handle.handle, flags=0
    )
    return answer["dmabuf_fd"]


def _import(scene: Scene, descriptor: int) -> MemoryHandle:
    answer = scene.set_up(
        "hsa_amd_vmem_import_shareable_handle", dmabuf_fd=descriptor, handle=Out()
    )
    found: MemoryHandle = scene.session.model.find("memory_handle", answer["handle"])
    return found


def _map(scene: Scene, imported: MemoryHandle, size: int) -> Answer:
    """Map an imported handle in a reservation of its own, whatever the call answers."""
    return scene.call(
        "hsa_amd_vmem_map",
        va=reserve(scene, size).address,
        size=size,
        in_offset=0,
        memory_handle=imported.handle,
        flags=0,
    )


def _is_open(scene: Scene, descriptor: int) -> bool:
    return descriptor in scene.session.process.descriptors()


def _second_process(scene: Scene) -> Scene:
    """Start and initialise a second process, and return a scene that plays there."""
    return Scene(scene.session.initialised_peer(), scene.draw, scene.clause)


def open_import(scene: Scene, descriptor: int) -> Mapping:
    """Import, map, and let the host read and write."""
    mapping = mapped(scene, _import(scene, descriptor))
    open_to_host(scene, mapping)
    return mapping


def require_import(
    scene: Scene, where: Scene, descriptor: int, decided_by: DecidedBy | None = None
) -> Mapping:
    """Demand that memory can be imported and mapped, and let the host read and write it there.

    Args:
        scene: the property's scene.
        where: the scene of the process that imports.
        descriptor: the exported memory, in that process.
        decided_by: who decides it, where that is not whom the clause names.

    """
    answer = where.call("hsa_amd_vmem_import_shareable_handle", dmabuf_fd=descriptor, handle=Out())
    scene.require_status(answer, SUCCESS, decided_by=decided_by)
    imported: MemoryHandle = where.session.model.find("memory_handle", answer["handle"])
    answer = _map(where, imported, imported.size)
    scene.require_status(answer, SUCCESS, decided_by=decided_by)
    mapping: Mapping = where.session.model.find("mapping", answer.args["va"])
    open_to_host(where, mapping)
    return mapping


def _talk(scene: Scene, here: Mapping, other: Scene, there: Mapping) -> None:
    """Demand that what is written on either side, each in turn, is read on the other."""
    sides = [(scene, here.address), (other, there.address)]
    if scene.draw(drawing.booleans()):
        sides.reverse()
    for tag in range(2, 2 + scene.draw(drawing.integers(2, 4))):
        wanted = mark(scene, here.size, tag)
        (writer, source), (reader, target) = sides
        write(writer, source, wanted)
        require_bytes(reader, target, wanted, "what is written on one side is not read here")
        sides.reverse()


# export


@proves("hsa_amd_vmem_export_shareable_handle/open")
def an_exported_descriptor_is_open(scene: Scene) -> None:
    """Exporting a handle, mapped or not, gives the number of an open file descriptor."""
    handle = create_handle(scene)
    if scene.draw(drawing.booleans()):
        mapped(scene, handle)
    descriptor = export(scene, handle)
    scene.require(
        descriptor >= 0 and _is_open(scene, descriptor),
        "the number is not that of an open descriptor",
        int(descriptor),
    )


@proves("hsa_amd_vmem_export_shareable_handle/distinct")
def every_export_has_a_descriptor_of_its_own(scene: Scene) -> None:
    """Each export gives a descriptor of its own; closing one leaves the others open."""
    handles = [create_handle(scene) for _ in range(scene.draw(drawing.integers(1, 2)))]
    found: list[int] = []
    for _ in range(scene.draw(drawing.integers(2, 5))):
        descriptor = export(scene, scene.choose(handles))
        scene.require(descriptor not in found, "the descriptor was given before", int(descriptor))
        found.append(descriptor)
    scene.session.close_descriptor(found.pop(scene.draw(drawing.integers(0, len(found) - 1))))
    for descriptor in found:
        scene.require(
            _is_open(scene, descriptor), "closing a descriptor closed another", int(descriptor)
        )


@proves("hsa_amd_vmem_export_shareable_handle/keeps-memory")
def a_descriptor_keeps_the_memory(scene: Scene) -> None:
    """After the handle is unmapped and released, an import of its descriptor shows its bytes.

    Other memory is created and written in between.
    """
    mapping, wanted = marked(scene)
    descriptor = export(scene, mapping.handle)
    steps: list[Callable[[], object]] = [
        lambda: unmap(scene, mapping),
        lambda: release(scene, mapping.handle.handle),
    ]
    for step in scene.shuffled(steps):
        step()
    if scene.draw(drawing.booleans()):
        other = mapped(scene, twin(scene, mapping.handle))
        open_to_host(scene, other)
        write(scene, other.address, mark(scene, other.size, 2))
    again = require_import(scene, scene, descriptor)
    require_bytes(scene, again.address, wanted, "the imported memory shows other bytes")


@proves("hsa_amd_vmem_export_shareable_handle/close")
def closing_all_descriptors_leaves_a_handle_or_releases_it(scene: Scene) -> None:
    """After all its descriptors are closed, a handle works as before, or is refused.

    Where it is mapped, its memory shows its bytes in either case.
    """
    told_apart = tells_released_handles(scene)
    mapping, wanted = marked(scene)
    handle = mapping.handle
    before = properties(scene, handle.handle)
    exported = [export(scene, handle) for _ in range(scene.draw(drawing.integers(1, 3)))]
    for descriptor in scene.shuffled(exported):
        scene.session.close_descriptor(descriptor)
    after = properties(scene, handle.handle)
    scene.require_status(after, SUCCESS, INVALID_ALLOCATION)
    require_bytes(scene, mapping.address, wanted, "the memory lost its bytes")
    if not after.ok:
        return
    scene.require(
        (after.name, after.outputs) == (before.name, before.outputs),
        "the handle's properties changed with its last descriptor",
        after.name,
    )
    answer = scene.call("hsa_amd_vmem_handle_release", memory_handle=handle.handle)
    scene.require_status(answer, SUCCESS)
    unmap(scene, mapping)
    left = properties(scene, handle.handle)
    scene.require(not told_apart or not left.ok, "an export left a reference behind", left.name)


# import


@proves("hsa_amd_vmem_import_shareable_handle/same-memory")
def an_import_is_the_exported_memory(scene: Scene) -> None:
    """An imported handle shows the bytes of the exported one, and each shows the other's writes."""
    here, wanted = marked(scene)
    there = open_import(scene, export(scene, here.handle))
    require_bytes(scene, there.address, wanted, "the imported memory shows other bytes")
    _talk(scene, here, scene, there)


@proves("hsa_amd_vmem_import_shareable_handle/other-process", fresh=True)
def another_process_reaches_the_exported_memory(scene: Scene) -> None:
    """Another process imports the memory, and keeps it when the exporter gives it up."""
    here, wanted = marked(scene)
    descriptor = export(scene, here.handle)
    other = _second_process(scene)
    sent = scene.session.send_descriptor(descriptor)
    if scene.draw(drawing.booleans()):
        scene.session.close_descriptor(descriptor)
    there = require_import(scene, other, sent)
    require_bytes(other, there.address, wanted, "the second process reads other bytes")
    _talk(scene, here, other, there)
    last = mark(scene, here.size, 99)
    write(scene, here.address, last)
    unmap(scene, here)
    release(scene, here.handle.handle)
    require_bytes(other, there.address, last, "the second process lost the memory")


@proves("hsa_amd_vmem_import_shareable_handle/same-size")
def an_import_is_mapped_with_the_exported_size(scene: Scene) -> None:
    """An imported handle can be mapped with the size of the exported one, held or not."""
    handle = create_handle(scene)
    size = handle.size
    descriptor = export(scene, handle)
    if scene.draw(drawing.booleans()):
        release(scene, handle.handle)
    imported = _import(scene, descriptor)
    scene.require_status(_map(scene, imported, size), SUCCESS)


@proves("hsa_amd_vmem_import_shareable_handle/reference")
def an_import_is_worth_one_release(scene: Scene) -> None:
    """Each import adds one reference to the handle it gives, taken by one release.

    References are counted by the handle's value: an import may give one that is held already.
    """
    need_released_handles_told_apart(scene)
    created = create_handle(scene)
    descriptors = [export(scene, created) for _ in range(scene.draw(drawing.integers(1, 2)))]
    references = {created.handle: 1}
    for _ in range(scene.draw(drawing.integers(1, 4))):
        value = _import(scene, scene.choose(descriptors)).handle
        references[value] = references.get(value, 0) + 1
    for value, count in references.items():
        for left in range(count, 0, -1):
            answer = properties(scene, value)
            scene.require(answer.ok, f"the handle is gone, {left} releases early", answer.name)
            release(scene, value)
        answer = properties(scene, value)
        scene.require(not answer.ok, "the handle is valid after its last reference", answer.name)


@proves("hsa_amd_vmem_import_shareable_handle/descriptor-stays-open")
def an_import_leaves_the_descriptor_open(scene: Scene) -> None:
    """The descriptor stays open after imports, and after the imported handle is released."""
    descriptor = export(scene, create_handle(scene))
    for _ in range(scene.draw(drawing.integers(1, 3))):
        imported = _import(scene, descriptor)
        if scene.draw(drawing.booleans()):
            release(scene, imported.handle)
        scene.require(
            _is_open(scene, descriptor), "the import closed the descriptor", int(descriptor)
        )


@proves("hsa_amd_vmem_import_shareable_handle/close-after-import")
def an_import_lives_without_descriptors_or_is_refused(scene: Scene) -> None:
    """With all descriptors closed an imported handle maps and shows its bytes, or is refused.

    The text can be read either way.
    """
    mapping, wanted = marked(scene)
    exported = [export(scene, mapping.handle) for _ in range(scene.draw(drawing.integers(1, 2)))]
    imported = _import(scene, scene.choose(exported))
    for descriptor in exported:
        scene.session.close_descriptor(descriptor)
    answer = _map(scene, imported, mapping.size)
    scene.require_status(answer, SUCCESS, INVALID_ARGUMENT)
    if answer.ok:
        shown = scene.session.model.find("mapping", answer.args["va"])
        open_to_host(scene, shown)
        require_bytes(scene, shown.address, wanted, "the imported memory shows other bytes")


@proves("hsa_amd_vmem_get_alloc_properties_from_handle/imported")
def an_imported_handle_names_a_pool_and_a_type(scene: Scene) -> None:
    """An imported handle reports a pool of its process and a type, in this process or another."""
    where, descriptor = scene, export(scene, create_handle(scene))
    if scene.draw(drawing.booleans()):
        where = _second_process(scene)
        descriptor = scene.session.send_descriptor(descriptor)
    imported = _import(where, descriptor).handle
    answer = where.set_up(
        "hsa_amd_vmem_get_alloc_properties_from_handle",
        memory_handle=imported,
        pool=Out(),
        type=Out(),
    )
    pool, kind = answer.number("pool"), answer.number("type")
    pools = [each.handle for each in all_pools(where)]
    scene.require(among(pool, pools), "pool is no memory pool", f"{pool:#x}")
    types = scene.session.registry.enums["hsa_amd_memory_type_t"].by_value
    scene.require(kind in types, "type is no memory type", kind)
