"""The files of the tutorial about kernels, and what its commands make of them."""

from __future__ import annotations

import re
import shlex
import subprocess
from pathlib import Path

import pytest

from tests.rocr.device.device_kernels import clang, lacking

PAGE = Path(__file__).parents[3] / "docs/tutorial/vector-copy.md"
_FILE = re.compile(r"```c (\S+)\n(.*?)```", re.DOTALL)
_COMMAND = re.compile(r"^    (clang-15|cc) (.*)$", re.MULTILINE)

#: What a test needs that follows the tutorial.
needs = [
    pytest.mark.skipif(bool(lacking("gfx90a")), reason=lacking("gfx90a") or "-"),
    pytest.mark.skipif(
        not Path("/usr/include/hsa/hsa.h").is_file(),
        reason="needs the headers of HSA (Debian: apt install libhsa-runtime-dev)",
    ),
]


def follow(folder: Path, library: Path, level: int = 2, processor: str = "gfx90a") -> Path:
    """Make the program and the code object in a folder, and return the program.

    Args:
        folder: where they are made.
        library: that the program is linked with.
        level: of optimisation of the kernel; without any it uses private memory.
        processor: that the kernel is for.

    """
    text = PAGE.read_text("utf-8")
    for name, content in _FILE.findall(text):
        (folder / name).write_text(content)
    for program, rest in _COMMAND.findall(text):
        compiler = clang(processor) if program == "clang-15" else program
        named = rest.replace("/tmp/reference/libhsa-runtime64.so.1", str(library))
        words = shlex.split(named.replace("-O2", f"-O{level}").replace("gfx90a", processor))
        subprocess.run([str(compiler), *words], cwd=folder, check=True)
    return folder / "vector_copy"
