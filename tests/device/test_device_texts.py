"""Golden cases are written as LLVM writes instructions: it assembles them, and decodes the same."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile

from hsa_device import decoder
from hsa_device.decoding import LONGEST, read_instruction
from tests.device.golden_cases import Case
from tests.device.test_device_golden import CDNA_CASES, RDNA3_CASES

_ASSEMBLER = "clang-19"
#: Generation 10 has instructions that the device executes by the names of generation 9.
_CDNA = (("gfx90a", 64), ("gfx942", 64), ("gfx1030", 64))
_RDNA3 = (("gfx1100", 32), ("gfx1100", 64))
#: What LLVM 19 decodes and does not assemble: halves of registers, and a constant as a mask.
_DECODED_ALONE = re.compile(r"v\d+\.[hl]\b|\bv1[3-9]\d\b|v_cndmask_b32_e64 .*, -1$")
_ERROR = re.compile(r"<stdin>:(\d+):\d+: error")


def _assembled(lines: Sequence[str], processor: str, wave: int, path: Path) -> set[int]:
    """Write an object file, and return the numbers of the lines that are none."""
    command = [_ASSEMBLER, "-target", "amdgcn-amd-amdhsa", f"-mcpu={processor}", "-c"]
    command += ["-mwavefrontsize64" if wave == 64 else "-mno-wavefrontsize64"]
    command += ["-ferror-limit=0", "-x", "assembler", "-", "-o", str(path)]
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, check=False
    )
    return {int(number) - 1 for number in _ERROR.findall(done.stderr)}


def _code(path: Path) -> bytes:
    """Return the instructions in an object file."""
    with path.open("rb") as file:
        text = ELFFile(file).get_section_by_name(".text")
        assert text is not None
        content: bytes = text.data()
    return content


@pytest.mark.skipif(not shutil.which(_ASSEMBLER), reason=f"needs {_ASSEMBLER}")
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
        assert _assembled(known, processor, wave, path) == set()
        code, at = _code(path), 0
        for text in known:
            found = decoder(processor, wave).decode(code[at : at + LONGEST])
            assert found is not None, text
            written = read_instruction(text, found.size)
            assert (written.operands, written.modifiers) == (found.operands, found.modifiers)
            at += found.size
    assert left == []
