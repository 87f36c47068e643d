"""Golden cases are written as LLVM writes instructions: it assembles them, and decodes the same."""

from __future__ import annotations

import re
import shutil
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from hsa_device import decoder
from hsa_device.decoding import LONGEST, read_instruction
from tests.device.test_device_golden import CDNA_CASES

_ASSEMBLER = "clang-19"
#: Generation 10 has instructions that the device executes by the names of generation 9.
_PROCESSORS = ("gfx90a", "gfx942", "gfx1030")
_ERROR = re.compile(r"<stdin>:(\d+):\d+: error")
_PROGBITS, _EXECUTABLE = 1, 4


def _assembled(lines: Sequence[str], processor: str, path: Path) -> set[int]:
    """Write an object file, and return the numbers of the lines that are none."""
    command = [_ASSEMBLER, "-target", "amdgcn-amd-amdhsa", f"-mcpu={processor}", "-c"]
    command += ["-ferror-limit=0", "-x", "assembler", "-", "-o", str(path)]
    done = subprocess.run(
        command, input="\n".join(lines), capture_output=True, text=True, check=False
    )
    return {int(number) - 1 for number in _ERROR.findall(done.stderr)}


def _code(path: Path) -> bytes:
    """Return the instructions in an object file."""
    content = path.read_bytes()
    start = struct.unpack_from("<Q", content, 40)[0]
    size, count = struct.unpack_from("<HH", content, 58)
    for number in range(count):
        _, kind, flags, _, offset, length = struct.unpack_from(
            "<IIQQQQ", content, start + size * number
        )
        if kind == _PROGBITS and flags & _EXECUTABLE:
            return content[offset : offset + length]
    raise AssertionError("no instructions")


@pytest.mark.skipif(not shutil.which(_ASSEMBLER), reason=f"needs {_ASSEMBLER}")
def test_instructions_are_written_as_llvm_writes_them(tmp_path: Path) -> None:
    left = sorted({case["do"] for case in CDNA_CASES})
    for processor in _PROCESSORS:
        others = _assembled(left, processor, tmp_path / "first.o")
        known = [text for number, text in enumerate(left) if number not in others]
        left = [text for number, text in enumerate(left) if number in others]
        path = tmp_path / f"{processor}.o"
        assert _assembled(known, processor, path) == set()
        code, at = _code(path), 0
        for text in known:
            found = decoder(processor).decode(code[at : at + LONGEST])
            assert found is not None, text
            written = read_instruction(text, found.size)
            assert (written.operands, written.modifiers) == (found.operands, found.modifiers)
            at += found.size
    assert left == []
