"""Code objects and instructions that LLVM assembles for a processor."""

from __future__ import annotations

import shutil
import struct
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from elftools.elf.elffile import ELFFile

ASSEMBLER: Final = "clang-19"
#: Processors whose vector registers are of two kinds.
_ACCUMULATING: Final = ("gfx90a", "gfx940", "gfx941", "gfx942", "gfx950")

needs_assembler = pytest.mark.skipif(not shutil.which(ASSEMBLER), reason=f"needs {ASSEMBLER}")


def assembled(text: str, processor: str, folder: Path, *options: str) -> Any:
    """Return the object file of a text, as pyelftools read it."""
    target = folder / f"{processor}.o"
    command = [ASSEMBLER, "-target", "amdgcn-amd-amdhsa", f"-mcpu={processor}", *options]
    command += ["-c", "-x", "assembler", "-", "-o", str(target)]
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if "invalid target ID" in done.stderr:
        pytest.skip(f"needs a newer LLVM: {ASSEMBLER} does not know {processor}")
    assert 0 == done.returncode, done.stderr
    return ELFFile(BytesIO(target.read_bytes()))


def words(text: str, processor: str, folder: Path) -> list[int]:
    """Return the words of instructions."""
    content: bytes = assembled(text, processor, folder).get_section_by_name(".text").data()
    return [word for (word,) in struct.iter_unpack("<I", content)]


def descriptor(processor: str, folder: Path, **directives: int) -> bytes:
    """Return the descriptor of a kernel, with settings that LLVM's `.amdhsa_kernel` names.

    Args:
        processor: that the kernel is for.
        folder: for files.
        directives: names without `.amdhsa_`, and values; required ones have some.

    """
    needed = {"next_free_vgpr": 1, "next_free_sgpr": 1}
    if processor in _ACCUMULATING:
        needed["accum_offset"] = 4
    lines = [f".amdhsa_{name} {value}" for name, value in {**needed, **directives}.items()]
    text = "\n".join(
        ("k: s_endpgm", '.section .rodata,"a"', ".amdhsa_kernel k", *lines, ".end_amdhsa_kernel\n")
    )
    content: bytes = assembled(text, processor, folder).get_section_by_name(".rodata").data()
    return content
