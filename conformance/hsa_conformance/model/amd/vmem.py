"""What the virtual memory API changes."""

from __future__ import annotations

from collections.abc import Callable
from collections.abc import Mapping as Table
from typing import TYPE_CHECKING

from hsa_conformance.model.state import Fact, Mapping, MemoryHandle, Model, Reservation

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


def _address_reserve(model: Model, answer: Answer) -> None:
    address = answer["va"]
    model.reservations[address] = Reservation(address, answer.args["size"])


def _address_free(model: Model, answer: Answer) -> None:
    model.reservations.pop(answer.args["va"], None)


def _handle_create(model: Model, answer: Answer) -> None:
    handle, args = answer["memory_handle"], answer.args
    model.handles[handle] = MemoryHandle(handle, args["size"], args["pool"], args["type"])


def _handle_release(model: Model, answer: Answer) -> None:
    found = model.handles.get(answer.args["memory_handle"])
    if found is not None:
        found.references -= 1
        _drop(model, found)


def _map(model: Model, answer: Answer) -> None:
    va, size = answer.args["va"], answer.args["size"]
    handle = model.handles.get(answer.args["memory_handle"])
    reservation = model.reservation_around(va)
    if handle is not None and reservation is not None:
        model.mappings[va] = Mapping(va, size, handle, reservation)
        handle.mappings += 1
        reservation.mappings += 1


def _unmap(model: Model, answer: Answer) -> None:
    for mapping in model.row(answer.args["va"], answer.args["size"]) or ():
        del model.mappings[mapping.address]
        mapping.handle.mappings -= 1
        mapping.reservation.mappings -= 1
        _drop(model, mapping.handle)


def _set_access(model: Model, answer: Answer) -> None:
    args = answer.args
    words = model.words(args["desc"], 2 * args["desc_cnt"])
    for mapping in model.row(args["va"], args["size"]) or ():
        for permission, agent in zip(words[0::2], words[1::2], strict=True):
            mapping.access[agent] = permission & 0xFFFFFFFF


def _export(model: Model, answer: Answer) -> None:
    descriptor = answer["dmabuf_fd"]
    model.descriptors.add(descriptor)
    model.shareable[descriptor] = model.handles.get(answer.args["handle"])


def _import(model: Model, answer: Answer) -> None:
    handle = answer["handle"]
    known = model.handles.get(handle)
    if known is not None:
        known.references += 1
        return
    origin = model.shareable.get(answer.args["dmabuf_fd"])
    size = origin.size if origin else 0
    model.handles[handle] = MemoryHandle(handle, size, None, None)


def _retain(model: Model, answer: Answer) -> None:
    found = model.handles.get(answer["memory_handle"])
    if found is not None:
        found.references += 1


def _drop(model: Model, handle: MemoryHandle) -> None:
    if handle.references <= 0 and handle.mappings <= 0:
        model.handles.pop(handle.handle, None)


def _access_was_set(model: Model, address: int, agent: int) -> bool:
    mapping = model.mapping_around(address)
    return mapping is not None and mapping.access_was_set(agent)


def _is_shareable(model: Model, descriptor: int) -> bool:
    return descriptor in model.shareable and model.is_open(descriptor)


RECORD: dict[str, Callable[[Model, Answer], None]] = {
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

FACTS: Table[str, Fact] = {
    "access_was_set": _access_was_set,
    "is_open": Model.is_open,
    "is_shareable": _is_shareable,
}
