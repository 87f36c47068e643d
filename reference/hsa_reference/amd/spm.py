"""The streaming counters of GPUs: who holds them, and where they would be written.

No kernel runs that counts anything, so buffers stay as they are.
"""

from __future__ import annotations

import fcntl
import os
import struct
import threading
from dataclasses import dataclass, field

from hsa_reference import memory
from hsa_reference.core.agents import Agents
from hsa_reference.effects import unlocked
from hsa_reference.objects import Objects
from hsa_reference.requests import COUNTERS, FILE, ask
from hsa_reference.state import Part, State
from hsa_reference.status import ERROR, INVALID_AGENT, SUCCESS, Answer
from hsa_reference.undoing import undoing

# A byte for each agent, which who holds its counters has locked. Runtimes of this process and of
# those that were forked from it share a machine, and the lock ends with whoever holds it.
_COUNTERS = os.memfd_create("hsa-reference streaming counters", os.MFD_CLOEXEC)
_FILE = os.fstat(_COUNTERS)
_LOCK = struct.Struct("hhqqi4x")  # struct flock: type, whence, start, length, process


@dataclass
class Hold:
    """What is held of an agent.

    Attributes:
        descriptor: whose lock keeps others away.
        process: that locked it.
        buffer: where counters would be written, 0 for nowhere.
        ended: set when the counters are given back.

    """

    descriptor: int
    process: int
    buffer: int = 0
    ended: threading.Event = field(default_factory=threading.Event)


class Counters(Part):
    """Whose counters this runtime holds, by the agent's handle."""

    def __init__(self, state: State) -> None:
        self._agents = state.part(Agents)
        self.held: Objects[int, Hold] = Objects()
        state.facts["holds_counters"] = lambda agent: agent in self.held

    def acquire(self, agent: int) -> bool:
        """Take the counters of an agent; False where somebody has them."""
        if agent in self.held:
            return False
        try:
            ask(COUNTERS)
            ask(FILE)
            descriptor = os.open(f"/proc/self/fd/{_COUNTERS}", os.O_RDWR | os.O_CLOEXEC)
        except OSError:
            return False
        if not _is_counters(descriptor):
            os.close(descriptor)
            return False
        try:
            with undoing(lambda: os.close(descriptor)):
                self._lock(descriptor, agent, fcntl.F_WRLCK)
                self.held[agent] = Hold(descriptor, os.getpid())
        except OSError:
            return False
        return True

    def give_back(self, agent: int) -> None:
        """Give the counters of an agent back."""
        hold = self.held.pop(agent)
        if _is_counters(hold.descriptor):
            # A process that was forked meanwhile has the descriptor as well, and the lock with it.
            if hold.process == os.getpid():
                self._lock(hold.descriptor, agent, fcntl.F_UNLCK)
            os.close(hold.descriptor)
        hold.ended.set()

    def release(self) -> None:
        """Give everything back."""
        for agent in list(self.held):
            self.give_back(agent)

    def _lock(self, descriptor: int, agent: int, kind: int) -> None:
        byte = list(self._agents.by_handle).index(agent)
        fcntl.fcntl(descriptor, fcntl.F_OFD_SETLK, _LOCK.pack(kind, os.SEEK_SET, byte, 1, 0))


def _is_counters(descriptor: int) -> bool:
    """Return whether a descriptor is still ours: a program may close all that it did not open."""
    try:
        return os.path.samestat(_FILE, os.fstat(descriptor))
    except OSError:
        return False


PART = Counters


def hsa_amd_spm_acquire(state: State, preferred_agent: int) -> Answer:
    """Take the counters of a GPU, which one process at a time has."""
    if state.part(Agents).on_host(preferred_agent):
        return INVALID_AGENT
    if state.exhausted("streaming counters"):
        return ERROR
    return SUCCESS if state.part(Counters).acquire(preferred_agent) else ERROR


def hsa_amd_spm_release(state: State, preferred_agent: int) -> Answer:
    """Give the counters of a GPU back."""
    if state.part(Agents).on_host(preferred_agent):
        return INVALID_AGENT
    counters = state.part(Counters)
    if preferred_agent not in counters.held:
        return ERROR
    counters.give_back(preferred_agent)
    return SUCCESS


@unlocked
def hsa_amd_spm_set_dest_buffer(
    state: State,
    preferred_agent: int,
    size_in_bytes: int,
    timeout: int,
    size_copied: int,
    dest: int,
    is_data_loss: int,
) -> Answer:
    """Change the buffer, after the time that the old one is given to fill: it never does."""
    if state.part(Agents).on_host(preferred_agent):
        return INVALID_AGENT
    hold = state.part(Counters).held.get(preferred_agent)
    if hold is None:
        return ERROR
    milliseconds = memory.load(timeout, 4)
    if hold.buffer and milliseconds:
        hold.ended.wait(milliseconds / 1000)
        memory.store(timeout, 0, 4)
    hold.buffer = dest
    memory.store(size_copied, 0, 4)
    memory.store(is_data_loss, 0, 1)
    return SUCCESS
