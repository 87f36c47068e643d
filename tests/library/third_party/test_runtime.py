"""The runtime of `tests/library/third_party/`, as its author sees it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.library.third_party.build import CLAIM, HERE, SOURCES, compile_files, compile_library
from tests.library.third_party.defects import Defect, defects
from tests.wrong.edits import edited

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def test_its_smoke_test_passes(tmp_path: Path) -> None:
    """Each function does in a plain program what the author takes the text to say."""
    smoke = tmp_path / "smoke"
    compile_files(smoke, [*sorted(SOURCES.glob("*.c")), HERE / "smoke.c"])
    assert 0 == subprocess.run([smoke], timeout=60, check=False).returncode


@pytest.mark.skipif(shutil.which("nm") is None, reason="needs nm")
def test_the_claim_is_all_that_it_exports(tmp_path: Path) -> None:
    """Nothing is exported without a claim, or claimed without being exported."""
    library = compile_library(tmp_path / "libthird-party.so")
    command = ["nm", "-D", "--defined-only", str(library)]
    symbols = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in symbols.splitlines()}
    assert set(yaml.safe_load(CLAIM.read_text("utf-8"))["functions"]) == exported


@pytest.mark.parametrize("defect", defects(), ids=lambda defect: defect.name)
def test_a_defect_fits_the_runtime(defect: Defect, tmp_path: Path) -> None:
    """The text that it replaces is in the runtime once, and what comes of it compiles."""
    sources = edited(SOURCES, [defect.edit], tmp_path / "runtime")
    compile_files(tmp_path / "nothing", [sources / defect.edit.file], "-fsyntax-only")
