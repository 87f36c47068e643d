"""What a runtime knows of signals, and the memory that they are in."""

from __future__ import annotations

import ctypes
import os
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import count

from hsa_reference import memory
from hsa_reference.core.signals import shared_signals
from hsa_reference.core.system import FREQUENCY, System
from hsa_reference.handles import SIGNAL_GROUPS
from hsa_reference.native import ACQ_REL, NO_LIMIT, RELAXED, RELEASE, SEQ_CST, native
from hsa_reference.objects import Objects
from hsa_reference.requests import ADDRESSES, ask
from hsa_reference.state import Part, State
from hsa_reference.undoing import undoing

#: Kinds of an amd_signal_t; 0 is none.
USER = 1
#: Offsets in an amd_signal_t of ROCr's amd_hsa_signal.h.
VALUE, EVENT_ID = 8, 24

_SIZE = 64  # of an amd_signal_t, in bytes, and its alignment
_SLAB = 1024  # signals
_TIMES = 32  # offset of the start and the end of an operation
_WAITERS_OFFSET = 56  # of the count of those who wait
_NO_TIMEOUT = 2**64 - 1  # ticks

# Pages that no runtime uses any more. They stay readable, since a thread that waits for a destroyed
# signal is about to look at it.
_SPARE: list[int] = []


@dataclass(slots=True)
class Signal:
    """A live signal.

    Args:
        handle: its address.
        attributes: bits of hsa_amd_signal_attribute_t.
        descriptor: of the shared memory that it is in, and of which it is the only one.

    """

    handle: int
    attributes: int = 0
    descriptor: int | None = None


@dataclass(frozen=True)
class SignalGroup:
    """A group: the handles of its signals in order."""

    signals: tuple[int, ...]


class InvalidSignalError(RuntimeError):
    """A function without a status was called with what is no live signal."""

    def __init__(self, handle: int) -> None:
        super().__init__(
            f"{handle:#x} is no live signal: call with what hsa_signal_create gave, and before "
            "hsa_signal_destroy"
        )


class Signals(Part):
    """The signals and groups of a runtime.

    A signal is memory at its handle, with ROCr's layout (amd_signal_t). Signals of one process
    share pages; a destroyed one is used again, as late as possible.

    Attributes:
        by_handle: the live signals.
        groups: by handle.
        native: the atomic operations on them.
        ending: called with the handle of each signal that is about to end.

    """

    def __init__(self, state: State) -> None:
        self.by_handle: Objects[int, Signal] = Objects()
        self.groups: Objects[int, SignalGroup] = Objects()
        self.ending: list[Callable[[int], None]] = []
        self.native = native()
        self._slabs: list[int] = []
        self._parting: list[int] = []  # pages of shared signals that ended while somebody waited
        self._free: deque[int] = deque()
        self._values = count(SIGNAL_GROUPS + 1)
        longest = state.registry.constants["HSA_SYSTEM_INFO_SIGNAL_MAX_WAIT"]
        packed = state.part(System).attributes[longest]
        self._longest = int.from_bytes(packed, "little")
        self._active = state.registry.constants["HSA_WAIT_STATE_ACTIVE"]
        state.things["signal"] = self.by_handle.get
        state.things["signal_group"] = self.groups.get

    def begin(self) -> None:
        """Take memory for the first signals.

        Raises:
            OSError: there is none.

        """
        self._free.extend(self._new_slab())

    def create(self, value: int, attributes: int = 0) -> Signal:
        """Make a signal in memory of this process.

        Raises:
            OSError: there is no memory.

        """
        if not self._free:
            self._free.extend(self._new_slab())
        signal = Signal(self._free.popleft(), attributes)
        with undoing(lambda: self._free.appendleft(signal.handle)):
            self.by_handle[signal.handle] = signal
        self._fill(signal.handle, value)
        return signal

    def create_shared(self, value: int, attributes: int) -> Signal:
        """Make a signal in shared memory of its own.

        Raises:
            OSError: there is no memory, or no descriptor left.

        """
        signal = self._add_shared(shared_signals.create(), attributes)
        self._fill(signal.handle, value)
        return signal

    def attach(self, name: bytes, attributes: int) -> Signal:
        """Add the signal of another process that has this name.

        Raises:
            OSError: there is none any more, or no memory, or no descriptor left.

        """
        return self._add_shared(shared_signals.attach(name), attributes)

    def destroy(self, handle: int) -> None:
        """End a signal."""
        signal = self.by_handle.pop(handle)
        for call in self.ending:
            call(handle)
        if signal.descriptor is None:
            self.native.signal_end(handle)
            self._free.append(handle)
        else:
            self._parting.append(handle)
            self._unmap_parting()
            os.close(signal.descriptor)

    def hold(self, handles: Iterable[int]) -> None:
        """Count a thread among those who wait, before it does: the memory stays until `let_go`."""
        for handle in handles:
            self.native.add_32(handle + _WAITERS_OFFSET, 1, ACQ_REL)

    def let_go(self, handles: Iterable[int]) -> None:
        """Undo `hold`."""
        for handle in handles:
            self.native.subtract_32(handle + _WAITERS_OFFSET, 1, ACQ_REL)

    def set_times(self, handle: int, start: int, end: int) -> None:
        """Let a signal hold the times of an operation, in ticks of the system's clock."""
        memory.store(handle + _TIMES, start, 8)
        memory.store(handle + _TIMES + 8, end, 8)

    def times(self, handle: int) -> tuple[int, int]:
        """Return when the last operation with times began and ended, zeros where there is none."""
        start, end = memory.words(handle + _TIMES, 2)
        return start, end

    def check(self, handle: int) -> None:
        """Raise InvalidSignalError for what is no live signal."""
        if handle not in self.by_handle:
            raise InvalidSignalError(handle)

    def live(self, handles: Iterable[int]) -> list[int]:
        """Return the handles, with 0 for what is no live signal: its memory may be gone."""
        return [handle if handle in self.by_handle else 0 for handle in handles]

    def add_group(self, signals: tuple[int, ...]) -> int:
        """Add a group of signals and return its handle.

        Raises:
            OSError: there is no memory.

        """
        handle = next(self._values)
        self.groups[handle] = SignalGroup(signals)
        return handle

    def limit(self, ticks: int) -> int:
        """Return how many nanoseconds a wait with this hint lasts at most."""
        ticks = min(ticks, self._longest)
        return NO_LIMIT if ticks == _NO_TIMEOUT else min(ticks * 10**9 // FREQUENCY, NO_LIMIT - 1)

    def is_active(self, hint: int) -> bool:
        """Return whether a hsa_wait_state_t asks to look for a while before the thread sleeps."""
        return hint == self._active

    def holdings(self) -> Mapping[str, int]:
        """Return how many objects it holds, and places for signals."""
        places = len(self._slabs) * _SLAB - len(self._free)
        return {**super().holdings(), "place of a signal": places}

    def release(self) -> None:
        """Give back every signal and group."""
        self.groups.clear()
        for handle in list(self.by_handle):
            self.destroy(handle)
        self._free.clear()
        while self._slabs:
            _SPARE.append(self._slabs.pop())

    def _new_slab(self) -> Iterable[int]:
        """Return the addresses of memory for signals."""
        if _SPARE:
            ask(ADDRESSES)  # as if there were none: what other runtimes left changes nothing
        slab = _SPARE.pop() if _SPARE else memory.allocate(_SLAB * _SIZE)
        self._slabs.append(slab)
        return range(slab, slab + _SLAB * _SIZE, _SIZE)

    def _add_shared(self, descriptor: int, attributes: int) -> Signal:
        with undoing(lambda: os.close(descriptor)):
            address = memory.map_shared(memory.PAGE, descriptor, memory.READ_WRITE)
            signal = Signal(address, attributes, descriptor)
            with undoing(lambda: memory.unmap(address, memory.PAGE)):
                self.by_handle[address] = signal
        return signal

    def _unmap_parting(self) -> None:
        """Unmap the shared signals that ended and that nobody of any process waits for any more."""
        waited = [a for a in self._parting if self.native.load_32(a + _WAITERS_OFFSET, SEQ_CST)]
        for address in set(self._parting).difference(waited):
            memory.unmap(address, memory.PAGE)
        self._parting = waited

    def _fill(self, handle: int, value: int) -> None:
        # What counts waits stays as it is: see the C file.
        ctypes.memset(handle, 0, _WAITERS_OFFSET)
        self.native.signal_silent_store(handle, value, RELAXED)
        self.native.store_64(handle, USER, RELEASE)
