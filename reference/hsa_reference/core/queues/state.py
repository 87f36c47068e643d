"""What a runtime knows of queues: their memory, who processes them, how many there may be."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from hsa_reference import memory
from hsa_reference.attributes import pack
from hsa_reference.callbacks import tell_queue
from hsa_reference.core.agents import Agents
from hsa_reference.core.memory.heaps import Block, Heap
from hsa_reference.core.queues.processor import INVALID, PACKET, Limits, Processor, Ring
from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import LOCK
from hsa_reference.state import Part, State
from hsa_spec import Registry

#: Where the indices are, in bytes from the start of the hsa_queue_t, as in ROCr's amd_queue_t.
WRITE_INDEX, READ_INDEX = 56, 128

_EMPTY = INVALID.to_bytes(PACKET, "little")
_NOT_RUNG = -1


class InvalidQueueError(RuntimeError):
    """A function without a status was called with what is no live queue."""

    def __init__(self, address: int) -> None:
        super().__init__(
            f"{address:#x} is no live queue: call with what hsa_queue_create gave, and before "
            "hsa_queue_destroy"
        )


@dataclass(frozen=True)
class Kind:
    """What all queues of an application's choice have.

    Args:
        type: a hsa_queue_type_t.
        features: bits of hsa_queue_feature_t.
        size: how many packets the ring holds.

    """

    type: int
    features: int
    size: int


@dataclass(eq=False)
class Queue:
    """A live queue.

    Args:
        address: of its hsa_queue_t.
        kind: what the application chose.
        agent: the agent that processes it; 0 where the application does.
        on_gpu: whether that is a GPU.
        room: bytes of its own memory.
        signals: those that end with it.
        processor: what processes it, if it is not the application.
        holders: how often it was given to the application.
        ring: memory of a region, with its heap.

    """

    address: int
    kind: Kind
    agent: int
    on_gpu: bool
    room: int
    signals: tuple[int, ...] = ()
    processor: Processor | None = None
    holders: int = 1
    ring: tuple[Heap, Block] | None = None

    @property
    def size(self) -> int:
        """Return how many packets the ring holds."""
        return self.kind.size


class Queues(Part):
    """The queues of a runtime.

    Attributes:
        by_address: the live queues.

    """

    def __init__(self, state: State) -> None:
        self.by_address: dict[int, Queue] = {}
        self._registry = state.registry
        self._agents = state.part(Agents)
        self._signals = state.part(Signals)
        self._ids = count()
        self._group_segment = {
            self._agents.handle[a.name]: max(
                (p.size for p in a.pools if p.segment == self._constant("HSA_AMD_SEGMENT_GROUP")),
                default=0,
            )
            for a in state.machine.agents
        }
        state.before_end.append(self._stop)
        state.things["queue"] = self.by_address.get
        state.facts["queue_type_supported"] = self._supports_type
        state.facts["queue_size_supported"] = self._supports_size

    def create(self, agent: int, kind: Kind, callback: int, data: int) -> Queue | None:
        """Make a queue that an agent processes; None where the agent has as many as it can.

        Raises:
            OSError: there is no memory.
            RuntimeError: there is no thread.

        """
        if self._of(agent) >= self._attribute(agent, "HSA_AGENT_INFO_QUEUES_MAX"):
            return None
        smallest = self._attribute(agent, "HSA_AGENT_INFO_QUEUE_MIN_SIZE")
        kind = Kind(kind.type, kind.features, max(kind.size, smallest))
        doorbell = self._signals.create(_NOT_RUNG).handle
        stop = self._signals.create(0).handle
        try:
            queue = self._place(agent, kind, doorbell, (doorbell, stop), None)
        except OSError:
            self._end((doorbell, stop))
            raise
        ring = self._ring(queue)
        processor = Processor(
            Ring(ring, queue.size, queue.address + READ_INDEX, doorbell, stop),
            Limits(
                self._attribute(agent, "HSA_AGENT_INFO_WORKGROUP_MAX_SIZE"),
                self._group_segment[agent],
            ),
            self._signals.native,
            _reporter(self._registry, callback, queue.address, data),
        )
        try:
            processor.start()
        except RuntimeError:
            self.remove(queue)
            self.give_back(queue)
            raise
        queue.processor = processor
        return queue

    def create_soft(self, kind: Kind, doorbell: int, heap: Heap, permission: int) -> Queue | None:
        """Make a queue that the application processes; None where its ring finds no room.

        Args:
            kind: what the application chose.
            doorbell: the handle of its signal.
            heap: where the ring shall be.
            permission: the hsa_access_permission_t of the process there.

        Raises:
            OSError: there is no memory.

        """
        block = heap.allocate(PACKET * kind.size, memory.READ_WRITE)
        if block is None:
            return None
        try:
            queue = self._place(0, kind, doorbell, (), (heap, block))
        except OSError:
            heap.free(block)
            raise
        try:
            memory.protect(block.address, block.size, permission)
        except OSError:
            self.remove(queue)
            self.give_back(queue)
            raise
        return queue

    def shared(self, agent: int, type_of: int) -> Queue | None:
        """Return the agent's queue of a type, of which it has but one; None where it has none."""
        found = (q for q in self.by_address.values() if (q.agent, q.kind.type) == (agent, type_of))
        return next(found, None)

    def index(self, queue: int, offset: int) -> int:
        """Return the address of an index of a queue.

        Raises:
            InvalidQueueError: there is no such queue.

        """
        if queue not in self.by_address:
            raise InvalidQueueError(queue)
        return queue + offset

    def remove(self, queue: Queue) -> None:
        """Forget a queue, whose memory is still there."""
        del self.by_address[queue.address]

    def give_back(self, queue: Queue) -> None:
        """End the processing of a queue, and give its memory and signals back."""
        if queue.processor:
            queue.processor.stop()
        self._end(queue.signals)
        memory.unmap(queue.address, queue.room)
        if queue.ring:
            heap, block = queue.ring
            heap.free(block)

    def release(self) -> None:
        """Give every queue back."""
        for queue in list(self.by_address.values()):
            self.remove(queue)
            self.give_back(queue)

    def _stop(self) -> None:
        """Let every processor end without the lock: it may be calling the application."""
        with LOCK:
            queues = list(self.by_address.values())
        for queue in queues:
            if queue.processor:
                queue.processor.stop()

    def _place(
        self,
        agent: int,
        kind: Kind,
        doorbell: int,
        signals: tuple[int, ...],
        ring: tuple[Heap, Block] | None,
    ) -> Queue:
        """Lay a queue out: a page of its own, and the ring behind it if it is nowhere else."""
        own = 0 if ring else PACKET * kind.size
        room = -(-(memory.PAGE + own) // memory.PAGE) * memory.PAGE
        address = memory.allocate(room)
        base = ring[1].address if ring else address + memory.PAGE
        ctypes.memmove(base, _EMPTY * kind.size, PACKET * kind.size)
        values = {
            "type": kind.type,
            "features": kind.features,
            "base_address": base,
            "doorbell_signal": doorbell,
            "size": kind.size,
            "id": next(self._ids),
        }
        data = pack(self._registry, "hsa_queue_t", values, "a queue")
        ctypes.memmove(address, data, len(data))
        on_gpu = bool(agent) and not self._agents.on_host(agent)
        queue = Queue(address, kind, agent, on_gpu, room, signals, ring=ring)
        self.by_address[address] = queue
        return queue

    def _end(self, signals: tuple[int, ...]) -> None:
        for signal in signals:
            if signal in self._signals.by_handle:
                self._signals.destroy(signal)

    def _ring(self, queue: Queue) -> int:
        return queue.ring[1].address if queue.ring else queue.address + memory.PAGE

    def _of(self, agent: int) -> int:
        return sum(q.agent == agent for q in self.by_address.values())

    def _supports_type(self, agent: int, type_of: int) -> bool:
        if not self._attribute(agent, "HSA_AGENT_INFO_QUEUES_MAX"):
            return False
        if type_of == self._constant("HSA_QUEUE_TYPE_COOPERATIVE"):
            return bool(self._attribute(agent, "HSA_AMD_AGENT_INFO_COOPERATIVE_QUEUES"))
        single = self._constant("HSA_QUEUE_TYPE_SINGLE")
        return type_of in (single, self._attribute(agent, "HSA_AGENT_INFO_QUEUE_TYPE"))

    def _supports_size(self, agent: int, size: int) -> bool:
        return 0 < size <= self._attribute(agent, "HSA_AGENT_INFO_QUEUE_MAX_SIZE")

    def _attribute(self, agent: int, name: str) -> int:
        data = self._agents.by_handle[agent].attributes[self._constant(name)]
        return int.from_bytes(data, "little")

    def _constant(self, name: str) -> int:
        return self._registry.constants[name]


def _reporter(registry: Registry, callback: int, queue: int, data: int) -> Callable[[str], None]:
    """Return what tells the application of an error of its queue, if it wants to know."""

    def report(status: str) -> None:
        if callback:
            tell_queue(callback, registry.status(status), queue, data)

    return report
