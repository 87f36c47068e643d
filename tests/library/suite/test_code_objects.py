"""The code objects that the suite makes, read by somebody else's reader of ELF files."""

from __future__ import annotations

import re
import struct
from io import BytesIO
from typing import Any, get_args

import msgpack  # type: ignore[import-untyped]
import pytest
from elftools.elf.elffile import ELFFile

from hsa_conformance.code_objects import (
    MADE,
    TARGETS,
    Code,
    Does,
    Kernel,
    Variable,
    addresses,
    build,
)
from hsa_conformance.code_objects.msgpack import pack
from hsa_conformance.code_objects.programs import program

GPU = TARGETS["gfx90a"]
CODE = Code(
    GPU,
    (Kernel("add", 24, 128), Kernel("sub")),
    (Variable("counter", 5), Variable("limit", 7, constant=True), Variable("p", points_to="away")),
)


@pytest.fixture
def file() -> ELFFile:
    return ELFFile(BytesIO(build(CODE)))


def _section(file: ELFFile, name: str) -> Any:
    """Return a section, whose kind follows from its name."""
    return file.get_section_by_name(name)


def _symbols(file: ELFFile) -> dict[str, Any]:
    return {s.name: s.entry for s in _section(file, ".dynsym").iter_symbols() if s.name}


def _at(file: ELFFile, address: int, size: int) -> bytes:
    """Return what a loader would put at an address."""
    for segment in file.iter_segments("PT_LOAD"):
        offset = address - segment["p_vaddr"]
        if 0 <= offset < segment["p_filesz"]:
            return segment.data()[offset : offset + size]
    raise AssertionError(f"nothing is loaded at {address:#x}")


def test_the_header_says_what_the_code_is_for(file: ELFFile) -> None:
    """Machine, ABI and flags are those of a GPU that any setting of its features suits."""
    header = file.header
    assert ("EM_AMDGPU", 2) == (header["e_machine"], header["e_ident"]["EI_ABIVERSION"])
    assert 0x53F == header["e_flags"]


def test_the_header_is_that_of_a_shared_object(file: ELFFile) -> None:
    header = file.header
    assert ("ET_DYN", "EV_CURRENT", 0) == (header["e_type"], header["e_version"], header["e_entry"])
    assert (64, 56, 64) == tuple(header[f"e_{name}size"] for name in ("eh", "phent", "shent"))
    assert ".shstrtab" == file.get_section(header["e_shstrndx"]).name
    first = file.get_section(0)
    assert {0} == {value for name, value in first.header.items() if name != "sh_type"}


def test_segments_hold_the_sections_of_their_kind(file: ELFFile) -> None:
    kinds = [segment["p_type"] for segment in file.iter_segments()]
    assert ["PT_LOAD"] * 3 + ["PT_DYNAMIC", "PT_NOTE"] == kinds
    for kind, name in (("PT_DYNAMIC", ".dynamic"), ("PT_NOTE", ".note")):
        (segment,) = file.iter_segments(kind)
        section = _section(file, name)
        for of_segment, of_section in (("offset", "offset"), ("vaddr", "addr"), ("memsz", "size")):
            assert segment[f"p_{of_segment}"] == section[f"sh_{of_section}"]
        assert segment["p_filesz"] == section["sh_size"]
    loaded = list(file.iter_segments("PT_LOAD"))
    for section in file.iter_sections():
        if section["sh_flags"] & 2:
            (segment,) = (each for each in loaded if each.section_in_segment(section))
            distance = segment["p_vaddr"] - segment["p_offset"]
            assert distance == section["sh_addr"] - section["sh_offset"]
            assert 0 == distance % segment["p_align"]
            assert 0 == section["sh_addr"] % section["sh_addralign"]
            writes, executes = section["sh_flags"] & 1, section["sh_flags"] >> 2 & 1
            assert 4 | writes << 1 | executes == segment["p_flags"]
        elif section.name:
            assert 0 == section["sh_addr"]


def test_tables_refer_to_each_other(file: ELFFile) -> None:
    """Symbols and relocations know which section has their names and what they are about."""
    links = {
        ".dynsym": (".dynstr", 1, 24),
        ".symtab": (".strtab", 1, 24),
        ".hash": (".dynsym", 0, 4),
        ".rela.dyn": (".dynsym", 0, 24),
        ".dynamic": (".dynstr", 0, 16),
    }
    for name, (linked, info, size) in links.items():
        section = _section(file, name)
        found = file.get_section(section["sh_link"]).name
        assert (linked, info, size) == (found, section["sh_info"], section["sh_entsize"]), name
    assert [s.name for s in _section(file, ".symtab").iter_symbols()] == [
        s.name for s in _section(file, ".dynsym").iter_symbols()
    ]


def test_the_dynamic_table_leads_to_the_others(file: ELFFile) -> None:
    places = {
        "DT_HASH": ".hash",
        "DT_STRTAB": ".dynstr",
        "DT_SYMTAB": ".dynsym",
        "DT_RELA": ".rela.dyn",
    }
    sizes = {"DT_STRSZ": ".dynstr", "DT_RELASZ": ".rela.dyn"}
    expected = {tag: _section(file, name)["sh_addr"] for tag, name in places.items()}
    expected |= {tag: _section(file, name)["sh_size"] for tag, name in sizes.items()}
    expected |= {"DT_SYMENT": 24, "DT_RELAENT": 24, "DT_NULL": 0}
    tags = list(_section(file, ".dynamic").iter_tags())
    assert expected == {tag.entry.d_tag: tag.entry.d_val for tag in tags}
    assert "DT_NULL" == tags[-1].entry.d_tag


def test_the_hash_table_leads_to_every_symbol(file: ELFFile) -> None:
    names = _symbols(file)
    table = _section(file, ".hash")
    assert len(names) + 1 == table.get_number_of_symbols()
    assert (1, 4 * (2 + 1 + len(names) + 1)) == (table.params["nbuckets"], table["sh_size"])
    assert {name: table.get_symbol(name).entry for name in names} == names


def test_symbols_are_what_was_asked_for(file: ELFFile) -> None:
    """Definitions have a place, and what others define has none."""
    symbols = _symbols(file)
    assert {*CODE.symbols, "add", "sub", "away"} == set(symbols)
    assert "SHN_UNDEF" == symbols["away"]["st_shndx"]
    assert b"\5" == _at(file, symbols["counter"]["st_value"], 8).rstrip(b"\0")
    assert b"\7" == _at(file, symbols["limit"]["st_value"], 8).rstrip(b"\0")


def test_a_descriptor_leads_to_the_instructions_of_its_kernel(file: ELFFile) -> None:
    """The offset in the descriptor is that of the function, which ends a program at once."""
    symbols = _symbols(file)
    for name, size, group in (("add", 24, 128), ("sub", 16, 0)):
        place = symbols[f"{name}.kd"]["st_value"]
        found = struct.unpack("<III4xq40x", _at(file, place, 64))
        assert (group, 0, size, symbols[name]["st_value"] - place) == found
        assert b"\0\0\x81\xbf" == _at(file, symbols[name]["st_value"], 4)


def test_a_pointer_is_filled_in_when_it_is_loaded(file: ELFFile) -> None:
    """One relocation names the symbol of others and the place of the variable."""
    (relocation,) = _section(file, ".rela.dyn").iter_relocations()
    table = _section(file, ".dynsym")
    assert "away" == table.get_symbol(relocation["r_info_sym"]).name
    assert _symbols(file)["p"]["st_value"] == relocation["r_offset"]


def test_the_first_variable_lies_at_address_0_where_the_headers_are_not_loaded() -> None:
    """What is loaded begins with it, and everything else lies behind."""
    code = Code(GPU, (Kernel("add"),), (Variable("first", 9, constant=True, place="start"),))
    file = ELFFile(BytesIO(build(code)))
    assert 0 == _symbols(file)["first"]["st_value"] == addresses(code)["first"]
    assert b"\t\0\0\0\0\0\0\0" == _at(file, 0, 8)
    assert addresses(code)["add.kd"] > 0


@pytest.mark.parametrize("size", [0, 1, 5000])
def test_the_last_variable_ends_with_what_is_loaded(size: int) -> None:
    """The file has no bytes for it."""
    code = Code(GPU, (), (CODE.variables[0], Variable("last", size=size, place="end")))
    file = ELFFile(BytesIO(build(code)))
    segments = list(file.iter_segments("PT_LOAD"))
    end = segments[-1]["p_vaddr"] + segments[-1]["p_memsz"]
    assert end - size == _symbols(file)["last"]["st_value"] == addresses(code)["last"]
    assert size <= segments[-1]["p_memsz"] - segments[-1]["p_filesz"] < size + 8
    assert segments[-1]["p_vaddr"] == addresses(code)["counter"]


@pytest.mark.parametrize("align", [1, 64, 1 << 14])
def test_a_variable_is_aligned_as_it_asks(align: int) -> None:
    """Its segment is at least as much."""
    before = Variable("before", 1, size=1, align=1)
    code = Code(GPU, (), (before, Variable("aligned", 300, size=3, align=align)))
    file = ELFFile(BytesIO(build(code)))
    place = addresses(code)["aligned"]
    assert 0 == place % align
    assert place > addresses(code)["before"]
    assert b"\x2c\1\0" == _at(file, place, 3)
    assert align <= next(file.iter_segments("PT_LOAD"))["p_align"]


def test_old_code_names_its_profile() -> None:
    """Version 2 has a note with the profile."""
    file = ELFFile(BytesIO(build(Code(TARGETS["gfx900"], (), (), version=2, profile=1))))
    notes = {n["n_type"]: n for n in _section(file, ".note").iter_notes()}
    data = _section(file, ".note").data()
    assert 3 == len(notes)
    assert struct.pack("<IIBBB", 1, 0, 1, 1, 2) in data


def test_what_was_made_is_known_again() -> None:
    """Content leads back to the code; nothing else does."""
    assert CODE == MADE[build(CODE)]
    assert build(CODE)[:-1] not in MADE


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 31, 32, 100, 65535])
def test_metadata_of_any_length_are_messagepack(count: int) -> None:
    text, listed = "x" * count, [count % 100] * count
    mapping = {str(number): number for number in range(count)}
    assert [text, listed, mapping] == msgpack.unpackb(pack([text, listed, mapping]))


@pytest.mark.parametrize("bits", range(1, 65))
def test_metadata_of_any_size_are_messagepack(bits: int) -> None:
    for number in ((1 << bits) - 1, 1 << bits - 1):
        assert number == msgpack.unpackb(pack(number))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (5, "05"),
        (300, "ce0000012c"),
        (1 << 40, "cf0000010000000000"),
        ("gfx", "a3676678"),
        ("x" * 40, "da0028" + "78" * 40),
        ({"a": [1, 2]}, "81a161920102"),
    ],
)
def test_metadata_is_messagepack(value: object, expected: str) -> None:
    """Each form is the one of the format's specification."""
    assert expected == pack(value).hex()  # type: ignore[arg-type]


#: Loads of arguments: the registers that they fill, and how far the arguments lie behind s[4:5].
LOAD = re.compile(r"s_load_\w+ s\[(\d+):(\d+)\], s\[4:5\], (null|0x\w+)")


@pytest.mark.parametrize("does", get_args(Does))
def test_a_kernel_has_the_arguments_that_it_loads(does: Does) -> None:
    """They end where its last load does, and private memory is the same on all processors."""
    private = set()
    for processor in ("gfx90a", "gfx942", "gfx1100"):
        code = program(does, TARGETS[processor])
        loads = [LOAD.match(each.text) for each in code.instructions]
        ends = [
            (0 if at == "null" else int(at, 16)) + 4 * (int(last) + 1 - int(first))
            for first, last, at in (found.groups() for found in loads if found)
        ]
        assert max(ends, default=0) == code.arguments
        private.add(code.private)
    assert {16 if does == "private" else 0} == private
