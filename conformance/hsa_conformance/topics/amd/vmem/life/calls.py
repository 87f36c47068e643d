"""The calls that a random sequence is made of; each draws its arguments from what is there."""

from __future__ import annotations

from functools import partial

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.random_programs.player import Player
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.topics.amd.pools.state import pools
from hsa_conformance.topics.amd.vmem.fixtures import READ_WRITE, access_descriptors
from hsa_conformance.topics.amd.vmem.life.compare import compare_access, look_at_access
from hsa_conformance.topics.amd.vmem.life.space import Memory, space
from hsa_conformance.topics.amd.vmem.properties.memory import NONE, PERMISSIONS
from hsa_conformance.topics.amd.vmem.state import (
    find_mapping,
    find_reservation,
    handles,
    mapping_around,
    reservation_around,
)

ALIGNED = "hsa_amd_vmem_address_reserve_align"


# addresses


def reserve(p: Player) -> None:
    """Reserve a range."""
    page, granule = p.model.page_size, p.granule()
    _reserve(p, p.pick([4 * granule, 8 * granule, granule, page], [0, page + 1]))


def reserve_much(p: Player) -> None:
    """Reserve a range that has room for several mappings."""
    _reserve(p, 12 * p.granule())


def _reserve(p: Player, size: int) -> None:
    """Reserve so many bytes, with or without a hint and an alignment."""
    here = space(p)
    page = p.model.page_size
    values = {
        "size": size,
        "address": p.choose(here.hints()),
        "flags": 0,
    }
    function = "hsa_amd_vmem_address_reserve"
    if p.session.offers(ALIGNED) and p.draw(drawing.booleans()):
        function = ALIGNED
        values["alignment"] = p.pick([0, page, 16 * page], [3 * page, 8])
    before = p.model.live("reservation")
    answer = p.call(function, va=Out(), **values)
    if answer.ok:
        address = answer["va"]
        for taken in before:
            # What an unmap has given up is not for this call to know.
            emptied = any(taken.address <= a < taken.address + taken.size for a in here.unmapped)
            clause = "hsa_amd_vmem_unmap/still-reserved" if emptied else f"{function}/no-overlap"
            p.claim(clause).require(
                address + size <= taken.address or taken.address + taken.size <= address,
                "the range overlaps one that is reserved",
                hex(address),
            )


def free(p: Player) -> None:
    """Free a range that nothing is mapped in."""
    here = space(p)
    ranges = p.model.live("reservation")
    used = [r.address for r in ranges if r.mappings]
    address = p.pick([r.address for r in ranges if not r.mappings], [*here.no_ranges(), *used])
    known = find_reservation(p.model, address)
    size = known.size if known else p.model.page_size
    answer = p.call(
        "hsa_amd_vmem_address_free",
        va=address,
        size=p.pick([size], [0, size + p.model.page_size]),
    )
    if answer.ok:
        here.freed.append(address)


# handles


def create(p: Player) -> None:
    """Create a handle."""
    here = space(p)
    unfit = [q.handle for q in pools(p.model) if not q.allocatable]
    pool = p.choose([*here.host_pools(), *here.host_pools(), *here.handle_pools()])
    size = pool.granule * p.draw(drawing.integers(1, 3))
    before = {h.handle for h in handles(p.model)}
    answer = p.call(
        "hsa_amd_vmem_handle_create",
        pool=p.pick([pool.handle], [0, here.plain, *unfit]),
        size=p.pick([size], [0, size + 1]),
        type=p.pick([0, 1], [99]),
        flags=0,
        memory_handle=Out(),
    )
    if answer.ok:
        handle = answer["memory_handle"]
        p.claim("hsa_amd_vmem_handle_create/distinct").require(
            handle not in before, "the handle is that of another one", handle
        )
        here.memory[handle] = Memory(size)


def release(p: Player) -> None:
    """Release a handle."""
    here = space(p)
    handle = p.pick(here.held(), here.no_handles())
    known = p.model.find("memory_handle", handle)
    if p.call("hsa_amd_vmem_handle_release", memory_handle=handle).ok and known:
        here.released.append(known)


def retain(p: Player) -> None:
    """Retain the handle that is mapped at an address."""
    address = p.pick([m.address for m in p.model.live("mapping")], space(p).no_ranges())
    mapping = find_mapping(p.model, address)
    answer = p.call("hsa_amd_vmem_retain_alloc_handle", memory_handle=Out(), addr=address)
    if answer.ok and mapping:
        p.claim("hsa_amd_vmem_retain_alloc_handle/same-value").require(
            answer["memory_handle"] == mapping.handle.handle,
            "the handle is not the one that was mapped",
            answer["memory_handle"],
        )


def ask(p: Player) -> None:
    """Ask a handle for its pool and type."""
    here = space(p)
    handle = p.pick(here.held(), here.unknown_handles())
    answer = p.ask(
        "hsa_amd_vmem_get_alloc_properties_from_handle",
        memory_handle=handle,
        pool=Out(),
        type=Out(),
    )
    known = p.model.find("memory_handle", handle)
    if answer.ok and known and known.pool is not None:
        for name, value in (("pool", known.pool), ("type", known.type)):
            p.claim(f"{answer.function.name}/{name}").require(
                answer.number(name) == value,
                f"{name} is not what the handle was created with",
                f"{answer.number(name):#x}",
            )


# mappings


def map_(p: Player) -> None:
    """Map a handle where there is room, rather behind another one: some mistakes take a row."""
    here = space(p)
    fitting = [h for h in here.held() if _empty(p, here.memory[h].size)]
    handle = p.pick(fitting, here.no_handles())
    known = p.model.find("memory_handle", handle)
    size = known.size if known else p.model.page_size
    empty = _empty(p, size)
    behind = [a for a in empty if mapping_around(p.model, a - 1)]
    behind = [a for a in behind if find_reservation(p.model, a) is None]
    address = p.pick([*empty, *len(empty) * behind], [*_places(p), *here.no_ranges()])
    answer = p.call(
        "hsa_amd_vmem_map",
        va=address,
        size=p.pick([size], [0, size + p.model.page_size]),
        in_offset=0,
        memory_handle=handle,
        flags=0,
    )
    if answer.ok:
        here.mapped[address] = here.memory[handle]
        here.named.pop(address, None)


def _places(p: Player) -> list[int]:
    """Return where mappings may begin."""
    return [
        r.address + offset
        for r in p.model.live("reservation")
        for offset in range(0, r.size, p.granule())
    ]


def _empty(p: Player, size: int) -> list[int]:
    """Return where so many bytes can be mapped."""
    return [
        a
        for a in _places(p)
        if reservation_around(p.model, a) is reservation_around(p.model, a + size - 1)
        and not p.model.overlapping("mapping", a, size)
    ]


def unmap(p: Player) -> None:
    """Unmap a mapping."""
    here = space(p)
    right = [m.address for m in p.model.live("mapping")]
    address = p.pick(right, [*here.no_ranges(), *(a + p.model.page_size for a in right)])
    known = find_mapping(p.model, address)
    size = known.size if known else p.model.page_size
    reached = known is not None and here.host_permission(known) not in (None, NONE)
    answer = p.call(
        "hsa_amd_vmem_unmap",
        va=address,
        size=p.pick([size], [0, size - p.model.page_size, size + p.model.page_size]),
    )
    if answer.ok and reached:
        p.claim("hsa_amd_vmem_unmap/host-access-gone").require(
            p.session.read(address, 1) is None, "the host reads unmapped addresses", "a byte"
        )
    if answer.ok:
        here.unmapped.append(address)


def set_access(p: Player) -> None:
    """Set permissions for a mapping."""
    here = space(p)
    first = here.some_mapping()
    address = p.pick([first.address], [first.address + p.model.page_size, *here.no_ranges()])
    size = first.size
    behind = find_mapping(p.model, first.address + first.size)
    # Who reaches memory of several pools, or across reservations, the text does not speak of.
    one = behind and (behind.pool, behind.reservation) == (first.pool, first.reservation)
    rows = 2 * [size + behind.size] if behind and one else []
    agents = p.shuffled(here.reaching(first))[: p.draw(drawing.integers(1, 3))]
    pairs = [(a, p.choose(PERMISSIONS)) for a in agents]
    bad = p.pick([None], [0, here.plain])
    if bad is not None:
        pairs.insert(p.draw(drawing.integers(0, len(pairs))), (bad, READ_WRITE))
    if not pairs:
        raise CannotMake("no agent reaches the memory")
    data = access_descriptors(pairs)
    named = {int(agent) for agent, _ in pairs}
    others = [a for a in here.spoken_of if a.device == "gpu" and a.handle in first.access]
    stills = [
        p.keeping(
            partial(look_at_access, first, other.handle), "hsa_amd_vmem_set_access/others-kept"
        )
        for other in others
        if other.handle not in named
    ]
    length = p.pick([size], [*rows, 0, size - p.model.page_size, size + p.model.page_size])
    answer = p.call(
        "hsa_amd_vmem_set_access",
        va=address,
        size=length,
        desc=p.session.lay_out(data),
        desc_cnt=len(pairs),
    )
    if answer.ok:
        here.name(address, length, named)
        for still in stills:
            still()


def open_up(p: Player) -> None:
    """Let the host read and write a mapping."""
    here = space(p)
    able = [
        m
        for m in p.model.live("mapping")
        if here.host
        and here.host.handle in here.reaching(m)
        and here.host_permission(m) != READ_WRITE
    ]
    mapping = p.choose(able)
    host = here.host.handle if here.host else 0
    data = access_descriptors([(host, READ_WRITE)])
    answer = p.call(
        "hsa_amd_vmem_set_access",
        va=mapping.address,
        size=mapping.size,
        desc=p.session.lay_out(data),
        desc_cnt=1,
    )
    if answer.ok:
        here.name(mapping.address, mapping.size, [host])


def get_access(p: Player) -> None:
    """Ask for a permission."""
    here = space(p)
    address = p.pick([m.address for m in p.model.live("mapping")], here.no_ranges())
    compare_access(p, address, p.pick([a.handle for a in here.spoken_of], [0, here.plain]))


# sharing


def export(p: Player) -> None:
    """Export a handle."""
    here = space(p)
    handle = p.pick(here.held(), here.no_handles())
    answer = p.call("hsa_amd_vmem_export_shareable_handle", dmabuf_fd=Out(), handle=handle, flags=0)
    if answer.ok:
        here.shared[answer["dmabuf_fd"]] = here.memory[handle]


def import_(p: Player) -> None:
    """Import a descriptor."""
    here = space(p)
    descriptor = p.pick(list(here.shared), [-1])
    before = {h.handle for h in handles(p.model)}
    held = here.held()
    answer = p.call("hsa_amd_vmem_import_shareable_handle", dmabuf_fd=descriptor, handle=Out())
    if not answer.ok:
        return
    if answer["handle"] not in before:
        here.memory[answer["handle"]] = here.shared[descriptor]
    elif answer["handle"] in held:
        p.claim("hsa_amd_vmem_import_shareable_handle/same-memory").require(
            here.memory[answer["handle"]] is here.shared[descriptor],
            "the handle is one that is held already, and stands for other memory",
            answer["handle"],
        )


def close(p: Player) -> None:
    """Close a descriptor."""
    here = space(p)
    descriptor = p.choose(list(here.shared))
    p.session.close_descriptor(descriptor)
    del here.shared[descriptor]


def send(p: Player) -> None:
    """Send a descriptor to the other process."""
    shared = space(p).shared
    descriptor = p.choose(list(shared))
    space(p.other).shared[p.session.send(descriptor, p.other.session)] = shared[descriptor]
