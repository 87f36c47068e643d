"""Copies under way, who reaches which memory, and copy engines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.amd.locks.state import lock_around
from hsa_conformance.topics.amd.pools.state import Grant, allocation_around, pool_access
from hsa_conformance.topics.core.agents.state import find_agent
from hsa_conformance.topics.core.memory.state import LARGEST_LOOK
from hsa_conformance.topics.core.signals.state import Signal

WAIT: Final = "hsa_signal_wait_scacquire"
NOT_EQUAL: Final = 1  # a value of hsa_signal_condition_t
LESS: Final = 2  # likewise
BLOCKED: Final = 0  # a value of hsa_wait_state_t
#: How many seconds a copy may take before its process is given up. It may be a kernel, for which
#: a device in software starts a process beside many others.
LONGEST_COPY: Final = 5.0
#: The size of a hsa_amd_memory_copy_op_t, and the last value of hsa_amd_memory_copy_op_type_t.
OPERATION_WORDS: Final = 16
LAST_OPERATION: Final = 5
WORD: Final = (1 << 64) - 1


@dataclass(frozen=True)
class PendingCopies:
    """Copies that were begun with one completion signal, and may not be over.

    Attributes:
        signal: goes down by one for each copy that is over.
        copies: how many there are.
        patience: how long their end may take, in ticks of the system's timestamp; 0 where nobody
            knows that they begin, or how long a tick is.

    """

    signal: Signal
    copies: int
    patience: int

    @property
    def key(self) -> tuple[int, ...]:
        """What a wait for the end of all gets. A single one may also end in an error."""
        initial = self.signal.initial
        met = (NOT_EQUAL, initial) if self.copies == 1 else (LESS, initial - self.copies + 1)
        return (self.signal.handle, *met, self.patience, BLOCKED)


def begin(model: Model, answer: Answer) -> None:
    """Remember what has to be waited for before signals and memory are given back."""
    args = answer.args
    if args.get("size", 1):
        after = model.words(args["dep_signals"], args["num_dep_signals"])
        _begin(model, args["completion_signal"], 1, after)


def _begin_batch(model: Model, answer: Answer) -> None:
    """Remember the signal that all operations of a batch share."""
    signal = model.words(answer.args["copy_ops"], 2)[1]
    _begin(model, signal, answer.args["num_copy_ops"])


def _begin(model: Model, handle: int, copies: int, after: Sequence[int] = ()) -> None:
    signal = model.find("signal", handle)
    if not isinstance(signal, Signal):
        return
    patience = int(LONGEST_COPY * (model.find("frequency") or 0))
    waits = [model.find("signal", handle) for handle in after]
    if any(found.initial for found in waits if found):
        patience = 0  # only who made the copy knows when it may begin
    for before in model.live("copy"):
        if before.signal is signal:
            model.remove("copy", *before.key)
            copies += before.copies
            patience = min(patience, before.patience)
    begun = PendingCopies(signal, copies, patience)
    model.add("copy", *begun.key, thing=begun)


def _waited(model: Model, answer: Answer) -> None:
    """Forget copies that are over, and wait no longer for those that take too long."""
    for begun in model.live("copy"):
        if begun.signal.handle != answer.args["signal"]:
            continue
        down = (begun.signal.initial - answer.status) & WORD
        over = down if begun.copies == 1 else begun.copies <= down <= WORD >> 1
        given_up = 0 < begun.patience <= answer.args["timeout_hint"]
        if over or given_up:
            model.remove("copy", *begun.key)
        if given_up and not over:  # a wait may end early, and the copy go on
            left = replace(begun, patience=0)
            model.add("copy", *left.key, thing=left)


def _engines(model: Model, answer: Answer) -> None:
    """Remember the engines between two agents; those that are busy are left out now and then."""
    pair = answer.args["dst_agent"], answer.args["src_agent"]
    known = model.find("engines", *pair)
    before = known if isinstance(known, int) else 0
    model.add("engines", *pair, thing=before | answer.number("engine_ids_mask"))


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_memory_async_copy": begin,
    "hsa_amd_memory_async_copy_on_engine": begin,
    "hsa_amd_memory_async_copy_rect": begin,
    "hsa_amd_memory_async_batch_copy": _begin_batch,
    "hsa_amd_memory_copy_engine_status": _engines,
    WAIT: _waited,
}

#: A copy is over before its signal and its memory go. Where nobody knows that it ends, its process
#: is given up.
CLEAN_UP = (
    CleanUp(
        "copy",
        WAIT,
        "signal",
        "condition",
        "compare_value",
        "timeout_hint",
        "wait_state_hint",
        calls=lambda copy: [copy.key] if copy.patience else [],
    ),
)


def _reaches(model: Model, agent: int, address: int, size: int) -> bool:
    found, block = find_agent(model, agent), allocation_around(model, address)
    if found is None:
        return False
    if block is None:
        readable = model.read(address, min(max(size, 1), LARGEST_LOOK)) is not None
        held = lock_around(model, address)
        if held is not None and (agent in held.agents or not held.agents):
            return readable
        if readable and found.device != "cpu":
            raise ProvesNothing("whether the GPU reaches memory of the program is not known")
        return readable
    if address + size > block.address + block.size:
        raise ProvesNothing("what lies behind the block is not known")
    access, grant = pool_access(model, agent, block.pool), model.find("grant", block.address)
    granted = isinstance(grant, Grant) and grant.block is block and agent in grant.agents
    return access == "default" or (access == "on_request" and granted)


def _engine_exists(model: Model, destination: int, source: int, engine: int) -> bool:
    mask = model.find("engines", destination, source)
    if destination != source and isinstance(mask, int) and mask & engine:
        return True
    counts = [c for a in (destination, source) if (c := model.find("engine_count", a)) is not None]
    if counts and all(isinstance(c, int) and engine >> c for c in counts):
        return False
    raise ProvesNothing("the library does not say whether the engine is there or busy")


def _extents_fit(model: Model, destination: int, source: int, extent: int) -> bool:
    """Return whether a box at the start of two memories lies within their blocks."""
    words = model.words(extent, 2)
    if not words:
        return False
    low, high = words
    x, y, z = low & 0xFFFFFFFF, low >> 32, high & 0xFFFFFFFF
    for side in (destination, source):
        base, pitch, slice_ = model.words(side, 3) or (0, 0, 0)
        block = allocation_around(model, base)
        if block is None or not (0 < x <= pitch and 0 < y and y * pitch <= slice_ and z > 0):
            return False
        if base + z * slice_ > block.address + block.size:
            return False
    return True


def _copies_valid(model: Model, operations: int, count: int) -> bool:
    """Return whether a list is of plain copies; of other operations the suite knows too little."""
    words = model.words(operations, OPERATION_WORDS * count)
    for i in range(0, len(words), OPERATION_WORDS):
        head, signal, source, of, to, target, size, *rest = words[i : i + OPERATION_WORDS]
        if head >> 16 & 0xFFFF > LAST_OPERATION:
            return False
        plain = head == 1 and not any(rest) and model.find("signal", signal) is not None
        reached = [_reaches(model, a, p, size) for a in (of, to) for p in (source, target)]
        if not (plain and size and all(reached)):
            raise ProvesNothing("whether the operations are right is not known")
    return True


FACTS: Mapping[str, Fact] = {
    "copies_valid": _copies_valid,
    "reaches": _reaches,
    "engine_exists": _engine_exists,
    "extents_fit": _extents_fit,
}
