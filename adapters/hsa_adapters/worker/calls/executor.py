"""The operations in a process: the same over a C library and over Python functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hsa_adapters.worker.calls.binding import Callbacks, Pointers
from hsa_adapters.worker.calls.memory import Memory
from hsa_adapters.worker.calls.watch import Watch

# function, arguments, writes, reads, budget, address of the function or None, what is overwritten,
# bytes of the stack of a thread;
# an argument that is a list is a callback: its type, what it returns, whether it allocates, what it
# waits for, what it writes of what it is given, what it calls, and where the results of that go.
PlainCall = Sequence[Any]
#: The place of what a callback calls among its members.
CALLS = 5

#: What takes the place of each byte that a library must not use any more: no pointer, no handle and
#: no number that anything has consists of it.
OVERWRITTEN = b"\x5a"

_WORD = 2**64 - 1


class RequestError(Exception):
    """A call cannot be made as it was asked for; the message says why."""


class Executor:
    """Makes calls and records what they did.

    Args:
        functions: the implementation's functions by name, over raw integers.
        pointers: its functions that are called by their address.
        callbacks: the callbacks of this process.
        memory: the memory of this process.
        watch: the record that a supervisor watches.
        budget: seconds that a call may take when it does not say.

    Attributes:
        functions: the implementation's functions by name.

    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., int | None]],
        pointers: Pointers,
        callbacks: Callbacks,
        memory: Memory,
        watch: Watch,
        budget: float,
    ) -> None:
        self.functions = functions
        self._pointers = pointers
        self._callbacks = callbacks
        self._memory = memory
        self._begin = watch.begin
        self._budget = budget
        callbacks.make = self._make

    def call(
        self, call: PlainCall, index: int = 0
    ) -> tuple[int, list[bytes | None], list[list[int]]]:
        """Make one call and return its result, what was read, and the callbacks' arguments.

        Args:
            call: function, arguments, writes before, reads after, budget in seconds or None, the
                function's address or None, what is overwritten after the reads, and the stack.
            index: position of the call in its batch.

        Raises:
            RequestError: the implementation lacks the function, its address is NULL, a callback's
                type is unknown, or memory that was to be written cannot be.

        """
        function, args = self.prepare(call)
        reads, budget = call[3], call[4]
        memory = self._memory
        args = self.with_callbacks(args)
        self._begin(index, budget or self._budget)
        result = function(*args)
        log = self.heard()
        found = [memory.read(*place) for place in reads] if reads else []
        for address, size in call[6]:
            memory.write(address, OVERWRITTEN * size)
        return result or 0, found, log

    def prepare(self, call: PlainCall) -> tuple[Callable[..., int | None], Sequence[Any]]:
        """Write what a call wants written before it, and return its function and arguments.

        Raises:
            RequestError: the implementation lacks the function, its address is NULL, or the memory
                cannot be written.

        """
        name, args, writes, _, _, address, *_ = call
        function = self.functions.get(name) if address is None else self._at(address, name)
        if function is None:
            raise RequestError(f"the implementation has no function {name}")
        for address, data in writes:
            if not self._memory.write(address, data):
                raise RequestError(f"cannot write {len(data)} bytes at {address:#x} before {name}")
        return function, args

    def with_callbacks(self, arguments: Sequence[Any]) -> Sequence[Any]:
        """Return arguments as they were prepared, with the addresses of callbacks."""
        for argument in arguments:
            if argument.__class__ is list:
                at = self._callbacks.address
                return [at(*a) if a.__class__ is list else a for a in arguments]
        return arguments

    def _make(self, calls: Sequence[PlainCall], results: int) -> None:
        """Make the calls of a callback that is under way."""
        for place, call in enumerate(calls):
            function, arguments = self.prepare(call)
            at = self._callbacks.unheard
            made = function(*(at(*a) if a.__class__ is list else a for a in arguments))
            result = (made or 0) & _WORD
            self._memory.write(results + 8 * place, result.to_bytes(8, "little"))

    def apart(
        self, arguments: Sequence[Any], number: int
    ) -> tuple[Sequence[int], Sequence[list[list[int]]]]:
        """Return arguments with callbacks of their own, and what each of these is called with.

        Args:
            arguments: as they were prepared.
            number: of the call among those that are made at one time.

        Raises:
            RequestError: there is no such type of callbacks.

        """
        made: list[int] = []
        heard: list[list[list[int]]] = []
        for argument in arguments:
            if argument.__class__ is not list:
                made.append(argument)
                continue
            try:
                address, invocations = self._callbacks.apart(number, *argument)
            except KeyError as unknown:
                lack = f"nothing says how a callback {unknown} is called"
                raise RequestError(lack) from None
            made.append(address)
            heard.append(invocations)
        return made, heard

    def heard(self) -> list[list[int]]:
        """Return what callbacks were called with since this was asked last."""
        return self._callbacks.taken() if self._callbacks.log else []

    def _at(self, address: int, name: str) -> Callable[..., int | None]:
        if address == 0:
            raise RequestError(f"the address of {name} is NULL")
        try:
            return self._pointers.function(name, address)
        except KeyError:
            raise RequestError(f"nothing says how {name} is called") from None
