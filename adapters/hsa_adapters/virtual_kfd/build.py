"""Compile the library that imitates the driver."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_device import wire
from hsa_spec.cache import keyed_folder
from hsa_spec.compiler import CompilerError, compile_c, compiler

LIBRARY = "libvirtual-kfd.so"
SOURCES = Path(__file__).with_name("driver")


def build(out: Path) -> Path:
    """Compile the library into a folder and return its path.

    Args:
        out: the folder to write to; it is made when it is missing.

    Raises:
        VirtualKfdError: the folder cannot be written, or there is no C compiler (`cc`, or what the
            environment variable CC names).

    """
    try:
        compiler()
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".build-") as work:
            made = _compile(Path(work))
            # Replaced, never overwritten: a running program may have the old library mapped.
            made.replace(out / LIBRARY)
    except CompilerError as error:
        raise VirtualKfdError(str(error)) from None
    except OSError as error:
        raise VirtualKfdError(
            f"cannot write to {out} ({error.strerror}): name a folder that can be written"
        ) from error
    return out / LIBRARY


def cached() -> Path | None:
    """Return the library from this user's cache, compiled if it is not there yet.

    Returns:
        None where there is no cache to write to.

    Raises:
        VirtualKfdError: there is no C compiler, or it cannot compile the library.

    """
    try:
        command = shlex.join(compiler()).encode()
    except CompilerError as error:
        raise VirtualKfdError(str(error)) from None
    sources = [source.read_bytes() for source in (*sorted(SOURCES.rglob("*.[ch]")), wire.ATOMICS)]
    out = keyed_folder("virtual-kfd", command, wire.c_header().encode(), *sources)
    if out is None:
        return None
    library = out / LIBRARY
    return library if library.exists() else build(out)


def write_header(folder: Path) -> None:
    """Write the header about what is said to devices to where the sources include it.

    Args:
        folder: where the compiler looks for headers.

    Raises:
        OSError: it cannot be written.

    """
    header = folder / "base" / "wire.h"
    header.parent.mkdir(exist_ok=True)
    header.write_text(wire.c_header(), encoding="ascii")


def _compile(work: Path) -> Path:
    made = work / LIBRARY
    write_header(work)
    compile_c(
        [
            *("-std=gnu11", "-O2", "-g", "-fPIC", "-fvisibility=hidden", "-pthread"),
            *("-Wall", "-Wextra", "-I", str(SOURCES), "-I", str(work)),
            *("-shared", "-Wl,-z,defs", "-Wl,-z,nodelete", "-Wl,--build-id=sha1"),
            *("-o", str(made), *map(str, sorted(SOURCES.rglob("*.c"))), str(wire.ATOMICS)),
            *("-ldl", "-lm"),
        ],
        "the virtual KFD",
    )
    return made
