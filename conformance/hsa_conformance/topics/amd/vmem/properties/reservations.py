"""Properties of reserved addresses: hsa_amd_vmem_address_reserve, its aligned form, and free."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.generation.values.geometry import MOST_UNTOUCHED, sizes
from hsa_conformance.engine.judging.statuses import (
    INVALID_ALLOCATION,
    INVALID_ARGUMENT,
    RESOURCE_FREE,
    SUCCESS,
)
from hsa_conformance.topics.amd.vmem.fixtures import create_handle, map_handle, reserve
from hsa_conformance.topics.amd.vmem.properties.memory import (
    require_bytes,
    require_no_read,
    row,
    unmap,
)

proves = Proofs()

NO_REGISTER: Final = 1
#: Bytes of addresses that a program of a 64-bit host has at most, unless it asks for more.
ADDRESS_SPACE: Final = 1 << 47


@dataclass(frozen=True)
class _Range:
    address: int
    size: int

    def meets(self, other: _Range) -> bool:
        return (
            self.address < other.address + other.size and other.address < self.address + self.size
        )


def _values(
    scene: Scene, size: int, address: int = 0, alignment: int = 0, flags: int = 0
) -> Mapping[str, Value]:
    """Return the arguments of whichever of the two functions the clause belongs to."""
    values: dict[str, Value] = {"va": Out(), "size": size, "address": address, "flags": flags}
    if "alignment" in scene.session.registry.functions[scene.clause.function].parameter:
        values["alignment"] = alignment
    return values


def _reserve(scene: Scene, size: int, address: int = 0, alignment: int = 0) -> _Range:
    answer = scene.set_up(scene.clause.function, **_values(scene, size, address, alignment))
    return _Range(answer["va"], size)


def _free(scene: Scene, taken: _Range) -> Answer:
    return scene.call("hsa_amd_vmem_address_free", va=taken.address, size=taken.size)


def _size(scene: Scene) -> int:
    page = scene.session.model.page_size
    return int(scene.draw(sizes(page, MOST_UNTOUCHED, page)))


def _up(size: int, alignment: int) -> int:
    return -(-size // alignment) * alignment


def _alignment(scene: Scene) -> int:
    """Return a page, 64 GiB, or any power of two between; some need more than 32 bits."""
    return int(scene.session.model.page_size << scene.draw(drawing.integers(0, 24)))


@proves("hsa_amd_vmem_address_reserve/page-aligned")
@proves("hsa_amd_vmem_address_reserve_align/default-alignment")
def ranges_start_on_a_page(scene: Scene) -> None:
    """Every reserved range starts on a page and not at zero."""
    for _ in range(scene.draw(drawing.integers(1, 4))):
        start = _reserve(scene, _size(scene)).address
        scene.require(
            start != 0 and start % scene.session.model.page_size == 0,
            "the range does not start on a page",
            hex(start),
        )


@proves("hsa_amd_vmem_address_reserve_align/aligned")
def ranges_start_at_multiples_of_the_alignment(scene: Scene) -> None:
    """A range starts at a multiple of the alignment, also with an aligned hint."""
    for _ in range(scene.draw(drawing.integers(1, 3))):
        alignment = _alignment(scene)
        near = _reserve(scene, _size(scene), alignment=alignment)
        hint = scene.choose([0, near.address, near.address + _up(near.size, alignment)])
        start = _reserve(scene, _size(scene), hint, alignment).address
        for address in (near.address, start):
            scene.require(
                address % alignment == 0,
                f"the range does not start at a multiple of {alignment:#x}",
                hex(address),
            )


@proves("hsa_amd_vmem_address_reserve_align/aligned-hint")
def an_unaligned_hint_is_taken_or_aligned(scene: Scene) -> None:
    """With a hint that is not aligned, the range starts at it or at an aligned address.

    The hint lies a page behind a multiple of the alignment, and may be in use.
    """
    page = scene.session.model.page_size
    alignment = 2 * _alignment(scene)
    near = _reserve(scene, _size(scene), alignment=alignment)
    hint = near.address + scene.choose([0, _up(near.size, alignment)]) + page
    start = _reserve(scene, _size(scene), hint, alignment).address
    scene.require(
        start % alignment == 0 or start == hint,
        f"the range starts neither at {hint:#x} nor at a multiple of {alignment:#x}",
        hex(start),
    )


@proves("hsa_amd_vmem_address_reserve/no-overlap")
@proves("hsa_amd_vmem_address_reserve_align/no-overlap")
def ranges_share_no_byte(scene: Scene) -> None:
    """Reserved ranges share no byte, with or without hints and after others were freed."""
    live: list[_Range] = []
    for _ in range(scene.draw(drawing.integers(2, 8))):
        hint = 0
        if live:
            near = scene.choose(live)
            hint = scene.choose([0, near.address, near.address + near.size])
            if len(live) > 2 and scene.draw(drawing.booleans()) and _free(scene, near).ok:
                live.remove(near)
        alignment = scene.choose([0, _alignment(scene)])
        new = _reserve(scene, _size(scene), hint, alignment)
        _require_apart(scene, new, live)
        live.append(new)


def _require_apart(scene: Scene, new: _Range, others: list[_Range]) -> None:
    for other in others:
        scene.require(
            not new.meets(other),
            "the range overlaps one that is reserved",
            f"{new.address:#x} + {new.size:#x} and {other.address:#x} + {other.size:#x}",
        )


@proves("hsa_amd_vmem_address_reserve/hint-taken")
@proves("hsa_amd_vmem_address_reserve_align/hint-taken")
def a_hint_inside_a_range_gives_another_range(scene: Scene) -> None:
    """With a hint inside a reserved range, mapped or not, another range is reserved."""
    handle = create_handle(scene)
    first = _reserve(scene, handle.size + _size(scene))
    if scene.draw(drawing.booleans()):
        map_handle(scene, handle, first.address)
    page = scene.session.model.page_size
    hint = first.address + page * scene.draw(drawing.integers(0, first.size // page - 1))
    size = _size(scene)
    answer = scene.call(scene.clause.function, **_values(scene, size, hint))
    scene.require_status(answer, SUCCESS)
    _require_apart(scene, _Range(answer["va"], size), [first])


@proves("hsa_amd_vmem_address_reserve/hint-honoured")
@proves("hsa_amd_vmem_address_reserve_align/hint-honoured")
def a_free_hint_is_honoured(scene: Scene) -> None:
    """With the address of a freed range as its hint, a range starts there.

    The process itself may take addresses at any moment, so one success of several will do.
    """
    size, alignment = _size(scene), scene.choose([0, _alignment(scene)])
    honoured, given = False, list[str]()
    for _ in range(4):
        first = _reserve(scene, size, alignment=alignment)
        scene.set_up("hsa_amd_vmem_address_free", va=first.address, size=size)
        second = _reserve(scene, size, first.address, alignment)
        given.append(f"{second.address:#x} for {first.address:#x}")
        honoured = second.address == first.address
        if honoured:
            break
    where = ", ".join(given)
    scene.require(honoured, "the range starts elsewhere though the hint is free", where)


@proves("hsa_amd_vmem_address_reserve/hint-over-memory")
@proves("hsa_amd_vmem_address_reserve_align/hint-over-memory")
def a_hint_over_memory_leaves_it_alone(scene: Scene) -> None:
    """With a hint inside memory in use, the range lies elsewhere and that memory is unchanged."""
    page = scene.session.model.page_size
    content = bytes(range(1, 256)) * (2 * page // 255)
    memory = _Range(scene.session.place(content, "memory"), len(content))
    hint = memory.address + scene.draw(drawing.integers(0, memory.size - 1))
    if scene.draw(drawing.booleans()):
        hint -= hint % page
    answer = scene.call(scene.clause.function, **_values(scene, _size(scene), hint))
    found = scene.session.read(memory.address, memory.size)
    scene.require(found == content, "the memory at the hint lost its bytes", found and found[:16])
    if answer.ok:
        _require_apart(scene, _Range(answer["va"], int(answer.args["size"])), [memory])


@proves("hsa_amd_vmem_address_reserve/inaccessible")
@proves("hsa_amd_vmem_address_reserve_align/inaccessible")
def a_reserved_range_cannot_be_read(scene: Scene) -> None:
    """Before memory is mapped, a read of any byte of a reserved range by the host faults."""
    taken = _reserve(scene, _size(scene))
    require_no_read(scene, taken.address, taken.size, "the host reads addresses without memory")
    require_no_read(
        scene, taken.address + taken.size - 1, 1, "the host reads addresses without memory"
    )


@proves("hsa_amd_vmem_address_reserve/no-register")
@proves("hsa_amd_vmem_address_reserve_align/no-register")
def the_flag_no_register_is_accepted(scene: Scene) -> None:
    """A call with the flag NO_REGISTER, otherwise right, reserves a range."""
    answer = scene.call(scene.clause.function, **_values(scene, _size(scene), flags=NO_REGISTER))
    scene.require_status(answer, SUCCESS)


@proves("hsa_amd_vmem_address_free/gone")
def a_freed_range_is_reserved_no_more(scene: Scene) -> None:
    """Freeing a freed range again and mapping into it are refused, as the text says."""
    handle = create_handle(scene)
    page = scene.session.model.page_size
    inside = page * scene.draw(drawing.integers(0, 2))
    taken = reserve(scene, inside + handle.size)
    size = taken.size
    scene.set_up("hsa_amd_vmem_address_free", va=taken.address, size=size)
    again = scene.call("hsa_amd_vmem_address_free", va=taken.address, size=size)
    scene.require_status(again, INVALID_ALLOCATION)
    mapped = scene.call(
        "hsa_amd_vmem_map",
        va=taken.address + inside,
        size=handle.size,
        in_offset=0,
        memory_handle=handle.handle,
        flags=0,
    )
    scene.require_status(mapped, INVALID_ARGUMENT)


@proves("hsa_amd_vmem_address_free/reusable", examples=0.25)
def addresses_can_be_used_again(scene: Scene) -> None:
    """Ranges are reserved and freed, in all more than the whole address space."""
    size = 1 << 41
    while not _reserved_and_freed(scene, size).ok:
        size >>= 1
        if size < 1 << 36:
            raise CannotMake("no range of 64 GiB can be reserved at all")
    for number in range(ADDRESS_SPACE // size + 1):
        answer = _reserved_and_freed(scene, size)
        scene.require(
            answer.ok, f"ranges of {size:#x} bytes, each freed, ran out after {number}", answer.name
        )


def _reserved_and_freed(scene: Scene, size: int) -> Answer:
    answer = scene.call("hsa_amd_vmem_address_reserve", va=Out(), size=size, address=0, flags=0)
    if answer.ok:
        scene.set_up("hsa_amd_vmem_address_free", va=answer["va"], size=size)
    return answer


@proves("hsa_amd_vmem_address_free/in-use-changes-nothing")
def a_refused_free_leaves_the_mappings(scene: Scene) -> None:
    """After a refused free all mappings show their bytes; unmapped, the range can be freed."""
    found = row(scene, least=1)
    taken = found[0][0].reservation
    values = {"va": taken.address, "size": taken.size}
    while found:
        refused = scene.call("hsa_amd_vmem_address_free", **values)
        if refused.name != RESOURCE_FREE:
            raise CannotMake(f"a range in use was freed: {refused.name}")
        for mapping, wanted in found:
            require_bytes(scene, mapping.address, wanted, "the mapping lost its bytes")
        unmap(scene, found.pop(scene.draw(drawing.integers(0, len(found) - 1)))[0])
    scene.require_status(scene.call("hsa_amd_vmem_address_free", **values), SUCCESS)
