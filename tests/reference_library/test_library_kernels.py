"""Kernels on the reference as a C library: the tutorial, as a reader does it."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest

from hsa_reference import implemented
from hsa_reference.library import build
from hsa_spec import load
from tests.device.device_kernels import clang, lacking

PAGE = Path(__file__).parents[2] / "docs/tutorial/vector-copy.md"
_FILE = re.compile(r"```c (\S+)\n(.*?)```", re.DOTALL)
_COMMAND = re.compile(r"^    (clang-15|cc|HSA_REFERENCE_MACHINE=\S+) (.*)$", re.MULTILINE)

pytestmark = [
    pytest.mark.skipif(bool(lacking("gfx90a")), reason=lacking("gfx90a") or "-"),
    pytest.mark.skipif(
        not Path("/usr/include/hsa/hsa.h").is_file(),
        reason="needs the headers of HSA (Debian: apt install libhsa-runtime-dev)",
    ),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of the page, and what its commands make of them."""
    found = tmp_path_factory.mktemp("tutorial")
    build(found / "reference", implemented(load()))
    text = PAGE.read_text("utf-8")
    for name, content in _FILE.findall(text):
        (found / name).write_text(content)
    for program, rest in _COMMAND.findall(text):
        if program in ("clang-15", "cc"):
            compiler = clang("gfx90a") if program == "clang-15" else program
            words = shlex.split(rest.replace("/tmp/reference", str(found / "reference")))
            subprocess.run([str(compiler), *words], cwd=found, check=True)
    return found


def run(folder: Path, code: str, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "HSA_REFERENCE_MACHINE": "gfx90a",
        "LD_LIBRARY_PATH": str(folder / "reference"),
        **variables,
    }
    command = [str(folder / "vector_copy"), code]
    return subprocess.run(
        command,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_tutorial_copies_the_vector(folder: Path) -> None:
    done = run(folder, "vector_copy.hsaco")
    assert (0, "the vector was copied\n", "") == (done.returncode, done.stdout, done.stderr)
