"""Compiles the programs beside the pages of docs/findings."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.findings import FOLDER

# Exit statuses of the programs.
DEFECT, NO_DEFECT, CANNOT_TELL = 1, 0, 77

FLAGS = ("-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-pedantic")


def compiled(page: str, folder: Path) -> Path:
    """Compile a page's program into a folder and return its path."""
    return compiled_file(FOLDER / f"{page}.c", folder)


def compiled_file(source: Path, folder: Path) -> Path:
    """Compile a program into a folder and return its path."""
    compiler = os.environ.get("CC", "cc")
    if shutil.which(compiler) is None:
        pytest.skip("needs a C compiler")
    made = folder / source.stem
    subprocess.run([compiler, *FLAGS, "-o", made, source, "-ldl"], check=True)
    return made
