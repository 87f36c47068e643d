"""Programs of Debian's packages, unpacked into a folder and started by its own loader."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from hsa_adapters.hosts import HostError
from hsa_adapters.hosts.apt import Apt, unpack
from tests.library.clients.client_programs import run


@dataclass(frozen=True)
class System:
    """What packages of one suite hold.

    Args:
        root: the folder that they are unpacked into.
        versions: of the packages, by name.

    """

    root: Path
    versions: Mapping[str, str]

    def run(
        self, program: str, library: Path, variables: Mapping[str, str], *arguments: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a program with another libhsa-runtime64.so.1.

        Args:
            program: its path below the folder, or that of one elsewhere.
            library: the library; what it needs besides may come from the folder.
            variables: of the environment.
            arguments: of the program.

        """
        folders = (library.parent, *self.root.glob("usr/lib/*-linux-gnu"), *self._merged())
        path = ":".join(map(str, folders))
        options = ("--inhibit-cache", "--library-path", path)
        done = run([self._loader(), *options, self.root / program, *arguments], variables)
        if "GLIBC_" in done.stderr:
            pytest.skip(f"the library was compiled for a newer system: {done.stderr.strip()}")
        return done

    def _loader(self) -> Path:
        return next(path for path in self.root.glob("**/ld-linux-x86-64.so.2") if path.is_file())

    def _merged(self) -> Sequence[Path]:
        """Return where suites before the merge of / and /usr have a part of their libraries."""
        return tuple(self.root.glob("lib/*-linux-gnu"))


def unpacked(suite: str, packages: Sequence[str], folder: Path) -> System:
    """Return packages of a suite with all they need; a skip where they cannot be had.

    Args:
        suite: of Debian, such as "trixie".
        packages: their names.
        folder: an empty one.

    """
    (folder / "apt").mkdir()
    (folder / "root").mkdir()
    try:
        apt = Apt(folder / "apt")
        apt.update([suite])
        files = apt.download(packages)
        versions = dict(unpack(file, folder / "root") for file in files)
    except HostError as error:
        pytest.skip(f"no packages of {suite} can be had here: {error}")
    return System(folder / "root", versions)
