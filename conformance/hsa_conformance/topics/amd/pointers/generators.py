"""Memory that the runtime knows, and structures that hsa_amd_pointer_info fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.engine.generation.builder import Builder
from hsa_conformance.engine.generation.generators import (
    Comparison,
    Generator,
    Generators,
    near,
)
from hsa_conformance.topics.amd.pools.fixtures import BLOCK, allocate_block, known_pools
from hsa_conformance.topics.amd.pools.state import Pool
from hsa_conformance.topics.core.memory.generators import BLOCK as REGION_BLOCK


def _size(b: Builder, names: Sequence[str], _: str, op: str, bound: object) -> None:
    """Lay out a hsa_amd_pointer_info_t whose size member is as wanted, with room for more."""
    size = near(b, op, int(str(bound)), unit=8)
    room = size.to_bytes(4, "little") + bytes(252)
    b.values[names[0]] = b.session.place(room, f"&{{.size = {size}}}")


def _known_memory(b: Builder, x: str) -> None:
    kinds = {BLOCK: lambda: allocate_block(b, b.choose(_suited(b)))}
    # What can migrate is said of pools, and so of their blocks alone.
    if _takes_any(b) and b.function.topic != "amd/migration":
        kinds |= {k: make for k, make in b.kinds(b.granule()).items() if k == REGION_BLOCK}
    b.values[x] = b.some_memory(kinds) + b.choose([0, 1, 64])


def _anywhere(b: Builder, x: str) -> None:
    b.values[x] = b.some_memory(b.kinds())


#: An address may be of any memory.
ADDRESSES: Mapping[str, Generator] = {"hsa_amd_pointer_info.ptr": _anywhere}


def _takes_any(b: Builder) -> bool:
    """Return whether all memory that the runtime knows suits the function."""
    # Filling what a GPU can access takes a kernel.
    fills = b.function.name == "hsa_amd_memory_fill" and not b.session.runs_kernels
    return b.function.topic != "amd/files" and not fills


def _suited(b: Builder) -> list[Pool]:
    """Return the pools with memory that suits the function."""
    location = "gpu" if b.function.topic == "amd/files" else "cpu"
    return known_pools(b, lambda p: p.allocatable and (_takes_any(b) or p.location == location))


def _unknown_memory(b: Builder, x: str) -> None:
    b.values[x] = b.readable() + b.choose([0, 1, 64])


def _known_start(b: Builder, x: str) -> None:
    b.values[x] = allocate_block(b)


def _no_known_start(b: Builder, x: str) -> None:
    b.values[x] = allocate_block(b) + b.choose([1, 64])


GENERATORS: Mapping[str, Generators] = {
    "is_known_memory": Generators(_known_memory, _unknown_memory),
    "is_known_start": Generators(_known_start, _no_known_start),
}

COMPARISONS: Mapping[str, Comparison] = {"pointer_info_size": _size}
