"""The C file as a library, which is compiled once for each user and kept in the user's cache."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from hsa_device.errors import DeviceError

Doubles: TypeAlias = NDArray[np.uint64]

_SOURCE = Path(__file__).with_name("atomics.c")
_NAME = "libhsa-device-atomics.so"
#: Operations by name; their numbers are those of the enumeration in the C file.
OPERATIONS = (
    *("swap", "cmpswap", "add", "sub", "smin", "umin", "smax", "umax"),
    *("and", "or", "xor", "inc", "dec", "fadd", "fmin", "fmax"),
    *("fadd_in", "fadd_out", "fadd_both", "fmin_in", "fmax_in"),
)


class NativeError(DeviceError):
    """The C file cannot be compiled; the message says what to do."""


def modify(
    operation: str, size: int, addresses: Doubles, values: Doubles, compares: Doubles | None = None
) -> Doubles:
    """Change memory at each address, one after the other, and return what was there before.

    Args:
        operation: one of OPERATIONS.
        size: of each number in bytes: 4 or 8.
        addresses: multiples of the size, in memory of this process.
        values: one for each address.
        compares: what `cmpswap` compares with.

    Raises:
        NativeError: the C file has to be compiled and cannot be.

    """
    old = np.empty(len(addresses), np.uint64)
    given = [np.ascontiguousarray(each, np.uint64) for each in (addresses, values)]
    given.append(given[1] if compares is None else np.ascontiguousarray(compares, np.uint64))
    pointers = [each.ctypes.data for each in (*given, old)]
    _function()(OPERATIONS.index(operation), size, len(old), *pointers)
    return old


def prepare() -> None:
    """Compile the C file, if that has not been done.

    Raises:
        NativeError: it cannot be compiled.

    """
    _function()


@cache
def _function() -> Callable[..., None]:
    content = _SOURCE.read_bytes()
    key = hashlib.sha256(content + os.uname().machine.encode()).hexdigest()[:32]
    base = os.environ.get("XDG_CACHE_HOME", "")
    try:
        cache_folder = Path(base) if base.startswith("/") else Path("~/.cache").expanduser()
        folder = cache_folder / "hsa-conformance" / "device-atomics" / key
        folder.mkdir(parents=True, exist_ok=True)
        if folder.stat().st_uid == os.geteuid():
            library = folder / _NAME
            if not library.exists():
                _build(library)
            return _opened(library)
    except (OSError, RuntimeError):
        pass  # there is no cache to write to
    with tempfile.TemporaryDirectory() as temporary:
        library = Path(temporary, _NAME)
        _build(library)
        return _opened(library)


def _build(library: Path) -> None:
    with tempfile.TemporaryDirectory(dir=library.parent, prefix=".build-") as work:
        made = Path(work, _NAME)
        options = ["-std=gnu11", "-O2", "-fPIC", "-shared", "-lm"]
        command = [*(shlex.split(os.environ.get("CC", "")) or ["cc"])]
        try:
            done = subprocess.run(
                [*command, "-o", str(made), str(_SOURCE), *options],
                capture_output=True,
                text=True,
                check=False,
            )
        except OSError as error:
            raise NativeError(
                f"there is no C compiler {command[0]!r}, which atomic operations need: install one "
                "(Debian and Ubuntu: gcc and libc6-dev), or name yours in the variable CC"
            ) from error
        if done.returncode:
            raise NativeError(f"{shlex.join(command)} cannot compile {_SOURCE}: {done.stderr}")
        made.replace(library)  # whoever comes last replaces what is the same


def _opened(library: Path) -> Callable[..., None]:
    function = ctypes.CDLL(str(library)).hsa_device_modify
    function.restype = None
    function.argtypes = [ctypes.c_int, ctypes.c_int, *[ctypes.c_uint64] * 5]
    found: Callable[..., None] = function
    return found
