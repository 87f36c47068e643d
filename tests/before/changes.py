"""The files that differ from a commit."""

from __future__ import annotations

import subprocess
from pathlib import Path


class WrongUseError(Exception):
    """What was asked for cannot be done; the text says what to do instead."""


def changed(root: Path, commit: str) -> list[str]:
    """Return the paths of the files that differ from a commit: staged, unstaged, new or deleted.

    Raises:
        WrongUseError: there is no such commit, or the folder is in no repository.
    """
    differing = _git(root, "diff", "--name-only", "--no-renames", "-z", commit, "--")
    return sorted({*differing, *_git(root, "ls-files", "--others", "--exclude-standard", "-z")})


def files(root: Path) -> list[str]:
    """Return the paths of all files of the tree that are tracked or new.

    Raises:
        WrongUseError: the folder is in no repository.
    """
    shown = _git(root, "ls-files", "--cached", "--others", "--exclude-standard", "-z")
    return [path for path in shown if (root / path).is_file()]


def _git(root: Path, *words: str) -> list[str]:
    done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True, check=False)
    if done.returncode:
        said = done.stderr.strip().splitlines() or [f"exit status {done.returncode}"]
        raise WrongUseError(f"git {words[0]}: {said[0]}; name a commit of this repository")
    return [path for path in done.stdout.split("\0") if path]
