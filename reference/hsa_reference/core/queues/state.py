"""What a runtime knows of queues: which there are, and who processes them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from hsa_reference import memory
from hsa_reference.callbacks import tell_queue
from hsa_reference.core.agents import Agents
from hsa_reference.core.executables.state import Executables
from hsa_reference.core.memory.heaps import Block, Heap
from hsa_reference.core.queues.limits import AgentLimits
from hsa_reference.core.queues.packets import Agent
from hsa_reference.core.queues.processor import Processor
from hsa_reference.core.queues.queue import READ_INDEX, Kind, Queue, lay_out, room_for
from hsa_reference.core.queues.ring import PACKET, Ring
from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import LOCK
from hsa_reference.kernels import Launch
from hsa_reference.state import Part, State
from hsa_spec import Registry

_NOT_RUNG = -1


class InvalidQueueError(RuntimeError):
    """A function without a status was called with what is no live queue."""

    def __init__(self, address: int) -> None:
        super().__init__(
            f"{address:#x} is no live queue: call with what hsa_queue_create gave, and before "
            "hsa_queue_destroy"
        )


class Queues(Part):
    """The queues of a runtime.

    Attributes:
        by_address: the live queues.
        limits: which queues the agents have.

    """

    def __init__(self, state: State) -> None:
        self.by_address: dict[int, Queue] = {}
        self.limits = AgentLimits(state)
        self._registry = state.registry
        self._agents = state.part(Agents)
        self._signals = state.part(Signals)
        self._executables = state.part(Executables)
        self._executors = state.executors
        self._ids = count()
        state.before_end.append(self._stop)
        state.things["queue"] = self.by_address.get
        state.facts["queue_type_supported"] = self.limits.supports_type
        state.facts["queue_size_supported"] = self.limits.supports_size

    def create(self, agent: int, kind: Kind, callback: int, data: int) -> Queue | None:
        """Make a queue that an agent processes; None where the agent has as many as it can.

        Raises:
            OSError: there is no memory.
            RuntimeError: there is no thread.

        """
        if self._of(agent) >= self.limits.most(agent):
            return None
        kind = Kind(kind.type, kind.features, max(kind.size, self.limits.smallest(agent)))
        doorbell = self._signals.create(_NOT_RUNG).handle
        stop = self._signals.create(0).handle
        try:
            queue = self._place(agent, kind, doorbell, (doorbell, stop), None)
        except OSError:
            self._end((doorbell, stop))
            raise
        native, read_index = self._signals.native, queue.address + READ_INDEX
        processor = Processor(
            Ring(native, queue.ring, queue.size, read_index, doorbell, stop),
            self._dispatching(agent),
            self._signals,
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
        queue.free()

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
        block: tuple[Heap, Block] | None,
    ) -> Queue:
        """Add a queue in memory of its own, but for a ring that lies in a block.

        Raises:
            OSError: there is no memory.

        """
        room = room_for(kind, ring=block is None)
        on_gpu = bool(agent) and not self._agents.on_host(agent)
        queue = Queue(memory.allocate(room), kind, agent, on_gpu, room, signals, block=block)
        lay_out(queue, self._registry, doorbell, next(self._ids))
        self.by_address[queue.address] = queue
        return queue

    def _dispatching(self, agent: int) -> Agent:
        """Return what an agent does with dispatches."""
        executables, executors = self._executables, self._executors

        def find(kernel_object: int) -> Launch | None:
            with LOCK:
                kernel = executables.kernel(kernel_object, agent)
            launches = (e.find(kernel) for e in executors) if kernel else ()
            return next((launch for launch in launches if launch), None)

        limits = self.limits
        return Agent(limits.work_items(agent), limits.group_segment[agent], find)

    def _end(self, signals: tuple[int, ...]) -> None:
        for signal in signals:
            if signal in self._signals.by_handle:
                self._signals.destroy(signal)

    def _of(self, agent: int) -> int:
        return sum(q.agent == agent for q in self.by_address.values())


def _reporter(registry: Registry, callback: int, queue: int, data: int) -> Callable[[str], None]:
    """Return what tells the application of an error of its queue, if it wants to know."""

    def report(status: str) -> None:
        if callback:
            tell_queue(callback, registry.status(status), queue, data)

    return report
