"""Compile the C file."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hsa_reference.native.errors import NativeError
from hsa_spec.compiler import CompilerError, compile_c


def build(source: Path, library: Path) -> None:
    """Compile a C file.

    Args:
        source: the file.
        library: what it becomes; others may do the same at the same time.

    Raises:
        NativeError: there is no C compiler (`cc`, or what the environment variable CC names), it
            refuses the file, or the folder cannot be written.

    """
    try:
        with tempfile.TemporaryDirectory(dir=library.parent, prefix=".build-") as work:
            made = Path(work, library.name)
            compile_c(
                [
                    *("-std=gnu11", "-O2", "-g", "-fPIC", "-fvisibility=hidden"),
                    *("-Wall", "-Wextra", "-shared", "-Wl,-z,defs", "-pthread"),
                    *("-o", str(made), str(source)),
                ],
                "them",
            )
            # Whoever comes last replaces what is the same.
            made.replace(library)
    except CompilerError as error:
        raise NativeError(f"the reference needs atomic operations in C: {error}") from None
    except OSError as error:
        raise NativeError(
            f"the reference needs atomic operations in C, which cannot be compiled ({error}): name "
            "a folder that can be written in XDG_CACHE_HOME or TMPDIR"
        ) from error
