"""From a folder of C headers to what they declare, by way of libclang."""

from __future__ import annotations

from pathlib import Path

from hsa_spec.headers.declarations import Headers
from hsa_spec.headers.reader import HeaderError, Reader

_PATTERNS = ("hsa*.h", "amd_hsa_*.h", "amd_launch_*.h")
_ELSEWHERE = {"amd_hsa_elf.h"}  # C++, and about numbers that LLVM decides


def parse(folder: Path) -> Headers:
    """Parse the headers of a folder: those whose names start with `hsa`, and amd_hsa_*.h.

    What cannot be parsed is listed under `problems`, and the rest is returned.

    Args:
        folder: a folder such as /usr/include/hsa.

    Raises:
        HeaderError: libclang is not installed, or the folder has no such headers.

    """
    found = {path.name for pattern in _PATTERNS for path in folder.glob(pattern)}
    names = sorted(found - _ELSEWHERE)
    if not any(name.startswith("hsa") for name in names):
        raise HeaderError(f"{folder} holds no headers hsa*.h; name the folder that holds hsa.h")
    reader = Reader(folder)
    for name in names:
        reader.read(name)
    return reader.headers()
