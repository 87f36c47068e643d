"""Functions that a library has no symbol of: their address stands in the table of an extension."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Protocol

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.library.tool_tables import Process, entry
from hsa_conformance.engine.session.model import Model
from hsa_reports import Verdict
from hsa_spec import Function, Registry
from hsa_spec.layout import Place, place_of

SUPPORTED = "hsa_system_major_extension_supported"
FILL = "hsa_system_get_major_extension_table"

#: The header of functions that only libraries of tools are handed.
_OF_TOOLS = "hsa_api_trace.h"

#: Where functions are of which a runtime need not have the symbol.
_THROUGH_TABLES = ("table", "library")


class Caller(Process, Protocol):
    """What asks a process for a table: a session.

    Attributes:
        record: where a library of tools notes what it is given, None without one.

    """

    registry: Registry
    model: Model
    record: Symbol | None

    def set_up(self, function: str, **values: Value) -> Answer:
        """Make a call that has to succeed."""
        ...

    def exported_beside(self, address: int) -> Mapping[str, int] | None:
        """Return where the file with the code at an address exports functions; None: no code."""
        ...


def unreachable(function: Function) -> str | None:
    """Return why the suite cannot call a function whatever the library, or None when it can."""
    if function.export == "inline":
        return f"{function.name} is inline in the header, and no library has it"
    return None


def missing(function: Function, exports: Collection[str]) -> str | None:
    """Return the symbol without which a function cannot be called, None where all are there.

    Args:
        function: the function.
        exports: the names of the functions that the library exports.

    """
    if function.name in exports:
        return None
    if function.header == _OF_TOOLS:
        return None
    needed = (SUPPORTED, FILL) if function.export in _THROUGH_TABLES else (function.name,)
    return next((name for name in needed if name not in exports), None)


def address_of(session: Caller, function: Function) -> Symbol:
    """Return the address of a function of a table, which the library is asked for.

    A runtime that is not initialised is so while it is asked, and no longer afterwards.

    Args:
        session: of the process that has the table.
        function: a function that is reached through the table of an extension.

    Raises:
        Blocked: the library refused the table.
        Unavailable: it does not support the extension, or the table lacks the function.

    """
    if session.model.references:
        return _address(session, function)
    session.set_up("hsa_init")
    address = _address(session, function)
    session.set_up("hsa_shut_down")
    return address


def _address(session: Caller, function: Function) -> Symbol:
    place = place_of(function.name, session.registry)
    if place is not None:
        return _read(session, place)
    assert session.record is not None, f"nobody has prepared for {function.name}"
    return entry(session, function, session.record, session.registry)


def _read(session: Caller, place: Place) -> Symbol:
    extension = place.extension
    number = session.registry.constants[extension.name]
    answer = session.set_up(
        SUPPORTED,
        extension=number,
        version_major=extension.major,
        version_minor=Out(),
        result=Out(),
    )
    if not answer["result"]:
        raise Unavailable(
            Verdict.NOT_APPLICABLE,
            f"the library does not support version {extension.major} of {extension.name}",
        )
    table = session.place(bytes(place.end), "table")
    session.set_up(
        FILL,
        extension=number,
        version_major=extension.major,
        table_length=place.end,
        table=table,
    )
    address = session.read_number(table + place.offset, place.member.name)
    if session.exported_beside(address) is None:
        raise Unavailable(
            Verdict.BLOCKED, f"{FILL}/filled: the table has no function {place.member.name}"
        )
    return address
