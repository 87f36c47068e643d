"""Which waves execute next.

Waves that stand at the same instruction execute it together. Those that are furthest behind
usually come first, so that the others are met again where ways join; every fourth time it is those
that have waited longest, so each wave gets on, whatever others wait for.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from hsa_device.errors import DispatchError, StoppedError
from hsa_device.execution.dispatch import Starter
from hsa_device.execution.program import Block, Program
from hsa_device.model.waves import ENDED, RUNNING, WAITING, Chosen, Waves

_OLDEST = 4  # every so many blocks those that waited longest
_REFILL = 64  # blocks after which the places of work-groups that ended are given to others at last
_POLL_INTERVAL = 0.001  # seconds between looks at whether the dispatch is to be stopped


class Scheduler:
    """Executes all work-groups of a dispatch.

    Args:
        waves: the registers.
        program: the instructions.
        starter: lets work-groups begin.
        stopped: returns whether the dispatch is to be stopped.

    """

    def __init__(
        self, waves: Waves, program: Program, starter: Starter, stopped: Callable[[], bool]
    ) -> None:
        self._waves = waves
        self._program = program
        self._starter = starter
        self._stopped = stopped
        self._groups = waves.count // waves.group_waves
        self._by_group = waves.state.reshape(self._groups, waves.group_waves)
        self._last: NDArray[np.int64] = np.zeros(waves.count, np.int64)
        self._blocks = 0
        self._next_look = 0.0

    def run(self) -> None:
        """Execute until every work-group has ended.

        Raises:
            DispatchError: a wave cannot go on, or the dispatch is to be stopped.

        """
        self._refill()
        while True:
            running = np.flatnonzero(self._waves.state == RUNNING)
            if not len(running):
                if not self._starter.left:
                    return
                self._refill()
                continue
            address: int | None = self._choose(running)
            while address is not None:
                address = self._execute(address)

    def _choose(self, running: NDArray[np.intp]) -> int:
        """Choose waves that stand at the same instruction, and return its address."""
        waves = self._waves
        places = waves.pc[running]
        oldest = self._blocks % _OLDEST == 0
        place = places[self._last[running].argmin()] if oldest else places.min()
        found = running[places == place]
        waves.choose(self._as_slice(found))
        self._alone = len(found) == len(running)
        return int(place)

    def _as_slice(self, found: NDArray[np.intp]) -> Chosen:
        first, last = int(found[0]), int(found[-1])
        return slice(first, last + 1) if last - first + 1 == len(found) else found

    def _execute(self, address: int) -> int | None:
        """Execute a block; return where all waves go on, None where they have to be chosen anew."""
        self._blocks += 1
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + _POLL_INTERVAL
            if self._stopped():
                raise StoppedError("the queue was stopped")
        waves = self._waves
        block = self._program.block(address)
        self._perform(block)
        self._last[waves.chosen] = self._blocks
        if block.end is None:
            return block.following if self._alone else None
        if (waves.state[waves.chosen] != RUNNING).any():
            self._settle()
            return None
        if self._blocks % _REFILL == 0 and self._starter.left:
            self._refill()
            return None
        if not self._alone:
            return None
        places = waves.pc[waves.chosen]
        first = places[0]
        return int(first) if (places == first).all() else None

    def _perform(self, block: Block) -> None:
        waves, at = self._waves, 0
        try:
            for at, run in enumerate(block.runs):  # noqa: B007 - for the message
                run(waves)
            if block.end is None:
                waves.pc[waves.chosen] = block.following
            else:
                at = len(block.runs)
                block.end(waves, block.following)
        except DispatchError as error:
            address, instruction = block.instructions[at]
            error.place = f", in {instruction.text} at {address:#x}"
            raise

    def _settle(self) -> None:
        """Let work-groups go on whose waves are all at the barrier, and others begin."""
        states = self._by_group
        waiting = states == WAITING
        ready = waiting.any(axis=1) & (states != RUNNING).all(axis=1)
        if ready.any():
            states[waiting & ready[:, None]] = RUNNING
        free = np.count_nonzero((states == ENDED).all(axis=1))
        if self._starter.left and free * 4 >= self._groups:
            self._refill()

    def _refill(self) -> None:
        """Give the places of work-groups that have ended to others."""
        free = np.flatnonzero((self._by_group == ENDED).all(axis=1))
        if len(free):
            self._starter.begin(free)
            self._waves.refresh_modes()
