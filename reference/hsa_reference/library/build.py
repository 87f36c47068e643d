"""Compile the C libraries."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from hsa_reference.library.errors import LibraryError
from hsa_reference.library.interpreter import Interpreter
from hsa_reference.library.source import (
    HOOKS,
    exports,
    render,
    render_checks,
    render_profiler,
    version_script,
)
from hsa_spec import Registry
from hsa_spec.compiler import CompilerError, compile_c, compiler

STEM = "libhsa-runtime64"
PROFILER = "libhsa-amd-aqlprofile64"
CHECKS = "libhsa-check"


def build(out: Path, registry: Registry, python: Interpreter | None = None) -> Path:
    """Build the reference as a C library and return the library's path.

    The folder gets libhsa-runtime64.so.1, the link libhsa-runtime64.so for linkers, and
    libhsa-runtime64.c for people; likewise libhsa-amd-aqlprofile64, the profiler's own library, if
    the registry has all its functions. The library works as long as the Python and the packages
    that it was built with stay where they are.

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
    profiler = render_profiler(registry)
    script = version_script(f.name for f in exports(registry) if f.exported)

    def made(work: Path) -> list[str]:
        _compile(STEM, source, script, python, work)
        if profiler is None:
            return [STEM]
        _link(PROFILER, profiler, [f"{STEM}.so.1", "-Wl,-rpath,$ORIGIN"], work)
        return [STEM, PROFILER]

    return _built(out, made)


def build_checks(out: Path, python: Interpreter | None = None) -> Path:
    """Build the checks of clients as a tools library of ROCr and return the library's path.

    The folder gets libhsa-check.so.1, the link libhsa-check.so, and libhsa-check.c for people.

    Args:
        out: the folder to write to; it is made when it is missing.
        python: the Python to tie it to; the running one when None.

    Raises:
        LibraryError: as `build`.

    """
    python = python or Interpreter.current()
    source = render_checks(python)
    script = f"{{ global: {' '.join(f'{name};' for name in HOOKS)} local: *; }};\n"

    def made(work: Path) -> list[str]:
        _compile(CHECKS, source, script, python, work)
        return [CHECKS]

    return _built(out, made)


def _built(out: Path, make: Callable[[Path], list[str]]) -> Path:
    """Have libraries made in a folder of their own, and return where the first one is put."""
    try:
        compiler()
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".build-") as work:
            return _install(Path(work), out, make(Path(work)))
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


def _compile(stem: str, source: str, script: str, python: Interpreter, work: Path) -> None:
    (work / "version.map").write_text(script, encoding="utf-8")
    options = [
        # Not ours to judge, so it gives no warnings.
        *("-isystem", str(python.include)),
        "-Wl,--version-script,version.map",
        # An interpreter cannot be unloaded, so its library must not be either.
        "-Wl,-z,nodelete",
        "-ldl",
    ]
    _link(stem, source, options, work)


def _link(stem: str, source: str, options: Sequence[str], work: Path) -> None:
    """Compile a library of this name, with the link for linkers and the source beside it."""
    code = work / f"{stem}.c"
    code.write_text(source, encoding="utf-8")
    soname = f"{stem}.so.1"
    shared = [
        *("-std=gnu11", "-O2", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra"),
        *("-shared", f"-Wl,-soname,{soname}", "-Wl,--build-id=sha1"),
        # Every symbol of Python is looked up at run time: a forgotten one is an error here.
        "-Wl,-z,defs",
        *("-o", soname, code.name, "-pthread"),
    ]
    compile_c([*shared, *options], "the library", folder=work, silent=True)
    (work / f"{stem}.so").symlink_to(soname)


def _install(work: Path, out: Path, stems: Sequence[str]) -> Path:
    # Replaced, never overwritten: a running program may have the old library mapped.
    for stem in stems:
        for name in (f"{stem}.c", f"{stem}.so.1", f"{stem}.so"):
            (work / name).replace(out / name)
    return out / f"{stems[0]}.so.1"
