"""The checks as a tool of ROCr: they stand between a client and the functions of the runtime.

A runtime hands its tables of functions to a tool while it is initialised. Those whose calls are
checked are replaced by code that calls the checks and what was there before.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from hsa_reference.checking.checker import Checker
from hsa_reference.checking.report import PREFIX
from hsa_reference.checking.watching import WatchedSignals
from hsa_spec import Function, Registry, load
from hsa_spec.layout import resolved, size_of, unqualified
from hsa_spec.releases import Release

#: The first interface of AMD's extension whose tables have the order of members that is known.
_OLDEST = (1, 4)
_SIGNED: Mapping[int, Any] = {4: ctypes.c_int32, 8: ctypes.c_int64}
_UNSIGNED: Mapping[int, Any] = {
    1: ctypes.c_uint8,
    2: ctypes.c_uint16,
    4: ctypes.c_uint32,
    8: ctypes.c_uint64,
}
_SIGNED_TYPES = frozenset({"int", "int32_t", "int64_t"})
#: A table of the tools' interface starts with its version, of which the second word is its size.
_VERSION, _SIZE, _POINTER = 16, 4, 8


class UnknownRuntimeError(Exception):
    """The tables of this runtime are not those that the registry describes."""


class Tool:
    """The checks of one process.

    Args:
        registry: the specification, by default the one of hsa_spec.

    """

    def __init__(self, registry: Registry | None = None) -> None:
        self._registry = registry or load()
        self._checker: Checker | None = None
        # Code that a client may be in, or come to, stays as long as the process.
        self._references: list[object] = []

    def functions(self) -> Mapping[str, Callable[..., int]]:
        """Return what the C part calls, by name."""
        return {"OnLoad": self.load, "OnUnload": self.unload}

    def load(self, tables: int, area: int) -> int:
        """Put the checks into a runtime's tables.

        Args:
            tables: address of the HsaApiTable.
            area: address of the memory that the C part shares.

        Returns:
            1, or 0 where the tables are not those that the registry describes.

        """
        originals = dict(self._members(tables))
        try:
            release = self._release(originals)
        except UnknownRuntimeError as error:
            os.write(2, f"{PREFIX}nothing is checked: {error}\n".encode())
            return 0
        watched = WatchedSignals(area)
        checker = self._checker = Checker(self._registry, watch=watched.watch, release=release)
        checker.context.ledger.references = 1  # by the hsa_init that loads this
        for name, place in originals.items():
            function = self._registry.functions[name]
            prototype = _prototype(function, self._registry)
            if prototype is None:
                continue
            before = ctypes.c_uint64.from_address(place)
            original = prototype(before.value)
            checked = checker.checked(name, original)
            if checked is original:
                continue
            code = prototype(checked)
            self._references.append((original, code))
            address = ctypes.cast(code, ctypes.c_void_p).value or 0
            before.value = watched.behind(name, before.value, address) or address
        return 1

    def unload(self) -> int:
        """Say what was left behind: the runtime ends."""
        if self._checker is not None:
            self._checker.end()
            self._checker = None
        return 0

    def _members(self, tables: int) -> Iterator[tuple[str, int]]:
        """Yield the functions, and where the pointer to each is."""
        size = _word(tables + _SIZE)
        for field in self._registry.structs["HsaApiTable"].fields:
            table = self._registry.tables.get(unqualified(field.type).rstrip("*"))
            if table is None or table.name == "ToolsApiTable" or field.offset + _POINTER > size:
                continue
            address = ctypes.c_uint64.from_address(tables + field.offset).value
            if not address:
                continue
            end = address + _word(address + _SIZE)
            for index, member in enumerate(table.members):
                place = address + _VERSION + _POINTER * index
                filled = place + _POINTER <= end and ctypes.c_uint64.from_address(place).value
                if filled and member.function in self._registry.functions:
                    yield member.function, place

    def _release(self, originals: Mapping[str, int]) -> Release:
        """Ask the runtime for its version: older tables have another order, and the same size."""
        prototype = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p)
        place = originals.get("hsa_system_get_info")
        if place is None:
            raise UnknownRuntimeError("the runtime's tables have no hsa_system_get_info")
        query = prototype(ctypes.c_uint64.from_address(place).value)
        version = []
        for part in ("MAJOR", "MINOR"):
            found = ctypes.c_uint16()
            attribute = self._registry.constants[f"HSA_AMD_SYSTEM_INFO_EXT_VERSION_{part}"]
            query(attribute, ctypes.addressof(found))
            version.append(found.value)
        if tuple(version) < _OLDEST:
            raise UnknownRuntimeError(
                "the runtime is older than ROCm 6.0, whose tables have another order"
            )
        return Release(interface=".".join(map(str, version)))


def _prototype(function: Function, registry: Registry) -> Any:  # noqa: ANN401 - a type of ctypes
    """Return the type of a function's pointer, None where an argument is no number."""
    try:
        result = None if function.result == "void" else _type(function.result, registry)
        return ctypes.CFUNCTYPE(result, *(_type(p.type, registry) for p in function.params))
    except KeyError:
        return None


def _type(name: str, registry: Registry) -> Any:  # noqa: ANN401 - a type of ctypes
    signed = resolved(unqualified(name), registry) in _SIGNED_TYPES
    return (_SIGNED if signed else _UNSIGNED)[size_of(name, registry)]


def _word(address: int) -> int:
    return ctypes.c_uint32.from_address(address).value
