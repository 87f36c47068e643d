"""Queues that share hardware queues once there are as many of these as are allowed."""

from __future__ import annotations

import os

from hsa_reference.core.queues.queue import Hardware, Kind, Queue
from hsa_reference.core.queues.state import Listener, Queues
from hsa_reference.state import Part, State

#: Says how many hardware queues there are for each priority.
LIMIT_VARIABLE = "GPU_MAX_HW_QUEUES"
_USUAL_LIMIT = 4


class CountedQueues(Part):
    """The hardware queues of counted queues; they stay until the runtime shuts down."""

    def __init__(self, state: State) -> None:
        self._queues = state.part(Queues)
        self._hardware: dict[tuple[int, int], list[Hardware]] = {}  # by agent and priority
        state.facts["is_counted_queue"] = self._is_counted

    def acquire(self, agent: int, kind: Kind, priority: int, listener: Listener) -> Queue | None:
        """Make a queue with a new hardware queue, or at the limit with the least used one.

        Args:
            agent: a GPU.
            kind: what all counted queues are.
            priority: a hsa_amd_queue_priority_t.
            listener: what is told of errors.

        Returns:
            None where the agent has no more hardware queues, or there is no memory, or no thread.

        """
        there = self._hardware.setdefault((agent, priority), [])
        if len(there) >= limit():
            return self._create(kind, listener, min(there, key=self._queues.users))
        hardware = self._queues.new_hardware(agent, lasting=True)
        queue = self._create(kind, listener, hardware) if hardware else None
        if hardware and queue:
            there.append(hardware)
        return queue

    def _create(self, kind: Kind, listener: Listener, hardware: Hardware) -> Queue | None:
        return self._queues.create(hardware.agent, kind, listener, hardware=hardware)

    def release(self) -> None:
        """Forget the hardware queues."""
        self._hardware.clear()

    def _is_counted(self, queue: int) -> bool:
        found = self._queues.by_address.get(queue)
        return found is not None and found.hardware is not None and found.hardware.lasting


def limit() -> int:
    """Return how many hardware queues there are at most for each priority of an agent."""
    text = os.environ.get(LIMIT_VARIABLE, "")
    return int(text) if text.isdecimal() and int(text) else _USUAL_LIMIT
