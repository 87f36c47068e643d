"""The interface between packet processors and what runs kernels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


class DispatchEndedError(Exception):
    """A dispatch that ended before its time, with an error of its queue.

    Args:
        status: what the queue's callback is told.

    """

    def __init__(self, status: str) -> None:
        super().__init__(status)
        self.status = status


@dataclass(frozen=True)
class View:
    """Memory that the runtime gave out, and where agents find it that have access.

    Args:
        address: where programs find it.
        size: in bytes.
        start: where it is mapped for the agent, 0 where the agent has no access.

    """

    address: int
    size: int
    start: int


@dataclass(frozen=True)
class DispatchContext:
    """What is around a dispatch.

    Args:
        queue: the address of its hsa_queue_t.
        compute_units: of the agent.
        views: maps all memory that the runtime gave out for the agent; who asks unmaps it again.
        stopped: returns whether the queue is inactive or destroyed; whoever runs kernels looks at
            it, and returns.

    """

    queue: int
    compute_units: int
    views: Callable[[], Sequence[View]]
    stopped: Callable[[], bool]


@dataclass(frozen=True)
class Dispatch:
    """A dispatch that an agent may launch; sizes of grid and work-groups are in work-items.

    Args:
        packet: the address of its hsa_kernel_dispatch_packet_t.
        work_group: the size of a work-group; those at the end of the grid may be smaller.
        grid: the size of the grid, not smaller.
        arguments: the address of the kernel's arguments.
        group_segment: bytes that a work-group shares.
        private_segment: bytes that a work-item has for itself.
        number: of the packet in its queue.
        surroundings: what is around it.

    """

    packet: int
    work_group: Size
    grid: Size
    arguments: int
    group_segment: int
    private_segment: int
    number: int
    surroundings: DispatchContext


#: Runs a dispatch to its end; raises DispatchEndedError where there is none.
Launch = Callable[[Dispatch], None]


class Executor(Protocol):
    """Runs kernels; it is called on the threads of queues, by several at a time."""

    def find(self, kernel: Kernel) -> Launch | None:
        """Return what runs the dispatches of a kernel, None where that is for others."""
        ...
