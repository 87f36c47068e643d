"""The command of before a commit finds what differs from a commit."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.before.changes import WrongUseError, changed, files


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository of one commit with three files."""
    for name in ("kept", "edited", "deleted"):
        (tmp_path / name).write_text(name)
    identity = ("-c", "user.name=nobody", "-c", "user.email=nobody@example.org")
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "First")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return tmp_path


def test_edited_staged_new_and_deleted_files_differ(repository: Path) -> None:
    """A new file counts whether it is staged or not, and an ignored one does not."""
    (repository / "edited").write_text("otherwise")
    (repository / "deleted").unlink()
    for name in ("staged", "new", "ignored"):
        (repository / name).touch()
    (repository / ".gitignore").write_text("ignored\n")
    subprocess.run(["git", "add", "staged"], cwd=repository, check=True)
    assert [".gitignore", "deleted", "edited", "new", "staged"] == changed(repository, "HEAD")
    assert [".gitignore", "edited", "kept", "new", "staged"] == sorted(files(repository))


def test_a_commit_that_there_is_none_of_is_refused(repository: Path) -> None:
    """The error says what to name instead."""
    with pytest.raises(WrongUseError, match="name a commit of this repository"):
        changed(repository, "nowhere")
