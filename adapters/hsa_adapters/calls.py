"""Calls, and what came of them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Callback:
    """A C callback that the process makes for one call.

    Args:
        type: name of the callback's type in the registry.
        returns: what it answers, call by call; the last one repeats. Ignored by allocators.
        allocate: it answers with fresh memory of the size it is asked for.
        until: where eight bytes are in the process that can be read. Each time that it is called,
            it notes that, waits until they are not 0, and answers then; other threads run
            meanwhile. It waits at most twice as long as a call may take by the adapter's default,
            so that what it keeps from coming back is seen to hang. 0: it answers at once.
        writes: where it is given packets, by the address of the first and their number, and last a
            function that takes packets in the same way: how many copies of each it gives that
            function before it answers, those of the first packet first, and in how many calls.
            (): none.
        calls: what it calls each time before it answers; how callbacks among the arguments are
            called is not noted.
        results: where eight bytes are for the result of each of these calls.

    """

    type: str
    returns: tuple[int, ...] = (0,)
    allocate: bool = False
    until: int = 0
    writes: tuple[int, ...] = ()
    calls: tuple[Call, ...] = ()
    results: int = 0

    @property
    def described(self) -> tuple[object, ...]:
        """Its members as the worker reads them."""
        given = self.type, self.returns, self.allocate, int(self.until), self.writes
        return *given, tuple(map(plain, self.calls)), self.results


Argument = int | Callback


@dataclass(frozen=True)
class Call:
    """One call with raw arguments, and the memory to write before and read after it.

    Args:
        function: its name, by which the registry says how it is called.
        args: one for each of its parameters.
        writes: address and bytes of what is written before the call.
        reads: address and size of what is read after it.
        budget: seconds that it may take; None for the adapter's default.
        address: where the function's code is in the process; None for the symbol of its name.
        loads: arguments that are taken from memory when a thread makes the call, beside others at
            one time: the place of each, from 0, its address there, and how many bytes it has.
        overwritten: address and size of what is overwritten at last, as the caller may do that
            with memory that the library must not use any more.
        meeting: where a thread makes the call beside others, for which time it waits before that
            until all of them have come as far, but not for ever; 0: it does not wait.
        pause: from what it counts down then; each step takes about a cycle of the processor.
        stack: bytes of the stack of the thread, where it has one of its own; 0: as by default.

    """

    function: str
    args: tuple[Argument, ...]
    writes: tuple[tuple[int, bytes], ...] = ()
    reads: tuple[tuple[int, int], ...] = ()
    budget: float | None = None
    address: int | None = None
    loads: tuple[tuple[int, int, int], ...] = ()
    overwritten: tuple[tuple[int, int], ...] = ()
    meeting: int = 0
    pause: int = 0
    stack: int = 0


@dataclass(frozen=True)
class Repeat:
    """A call is made again and again, until its end is waited for.

    Args:
        most: how often at most.
        step: by how much the last of its two arguments grows from call to call.

    """

    most: int
    step: int


@dataclass(frozen=True)
class Outcome:
    """What a call answered.

    Args:
        result: the raw return value; of repeated calls, how many were made.
        reads: the bytes read after the call, None where the memory cannot be read.
        callbacks: the arguments of every invocation of a callback, in order.
        zeros: how many of repeated calls returned a number whose lower 32 bits are 0; it means
            nothing for functions that return nothing.

    """

    result: int
    reads: tuple[bytes | None, ...] = ()
    callbacks: tuple[tuple[int, ...], ...] = ()
    zeros: int = 0


@dataclass(frozen=True)
class TimedOutcome:
    """What a call answered that was made beside others.

    Args:
        outcome: what it answered; what is read after it was read after all of them.
        began: a time before it, in nanoseconds, which can be compared between threads.
        ended: a time after it.

    """

    outcome: Outcome
    began: int
    ended: int


def plain_in_thread(call: Call) -> tuple[object, ...]:
    """Return a call that is made beside others as the worker reads it."""
    return plain(call), call.loads, call.meeting, call.pause


def plain(call: Call) -> tuple[object, ...]:
    """Return a call as the worker reads it."""
    return (
        call.function,
        call.args,
        call.writes,
        call.reads,
        call.budget,
        call.address,
        call.overwritten,
        call.stack,
    )
