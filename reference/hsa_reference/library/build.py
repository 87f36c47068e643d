"""Compile the C library."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hsa_reference.library.errors import LibraryError
from hsa_reference.library.interpreter import Interpreter
from hsa_reference.library.source import exports, render, version_script
from hsa_spec import Registry
from hsa_spec.compiler import CompilerError, compile_c, compiler

SONAME = "libhsa-runtime64.so.1"


def build(out: Path, registry: Registry, python: Interpreter | None = None) -> Path:
    """Build the reference as a C library and return the library's path.

    The folder gets libhsa-runtime64.so.1, the link libhsa-runtime64.so for linkers, and
    libhsa-runtime64.c for people. The library works as long as the Python and the packages that
    it was built with stay where they are.

    Args:
        out: the folder to write to; it is made when it is missing.
        registry: the functions to export.
        python: the Python to tie it to; the running one when None.

    Raises:
        LibraryError: the folder cannot be written, there is no C compiler (`cc`, or what the
            environment variable CC names), or this Python cannot be started by a C program.

    """
    python = python or Interpreter.current()
    source = render(registry, python)
    script = version_script(f.name for f in exports(registry))
    try:
        compiler()
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".build-") as work:
            return _install(_compile(source, script, python, Path(work)), out)
    except CompilerError as error:
        raise LibraryError(str(error)) from None
    except UnicodeEncodeError as error:
        raise LibraryError(
            f"the path of Python or of a package is not UTF-8 ({error.object!r}): move it"
        ) from error
    except OSError as error:
        raise LibraryError(
            f"cannot write to {out} ({error.strerror}): name a folder that can be written"
        ) from error


def _compile(source: str, script: str, python: Interpreter, work: Path) -> Path:
    code = work / "libhsa-runtime64.c"
    code.write_text(source, encoding="utf-8")
    (work / "version.map").write_text(script, encoding="utf-8")
    options = [
        *("-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra"),
        # Not ours to judge, so it gives no warnings.
        *("-isystem", str(python.include)),
        *("-shared", f"-Wl,-soname,{SONAME}", "-Wl,--version-script,version.map"),
        # Every symbol of Python is looked up at run time: a forgotten one is an error here.
        "-Wl,-z,defs",
        # An interpreter cannot be unloaded, so its library must not be either.
        "-Wl,-z,nodelete",
        "-Wl,--build-id=sha1",
        *("-o", SONAME, code.name, "-pthread", "-ldl"),
    ]
    compile_c(options, "the library", folder=work, silent=True)
    return work


def _install(work: Path, out: Path) -> Path:
    # Replaced, never overwritten: a running program may have the old library mapped.
    (work / "libhsa-runtime64.so").symlink_to(SONAME)
    for name in ("libhsa-runtime64.c", SONAME, "libhsa-runtime64.so"):
        (work / name).replace(out / name)
    return out / SONAME
