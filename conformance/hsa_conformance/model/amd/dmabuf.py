"""Descriptors of memory for other drivers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from hsa_conformance.findings import ProvesNothing
from hsa_conformance.model.state import Allocation, Fact, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer

#: What the machine offers where GPUs can export memory.
FEATURE = "dma-buf"


def _export(model: Model, answer: Answer) -> None:
    descriptor = answer["dmabuf"]
    model.descriptors.add(descriptor)
    model.keep("dmabuf", descriptor, thing=descriptor)


def _close(model: Model, answer: Answer) -> None:
    descriptor = answer.args["dmabuf"]
    model.descriptors.discard(descriptor)
    model.drop("dmabuf", descriptor)


def _around(model: Model, address: int, size: int = 1) -> Allocation | None:
    blocks = model.allocations.values()
    return next(
        (b for b in blocks if b.address <= address and address + size <= b.address + b.size), None
    )


def _within_allocation(model: Model, address: int, size: int) -> bool:
    return _around(model, address, size) is not None


def _is_exportable(model: Model, address: int) -> bool:
    """Tell whether memory can be exported: the text wants it to be of a GPU."""
    block = _around(model, address)
    pool = model.pool(block.pool) if block else None
    if pool is None or pool.location != "gpu":
        return False
    if not model.supports(FEATURE):
        raise ProvesNothing("the driver does not say that GPUs can export memory")
    return True


def _is_exported(model: Model, descriptor: int) -> bool:
    return model.is_open(descriptor) and model.find("dmabuf", descriptor) is not None


RECORD: dict[str, Callable[[Model, Answer], None]] = {
    "hsa_amd_portable_export_dmabuf": _export,
    "hsa_amd_portable_export_dmabuf_v2": _export,
    "hsa_amd_portable_close_dmabuf": _close,
}

FACTS: Mapping[str, Fact] = {
    "within_allocation": _within_allocation,
    "memory_is_exportable": _is_exportable,
    "is_exported_buffer": _is_exported,
}
