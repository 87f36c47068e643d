"""Descriptors of memory for other drivers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import Transition
from hsa_conformance.topics.amd.locks.foreign_memory import require_foreign_memory
from hsa_conformance.topics.amd.pools.state import Allocation, find_pool, pool_access

#: What the machine offers where GPUs can export memory.
FEATURE = "dma-buf"


@dataclass(frozen=True)
class Export:
    """A range that was exported: the block that it lies in, and where the call said it is.

    Attributes:
        descriptor: of the dma-buf.
        block: the block.
        address: where the range starts.
        offset: where it starts in the dma-buf.

    """

    descriptor: int
    block: Allocation | None
    address: int
    offset: int


def _export(model: Model, answer: Answer) -> None:
    descriptor, address = answer["dmabuf"], answer.args["ptr"]
    model.descriptors.add(descriptor)
    made = Export(descriptor, _around(model, address), address, answer.number("offset"))
    model.add("dmabuf", descriptor, thing=made)


def _close(model: Model, answer: Answer) -> None:
    descriptor = answer.args["dmabuf"]
    model.descriptors.discard(descriptor)
    model.remove("dmabuf", descriptor)


def _around(model: Model, address: int, size: int = 1) -> Allocation | None:
    blocks = model.live("allocation")
    return next(
        (b for b in blocks if b.address <= address and address + size <= b.address + b.size), None
    )


def _within_allocation(model: Model, address: int, size: int) -> bool:
    if _around(model, address, size) is not None:
        return True
    require_foreign_memory(model, address)
    return False


def _is_exportable(model: Model, address: int) -> bool:
    """Return whether memory can be exported: the text wants it to be of a GPU."""
    block = _around(model, address)
    pool = find_pool(model, block.pool) if block else None
    if pool is None or pool.location != "gpu":
        return False
    if not model.supports(FEATURE):
        raise ProvesNothing("the driver does not say that GPUs can export memory")
    return True


def _is_reached_over(model: Model, address: int, flags: int) -> bool:
    """Return whether memory can be reached over a path.

    No text says whether that is so of PCI Express where no CPU reaches the memory.
    """
    block = _around(model, address)
    if not flags or block is None:
        return True
    cpus = (a.handle for a in model.live("agent") if a.kind == "cpu")
    if all(pool_access(model, cpu, block.pool) == "never" for cpu in cpus):
        raise ProvesNothing("no CPU reaches the memory")
    return True


def _is_exported(model: Model, descriptor: int) -> bool:
    return model.is_open(descriptor) and model.find("dmabuf", descriptor) is not None


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_portable_export_dmabuf": _export,
    "hsa_amd_portable_export_dmabuf_v2": _export,
    "hsa_amd_portable_close_dmabuf": _close,
}

FACTS: Mapping[str, Fact] = {
    "within_allocation": _within_allocation,
    "memory_is_exportable": _is_exportable,
    "is_reached_over": _is_reached_over,
    "is_exported_buffer": _is_exported,
}
