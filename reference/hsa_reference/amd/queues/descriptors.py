"""Descriptors of queues for hsa_amd_queue_create."""

from __future__ import annotations

from dataclasses import dataclass

from hsa_reference import memory
from hsa_spec import Registry

_DESCRIPTOR, _COMPUTE = "hsa_amd_queue_create_desc_t", "hsa_amd_compute_queue_params_t"


@dataclass(frozen=True)
class Descriptor:
    """A queue that is asked for.

    Args:
        engine: a hsa_amd_queue_engine_t.
        size: bytes of the ring.
        callback: what is called for errors, 0 for nothing.
        data: what the callback gets.
        type: a hsa_queue_type_t; of a compute queue, as the rest.
        bits: how many the mask of compute units has, 0 for none.
        mask: the address of the mask.
        written: the address where the queue is written.

    """

    engine: int
    size: int
    callback: int
    data: int
    type: int
    bits: int
    mask: int
    written: int


def descriptor(registry: Registry, address: int, index: int) -> Descriptor:
    """Return an element of an array of descriptors.

    Args:
        registry: says where the members are.
        address: of the array.
        index: of the element.

    """
    whole = registry.structs[_DESCRIPTOR]
    start = address + whole.size * index
    compute = start + whole.field["engine.compute"].offset

    def member(struct: str, base: int, name: str) -> int:
        field = registry.structs[struct].field[name]
        return memory.load(base + field.offset, field.size)

    return Descriptor(
        member(_DESCRIPTOR, start, "engine_type"),
        member(_DESCRIPTOR, start, "queue_size_bytes"),
        member(_DESCRIPTOR, start, "callback"),
        member(_DESCRIPTOR, start, "callback_data"),
        member(_COMPUTE, compute, "type"),
        member(_COMPUTE, compute, "cu_mask_count"),
        member(_COMPUTE, compute, "cu_mask"),
        start + whole.field["queue"].offset,
    )
