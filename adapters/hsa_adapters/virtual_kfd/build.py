"""Compile the library that imitates the driver, and the profiler's beside it."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_device import wire
from hsa_spec.cache import keyed_folder
from hsa_spec.compiler import CompilerError, compile_c, compiler

LIBRARY = "libvirtual-kfd.so"
#: The profiler of the machine; the library finds it beside itself.
PROFILER = "libhsa-amd-aqlprofile64.so"
SOURCES = Path(__file__).with_name("driver")
_OPTIONS = (
    *("-std=gnu11", "-O2", "-g", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra"),
    *("-shared", "-Wl,-z,defs"),
)
_PROFILER_SOURCE = Path(__file__).with_name("profiler") / "profiler.c"


def build(out: Path) -> Path:
    """Compile the library, and the profiler, into a folder and return the library's path.

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
            # Replaced, never overwritten: a running program may have the old library mapped. The
            # library comes last: who finds it in the cache finds the profiler, too.
            for made in (_compile_profiler(Path(work)), _compile(Path(work))):
                made.replace(out / made.name)
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
    files = (*sorted(SOURCES.rglob("*.[ch]")), wire.ATOMICS, _PROFILER_SOURCE)
    sources = [source.read_bytes() for source in files]
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
            *(*_OPTIONS, "-pthread", "-I", str(SOURCES), "-I", str(work)),
            *("-Wl,-z,nodelete", "-Wl,--build-id=sha1"),
            *("-o", str(made), *map(str, sorted(SOURCES.rglob("*.c"))), str(wire.ATOMICS)),
            *("-ldl", "-lm"),
        ],
        "the virtual KFD",
    )
    return made


def _compile_profiler(work: Path) -> Path:
    made = work / PROFILER
    soname = f"-Wl,-soname,{PROFILER}"
    compile_c([*_OPTIONS, soname, "-o", str(made), str(_PROFILER_SOURCE), "-ldl"], "a profiler")
    return made
