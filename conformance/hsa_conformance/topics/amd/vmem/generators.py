"""Reservations, virtual-memory handles, mappings, permissions and exports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.fixtures import CannotMake, Unsuitable
from hsa_conformance.engine.generation.generators import Comparison, Generators, spoilt
from hsa_conformance.topics.amd.pools.fixtures import known_pools
from hsa_conformance.topics.amd.pools.generators import access, out_of_reach
from hsa_conformance.topics.amd.vmem.fixtures import (
    MAPPED,
    access_descriptors,
    create_handle,
    export_handle,
    grant_access,
    map_handle,
    new_mapping,
    reserve,
)
from hsa_conformance.topics.amd.vmem.state import find_reservation, mapping_around
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.agents.state import find_agent


def _memory_handle(b: Builder, x: str) -> None:
    b.values[x] = create_handle(b).handle


def _no_memory_handle(b: Builder, x: str) -> None:
    kind = b.choose(["memory", "agent", "released"])
    if kind == "memory":
        b.values[x] = b.readable()
    elif kind == "agent":
        b.values[x] = b.one_of(known_agents(b)).handle
    else:
        handle = create_handle(b).handle
        b.session.set_up("hsa_amd_vmem_handle_release", memory_handle=handle)
        b.values[x] = handle


def _size(b: Builder, size: str) -> int:
    return max(b.number(size), 1)


def _reservation(b: Builder, x: str) -> None:
    b.values[x] = reserve(b, b.granule() * b.draw(drawing.integers(1, 3))).address


def _no_reservation(b: Builder, x: str) -> None:
    own: dict[str, Callable[[], int]] = {
        "inside a reservation": lambda: reserve(b, 2 * b.granule()).address + b.granule(),
        "behind a reservation": partial(_address_after, b),
        "freed addresses": partial(_freed_address, b),
    }
    b.values[x] = b.some_memory(own | b.kinds(but=[MAPPED]))


def _address_after(b: Builder) -> int:
    found = reserve(b, 2 * b.granule())
    behind = found.address + found.size
    if find_reservation(b.session.model, behind):
        raise Unsuitable("another reservation follows at once")
    return behind


def _freed_address(b: Builder) -> int:
    found = reserve(b, 2 * b.granule())
    b.session.set_up("hsa_amd_vmem_address_free", va=found.address, size=found.size)
    return found.address


def _reserved(b: Builder, x: str, size: str) -> None:
    granule = b.granule()
    wanted = -(-_size(b, size) // granule) * granule
    before = granule * b.draw(drawing.integers(0, 2))
    behind = granule * b.draw(drawing.integers(0, 2))
    b.values[x] = reserve(b, before + wanted + behind).address + before


def _not_reserved(b: Builder, x: str, size: str) -> None:
    granule = b.granule()
    wanted = -(-_size(b, size) // granule) * granule
    short = {"a shorter reservation": lambda: reserve(b, wanted - granule).address}
    others = b.kinds(but=[MAPPED])
    b.values[x] = b.some_memory(others if wanted == granule else short | others)


def _mapping(b: Builder, x: str) -> None:
    b.values[x] = new_mapping(b).address


def _no_mapping(b: Builder, x: str) -> None:
    b.values[x] = b.some_memory({"inside a mapping": partial(_inside, b), **_without_mapping(b)})


def _inside(b: Builder) -> int:
    granule = b.granule()
    handle = create_handle(b, 2 * granule)
    return map_handle(b, handle, reserve(b, handle.size).address).address + granule


def _without_mapping(b: Builder) -> dict[str, Callable[[], int]]:
    """Return what makes addresses at which nothing is mapped, by their kind."""
    return {
        "reserved addresses": lambda: reserve(b, 2 * b.granule()).address,
        "behind a mapping": partial(_behind_mapping, b),
        "unmapped addresses": partial(_unmapped, b),
        **b.kinds(but=[MAPPED]),
    }


def _behind_mapping(b: Builder) -> int:
    mapping = new_mapping(b)
    return mapping.address + mapping.size


def _unmapped(b: Builder) -> int:
    mapping = new_mapping(b)
    b.session.set_up("hsa_amd_vmem_unmap", va=mapping.address, size=mapping.size)
    return mapping.address


def _mapped(b: Builder, x: str) -> None:
    mapping = new_mapping(b)
    offset = b.choose([0, mapping.size - 1, mapping.size // 2])
    b.values[x] = mapping.address + offset


def _not_mapped(b: Builder, x: str) -> None:
    b.values[x] = b.some_memory(_without_mapping(b))


def _overlapping(b: Builder, x: str, size: str) -> None:
    # The range wanted must itself be reserved, or the refusal would be for another reason.
    wanted = _size(b, size)
    granule = b.granule()
    kind = b.choose(["same start", "starts inside", "ends inside"])
    other = create_handle(b, 2 * granule)
    room = reserve(b, 2 * wanted + 2 * other.size)
    middle = room.address + -(-wanted // granule) * granule
    mapping = map_handle(b, other, middle)
    if kind == "same start":
        b.values[x] = mapping.address
    elif kind == "starts inside":
        b.values[x] = mapping.address + granule
    else:
        b.values[x] = mapping.address + granule - -(-wanted // granule) * granule


def _row(b: Builder, x: str, size: str) -> None:
    granule = b.granule()
    count = b.draw(drawing.integers(1, 2))
    handles = [create_handle(b, granule * b.draw(drawing.integers(1, 2))) for _ in range(count)]
    total = sum(h.size for h in handles)
    start = reserve(b, total + granule).address
    address = start
    for handle in handles:
        map_handle(b, handle, address)
        address += handle.size
    b.values[x], b.values[size] = start, total


def _no_row(b: Builder, x: str, size: str) -> None:
    granule = b.granule()
    kind = b.choose(["unmapped", "gap behind"])
    start = reserve(b, 2 * granule).address
    if kind == "gap behind":
        map_handle(b, create_handle(b, granule), start)
    b.values[x], b.values[size] = start, granule if kind == "unmapped" else 2 * granule


def _access_set(b: Builder, x: str, agent: str) -> None:
    mapping = mapping_around(b.session.model, b.number(x)) or new_mapping(b)
    chosen = find_agent(b.session.model, b.number(agent)) or some_gpu(b)
    if access(b, chosen.handle, mapping.pool) == "never":
        raise Unsuitable("the agent does not reach the memory")
    grant_access(b, mapping, chosen.handle)
    if mapping_around(b.session.model, b.number(x)) is not mapping:
        b.values[x] = mapping.address
    b.values[agent] = chosen.handle


def _access_not_set(b: Builder, x: str, agent: str) -> None:
    b.values[x] = new_mapping(b).address
    if find_agent(b.session.model, b.number(agent)) is None:
        b.values[agent] = some_gpu(b).handle


def _put_access(b: Builder, array: str, count: str, access: list[tuple[int, int]]) -> None:
    data = access_descriptors(access)
    b.values[array] = b.session.lay_out(data)
    b.values[count] = len(access)


def _access_list(b: Builder, array: str, count: str) -> None:
    agents = known_agents(b, "gpu") or known_agents(b)
    chosen = agents[: b.elements(array, len(agents))]
    _put_access(b, array, count, [(agent.handle, _permission(b)) for agent in chosen])


def _permission(b: Builder) -> int:
    named = b.session.registry.enums["hsa_access_permission_t"].by_value
    return b.each("permission", {named[value].name: value for value in sorted(named, reverse=True)})


def _access_bad_agent(b: Builder, array: str, count: str) -> None:
    handles = spoilt(b, [some_gpu(b).handle], b.readable())
    _put_access(b, array, count, [(h, 3) for h in handles])


def _access_zero_agent(b: Builder, array: str, count: str) -> None:
    handles = spoilt(b, [some_gpu(b).handle], 0)
    _put_access(b, array, count, [(h, 3) for h in handles])


def _access_bad_permission(b: Builder, array: str, count: str) -> None:
    permission = b.draw(drawing.sampled_from([4, 7, 0x7FFFFFFF]))
    _put_access(b, array, count, [(some_gpu(b).handle, permission)])


def _access_reaching(b: Builder, array: str, count: str, address: str) -> None:
    mapping = mapping_around(b.session.model, b.number(address))
    if mapping is None:
        raise CannotMake("the memory is not mapped yet")
    able = [
        a.handle for a in known_agents(b, "gpu") if access(b, a.handle, mapping.pool) != "never"
    ]
    chosen = able[: b.elements(array, len(able))] if able else []
    _put_access(b, array, count, [(agent, _permission(b)) for agent in chosen])


def _access_not_reaching(b: Builder, array: str, count: str, address: str) -> None:
    pools = known_pools(b, lambda p: p.allocatable and p.location == "gpu")
    agent, pool = out_of_reach(b, pools)
    mapping = new_mapping(b, pool)
    b.values[address] = mapping.address
    if "size" in b.values:
        b.values["size"] = mapping.size
    _put_access(b, array, count, [(agent, 3)])


def _open(b: Builder, x: str) -> None:
    kind = b.choose(["exported", "ordinary"])
    b.values[x] = export_handle(b) if kind == "exported" else b.session.open_file(b.granule())


def _closed(b: Builder, x: str) -> None:
    if b.choose(["never", "closed"]) == "never":
        b.values[x] = -1
        return
    descriptor = b.session.open_file(b.granule())
    b.session.close_descriptor(descriptor)
    b.values[x] = descriptor


def _shareable(b: Builder, x: str) -> None:
    b.values[x] = export_handle(b)


def _not_shareable(b: Builder, x: str) -> None:
    b.values[x] = b.session.open_file(b.granule())


def _used_reservation(b: Builder, names: Sequence[str], attribute: str, op: str, _: object) -> None:
    """Choose a reservation with a mapping in it, or all over it, and its size if it is wanted."""
    if attribute != "mappings" or op not in (">", "!="):
        raise CannotMake("a fresh reservation has no mappings")
    handle = create_handle(b)
    room = b.one_of([2, 1]) * handle.size
    mapping = map_handle(b, handle, reserve(b, room).address)
    b.values[names[0]] = mapping.reservation.address
    if "size" in b.values:
        b.values["size"] = mapping.reservation.size


GENERATORS: Mapping[str, Generators] = {
    "is_memory_handle": Generators(_memory_handle, _no_memory_handle),
    "is_reservation": Generators(_reservation, _no_reservation),
    "is_reserved": Generators(_reserved, _not_reserved),
    "is_mapping": Generators(_mapping, _no_mapping),
    "is_mapped": Generators(_mapped, _not_mapped),
    "overlaps_mapping": Generators(_overlapping, _reserved),
    "fully_mapped": Generators(_row, _no_row),
    "access_was_set": Generators(_access_set, _access_not_set),
    "descriptors_agents_valid": Generators(_access_list, _access_bad_agent),
    "descriptors_agents_zero": Generators(_access_zero_agent, _access_list),
    "descriptors_permissions_valid": Generators(_access_list, _access_bad_permission),
    "descriptors_reach": Generators(_access_reaching, _access_not_reaching),
    "is_open": Generators(_open, _closed),
    "is_shareable": Generators(_shareable, _not_shareable),
}

COMPARISONS: Mapping[str, Comparison] = {"reservation": _used_reservation}
