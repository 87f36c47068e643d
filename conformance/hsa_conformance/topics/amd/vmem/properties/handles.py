"""Properties of memory handles: create, release, retain, and what they tell about themselves."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.values.geometry import sizes, within
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.pools.state import Pool
from hsa_conformance.topics.amd.vmem.fixtures import create_handle, handle_pool, map_handle, reserve
from hsa_conformance.topics.amd.vmem.properties.memory import (
    mapped,
    mark,
    marked,
    need_released_handles_told_apart,
    open_to_host,
    properties,
    release,
    require_bytes,
    twin,
    unmap,
    write,
)
from hsa_conformance.topics.amd.vmem.state import MemoryHandle
from hsa_conformance.topics.core.agents.fixtures import known_agents

proves = Proofs()


def _created(scene: Scene) -> MemoryHandle:
    """Create a handle of any pool that serves handles, and of any type."""
    pool: Pool = handle_pool(scene)
    types = sorted(scene.session.registry.enums["hsa_amd_memory_type_t"].by_value)
    answer = scene.set_up(
        "hsa_amd_vmem_handle_create",
        pool=pool.handle,
        size=scene.draw(sizes(pool.granule, within(pool.size), pool.granule)),
        type=scene.choose(types),
        flags=0,
        memory_handle=Out(),
    )
    found: MemoryHandle = scene.session.model.find("memory_handle", answer["memory_handle"])
    return found


def _require_valid(scene: Scene, handle: int, summary: str) -> None:
    answer = properties(scene, handle)
    scene.require(answer.ok, summary, answer.name)


# create


@proves("hsa_amd_vmem_handle_create/distinct")
def handles_differ_while_they_are_held(scene: Scene) -> None:
    """A new handle equals no handle still held, also among releases and mapped memory."""
    held: list[int] = []
    for _ in range(scene.draw(drawing.integers(2, 8))):
        new = _created(scene)
        scene.require(new.handle not in held, "the handle is that of another one", new.handle)
        held.append(new.handle)
        if scene.draw(drawing.booleans()):
            mapped(scene, new)
        if len(held) > 1 and scene.draw(drawing.booleans()):
            release(scene, held.pop(scene.draw(drawing.integers(0, len(held) - 1))))


@proves("hsa_amd_vmem_handle_create/not-zero")
def handles_are_not_zero(scene: Scene) -> None:
    """No new handle is 0, neither the first of a process nor later ones."""
    for _ in range(scene.draw(drawing.integers(1, 4))):
        new = _created(scene)
        scene.require(int(new.handle) != 0, "the handle is 0", new.handle)


@proves("hsa_amd_vmem_handle_create/properties")
@proves("hsa_amd_vmem_get_alloc_properties_from_handle/pool")
@proves("hsa_amd_vmem_get_alloc_properties_from_handle/type")
def handles_tell_what_they_were_created_with(scene: Scene) -> None:
    """Each of several handles, mapped or not, reports the pool and type of its creation."""
    held = [_created(scene) for _ in range(scene.draw(drawing.integers(1, 4)))]
    if scene.draw(drawing.booleans()):
        mapped(scene, held[0])
    asked = ("pool", "type") if scene.clause.slug == "properties" else (scene.clause.slug,)
    for handle in held:
        answer = scene.set_up(
            "hsa_amd_vmem_get_alloc_properties_from_handle",
            memory_handle=handle.handle,
            pool=Out(),
            type=Out(),
        )
        created = {"pool": handle.pool, "type": handle.type}
        for name in scene.parts("member", {name: name for name in asked}):
            scene.require(
                answer.number(name) == created[name],
                f"{name} is not what the handle was created with",
                f"{answer.number(name):#x}",
            )


# release


@proves("hsa_amd_vmem_handle_release/last-reference")
def a_released_handle_is_refused(scene: Scene) -> None:
    """After its last release, every function refuses a handle that is not mapped."""
    handle = create_handle(scene)
    value, size = handle.handle, handle.size
    room = reserve(scene, size).address
    if scene.draw(drawing.booleans()):
        unmap(scene, map_handle(scene, handle, room))
    release(scene, value)
    taking: dict[str, dict[str, Value]] = {
        "hsa_amd_vmem_handle_release": {"memory_handle": value},
        "hsa_amd_vmem_get_alloc_properties_from_handle": {
            "memory_handle": value,
            "pool": Out(),
            "type": Out(),
        },
        "hsa_amd_vmem_map": {
            "va": room,
            "size": size,
            "in_offset": 0,
            "memory_handle": value,
            "flags": 0,
        },
        "hsa_amd_vmem_export_shareable_handle": {"dmabuf_fd": Out(), "handle": value, "flags": 0},
    }
    function = scene.each("function", {name: name for name in sorted(taking)})
    answer = scene.session.call_with(function, taking[function])
    scene.require(not answer.ok, f"{function} took a released handle", answer.name)


@proves("hsa_amd_vmem_handle_release/earlier-references")
def a_handle_is_valid_until_its_last_release(scene: Scene) -> None:
    """A handle is valid until each creation, retain and import has been released."""
    handle = create_handle(scene)
    mapping = mapped(scene, handle)
    extra = 0
    for kind in scene.draw(
        drawing.lists(drawing.sampled_from(["retain", "import"]), min_size=1, max_size=5)
    ):
        value = _retained(scene, mapping.address) if kind == "retain" else _imported(scene, handle)
        extra += value == handle.handle
    if scene.draw(drawing.booleans()):
        unmap(scene, mapping)
    for _ in range(extra):
        _require_valid(scene, handle.handle, "the handle is gone while references are left")
        release(scene, handle.handle)
    _require_valid(scene, handle.handle, "the handle is gone while one reference is left")


def _retained(scene: Scene, address: int) -> int:
    answer = scene.set_up("hsa_amd_vmem_retain_alloc_handle", memory_handle=Out(), addr=address)
    return answer["memory_handle"]


def _imported(scene: Scene, handle: MemoryHandle) -> int:
    exported = scene.set_up(
        "hsa_amd_vmem_export_shareable_handle", dmabuf_fd=Out(), handle=handle.handle, flags=0
    )
    descriptor = exported["dmabuf_fd"]
    answer = scene.set_up(
        "hsa_amd_vmem_import_shareable_handle", dmabuf_fd=descriptor, handle=Out()
    )
    return answer["handle"]


@proves("hsa_amd_vmem_handle_release/mapping-stays")
def mapped_memory_outlives_its_handle(scene: Scene) -> None:
    """Mapped memory keeps its bytes after the last release, while new memory is created."""
    mapping, wanted = marked(scene)
    release(scene, mapping.handle.handle)
    for tag in range(2, 2 + scene.draw(drawing.integers(0, 3))):
        other = mapped(scene, twin(scene, mapping.handle))
        open_to_host(scene, other)
        write(scene, other.address, mark(scene, other.size, tag))
    require_bytes(scene, mapping.address, wanted, "the mapping lost its bytes with the handle")


@proves("hsa_amd_vmem_handle_release/failure-changes-nothing")
def a_refused_release_takes_no_reference(scene: Scene) -> None:
    """A release of zero, an agent, plain memory or a released handle takes no reference."""
    gone = create_handle(scene).handle
    release(scene, gone)
    handle = create_handle(scene)
    if gone == handle.handle:
        raise CannotMake("the value of the released handle was given out again")
    wrong = [0, known_agents(scene)[0].handle, scene.readable(), gone]
    for _ in range(scene.draw(drawing.integers(1, 4))):
        answer = scene.call("hsa_amd_vmem_handle_release", memory_handle=scene.choose(wrong))
        if answer.ok:
            raise CannotMake("a wrong handle was released")
    _require_valid(scene, handle.handle, "a refused release took a reference from another handle")


# retain


@proves("hsa_amd_vmem_retain_alloc_handle/same-value")
def a_retained_handle_is_the_mapped_one(scene: Scene) -> None:
    """Retaining by the address of a mapping gives the handle that was mapped there."""
    mappings = [
        mapped(scene, create_handle(scene)) for _ in range(scene.draw(drawing.integers(1, 3)))
    ]
    for mapping in mappings:
        found = _retained(scene, mapping.address)
        scene.require(
            found == mapping.handle.handle,
            "the handle is not the one that was mapped",
            f"{found} instead of {mapping.handle.handle}",
        )


@proves("hsa_amd_vmem_retain_alloc_handle/reference")
def a_retain_is_worth_one_release(scene: Scene) -> None:
    """A handle is valid until it is released once for its creation and once for each retain."""
    need_released_handles_told_apart(scene)
    handle = create_handle(scene)
    mapping = mapped(scene, handle)
    retains = scene.draw(drawing.integers(1, 4))
    for _ in range(retains):
        _retained(scene, mapping.address)
    unmap(scene, mapping)
    value = handle.handle
    for _ in range(retains):
        release(scene, value)
        _require_valid(scene, value, "the handle is gone while references are left")
    release(scene, value)
    answer = properties(scene, value)
    scene.require(not answer.ok, "the handle is valid after its last reference", answer.name)


@proves("hsa_amd_vmem_retain_alloc_handle/after-release")
def a_retain_revives_a_released_handle(scene: Scene) -> None:
    """A handle retained after its last release, while mapped, can be queried and mapped again."""
    mapping, wanted = marked(scene)
    handle = mapping.handle
    release(scene, handle.handle)
    answer = scene.call(
        "hsa_amd_vmem_retain_alloc_handle", memory_handle=Out(), addr=mapping.address
    )
    scene.require_status(answer, SUCCESS)
    _require_valid(scene, answer["memory_handle"], "the retained handle is not valid")
    again = scene.call(
        "hsa_amd_vmem_map",
        va=reserve(scene, handle.size).address,
        size=handle.size,
        in_offset=0,
        memory_handle=answer["memory_handle"],
        flags=0,
    )
    scene.require_status(again, SUCCESS)
    second = scene.session.model.find("mapping", again.args["va"])
    open_to_host(scene, second)
    require_bytes(scene, second.address, wanted, "the retained handle shows other bytes")
