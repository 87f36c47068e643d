"""Kernels on the reference as a C library: the tutorial, as a reader does it."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from hsa_reference import implemented
from hsa_reference.library import build
from hsa_spec import load
from tests.rocr.device.vector_copy import follow, needs

pytestmark = needs


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the files of the page, and what its commands make of them."""
    found = tmp_path_factory.mktemp("tutorial")
    follow(found, build(found / "reference", implemented(load())))
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
