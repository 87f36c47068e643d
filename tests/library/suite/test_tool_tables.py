"""Functions in tables for libraries of tools: found where a release has them."""

from __future__ import annotations

import struct

import pytest

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.symbols import Symbol
from hsa_conformance.engine.library.tool_tables import entry, for_tools
from hsa_spec import Registry
from hsa_spec.releases import Release

INTERCEPT = "hsa_amd_queue_intercept_create"
RECORD, ROOT, TABLE = 0x100, 0x200, 0x1000


class Tables:
    """A process with tables in its memory, each member of which says where it is."""

    def __init__(self, release: str, *, loads: int = 1, size: int = 0x400) -> None:
        self.release = Release.parse(release)
        self.memory = {
            RECORD: struct.pack("<QQQQ", ROOT, 0, loads, 0),
            TABLE: struct.pack("<IIII", 1, size, 0, 0)
            + b"".join(struct.pack("<Q", TABLE + 16 + 8 * i) for i in range(100)),
            ROOT: b"".join(struct.pack("<Q", TABLE) for _ in range(16)),
        }

    def read(self, address: int, size: int) -> bytes | None:
        start = max(s for s in self.memory if s <= address)
        return self.memory[start][address - start : address - start + size]

    def read_number(self, address: int, stem: str) -> Symbol:
        return Symbol(int.from_bytes(self.read(address, 8) or b"", "little"), stem)

    def place(self, content: bytes, words: str = "") -> Symbol:
        raise NotImplementedError

    def open_file(self, size: int, content: bytes = b"") -> int:
        raise NotImplementedError

    def set_variable(self, name: str, value: str, number: int | None = None) -> bool:
        raise NotImplementedError


def found(registry: Registry, process: Tables) -> int:
    function = registry.functions[INTERCEPT]
    return int(entry(process, function, Symbol(RECORD, "record"), registry))


@pytest.mark.parametrize(("release", "offset"), [("5.2.3", 0x128), ("7.2.4", 0x138)])
def test_a_function_is_behind_what_its_release_has(
    registry: Registry, release: str, offset: int
) -> None:
    """Two functions came before it in the table meanwhile."""
    assert TABLE + offset == found(registry, Tables(release))


def test_a_table_that_ends_before_it_has_no_such_function(registry: Registry) -> None:
    with pytest.raises(Unavailable) as caught:
        found(registry, Tables("7.2.4", size=0x138))
    assert "BLOCKED" == caught.value.verdict


def test_a_runtime_that_loads_no_library_of_tools_is_not_judged(registry: Registry) -> None:
    with pytest.raises(Unavailable) as caught:
        found(registry, Tables("7.2.4", loads=0))
    assert "NOT_APPLICABLE" == caught.value.verdict


def test_only_what_no_program_can_ask_for_is_for_tools(registry: Registry) -> None:
    chosen = {f.name for f in registry.functions.values() if for_tools(f, registry)}
    assert {
        INTERCEPT,
        "hsa_amd_queue_intercept_register",
        "hsa_amd_runtime_queue_create_register",
    } == chosen
