"""Each function is reached as its `export` key says."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

import hsa_spec
from hsa_reference import implemented
from hsa_spec.model import Table

REGISTRY = hsa_spec.load()
HAVE = implemented(REGISTRY).functions
#: The runtime hands these to tools that it loads itself, and the reference loads none.
OF_TOOLS = {
    "hsa_amd_queue_intercept_create",
    "hsa_amd_queue_intercept_register",
    "hsa_amd_runtime_queue_create_register",
}


def exported(key: str) -> set[str]:
    """Return the functions of the reference that have this `export` key."""
    return {name for name, function in HAVE.items() if function.export == key}


#: The tables of extensions all of whose functions the reference has.
TABLES = [
    table
    for table in REGISTRY.tables.values()
    if table.extension and all(member.function in HAVE for member in table.members)
]


@pytest.fixture
def loaded(library: Path) -> Iterator[ctypes.CDLL]:
    """The library in this process, initialised."""
    loaded = ctypes.CDLL(str(library))
    assert 0 == loaded.hsa_init()
    yield loaded
    assert 0 == loaded.hsa_shut_down()


def test_what_linkers_find_is_exported_and_nothing_else(library: Path) -> None:
    with library.open("rb") as file:
        symbols = ELFFile(file).get_section_by_name(".dynsym")
        assert isinstance(symbols, SymbolTableSection)
        found = {s.name for s in symbols.iter_symbols() if s.name.startswith("hsa_")}

    assert exported("linker") | {"hsa_conformance_before_fork"} == found


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_a_table_is_filled_with_functions(loaded: ctypes.CDLL, table: Table) -> None:
    assert table.extension is not None
    number = REGISTRY.constants[table.extension.name]
    pointers = (ctypes.c_uint64 * len(table.members))()

    status = loaded.hsa_system_get_major_extension_table(
        number, table.extension.major, ctypes.sizeof(pointers), pointers
    )

    assert 0 == status
    assert [] == [m.name for m, p in zip(table.members, pointers, strict=True) if not p]


def test_tables_lead_to_what_only_tables_lead_to() -> None:
    reached = {member.function for table in TABLES for member in table.members}

    assert set() == exported("table") - reached - OF_TOOLS
