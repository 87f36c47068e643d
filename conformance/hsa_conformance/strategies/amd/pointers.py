"""Memory that the runtime knows, and structures that hsa_amd_pointer_info fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hsa_conformance.model.state import Pool
from hsa_conformance.strategies.builder import Builder
from hsa_conformance.strategies.makers import Comparer, Makers, near


def _size(b: Builder, names: Sequence[str], _: str, op: str, bound: object) -> None:
    """Lay out a hsa_amd_pointer_info_t whose size member is as wanted, with room for more."""
    size = near(b, op, int(str(bound)), unit=8)
    room = size.to_bytes(4, "little") + bytes(252)
    b.values[names[0]] = b.session.place(room, f"&{{.size = {size}}}")


def _known_memory(b: Builder, x: str) -> None:
    b.values[x] = b.block(b.choose(_suited(b))) + b.choose([0, 1, 64])


def _suited(b: Builder) -> list[Pool]:
    """Return the pools with memory that suits the function."""
    if b.function.topic == "amd/files":
        return b.pools(lambda p: p.allocatable and p.location == "gpu")
    if b.function.name == "hsa_amd_memory_fill" and not b.session.runs_kernels:
        # Filling what a GPU can access takes a kernel.
        return b.pools(lambda p: p.allocatable and p.location == "cpu")
    return b.pools(lambda p: p.allocatable)


def _unknown_memory(b: Builder, x: str) -> None:
    b.values[x] = b.readable() + b.choose([0, 1, 64])


def _known_start(b: Builder, x: str) -> None:
    b.values[x] = b.block()


def _no_known_start(b: Builder, x: str) -> None:
    b.values[x] = b.block() + b.choose([1, 64])


MAKERS: Mapping[str, Makers] = {
    "is_known_memory": Makers(_known_memory, _unknown_memory),
    "is_known_start": Makers(_known_start, _no_known_start),
}

COMPARERS: Mapping[str, Comparer] = {"pointer_info_size": _size}
