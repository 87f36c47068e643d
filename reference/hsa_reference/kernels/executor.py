"""The interface between packet processors and what runs kernels."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from hsa_reference.amdgpu.target import Target

Size = tuple[int, int, int]


@dataclass(frozen=True)
class Kernel:
    """A kernel in memory.

    Args:
        symbol: the name of its descriptor, such as b"add.kd".
        target: the processor that its instructions are for.
        descriptor: the address of its descriptor, which packets name as kernel object.
        entry: the address of its first instruction.

    """

    symbol: bytes
    target: Target
    descriptor: int
    entry: int


@dataclass(frozen=True)
class Dispatch:
    """A dispatch that an agent may launch; sizes of grid and work-groups are in work-items.

    Args:
        packet: the address of its hsa_kernel_dispatch_packet_t.
        work_group: the size of a work-group; those at the end of the grid may be smaller.
        grid: the size of the grid, not smaller.
        arguments: the address of the kernel's arguments.
        group_segment: bytes that a work-group shares.

    """

    packet: int
    work_group: Size
    grid: Size
    arguments: int
    group_segment: int


#: Runs a dispatch to its end.
Launch = Callable[[Dispatch], None]


class Executor(Protocol):
    """Runs kernels; it is called on the threads of queues, by several at a time."""

    def find(self, kernel: Kernel) -> Launch | None:
        """Return what runs the dispatches of a kernel, None where that is for others."""
        ...
