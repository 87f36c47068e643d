"""The runtime, compiled: as a shared library, or with its smoke test as a program."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.wrong.command import Subject

HERE = Path(__file__).parent
SOURCES = HERE / "runtime"
CLAIM = HERE / "claim.yaml"

OPTIONS = "-std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wconversion -Werror -O1 -pthread"
LIBRARY = "-fPIC -shared -fvisibility=hidden"


def compile_library(
    target: Path,
    sources: Path = SOURCES,
    exports: Iterable[str] | None = None,
    *,
    compiler: str = "cc",
) -> Path:
    """Compile the C files of a folder to a shared library at `target`, and return it.

    Args:
        target: the library.
        sources: the folder.
        exports: the functions that it exports; None for all.
        compiler: the command that compiles.

    Raises:
        subprocess.CalledProcessError: The compiler refuses a file, or warns of it.
    """
    options: list[str] = []
    if exports is not None:
        script = target.with_suffix(".map")
        script.write_text(f"{{ global: {' '.join(f'{name};' for name in exports)} local: *; }};\n")
        options.append(f"-Wl,--version-script={script}")
    files = sorted(sources.glob("*.c"))
    compile_files(target, files, *LIBRARY.split(), *options, compiler=compiler)
    return target


def compile_files(target: Path, files: list[Path], *options: str, compiler: str = "cc") -> None:
    """Compile C files to one target.

    Raises:
        subprocess.CalledProcessError: The compiler refuses a file, or warns of it.
    """
    subprocess.run([compiler, *OPTIONS.split(), *options, *files, "-o", target], check=True)


def subject(library: Path) -> Subject:
    """Return how the suite is told to judge a library of the runtime."""
    return Subject(("--library", f"{library}", "--claim", f"{CLAIM}", "--hsa-version", "1.0"))
