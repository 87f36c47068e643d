"""What the worker reads in files of libraries is what pyelftools read there."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from elftools.dwarf import constants
from elftools.dwarf.callframe import FDE
from elftools.dwarf.descriptions import describe_reg_name
from elftools.dwarf.enums import DW_EH_encoding_flags
from elftools.elf.elffile import ELFFile

from hsa_adapters.worker.ends import unwinding
from hsa_adapters.worker.ends.mappings import Code
from hsa_adapters.worker.library import c_library
from hsa_adapters.worker.library.elf import build_id

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


def compared(code: Code, entry: Any) -> int:
    """Compare what is said of the stack in a function; return for how many places it is known."""
    known = 0
    for row in entry.get_decoded().table:
        if row["pc"] >= entry["initial_location"] + entry["address_range"]:
            continue
        rules = {
            describe_reg_name(register, "x64"): rule
            for register, rule in row.items()
            if register not in ("pc", "cfa")
        }
        others = {rule.type for rule in rules.values()} - {"OFFSET", "UNDEFINED", "SAME_VALUE"}
        try:
            found = unwinding._row(code, row["pc"])
        except unwinding.Unknown:
            assert others or row["cfa"].expr is not None or b"S" in entry.cie["augmentation"]
            continue
        known += 1
        base, offset = row["cfa"].reg, row["cfa"].offset
        assert (describe_reg_name(base, "x64"), offset) == (found.base, found.offset)
        expected = {
            name: rule.arg if rule.type == "OFFSET" else None
            for name, rule in rules.items()
            if rule.type in ("OFFSET", "UNDEFINED")
        }
        assert expected == found.saved, hex(row["pc"])
    return known


def entries_of(file: Any) -> list[Any]:
    return [e for e in file.get_dwarf_info().EH_CFI_entries() if isinstance(e, FDE)]


def test_the_stack_is_read_as_the_file_describes_it(path: str, file: Any) -> None:
    entries, code = sampled(entries_of(file)), Code(path)
    assert sum(compared(code, entry) for entry in entries) > len(entries) / 2


def test_all_that_can_be_said_of_the_stack_is_read(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    text, library = tmp_path / "frames.S", tmp_path / "libframes.so"
    source = Path(__file__).parent / "machine_code" / "frames.S"
    text.write_text(f".intel_syntax noprefix\n{source.read_text()}")
    subprocess.run([compiler, "-shared", "-nostdlib", "-o", library, text], check=True)
    code = Code(str(library))
    with library.open("rb") as content:
        file: Any = ELFFile(content)
        framed, unsaid, sized = entries_of(file)
        assert (len(framed.get_decoded().table), 1) == (
            *(compared(code, framed), compared(code, unsaid)),
        )
        row = unwinding._row(code, sized["initial_location"] + 1)
        assert ("rsp", 32, {"rip": -8}) == (row.base, row.offset, row.saved)


def test_forms_of_pointers_have_the_numbers_of_dwarf() -> None:
    forms = {
        "udata2": "H",
        "udata4": "I",
        "udata8": "Q",
        "sdata2": "h",
        "sdata4": "i",
        "sdata8": "q",
    }
    forms["absptr"] = "Q"
    named = {DW_EH_encoding_flags[f"DW_EH_PE_{name}"]: f"<{code}" for name, code in forms.items()}
    assert named == unwinding._SIZES
    assert DW_EH_encoding_flags["DW_EH_PE_pcrel"] == unwinding._FROM_HERE
    count, entry = (
        DW_EH_encoding_flags[f"DW_EH_PE_{first}"] | DW_EH_encoding_flags[f"DW_EH_PE_{second}"]
        for first, second in (("absptr", "udata4"), ("datarel", "sdata4"))
    )
    assert (1, count, entry) == unwinding._TABLE
    steps = {1: "<B", 2: "<H", 4: "<I"}
    named = {vars(constants)[f"DW_CFA_advance_loc{size}"]: form for size, form in steps.items()}
    assert named == unwinding._STEPS


def test_a_call_keeps_the_registers_of_the_abi() -> None:
    """Those that libraries save; no call returns the others as they were."""
    assert {"rbx", "rbp", "r12", "r13", "r14", "r15"} == {*unwinding._KEPT}


def test_the_build_id_is_that_of_the_file(path: str, file: Any) -> None:
    section = file.get_section_by_name(".note.gnu.build-id")
    expected = section and next(section.iter_notes())["n_desc"]
    assert expected == build_id(path)


def test_what_a_library_needs_is_what_its_file_says(path: str, file: Any) -> None:
    tags = file.get_section_by_name(".dynamic").iter_tags()
    expected = [tag.needed for tag in tags if tag.entry.d_tag == "DT_NEEDED"]
    assert expected == c_library.needed(Path(path).read_bytes())
