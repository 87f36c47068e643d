"""What a runtime knows of queues: which there are, and who processes them."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import count

from hsa_reference import memory
from hsa_reference.callbacks import tell_queue
from hsa_reference.core.agents import Agents
from hsa_reference.core.executables.state import Executables
from hsa_reference.core.memory.heaps import Block, Heap
from hsa_reference.core.memory.places import Places
from hsa_reference.core.queues.limits import AgentLimits
from hsa_reference.core.queues.packets import Agent
from hsa_reference.core.queues.processor import Processor, Report, Worker
from hsa_reference.core.queues.queue import READ_INDEX, Hardware, Kind, Queue, lay_out, room_for
from hsa_reference.core.queues.ring import PACKET, Ring
from hsa_reference.core.queues.scratch import Scratch
from hsa_reference.core.signals.state import Signals
from hsa_reference.effects import LOCK
from hsa_reference.kernels import Launch
from hsa_reference.objects import Objects
from hsa_reference.requests import QUEUE, ask
from hsa_reference.state import Part, State
from hsa_reference.undoing import undoing
from hsa_spec import Registry

_NOT_RUNG = -1


#: Returns what works on the packets of a ring for an agent.
MakeWorker = Callable[[Ring, Agent, Signals, Report], Worker]


@dataclass(frozen=True)
class Listener:
    """What an application wants to be told of errors: its function, 0 for none, and its data."""

    callback: int
    data: int


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
        ending: called with the address of each queue that is about to end.
        scratch: what dispatches of an agent use of it, by its handle.

    """

    def __init__(self, state: State) -> None:
        self.by_address: Objects[int, Queue] = Objects()
        self.limits = AgentLimits(state)
        self.ending: list[Callable[[int], None]] = []
        self.scratch: defaultdict[int, Scratch] = defaultdict(Scratch)
        self._hardware: list[Hardware] = []
        self._numbers = count(1)
        self._registry = state.registry
        self._agents = state.part(Agents)
        self._signals = state.part(Signals)
        self._executables = state.part(Executables)
        self._executors = state.executors
        self._places = state.part(Places)
        self._ids = count()
        self._stopped_in = 0  # the process in which the runtime ends, and gets no queue any more
        state.before_end.append(self._stop)
        state.things["queue"] = self.by_address.get
        state.facts["queue_type_supported"] = self.limits.supports_type
        state.facts["queue_size_supported"] = self.limits.supports_size

    def open(self, agent: int, kind: Kind, listener: Listener) -> Queue | None:
        """Make a queue, or give the agent's cooperative one, of which it has only one, once more.

        Returns:
            None where there can be none; see `create`.

        """
        cooperative = kind.type == self._registry.constants["HSA_QUEUE_TYPE_COOPERATIVE"]
        made = self._shared(agent, kind.type) if cooperative else None
        if made is None:
            return self.create(agent, kind, listener)
        made.holders += 1
        return made

    def create(
        self,
        agent: int,
        kind: Kind,
        listener: Listener,
        make: MakeWorker = Processor,
        hardware: Hardware | None = None,
    ) -> Queue | None:
        """Make a queue that an agent processes.

        Args:
            agent: its handle.
            kind: what the application chose.
            listener: what is told of errors.
            make: returns what works on the packets.
            hardware: what other queues use as well; None for its own.

        Returns:
            None where the agent has as many as it can, or none of this size, or there is no
            memory, or no thread, or the runtime is about to end.

        """
        hardware = hardware or self.new_hardware(agent)
        if hardware is None or self._stopped_in == os.getpid():
            return None
        if not self.limits.supports_size(agent, kind.size):
            return None
        kind = Kind(kind.type, kind.features, max(kind.size, self.limits.smallest(agent)))
        signals: list[int] = []
        try:
            with undoing(lambda: self._end(signals)):
                for value in (_NOT_RUNG, 0):
                    signals.append(self._signals.create(value).handle)
                queue = self._place(agent, kind, signals[0], tuple(signals), None)
                with undoing(lambda: self._unplace(queue)):
                    ask(QUEUE)
                    worker = self._worker(queue, listener, make)
                    worker.start()
        except OSError:
            return None
        queue.hardware, queue.processor = hardware, worker
        if hardware not in self._hardware:
            self._hardware.append(hardware)
        return queue

    def _worker(self, queue: Queue, listener: Listener, make: MakeWorker) -> Worker:
        """Return what works on the packets of a queue."""
        native, read_index = self._signals.native, queue.address + READ_INDEX
        ring = Ring(native, queue.ring, queue.size, read_index, *queue.signals)
        report = _reporter(self._registry, listener, queue.address)
        dispatching = self._dispatching(queue.agent, queue.address)
        return make(ring, dispatching, self._signals, report)

    def new_hardware(self, agent: int, *, lasting: bool = False) -> Hardware | None:
        """Return what a queue is processed with, None where the agent has no more of it.

        It counts once there is a queue that uses it.
        """
        used = sum(hardware.agent == agent for hardware in self._hardware)
        free = used < self.limits.most(agent)
        return Hardware(next(self._numbers), agent, lasting) if free else None

    def users(self, hardware: Hardware) -> int:
        """Return how many queues are processed with the same."""
        return sum(queue.hardware is hardware for queue in self.by_address.values())

    def create_soft(self, kind: Kind, doorbell: int, heap: Heap, permission: int) -> Queue:
        """Make a queue that the application processes.

        Args:
            kind: what the application chose.
            doorbell: the handle of its signal.
            heap: where the ring shall be.
            permission: the hsa_access_permission_t of the process there.

        Raises:
            OSError: there is no memory.

        """
        with heap.allocated(PACKET * kind.size, memory.READ_WRITE) as block:
            queue = self._place(0, kind, doorbell, (), (heap, block))
            with undoing(lambda: self._unplace(queue)):
                memory.protect(block.address, block.size, permission)
        return queue

    def index(self, queue: int, offset: int) -> int:
        """Return the address of an index of a queue.

        Raises:
            InvalidQueueError: there is no such queue.

        """
        if queue not in self.by_address:
            raise InvalidQueueError(queue)
        return queue + offset

    def remove(self, queue: Queue) -> None:
        """Forget a queue, and begin no packet of it; its memory is still there, and LOCK held."""
        for call in self.ending:
            call(queue.address)
        del self.by_address[queue.address]
        if queue.processor:
            queue.processor.stop()
        if queue.hardware in self._hardware and not queue.hardware.lasting:
            self._hardware.remove(queue.hardware)

    def give_back(self, queue: Queue) -> None:
        """Wait for the end of a removed queue's threads, and give its memory and signals back."""
        if queue.processor:
            queue.processor.end()
        with LOCK:
            self._end(queue.signals)
            queue.free()

    def release(self) -> None:
        """Give every queue back."""
        for queue in list(self.by_address.values()):
            self.remove(queue)
            self.give_back(queue)
        self._hardware.clear()
        self._stopped_in = 0

    def _stop(self) -> None:
        """Let every processor end without the lock: it may be calling the application."""
        with LOCK:
            self._stopped_in = os.getpid()
            workers = [q.processor for q in self.by_address.values() if q.processor]
            for worker in workers:
                worker.stop()
        for worker in workers:
            worker.end()

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
        with undoing(lambda: memory.unmap(queue.address, room)):
            lay_out(queue, self._registry, doorbell, next(self._ids))
            self.by_address[queue.address] = queue
        return queue

    def _unplace(self, queue: Queue) -> None:
        """Forget a queue that nobody has, and give its own memory back."""
        del self.by_address[queue.address]
        memory.unmap(queue.address, queue.room)

    def _dispatching(self, agent: int, queue: int) -> Agent:
        """Return what an agent does with dispatches of a queue."""
        executables, executors = self._executables, self._executors

        def find(kernel_object: int) -> Launch | None:
            with LOCK:
                kernel = executables.kernel(kernel_object, agent)
            launches = (e.find(kernel) for e in executors) if kernel else ()
            return next((launch for launch in launches if launch), None)

        limits = self.limits
        return Agent(
            limits.work_items(agent),
            limits.group_segment[agent],
            find,
            queue,
            limits.compute_units(agent),
            lambda: self._places.views(agent),
            self.scratch[agent],
        )

    def _end(self, signals: Iterable[int]) -> None:
        for signal in signals:
            if signal in self._signals.by_handle:
                self._signals.destroy(signal)

    def _shared(self, agent: int, type_of: int) -> Queue | None:
        """Return the agent's queue of a type, of which it has but one; None where it has none."""
        found = (q for q in self.by_address.values() if (q.agent, q.kind.type) == (agent, type_of))
        return next(found, None)


def _reporter(registry: Registry, listener: Listener, queue: int) -> Report:
    """Return what tells the application of an error of its queue, if it wants to know."""

    def report(status: str) -> None:
        if listener.callback:
            tell_queue(listener.callback, registry.status(status), queue, listener.data)

    return report
