"""Flags, notes and relocations of code objects, as LLVM writes them."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_conformance.code_objects import TARGETS, Code, build, notes
from hsa_conformance.code_objects.build import _ABI, _ABSOLUTE, MACHINE
from hsa_device.targets import TARGETS as OF_DEVICE
from hsa_reference.amdgpu import notes as of_reference
from hsa_reference.amdgpu import relocations
from hsa_reference.amdgpu.target import PROCESSORS, from_flags
from tests.rocr.tables.assembling import assembled, needs_assembler

pytestmark = needs_assembler

_METADATA = """
.amdgpu_metadata
amdhsa.version: [1, 1]
amdhsa.target: amdgcn-amd-amdhsa--gfx906
amdhsa.kernels: []
.end_amdgpu_metadata
"""


@pytest.mark.parametrize(("number", "name"), PROCESSORS.items())
def test_processors_have_the_numbers_of_llvm(number: int, name: str, tmp_path: Path) -> None:
    flags = assembled("", name, tmp_path).header["e_flags"]
    assert number == flags & 0xFF
    found = from_flags(flags, 4)
    assert name == found.processor
    assert {None} >= {found.xnack, found.sramecc}
    if name in TARGETS:
        assert flags == TARGETS[name].flags
    if name in OF_DEVICE:
        assert number == OF_DEVICE[name].number


def test_every_processor_is_compared() -> None:
    assert {*PROCESSORS.values()} >= {*TARGETS, *OF_DEVICE}


@pytest.mark.parametrize("setting", ["xnack", "sramecc"])
@pytest.mark.parametrize(("sign", "expected"), [("+", True), ("-", False)])
def test_settings_have_the_flags_of_llvm(
    setting: str, sign: str, expected: bool, tmp_path: Path
) -> None:
    flags = assembled("", f"gfx908:{setting}{sign}", tmp_path).header["e_flags"]
    found = from_flags(flags, 4)
    expected_of = {"xnack": None, "sramecc": None, setting: expected}
    assert expected_of == {"xnack": found.xnack, "sramecc": found.sramecc}


@pytest.mark.parametrize("version", [4, 5])
def test_headers_are_those_of_llvm(version: int, tmp_path: Path) -> None:
    option = f"-mcode-object-version={version}"
    header = assembled("", "gfx906", tmp_path, option).header
    content = build(Code(TARGETS["gfx906"], version=version))
    assert "EM_AMDGPU" == header["e_machine"]
    (tmp_path / "made.o").write_bytes(content)
    written = (tmp_path / "gfx906.o").read_bytes()
    assert written[:16] == content[:16]  # class, byte order, ABI and its version
    assert written[18:20] == content[18:20] == MACHINE.to_bytes(2, "little")
    assert _ABI == written[7]


def test_metadata_are_in_the_note_of_llvm(tmp_path: Path) -> None:
    found = assembled(_METADATA, "gfx906", tmp_path).get_section_by_name(".note").data()
    owner, size, kind = (int.from_bytes(found[at : at + 4], "little") for at in (0, 4, 8))
    assert (found[12 : 12 + owner - 1].decode(), kind) == of_reference._METADATA
    assert notes._METADATA == kind
    content = found[-(-(12 + owner) // 4) * 4 :][:size]
    assert notes.modern(content) == found


def test_relocations_have_the_numbers_of_llvm(tmp_path: Path) -> None:
    ours = {
        "NONE": relocations._NONE,
        "ABS32_LO": relocations._LOW,
        "ABS32_HI": relocations._HIGH,
        "ABS64": relocations._WHOLE,
        "ABS32": relocations._HALF,
        "RELATIVE64": relocations._MOVED,
    }
    lines = [f".reloc {8 * n}, R_AMDGPU_{name}, a{n}\n.quad 0" for n, name in enumerate(ours)]
    file = assembled("\n".join((".data", *lines, "")), "gfx906", tmp_path)
    found = file.get_section_by_name(".rela.data").iter_relocations()
    by_place = {each["r_offset"] // 8: each["r_info_type"] for each in found}
    assert by_place == dict(enumerate(ours.values()))
    assert _ABSOLUTE == ours["ABS64"]
