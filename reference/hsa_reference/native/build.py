"""Compile the C file once for each user."""

from __future__ import annotations

import ctypes
import sysconfig
import tempfile
from pathlib import Path

from hsa_spec.cache import keyed_folder
from hsa_spec.compiler import CompilerError, compile_c

#: The C file.
ATOMICS = Path(__file__).with_name("atomics.c")
LIBRARY = "libhsa-reference-atomics.so"

Libraries = tuple[ctypes.CDLL, ctypes.PyDLL]


class NativeError(Exception):
    """The C file cannot be compiled; the message says what to do."""


def load() -> Libraries:
    """Return the compiled file twice: its calls let other threads of Python run, or hold them up.

    It is in the user's cache. Where there is no cache to write to, the file is compiled for this
    process alone.

    Raises:
        NativeError: it has to be compiled and there is no C compiler (`cc`, or what the environment
            variable CC names), or the compiler refuses it.

    """
    # Machines of other kinds, and Pythons with another C library, may share the cache.
    platform = sysconfig.get_platform(), sysconfig.get_config_var("SOABI") or ""
    folder = keyed_folder("reference-atomics", *map(str.encode, platform), ATOMICS.read_bytes())
    try:
        if folder is not None:
            return _load(_made_in(folder))
        with tempfile.TemporaryDirectory() as temporary:
            return _load(_made_in(Path(temporary)))
    except CompilerError as error:
        raise NativeError(f"the reference needs atomic operations in C: {error}") from None
    except OSError as error:
        raise NativeError(
            f"the reference needs atomic operations in C, which cannot be compiled ({error}): name "
            "a folder that can be written in XDG_CACHE_HOME or TMPDIR"
        ) from error


def _made_in(folder: Path) -> Path:
    library = folder / LIBRARY
    if not library.exists():
        with tempfile.TemporaryDirectory(dir=folder, prefix=".build-") as work:
            made = Path(work, LIBRARY)
            compile_c(
                [
                    *("-std=gnu11", "-O2", "-g", "-fPIC", "-fvisibility=hidden"),
                    *("-Wall", "-Wextra", "-shared", "-Wl,-z,defs"),
                    *("-o", str(made), str(ATOMICS)),
                ],
                "them",
            )
            # Others may compile it at the same time: whoever comes last replaces what is the same.
            made.replace(library)
    return library


def _load(library: Path) -> Libraries:
    return ctypes.CDLL(str(library)), ctypes.PyDLL(str(library))
