"""Compiles and runs the C programs beside this file."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from hsa_conformance.code_objects import TARGETS, Code, build

FOLDER = Path(__file__).parent
#: The machine that the expected output is of; the reference models it, the imitation imitates it.
MACHINE = FOLDER / "machine.yaml"
PROGRAMS = tuple(sorted(path.stem for path in (FOLDER / "programs").glob("*.c")))
FLAGS = ("-std=c99", "-pedantic", "-O1", "-Wall", "-Wextra", "-Werror")


def compiled(program: str, library: Path, folder: Path) -> Path:
    """Compile a program, link it to a library, and return its path; a skip where that is missing.

    Args:
        program: one of PROGRAMS.
        library: a libhsa-runtime64.so.1.
        folder: where the program goes.

    """
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        pytest.skip("needs a C compiler")
    if not Path("/usr/include/hsa/hsa_ext_amd.h").is_file():
        pytest.skip("needs the headers of HSA (Debian: apt install libhsa-runtime-dev)")
    made = folder / program
    source = FOLDER / "programs" / f"{program}.c"
    # The library may be of a newer system than this one, with newer libraries behind it.
    rest = ("-pthread", "-Wl,--allow-shlib-undefined")
    subprocess.run([compiler, *FLAGS, "-o", made, source, library, *rest], check=True)
    return made


def arguments(program: str, folder: Path) -> Sequence[Path]:
    """Return what a program is started with."""
    if program != "hostile":
        return ()
    code = folder / "code.co"
    code.write_bytes(build(Code(TARGETS["gfx1100"])))
    return (code,)


def expected(program: str) -> list[str]:
    """Return the lines that a program prints."""
    return (FOLDER / "expected" / f"{program}.txt").read_text(encoding="utf-8").splitlines()


def run(
    command: Sequence[str | Path], variables: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    """Run a program with environment variables besides those that are there."""
    return subprocess.run(
        command,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        errors="replace",  # of some releases the last byte of a name is not written
        timeout=120,
        check=False,
    )
