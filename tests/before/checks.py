"""The checks of the code itself, and which of them changed files are worth."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

#: How many files pyright is given, at some 30 milliseconds each; mypy has a cache, and takes all.
PYRIGHT: Final = 200

#: Where the tools have their settings.
_SETTINGS: Final = {"pyproject.toml", "tox.ini"}


@dataclass(frozen=True)
class Check:
    """A command that has to succeed.

    Arguments:
        name: how it is called.
        command: its words; none if it is left out.
        about: what it looks at, or why it is left out.
    """

    name: str
    command: Sequence[str] = ()
    about: str = ""


@dataclass(frozen=True)
class CheckRun:
    """A check that ran: its exit status, the seconds it took, and all that it printed."""

    check: Check
    status: int
    seconds: float
    output: str

    def __str__(self) -> str:
        verdict = "ok" if self.status == 0 else "FAILED"
        return f"{self.check.name:<13}{self.seconds:6.1f} s  {verdict:<6}  {self.check.about}"


def checks(root: Path, changed: Collection[str], distances: Mapping[str, int]) -> Iterator[Check]:
    """Yield the checks, those that are left out among them.

    Arguments:
        root: the folder of the tree.
        changed: the changed files.
        distances: by file, how many steps it is away from the changes.
    """
    python = [p for p in changed if p.endswith(".py") and (root / p).exists()]
    settings = not _SETTINGS.isdisjoint(changed)
    linted = ["."] if settings else python
    if linted:
        about = "all files" if settings else f"{len(python)} changed Python files"
        yield Check("ruff format", ["ruff", "format", "--check", "--force-exclude", *linted], about)
        yield Check("ruff check", ["ruff", "check", "--quiet", "--force-exclude", *linted], about)
        yield Check("lint-imports", ["lint-imports"], "all packages")
        yield Check("mypy", ["mypy"], "all files")
    else:
        for name in ("ruff format", "ruff check", "lint-imports", "mypy"):
            yield Check(name, about="no Python file changed")
    near = [p for p, steps in distances.items() if steps <= 1 and p.endswith(".py")]
    near = sorted((p for p in near if (root / p).exists()), key=distances.__getitem__)
    if near:
        about = f"{len(near)} files: the changed ones and those that need them"
        if len(near) > PYRIGHT:
            about = f"the nearest {PYRIGHT} of {about}; all: pyright"
        yield Check("pyright", ["pyright", *near[:PYRIGHT]], about)
    else:
        yield Check("pyright", about="no Python file changed")
    if any(path.startswith("spec/") for path in changed):
        yield Check("spec lint", ["hsa-conformance", "spec", "lint"], "the registry")
    else:
        yield Check("spec lint", about="nothing in spec/ changed")


def carried_out(check: Check, root: Path) -> CheckRun:
    """Run a check in the folder of the tree."""
    begun = time.monotonic()
    done = subprocess.run(
        check.command,
        cwd=root,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return CheckRun(check, done.returncode, time.monotonic() - begun, done.stdout)
