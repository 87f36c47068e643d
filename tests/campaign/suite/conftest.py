"""A run of all clauses on the reference, which several processes of tests share."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from hsa_reports import Run, read_run


@pytest.fixture(scope="session")
def judged_reference(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Run:
    """The run of all clauses on the reference, in the quick profile: README's first command.

    The process that asks for it first makes it, in as many processes as there are anyway.
    """
    filelock = pytest.importorskip("filelock", reason="needs filelock: install the extra `dev`")
    base = tmp_path_factory.getbasetemp()
    shared = base if worker_id == "master" else base.parent
    folder = shared / "judged-reference"
    with filelock.FileLock(shared / "judged-reference.lock"):
        if not folder.exists():
            program = Path(sys.executable).with_name("hsa-conformance")
            words = ("run", "-n", "2", "--out", folder)
            subprocess.run((program, *words), check=False, capture_output=True)
    return read_run(folder)
