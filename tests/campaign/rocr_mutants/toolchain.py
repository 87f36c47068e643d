"""The installed clang that ROCr is built with, and the programs of LLVM next to it."""

from __future__ import annotations

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

#: Programs of LLVM that a campaign needs, next to cmake and ninja.
_PROGRAMS = ("clang", "clang++", "llvm-objcopy", "llvm-profdata", "llvm-cov")


class BuildError(Exception):
    """The library cannot be built; the message says why, and what to do."""


@dataclass(frozen=True)
class Clang:
    """An installed clang.

    Args:
        folder: where its programs are.
        suffix: what their names end with, such as "-19".

    """

    folder: Path
    suffix: str

    @property
    def resources(self) -> Path:
        """Return the folder of the headers that this clang comes with."""
        return Path(run([self.program("clang"), "-print-resource-dir"]).strip())

    def program(self, name: str) -> str:
        """Return the path of one of its programs, such as "llvm-objcopy"."""
        return f"{self.folder}/{name}{self.suffix}"

    def knows(self, processor: str) -> bool:
        """Return whether it assembles for a processor, such as "gfx90a"."""
        assemble = [self.program("clang"), "-x", "assembler", "-c", "/dev/null", "-o", "/dev/null"]
        command = [*assemble, "--target=amdgcn-amd-amdhsa", f"-mcpu={processor}", "-nogpulib"]
        return not subprocess.run(command, check=False, capture_output=True).returncode


def run(command: Sequence[str]) -> str:
    """Run a command and return what it prints.

    Raises:
        BuildError: it fails; the message has the end of what it printed.

    """
    said = subprocess.run(command, check=False, capture_output=True, text=True)
    if said.returncode:
        end = "\n".join((said.stdout + said.stderr).splitlines()[-20:])
        raise BuildError(f"{shlex.join(command)} fails:\n{end}")
    return said.stdout


def find_clang() -> Clang:
    """Return the newest clang that has all that a campaign needs.

    Raises:
        BuildError: there is none, or no cmake or ninja.

    """
    for suffix in ("", *(f"-{version}" for version in range(30, 14, -1))):
        found = [shutil.which(f"{name}{suffix}") for name in _PROGRAMS]
        if found[0] and all(found) and shutil.which("cmake") and shutil.which("ninja"):
            return Clang(Path(found[0]).parent, suffix)
    raise BuildError(
        "ROCr's build needs clang, llvm, lld, cmake and ninja: install them (Debian: clang-19 "
        "llvm-19 lld-19 libclang-rt-19-dev cmake ninja-build libdrm-dev libelf-dev libnuma-dev "
        "pkg-config xxd)"
    )
