"""Which LLVM decodes for a processor: the newest that does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from hsa_device.errors import DecoderError
from hsa_device.llvm.libraries import VARIABLE, Library, libraries

_PROBE = Path(__file__).with_name("probe.py")
_TIMEOUT = 60  # seconds


@cache
def decoder_library(processor: str) -> Library:
    """Return the newest library that decodes the instructions of a processor.

    Args:
        processor: such as "gfx90a".

    Raises:
        DecoderError: none of those here does; the message names them, and what to install.

    """
    tried = libraries()
    for each in tried:
        if decodes(each, processor):
            return each
    raise DecoderError(_nothing(processor, tried))


def decodes(library: Library, processor: str) -> bool:
    """Return whether a library knows a processor: LLVM ends the process that asks in vain."""
    command = [sys.executable, "-I", str(_PROBE), str(library.path), processor]
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=_TIMEOUT
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _nothing(processor: str, tried: Sequence[Library]) -> str:
    found = ", ".join(map(str, tried)) or "no LLVM"
    return (
        f"nothing here decodes instructions of {processor} (found: {found}): install a newer LLVM "
        f"(Debian: libllvm19), or name its library in {VARIABLE}"
    )
