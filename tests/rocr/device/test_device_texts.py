"""Golden cases are written as LLVM writes instructions: it assembles them, and decodes the same."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from hsa_device import decoder
from hsa_device.decoding import LONGEST, read_instruction
from hsa_device.isa import instruction_set
from hsa_device.targets import Family
from tests.rocr.device.golden_cases import Case
from tests.rocr.device.test_device_golden import CDNA_CASES, RDNA3_CASES

_ASSEMBLER = "clang-19"
#: Generation 10 has instructions that the device executes by the names of generation 9.
_CDNA = (("gfx90a", 64), ("gfx942", 64), ("gfx1030", 64))
_RDNA3 = (("gfx1100", 32), ("gfx1100", 64))
#: What LLVM 19 decodes and does not assemble: halves of registers, and a constant as a mask.
_DECODED_ALONE = re.compile(r"v\d+\.[hl]\b|\bv1[3-9]\d\b|v_cndmask_b32_e64 .*, -1$")
_ERROR = re.compile(r"<stdin>:(\d+):\d+: error: (.*)")
#: What LLVM says of a name that a processor has not, whatever its operands.
_UNKNOWN = re.compile(r"instruction not supported on this GPU|invalid instruction")
#: A clock, the mark that is no instruction, and names that LLVM assembles and never writes.
_OTHERS = {
    "s_sendmsg_rtn_b64",
    "s_code_end",
    "s_inst_prefetch",
    *(f"v_cmpx_tru_f{n}" for n in (16, 32, 64)),
}

needs_assembler = pytest.mark.skipif(not shutil.which(_ASSEMBLER), reason=f"needs {_ASSEMBLER}")


def _assembled(lines: Sequence[str], processor: str, wave: int, path: Path) -> Mapping[int, str]:
    """Write an object file, and return what is said of the lines that are none, by number."""
    command = [_ASSEMBLER, "-target", "amdgcn-amd-amdhsa", f"-mcpu={processor}", "-c"]
    command += ["-mwavefrontsize64" if wave == 64 else "-mno-wavefrontsize64"]
    command += ["-ferror-limit=0", "-x", "assembler", "-", "-o", str(path)]
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, check=False
    )
    return {int(number) - 1: what for number, what in _ERROR.findall(done.stderr)}


def _code(path: Path) -> bytes:
    """Return the instructions in an object file."""
    with path.open("rb") as file:
        text = ELFFile(file).get_section_by_name(".text")
        assert text is not None
        content: bytes = text.data()
    return content


@needs_assembler
@pytest.mark.parametrize(("cases", "processors"), [(CDNA_CASES, _CDNA), (RDNA3_CASES, _RDNA3)])
def test_instructions_are_written_as_llvm_writes_them(
    cases: Sequence[Case], processors: Sequence[tuple[str, int]], tmp_path: Path
) -> None:
    left = sorted({case["do"] for case in cases if not _DECODED_ALONE.search(case["do"])})
    for processor, wave in processors:
        others = _assembled(left, processor, wave, tmp_path / "first.o")
        known = [text for number, text in enumerate(left) if number not in others]
        left = [text for number, text in enumerate(left) if number in others]
        path = tmp_path / f"{processor}.{wave}.o"
        assert _assembled(known, processor, wave, path) == {}
        code, at = _code(path), 0
        for text in known:
            found = decoder(processor, wave).decode(code[at : at + LONGEST])
            assert found is not None, text
            written = read_instruction(text, found.size)
            assert (written.operands, written.modifiers) == (found.operands, found.modifiers)
            at += found.size
    assert left == []


@needs_assembler
def test_each_instruction_of_gfx1100_has_a_case(tmp_path: Path) -> None:
    """Of what the device executes, by its name, and LLVM assembles for that processor."""
    sections = instruction_set(Family.RDNA3).sections
    names = sorted({name for each in sections for name in (*each.instructions, *each.ends)})
    said = _assembled(names, "gfx1100", 32, tmp_path / "names.o")
    second = {name for name in names if name.startswith("v_dual_")}  # never alone
    there = {n for at, n in enumerate(names) if not _UNKNOWN.search(said.get(at, ""))} | second
    cases = [case for case in RDNA3_CASES if "expect" in case]
    shown = {part.name for case in cases for part in read_instruction(case["do"], 8).parts}
    assert there - shown == _OTHERS
