"""What the worker reads in files of libraries is what pyelftools read there."""

from __future__ import annotations

import platform
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from elftools.dwarf.callframe import FDE
from elftools.dwarf.descriptions import describe_reg_name
from elftools.elf.elffile import ELFFile

from hsa_adapters.worker import c_library, unwinding
from hsa_adapters.worker.elf import build_id
from hsa_adapters.worker.mapped import Code

if platform.machine() != "x86_64":
    pytest.skip("what is on the stack is read for x86-64 alone", allow_module_level=True)

#: The files of the C library that this process has loaded.
LOADED = sorted(
    {
        line.split(maxsplit=5)[5].rstrip("\n")
        for line in Path("/proc/self/maps").read_text().splitlines()
        if re.search(r"/(libc|libm|ld)[-.]\S*$", line)
    }
)
SAMPLES = 200  # of functions and of entries about the stack, in each file


@pytest.fixture(params=LOADED)
def path(request: pytest.FixtureRequest) -> str:
    found: str = request.param
    return found


@pytest.fixture
def file(path: str) -> Iterator[Any]:
    with Path(path).open("rb") as content:
        yield ELFFile(content)


def sampled(found: list[Any]) -> list[Any]:
    return found[:: max(len(found) // SAMPLES, 1)]


def test_the_c_library_is_among_them() -> None:
    assert any("libc" in path or "musl" in path for path in LOADED)


def test_segments_are_those_of_the_file(path: str, file: Any) -> None:
    expected = [
        (h["p_type"], h["p_flags"], h["p_offset"], h["p_vaddr"], h["p_filesz"])
        for h in (segment.header for segment in file.iter_segments())
    ]
    found = Code(path).segments
    assert [row[1:] for row in expected] == [
        (part.flags, part.offset, part.address, part.size) for part in found
    ]
    for name, kind in (("PT_LOAD", 1), ("PT_GNU_EH_FRAME", 0x6474E550)):
        assert [row[0] == name for row in expected] == [part.kind == kind for part in found]


def test_functions_are_those_of_the_file(path: str, file: Any) -> None:
    table = file.get_section_by_name(".symtab") or file.get_section_by_name(".dynsym")
    functions = [
        (symbol["st_value"], symbol["st_size"], symbol.name)
        for symbol in table.iter_symbols()
        if symbol["st_info"]["type"] in ("STT_FUNC", "STT_GNU_IFUNC", "STT_LOOS")
        and symbol["st_shndx"] != "SHN_UNDEF"
        and symbol["st_size"]
    ]
    code = Code(path)
    for start, size, _ in sampled(functions):
        for address in (start, start + size - 1):
            names = [n for at, length, n in functions if at <= address < at + length]
            assert min(names, key=lambda name: (len(name), name)) == code.function(address)


def test_the_stack_is_read_as_the_file_describes_it(path: str, file: Any) -> None:
    entries = [e for e in file.get_dwarf_info().EH_CFI_entries() if isinstance(e, FDE)]
    code, known = Code(path), 0
    for entry in sampled(entries):
        for row in entry.get_decoded().table:
            if row["pc"] >= entry["initial_location"] + entry["address_range"]:
                continue
            try:
                found = unwinding._row(code, row["pc"])
            except unwinding.Unknown:
                continue
            known += 1
            base, offset = row["cfa"].reg, row["cfa"].offset
            assert (describe_reg_name(base, "x64"), offset) == (found.base, found.offset)
            saved = {
                describe_reg_name(register, "x64"): rule.arg
                for register, rule in row.items()
                if register not in ("pc", "cfa") and rule.type == "OFFSET"
            }
            lost = {
                describe_reg_name(register, "x64"): None
                for register, rule in row.items()
                if register not in ("pc", "cfa") and rule.type == "UNDEFINED"
            }
            assert saved | lost == found.saved, hex(row["pc"])
    assert known > len(sampled(entries)) / 2


def test_the_build_id_is_that_of_the_file(path: str, file: Any) -> None:
    section = file.get_section_by_name(".note.gnu.build-id")
    expected = section and next(section.iter_notes())["n_desc"]
    assert expected == build_id(path)


def test_what_a_library_needs_is_what_its_file_says(path: str, file: Any) -> None:
    tags = file.get_section_by_name(".dynamic").iter_tags()
    expected = [tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"]
    assert expected == c_library.needed(Path(path).read_bytes())
