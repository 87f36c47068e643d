"""Numbers and layouts of ELF, as glibc's elf.h has them."""

from __future__ import annotations

import struct

import pytest

from hsa_adapters.worker.ends import mappings
from hsa_adapters.worker.library import c_library
from hsa_adapters.worker.library import elf as of_library
from hsa_conformance.code_objects import damage, elf, variants
from hsa_conformance.code_objects.build import (
    _FUNCTION,
    _GLOBAL,
    _NOTHING,
    _OBJECT,
    _PROTECTED,
    MACHINE,
)
from hsa_device.code import objects
from hsa_reference.amdgpu import elf as of_reference
from tests.library.tables.from_c import constants, fields, members, values

HEADERS = ["elf.h"]

TABLES = {
    "code objects of the suite": {
        "SHT_PROGBITS": elf.PROGBITS,
        "SHT_SYMTAB": elf.SYMTAB,
        "SHT_STRTAB": elf.STRTAB,
        "SHT_RELA": elf.RELA,
        "SHT_HASH": elf.HASH,
        "SHT_DYNAMIC": elf.DYNAMIC,
        "SHT_NOTE": elf.NOTE,
        "SHT_NOBITS": elf.NOBITS,
        "SHT_DYNSYM": elf.DYNSYM,
        "SHF_WRITE": elf.WRITE,
        "SHF_ALLOC": elf.ALLOC,
        "SHF_EXECINSTR": elf.EXECUTE,
        "sizeof(Elf64_Ehdr)": elf._HEADER,
        "sizeof(Elf64_Phdr)": elf._SEGMENT,
        "ET_DYN": elf._SHARED_OBJECT,
        "EM_AMDGPU": MACHINE,
        "STT_NOTYPE": _NOTHING,
        "STT_OBJECT": _OBJECT,
        "STT_FUNC": _FUNCTION,
        "STB_GLOBAL": _GLOBAL,
        "STV_PROTECTED": _PROTECTED,
    },
    "damage": {"sizeof(Elf64_Ehdr)": damage.HEADER, "PT_LOAD": damage._LOAD},
    "variants": {
        "sizeof(Elf64_Shdr)": variants._HEADER,
        "offsetof(Elf64_Ehdr, e_shoff)": variants._PLACE,
        "offsetof(Elf64_Ehdr, e_shnum)": variants._COUNT,
    },
    "libraries": {
        "ET_DYN": of_library._SHARED,
        "PT_NOTE": of_library._NOTE,
        "NT_GNU_BUILD_ID": of_library._BUILD_ID,
        "PT_LOAD": c_library._LOAD,
        "PT_DYNAMIC": c_library._DYNAMIC,
        "DT_NULL": c_library._END,
        "DT_NEEDED": c_library._NEEDED,
        "DT_STRTAB": c_library._STRTAB,
    },
    "mapped code": {
        "PT_LOAD": mappings._LOAD,
        "PT_GNU_EH_FRAME": mappings._UNWINDING,
        "PF_X": mappings._EXECUTABLE,
        "SHT_SYMTAB": mappings._SYMBOLS,
        "SHT_DYNSYM": mappings._DYNAMIC_SYMBOLS,
        "STT_FUNC": mappings._FUNCTION,
        "STT_GNU_IFUNC": mappings._INDIRECT,
    },
    "the reference": {
        "sizeof(Elf64_Phdr)": of_reference._PROGRAM_HEADER,
        "PN_XNUM": of_reference._EXTENDED,
        "PT_DYNAMIC": of_reference._DYNAMIC,
        "ET_DYN": of_reference._SHARED_OBJECT,
        "PF_X": of_reference._EXECUTE,
        "PF_W": of_reference._WRITE,
        "SHN_UNDEF": of_reference._UNDEFINED,
        "SHN_ABS": of_reference._ABSOLUTE,
        "SHN_LORESERVE": of_reference._RESERVED,
        "STB_LOCAL": of_reference._LOCAL,
        "STB_WEAK": of_reference._WEAK,
        **of_reference._NAMED,
    },
    "the device": {"EM_AMDGPU": objects._MACHINE},
}


@pytest.mark.parametrize("table", TABLES)
def test_numbers_are_those_of_the_header(table: str) -> None:
    assert values(HEADERS, TABLES[table]) == TABLES[table]


def test_machines_have_the_numbers_of_the_header() -> None:
    names = {
        "x86": "EM_386",
        "ARM": "EM_ARM",
        "x86-64": "EM_X86_64",
        "AArch64": "EM_AARCH64",
        "RISC-V": "EM_RISCV",
    }
    named = [names[name] for name in of_library._MACHINES.values()]
    assert constants(HEADERS, named) == [*of_library._MACHINES]


SYMBOL = ["st_name", "st_info", "st_other", "st_shndx", "st_value", "st_size"]


@pytest.mark.parametrize("layout", [mappings._SYMBOL, of_reference._SYMBOL])
def test_symbols_are_laid_out_as_in_the_header(layout: struct.Struct) -> None:
    assert members(HEADERS, "Elf64_Sym", SYMBOL) == fields(layout)


def test_relocations_are_laid_out_as_in_the_header() -> None:
    found = members(HEADERS, "Elf64_Rela", ["r_offset", "r_info", "r_addend"])
    assert found == fields(of_reference._RELOCATION)


@pytest.mark.parametrize(
    ("structure", "table", "names"),
    [
        (
            "Elf64_Ehdr",
            damage._OF_FILE,
            "e_ident[EI_CLASS] e_ident[EI_DATA] e_type e_machine e_phoff e_shoff e_flags"
            " e_phentsize e_phnum e_shentsize e_shnum e_shstrndx",
        ),
        ("Elf64_Phdr", damage._SEGMENT, "p_type p_offset p_vaddr p_filesz p_memsz p_align"),
        (
            "Elf64_Shdr",
            damage._SECTION,
            "sh_name sh_type sh_flags sh_addr sh_offset sh_size sh_link sh_info sh_addralign"
            " sh_entsize",
        ),
        ("Elf64_Sym", damage._SYMBOL, "st_name st_shndx st_value st_size"),
        ("Elf64_Dyn", damage._ENTRY, "d_tag d_un.d_val"),
        ("Elf64_Nhdr", damage._NOTE, "n_namesz n_descsz n_type"),
    ],
)
def test_damaged_fields_are_those_of_the_header(
    structure: str, table: dict[str, tuple[int, int]], names: str
) -> None:
    assert members(HEADERS, structure, names.split()) == [*table.values()]


def test_a_relocation_has_type_and_symbol_in_one_word() -> None:
    info, addend = members(HEADERS, "Elf64_Rela", ["r_info", "r_addend"])
    kind, symbol = constants(HEADERS, ["ELF64_R_INFO(0, 1)", "ELF64_R_INFO(1, 0)"])
    assert (1, 1 << 32) == (kind, symbol)
    assert {
        "place": (0, 8),
        "type": (info[0], 4),
        "symbol": (info[0] + 4, 4),
        "addend": addend,
    } == damage._RELOCATION


def test_arrays_have_entries_of_the_size_in_the_header() -> None:
    sizes = {
        "SHT_SYMTAB": "sizeof(Elf64_Sym)",
        "SHT_DYNSYM": "sizeof(Elf64_Sym)",
        "SHT_RELA": "sizeof(Elf64_Rela)",
        "SHT_DYNAMIC": "sizeof(Elf64_Dyn)",
    }
    found = zip(constants(HEADERS, [*sizes]), constants(HEADERS, [*sizes.values()]), strict=True)
    assert {kind: size for kind, (_, _, size) in damage._ARRAYS.items()} == dict(found)
