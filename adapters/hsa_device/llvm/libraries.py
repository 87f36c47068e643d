"""The LLVM libraries that are installed."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

#: The environment variable that names the library to use, and no other.
VARIABLE = "HSA_DEVICE_LLVM"

_FOLDERS = (
    "usr/lib/*-linux-gnu",
    "usr/lib64",
    "usr/lib",
    "usr/lib/llvm*/lib",
    "usr/local/lib",
    "opt/rocm*/llvm/lib",
    "opt/rocm*/lib/llvm/lib",
)
# libLLVM-15.so.1, libLLVM-14.0.6.so.1, libLLVM.so.19.1
_NAME = re.compile(r"libLLVM(?:-(\d+)[\d.]*\.so[\d.]*|\.so\.(\d+)[\d.]*)")


@dataclass(frozen=True)
class Library:
    """A library of LLVM: its file, and its version, 0 where the name does not say it."""

    path: Path
    version: int

    def __str__(self) -> str:
        return f"LLVM {self.version or '(version unknown)'} ({self.path})"


def libraries(root: Path = Path("/")) -> Sequence[Library]:
    """Return the libraries, the newest first; where HSA_DEVICE_LLVM names one, that one alone.

    Args:
        root: the folder that the system's folders are looked for in.

    """
    chosen = os.environ.get(VARIABLE)
    found = [Path(chosen)] if chosen else _installed(root)
    known = {each.path: each for each in map(_library, found)}
    return sorted(known.values(), key=lambda each: each.version, reverse=True)


def _installed(root: Path) -> Iterator[Path]:
    for folder in _FOLDERS:
        for path in sorted(root.glob(f"{folder}/libLLVM*")):
            if _NAME.fullmatch(path.name) and path.is_file():
                yield path
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if folder:
            yield from (p for p in sorted(Path(folder).glob("libLLVM*")) if _NAME.fullmatch(p.name))


def _library(path: Path) -> Library:
    resolved = path.resolve()
    match = _NAME.fullmatch(resolved.name) or _NAME.fullmatch(path.name)
    return Library(resolved, int(match[1] or match[2]) if match else 0)
