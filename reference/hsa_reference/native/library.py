"""The C file as a library, which is compiled once for each user."""

from __future__ import annotations

import ctypes
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

from hsa_spec.cache import keyed_folder

#: The C file.
ATOMICS = Path(__file__).with_name("atomics.c")
LIBRARY = "libhsa-reference-atomics.so"

Libraries = tuple[ctypes.CDLL, ctypes.PyDLL]


def load() -> Libraries:
    """Return the compiled file twice: its calls let other threads of Python run, or hold them up.

    It is in the user's cache. Where there is no cache to write to, the file is compiled for this
    process alone.

    Raises:
        NativeError: it has to be compiled and cannot be, or cannot be loaded.

    """
    # Machines of other kinds, and Pythons with another C library, may share the cache.
    platform = EXTENSION_SUFFIXES[0].encode()
    folder = keyed_folder("reference-atomics", platform, ATOMICS.read_bytes())
    if folder is not None and (folder / LIBRARY).exists():
        return _opened(folder / LIBRARY)
    # Importing what compiles takes longer than the rest of the start, and is needed once.
    import tempfile

    from hsa_reference.native.build import build

    if folder is not None:
        build(ATOMICS, folder / LIBRARY)
        return _opened(folder / LIBRARY)
    with tempfile.TemporaryDirectory() as temporary:
        build(ATOMICS, Path(temporary, LIBRARY))
        return _opened(Path(temporary, LIBRARY))


def _opened(library: Path) -> Libraries:
    return ctypes.CDLL(str(library)), ctypes.PyDLL(str(library))
