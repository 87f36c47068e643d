"""Temporary folders: gone when they are closed, or when somebody starts after their owner died."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from hsa_adapters.temporary import PREFIX, TemporaryFolder

OWNER = """
import sys, time
from pathlib import Path
from hsa_adapters.temporary import TemporaryFolder
folder = TemporaryFolder(Path(sys.argv[1]))
(folder.path / "file").touch()
print(folder.path, flush=True)
time.sleep(1000)
"""


def owned(parent: Path) -> tuple[subprocess.Popen[str], Path]:
    """Start a process that owns a folder."""
    command = [sys.executable, "-c", OWNER, str(parent)]
    owner = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    return owner, Path(owner.stdout.readline().strip())


def test_a_folder_is_removed_when_it_is_closed(tmp_path: Path) -> None:
    with TemporaryFolder(tmp_path) as folder:
        (folder.path / "file").touch()
    assert [] == list(tmp_path.iterdir())


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path: Path) -> None:
    """What belongs to a process that lives, or is no such folder, stays."""
    (tmp_path / "mine").mkdir()
    (tmp_path / f"{PREFIX}and-mine").mkdir()
    dead, left = owned(tmp_path)
    alive, in_use = owned(tmp_path)
    dead.kill()
    dead.communicate()
    try:
        with TemporaryFolder(tmp_path) as folder:
            kept = {"mine", f"{PREFIX}and-mine", in_use.name, folder.path.name}
            assert kept == {path.name for path in tmp_path.iterdir()}
            assert not left.exists()
            assert (in_use / "file").exists()
    finally:
        alive.kill()
        alive.communicate()


def test_folders_that_are_made_at_once_are_never_taken_for_abandoned(tmp_path: Path) -> None:
    def use(_: int) -> bool:
        with TemporaryFolder(tmp_path) as folder:
            (folder.path / "file").touch()
            return (folder.path / "file").exists()

    with ThreadPoolExecutor(8) as threads:
        assert {True} == set(threads.map(use, range(400)))
    assert [] == list(tmp_path.iterdir())
