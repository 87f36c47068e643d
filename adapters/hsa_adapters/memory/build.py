"""Compile the library that refuses memory."""

from __future__ import annotations

import shlex
import tempfile
from pathlib import Path

from hsa_spec.cache import keyed_folder
from hsa_spec.compiler import CompilerError, compile_c, compiler

LIBRARY = "librefuse-memory.so"
SOURCE = Path(__file__).with_name("refuse.c")


def library() -> Path:
    """Return the library from this user's cache, compiled if it is not there yet.

    Raises:
        CompilerError: there is no C compiler, it cannot compile the library, or there is no cache
            to write to.

    """
    command = shlex.join(compiler()).encode()
    out = keyed_folder("refuse-memory", command, SOURCE.read_bytes())
    if out is None:
        raise CompilerError("there is no cache to write to: set XDG_CACHE_HOME to a folder")
    made = out / LIBRARY
    if not made.exists():
        with tempfile.TemporaryDirectory(dir=out, prefix=".build-") as work:
            compiled = Path(work) / LIBRARY
            compile_c(
                [
                    *("-std=gnu11", "-O2", "-g", "-fPIC", "-fvisibility=hidden"),
                    *(
                        "-Wall",
                        "-Wextra",
                        "-fno-builtin",
                        "-shared",
                        "-Wl,-z,defs",
                        "-Wl,-z,nodelete",
                    ),
                    *("-o", str(compiled), str(SOURCE), "-ldl"),
                ],
                "the library that refuses memory",
            )
            compiled.replace(made)
    return made
