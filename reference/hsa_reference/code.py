"""The addresses of the reference's functions, for what hands out pointers to them."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from hsa_reference.defects import report_defect
from hsa_spec import Function, Registry
from hsa_spec.layout import resolved, size_of, unqualified

_INTEGERS: Mapping[int, Any] = {
    1: ctypes.c_uint8,
    2: ctypes.c_uint16,
    4: ctypes.c_uint32,
    8: ctypes.c_uint64,
}
_SIGNED: Mapping[str, Any] = {
    "int": ctypes.c_int,
    "int32_t": ctypes.c_int32,
    "int64_t": ctypes.c_int64,
}


class Code(Mapping[str, int]):
    """Addresses by the function's name; code is made when an address is first asked for.

    Args:
        functions: what the code calls, with raw integers.
        registry: says their parameters.
        entries: addresses of the code that there is already.

    """

    def __init__(
        self,
        functions: Mapping[str, Callable[..., int]],
        registry: Registry,
        entries: Mapping[str, int],
    ) -> None:
        self._functions = functions
        self._registry = registry
        self._entries = entries
        self._cache: dict[str, Any] = {}

    def __getitem__(self, name: str) -> int:
        """Return the address of a function's code; it stays there as long as the runtime does."""
        if name in self._entries:
            return self._entries[name]
        if name not in self._cache:
            function = self._registry.functions[name]
            types = [_passed(t, self._registry) for t in _types(function)]
            guarded = _guarded(function, self._functions, self._registry)
            # Another thread may have been faster, and its code is in a client's hands already.
            self._cache.setdefault(name, ctypes.CFUNCTYPE(*types)(guarded))
        return ctypes.cast(self._cache[name], ctypes.c_void_p).value or 0

    def __contains__(self, name: object) -> bool:
        """Return whether there is a function of this name; no code is made for the answer."""
        return name in self._functions

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the functions."""
        return iter(self._functions)

    def __len__(self) -> int:
        """Return how many functions there are."""
        return len(self._functions)


def _passed(declared: str, registry: Registry) -> Any:  # noqa: ANN401 - a ctypes class
    """Return the type that C passes a value as: a structure where no register holds it."""
    name = resolved(unqualified(declared), registry)
    return _SIGNED.get(name) or _of_size(size_of(name, registry))


@cache
def _of_size(size: int) -> Any:  # noqa: ANN401 - a ctypes class
    fields = {"_fields_": [("words", ctypes.c_uint32 * (size // 4))]}
    return _INTEGERS.get(size) or type(f"Structure{size}", (ctypes.Structure,), fields)


def _raw(argument: Any) -> int:  # noqa: ANN401 - a number, or a structure of ctypes
    """Return an argument as the reference takes it: for a structure, the address of the copy."""
    number: int = argument if isinstance(argument, int) else ctypes.addressof(argument)
    return number


def _types(function: Function) -> list[str]:
    return [function.result, *(p.type for p in function.params)]


def _guarded(
    function: Function, functions: Mapping[str, Callable[..., int]], registry: Registry
) -> Callable[..., int]:
    """Return the function for callers in C, to whom an exception would look like success."""
    fatal = registry.status("HSA_STATUS_ERROR_FATAL")

    def guarded(*args: Any) -> int:  # noqa: ANN401 - numbers and structures
        try:
            return functions[function.name](*map(_raw, args))
        except Exception as error:
            report_defect(function.name, error)
            if function.result != "hsa_status_t":
                os.abort()
            return fatal

    return guarded
