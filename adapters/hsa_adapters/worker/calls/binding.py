"""From signatures as JSON to functions and callbacks of C, by ctypes.

Every value is a raw integer: pointers and handles are passed as 64-bit numbers, which is the same
to the calling convention and spares the conversions of ctypes's pointer types.
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from hsa_adapters.worker.calls.answers import Allocator, Answer, write_copies

CODES: Mapping[str, Any] = {
    "void": None,
    "i32": ctypes.c_int32,
    "u32": ctypes.c_uint32,
    "i64": ctypes.c_int64,
    "u64": ctypes.c_uint64,
    "u16": ctypes.c_uint16,
    "u8": ctypes.c_uint8,
    "bool": ctypes.c_uint8,
    "size": ctypes.c_size_t,
    "ptr": ctypes.c_uint64,
}

Signature = Mapping[str, Any]

#: The results of callbacks that are called before the call returns that they are given to.
_STATUS = ("i32", "u32")

# A library that calls back without end is a hang; it must not also fill the memory.
MOST_INVOCATIONS = 10_000

#: How often a callback looks at what it waits for, in seconds.
_LOOK = 0.0005

#: What a callback is made for, and the number of the call that it belongs to alone, if any.
_Key = tuple[str, int]
#: What answers, the function, its address, and what it was called with.
_Made = tuple[Answer, Any, int, list[list[int]]]

#: The numbers of callbacks that any call may have, and of those for the calls of callbacks.
_ALL, _UNHEARD = -1, -2


def c_type(code: str) -> Any:  # noqa: ANN401 - a ctypes class or None
    """Return the ctypes class of a code; callbacks are passed as addresses."""
    if code.startswith("struct:"):
        return by_value(int(code[len("struct:") :]))
    return ctypes.c_uint64 if code.startswith("callback:") else CODES[code]


@lru_cache(maxsize=None)
def by_value(size: int) -> Any:  # noqa: ANN401 - a ctypes class
    """Return the ctypes class of a structure of this many bytes that is passed by value.

    The raw integer that stands for it is the address of a copy.
    """

    def from_address(cls: Any, address: int) -> Any:  # noqa: ANN401 - ctypes has no types for it
        return cls.from_address(address)

    members = {
        "_fields_": [("bytes", ctypes.c_uint8 * size)],
        "from_param": classmethod(from_address),
    }
    return type(f"ByValue{size}", (ctypes.Structure,), members)


def prototype(signature: Signature) -> Any:  # noqa: ANN401 - a ctypes class
    """Return the type of the functions with a signature; an address makes a function of it."""
    return ctypes.CFUNCTYPE(c_type(signature["result"]), *map(c_type, signature["args"]))


def bind(
    library: ctypes.CDLL, signatures: Mapping[str, Signature]
) -> dict[str, Callable[..., Any]]:
    """Return the functions that the library exports, by name, ready to be called with integers.

    Args:
        library: the loaded library.
        signatures: result and argument codes by function.

    """
    functions: dict[str, Callable[..., Any]] = {}
    for name, signature in signatures.items():
        try:
            function = library[name]
        except AttributeError:
            continue
        function.restype = c_type(signature["result"])
        function.argtypes = [c_type(code) for code in signature["args"]]
        functions[name] = function
    return functions


class Pointers:
    """Functions of a process that are called by their address.

    Args:
        signatures: result and argument codes by function.

    """

    def __init__(self, signatures: Mapping[str, Signature]) -> None:
        self._signatures = signatures
        self._cache: dict[tuple[str, int], Callable[..., Any]] = {}

    def function(self, name: str, address: int) -> Callable[..., Any]:
        """Return the function at an address, ready to be called with integers.

        Args:
            name: the function whose signature it has.
            address: where its code is, not 0.

        Raises:
            KeyError: there is no signature of that name.

        """
        key = (name, address)
        if key not in self._cache:
            self._cache[key] = self._make(prototype(self._signatures[name]), address)
        return self._cache[key]

    def _make(self, kind: Any, address: int) -> Callable[..., Any]:  # noqa: ANN401 - a ctypes class
        made: Callable[..., Any] = kind(address)
        return made


class Callbacks:
    """The C callbacks of a process. They live as long as the process: a library may keep them.

    Args:
        signatures: result and argument codes by callback type.
        budget: seconds that a call may take; a callback waits at most twice as long each time.

    Attributes:
        log: the arguments of every invocation since the log was last taken.
        make: makes the calls of a callback; gets them, and where their results go.

    """

    def __init__(self, signatures: Mapping[str, Signature], budget: float) -> None:
        self.log: list[list[int]] = []
        self.make: Callable[[Sequence[Any], int], None] | None = None
        self._signatures = signatures
        self._patience = 2 * budget
        self._looking = threading.Lock()
        self._over = False
        self._made: dict[_Key, _Made] = {}

    def address(self, name: str, *others: Any) -> int:  # noqa: ANN401 - as the executor says
        """Return the address of a callback that starts with its first answer.

        Args:
            name: the callback's type.
            others: its other members; see `calls.Callback`.

        Raises:
            KeyError: there is no callback type of that name.

        """
        return self._for(_ALL, name, *others)[0]

    def apart(self, number: int, name: str, *others: Any) -> tuple[int, list[list[int]]]:  # noqa: ANN401
        """Return the address of a callback for one of several calls, and what it is called with.

        Args:
            number: of the call; callbacks of other numbers are other ones.
            name: the callback's type.
            others: its other members, as in `address`.

        Returns:
            The address, and a list that grows with each invocation from now on.

        Raises:
            KeyError: there is no callback type of that name.

        """
        if self._signatures[name]["result"] not in _STATUS:
            # What the library keeps is known to it by its address.
            return self.address(name, *others), []
        return self._for(number, name, *others)

    def unheard(self, name: str, *others: Any) -> int:  # noqa: ANN401 - as the executor says
        """Return the address of a callback whose invocations the log leaves out; see `address`."""
        return self._for(_UNHEARD, name, *others)[0]

    def _for(self, number: int, *described: Any) -> tuple[int, list[list[int]]]:  # noqa: ANN401
        key = repr(described), number
        if key not in self._made:
            self._made[key] = self._bound(number, *described)
        answer, _, address, heard = self._made[key]
        answer.restart()
        heard.clear()
        return address, heard

    def let_go(self) -> None:
        """Let callbacks answer that wait, and look no more at what they wait for."""
        with self._looking:
            self._over = True

    def _wait(self, address: int) -> None:
        """Let other threads run until eight bytes are not 0, or patience is over."""
        end = time.monotonic() + self._patience
        while not self._may_answer(address) and time.monotonic() < end:
            time.sleep(_LOOK)

    def _may_answer(self, address: int) -> bool:
        with self._looking:
            return self._over or ctypes.c_uint64.from_address(address).value != 0

    def taken(self) -> list[list[int]]:
        """Empty the log, and return what was in it; another thread may be adding to it."""
        log = self.log[:]
        del self.log[: len(log)]
        return log

    def _bound(
        self,
        number: int,
        name: str,
        returns: Sequence[int],
        allocate: bool,
        until: int,
        writes: Sequence[int] = (),
        calls: Sequence[Any] = (),
        results: int = 0,
    ) -> _Made:
        own: list[list[int]] = []
        signature = self._signatures[name]
        # What answers a status stores the address where its last argument says.
        stores = signature["result"] != "ptr"
        answer = Allocator(stores) if allocate else Answer(tuple(returns))
        # What takes packets is the last argument of who writes them.
        _, _, taker = signature["args"][-1].partition(":") if writes else ("", "", "")
        takes = prototype(self._signatures[taker]) if taker else None

        def invoked(*arguments: int) -> int | None:
            if number != _UNHEARD and len(self.log) < MOST_INVOCATIONS:
                self.log.append(list(arguments))
                if number != _ALL:
                    own.append(list(arguments))
            if calls and self.make is not None:
                self.make(calls, results)
            if until:
                self._wait(until)
            if takes is not None:
                write_copies(arguments, takes(arguments[-1]), *writes)
            return answer.next(arguments)

        function = prototype(signature)(invoked)
        return answer, function, ctypes.cast(function, ctypes.c_void_p).value or 0, own
