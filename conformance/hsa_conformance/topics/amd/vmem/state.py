"""Reserved addresses, memory without an address, and mappings that join the two."""

from __future__ import annotations

from collections.abc import Mapping as Table
from dataclasses import dataclass, field

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition


@dataclass
class Reservation:
    """A range of addresses from hsa_amd_vmem_address_reserve or its aligned form."""

    address: int
    size: int
    mappings: int = 0


@dataclass
class MemoryHandle:
    """A virtual-memory handle: references the caller holds, and mappings that keep it alive."""

    handle: int
    size: int
    pool: int | None
    type: int | None
    references: int = 1
    mappings: int = 0


@dataclass
class Mapping:
    """A handle mapped at an address, and the permissions that were set, by agent."""

    address: int
    size: int
    handle: MemoryHandle
    reservation: Reservation
    access: dict[int, int] = field(default_factory=dict)

    @property
    def pool(self) -> int:
        """The pool of the memory, 0 when it came from an import and nobody asked."""
        return self.handle.pool or 0


def handles(model: Model) -> list[MemoryHandle]:
    """Return the handles that the caller holds references to, or that are mapped."""
    held: list[MemoryHandle] = model.live("memory_handle")
    released: list[MemoryHandle] = model.live("released_handle")
    return held + released


def find_handle(model: Model, handle: int) -> MemoryHandle | None:
    """Return the handle with this value, held or only mapped."""
    found: MemoryHandle | None = model.find("memory_handle", handle)
    return found or model.find("released_handle", handle)


def find_reservation(model: Model, address: int) -> Reservation | None:
    """Return the reservation that starts here."""
    found: Reservation | None = model.find("reservation", address)
    return found


def reservation_around(model: Model, address: int) -> Reservation | None:
    """Return the reservation that contains this address."""
    found: Reservation | None = model.around("reservation", address)
    return found


def find_mapping(model: Model, address: int) -> Mapping | None:
    """Return the mapping that starts here."""
    found: Mapping | None = model.find("mapping", address)
    return found


def mapping_around(model: Model, address: int) -> Mapping | None:
    """Return the mapping that contains this address."""
    found: Mapping | None = model.around("mapping", address)
    return found


def row(model: Model, address: int, size: int) -> list[Mapping] | None:
    """Return the whole mappings that make up the range without a gap, or None."""
    found, end = [], address + size
    while address < end:
        mapping = find_mapping(model, address)
        if mapping is None or address + mapping.size > end:
            return None
        found.append(mapping)
        address += mapping.size
    return found or None


def _address_reserve(model: Model, answer: Answer) -> None:
    address = answer["va"]
    model.add("reservation", address, thing=Reservation(address, answer.args["size"]))


def _address_free(model: Model, answer: Answer) -> None:
    model.remove("reservation", answer.args["va"])


def _handle_create(model: Model, answer: Answer) -> None:
    handle, args = answer["memory_handle"], answer.args
    made = MemoryHandle(handle, args["size"], args["pool"], args["type"])
    model.add("memory_handle", handle, thing=made)


def _handle_release(model: Model, answer: Answer) -> None:
    found = find_handle(model, answer.args["memory_handle"])
    if found is not None:
        found.references -= 1
        _sort_in(model, found)


def _map(model: Model, answer: Answer) -> None:
    va, size = answer.args["va"], answer.args["size"]
    handle = find_handle(model, answer.args["memory_handle"])
    reservation = reservation_around(model, va)
    if handle is not None and reservation is not None:
        model.add("mapping", va, thing=Mapping(va, size, handle, reservation))
        handle.mappings += 1
        reservation.mappings += 1


def _unmap(model: Model, answer: Answer) -> None:
    for mapping in row(model, answer.args["va"], answer.args["size"]) or ():
        model.remove("mapping", mapping.address)
        mapping.handle.mappings -= 1
        mapping.reservation.mappings -= 1
        _sort_in(model, mapping.handle)


def _set_access(model: Model, answer: Answer) -> None:
    args = answer.args
    words = model.words(args["desc"], 2 * args["desc_cnt"])
    for mapping in row(model, args["va"], args["size"]) or ():
        for permission, agent in zip(words[0::2], words[1::2], strict=True):
            mapping.access[agent] = permission & 0xFFFFFFFF


def _export(model: Model, answer: Answer) -> None:
    descriptor = answer["dmabuf_fd"]
    model.descriptors.add(descriptor)
    exported = find_handle(model, answer.args["handle"])
    model.add("shareable", descriptor, thing=exported)


def _import(model: Model, answer: Answer) -> None:
    handle = answer["handle"]
    known = find_handle(model, handle)
    if known is not None:
        known.references += 1
        _sort_in(model, known)
        return
    origin = model.find("shareable", answer.args["dmabuf_fd"])
    made = MemoryHandle(handle, origin.size if origin else 0, None, None)
    model.add("memory_handle", handle, thing=made)


def _retain(model: Model, answer: Answer) -> None:
    found = find_handle(model, answer["memory_handle"])
    if found is not None:
        found.references += 1
        _sort_in(model, found)


def _sort_in(model: Model, handle: MemoryHandle) -> None:
    """Keep a handle among those that are held, those that are only mapped, or nowhere."""
    for kind, belongs in (
        ("memory_handle", handle.references > 0),
        ("released_handle", handle.references <= 0 < handle.mappings),
    ):
        if not belongs:
            model.remove(kind, handle.handle)
        elif model.find(kind, handle.handle) is None:
            model.add(kind, handle.handle, thing=handle)


def _access_was_set(model: Model, address: int, agent: int) -> bool:
    mapping = mapping_around(model, address)
    return mapping is not None and agent in mapping.access


def _is_shareable(model: Model, descriptor: int) -> bool:
    return (descriptor,) in model.objects.get("shareable", {}) and model.is_open(descriptor)


TRANSITIONS: Table[str, Transition] = {
    "hsa_amd_vmem_address_reserve": _address_reserve,
    "hsa_amd_vmem_address_reserve_align": _address_reserve,
    "hsa_amd_vmem_address_free": _address_free,
    "hsa_amd_vmem_handle_create": _handle_create,
    "hsa_amd_vmem_handle_release": _handle_release,
    "hsa_amd_vmem_map": _map,
    "hsa_amd_vmem_unmap": _unmap,
    "hsa_amd_vmem_set_access": _set_access,
    "hsa_amd_vmem_export_shareable_handle": _export,
    "hsa_amd_vmem_import_shareable_handle": _import,
    "hsa_amd_vmem_retain_alloc_handle": _retain,
}

#: Mappings first: they lie in reservations and keep memory alive.
CLEAN_UP = (
    CleanUp(
        "mapping",
        "hsa_amd_vmem_unmap",
        "va",
        "size",
        calls=lambda m: [(m.address, m.size)],
        makers=["hsa_amd_vmem_map"],
    ),
    CleanUp(
        "memory_handle",
        "hsa_amd_vmem_handle_release",
        "memory_handle",
        calls=lambda h: h.references * [(h.handle,)],
        makers=["hsa_amd_vmem_handle_create", "hsa_amd_vmem_import_shareable_handle"],
    ),
    CleanUp(
        "reservation",
        "hsa_amd_vmem_address_free",
        "va",
        "size",
        calls=lambda r: [(r.address, r.size)],
        makers=["hsa_amd_vmem_address_reserve", "hsa_amd_vmem_address_reserve_align"],
    ),
)

FACTS: Table[str, Fact] = {
    "access_was_set": _access_was_set,
    "is_open": Model.is_open,
    "is_shareable": _is_shareable,
}

#: What a shareable handle stands for, also where its descriptor was sent to another process.
DESCRIPTORS = ("shareable",)
