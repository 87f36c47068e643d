"""Functions in tables that a runtime hands to libraries of tools alone, which it loads itself.

A small library of tools notes where the tables are, and the suite reads the function's place there.
"""

from __future__ import annotations

from typing import Final, Protocol

from hsa_adapters.tools import RECORD, RECORD_SIZE, TOOLS, recorder
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_reports import Verdict
from hsa_spec import Function, Registry
from hsa_spec.compiler import CompilerError
from hsa_spec.layout import place_of
from hsa_spec.releases import Release

#: The table that all such functions are in, and the member of the root that points to it.
_TABLE: Final = "AmdExtTable"
_MEMBER: Final = "amd_ext_"
#: Why functions in that table cannot be called.
UNLOADED: Final = f"the runtime does not load the libraries of tools that {TOOLS} names"
_VERSION, _POINTER, _LOADS = 16, 8, 16


class Process(Protocol):
    """The process that has the tables: a session.

    Attributes:
        release: what is known of the library's version.

    """

    release: Release

    def place(self, content: bytes, words: str = ...) -> Symbol:
        """Put bytes into the process and return their address."""
        ...

    def open_file(self, size: int, content: bytes = ...) -> int:
        """Open an ordinary file."""
        ...

    def set_variable(self, name: str, value: str, number: int | None = None) -> bool:
        """Set a variable of the environment."""
        ...

    def read(self, address: int, size: int) -> bytes | None:
        """Read memory."""
        ...

    def read_number(self, address: int, stem: str) -> Symbol:
        """Read eight bytes as a number."""
        ...


def for_tools(function: Function, registry: Registry) -> bool:
    """Return whether only libraries of tools are given the table that a function is in."""
    return function.export == "table" and place_of(function.name, registry) is None


def prepare(session: Process) -> Symbol:
    """Let a runtime that is initialised later load a library of tools; return where that notes.

    Raises:
        Unavailable: there is no compiler to make that library with, or nobody would load it.

    """
    try:
        content = recorder()
    except CompilerError as error:
        raise Unavailable(Verdict.UNTESTED, str(error).splitlines()[0]) from None
    record = session.place(bytes(RECORD_SIZE), "record")
    library = session.open_file(len(content), content)
    set_up = session.set_variable(TOOLS, "/proc/self/fd/", library)
    if not (set_up and session.set_variable(RECORD, "", record)):
        raise Unavailable(Verdict.NOT_APPLICABLE, f"nothing reads {TOOLS} in this process")
    return record


def loads(session: Process, record: Symbol) -> int:
    """Return how often the library of tools was loaded.

    Raises:
        Unavailable: not once, though the runtime was initialised.

    """
    count = int.from_bytes(session.read(record + _LOADS, 8) or b"", "little")
    if not count:
        raise Unavailable(Verdict.NOT_APPLICABLE, UNLOADED)
    return count


def entry(session: Process, function: Function, record: Symbol, registry: Registry) -> Symbol:
    """Return the address of a function, once the runtime was initialised.

    Args:
        session: of the process.
        function: one for libraries of tools.
        record: where the library of tools notes; see `prepare`.
        registry: the specification.

    Raises:
        Unavailable: the runtime loads no library of tools, or the table lacks the function.

    """
    loads(session, record)
    fields = {field.name: field.offset for field in registry.structs["HsaApiTable"].fields}
    root = session.read_number(record, "tables")
    table = session.read_number(root + fields[_MEMBER], _MEMBER)
    offset = _VERSION + _POINTER * _position(function, registry, session.release)
    size = int.from_bytes(session.read(table + 4, 4) or b"", "little")
    address = session.read_number(table + offset, function.name) if offset < size else None
    if not address:
        raise Unavailable(Verdict.BLOCKED, f"tools/table-entries: {function.name} is in no table")
    return address


def _position(function: Function, registry: Registry, release: Release) -> int:
    """Return how many members of a release's table come before that of a function."""
    before = 0
    for member in registry.tables[_TABLE].members:
        if member.function == function.name:
            break
        there = release.has(member.versions)
        if there is None:
            reason = f"whether {member.function} comes before it in the table, nobody knows"
            raise Unavailable(Verdict.UNTESTED, reason)
        before += there
    return before
