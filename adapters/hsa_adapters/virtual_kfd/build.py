"""Compile the library that imitates the driver."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from hsa_adapters.virtual_kfd.errors import VirtualKfdError
from hsa_spec.cache import cache_folder

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
    compiler = _compiler()
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".build-") as work:
            made = _compile(compiler, Path(work))
            # Replaced, never overwritten: a running program may have the old library mapped.
            made.replace(out / LIBRARY)
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
    state = hashlib.sha256(shlex.join(_compiler()).encode())
    for source in sorted(SOURCES.rglob("*.[ch]")):
        state.update(source.read_bytes())
    try:
        out = cache_folder() / "virtual-kfd" / state.hexdigest()[:32]
        out.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return None
    library = out / LIBRARY
    return library if library.exists() else build(out)


def _compiler() -> list[str]:
    command = shlex.split(os.environ.get("CC") or "cc")
    if shutil.which(command[0]) is None:
        raise VirtualKfdError(
            f"there is no C compiler {command[0]!r}: install one (Debian and Ubuntu: gcc and "
            "libc6-dev), or name yours in the environment variable CC"
        )
    return command


def _compile(compiler: list[str], work: Path) -> Path:
    made = work / LIBRARY
    command = [
        *compiler,
        *("-std=gnu11", "-O2", "-g", "-fPIC", "-fvisibility=hidden", "-pthread"),
        *("-Wall", "-Wextra", "-I", str(SOURCES)),
        *("-shared", "-Wl,-z,defs", "-Wl,-z,nodelete", "-Wl,--build-id=sha1"),
        *("-o", str(made), *map(str, sorted(SOURCES.rglob("*.c"))), "-ldl"),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise VirtualKfdError(
            f"{shlex.join(compiler)} cannot compile the virtual KFD; the messages may say which "
            f"package to install, another compiler can be named in CC:\n{done.stderr.strip()}"
        )
    return made
