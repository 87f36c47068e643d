"""The C compiler of the system."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path


class CompilerError(Exception):
    """There is no C compiler, or it cannot compile a source; the message says what to do."""


def compiler() -> list[str]:
    """Return the words of the compiler's command: `cc`, or what the environment variable CC names.

    Raises:
        CompilerError: there is none, or CC is no command.

    """
    try:
        command = shlex.split(os.environ.get("CC", "")) or ["cc"]
    except ValueError as error:
        raise CompilerError(f"the environment variable CC is no command: {error}") from None
    if shutil.which(command[0]) is None:
        raise CompilerError(
            f"there is no C compiler {command[0]!r}: install one (Debian and Ubuntu: gcc and "
            "libc6-dev), or name yours in the environment variable CC"
        )
    return command


def compile_c(
    options: Iterable[str], what: str, *, folder: Path | None = None, silent: bool = False
) -> None:
    """Run the compiler.

    Args:
        options: what follows the compiler's name.
        what: is compiled, for the message.
        folder: to run in.
        silent: whether a warning is an error.

    Raises:
        CompilerError: there is no compiler, or it does not compile this.

    """
    command = compiler()
    done = subprocess.run(
        [*command, *options], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode or (silent and done.stderr):
        raise CompilerError(
            f"{shlex.join(command)} cannot compile {what}; the messages may say which package to "
            f"install, another compiler can be named in CC:\n{done.stderr.strip()}"
        )
