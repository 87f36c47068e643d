"""The command with which git finds the change that brought or fixed a defect."""

from __future__ import annotations

import shlex
from pathlib import Path


def bisection(program: Path, language: str, library: str, build: str, machine: str | None) -> str:
    """Return a command line for git, to be run in the sources of the library.

    `git bisect run` takes 0 for good, 1 for bad and 125 for "cannot tell".

    Args:
        program: the program's source.
        language: what it is written in.
        library: the path of the library that the build makes.
        build: the command that builds it.
        machine: the machine to imitate; None for the one that is there.

    """
    source = shlex.quote(str(program.absolute()))
    binary = shlex.quote(str(program.absolute().with_suffix("")))
    start = f"python3 {source}" if language == "python" else binary
    make = "" if language == "python" else f"cc -std=c11 -w -pthread -o {binary} {source} -ldl && "
    imitated = f"hsa-conformance virtual-kfd run --machine {machine} -- " if machine else ""
    script = (
        f"{{ {build}; }} >/dev/null 2>&1 || exit 125; {imitated}{start} {shlex.quote(library)}; "
        "case $? in 0) exit 0;; 1) exit 1;; *) exit 125;; esac"
    )
    return f"{make}git bisect run sh -c {shlex.quote(script)}"
