"""A library elsewhere: the worker is sent through commands that stand in for ssh and podman."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.library.cli.commands import Command, CommandResult

#: ssh hands one text to the shell of the other machine, which greets, in another folder.
SSH = """#!/bin/sh
[ "$1 $2" = "node --" ] || exit 9
shift 2
cd /; echo Welcome to node
exec env -i PATH={path} sh -c "$*"
"""
#: podman hands words to a process that has nothing of this one's environment.
PODMAN = """#!/bin/sh
[ "$1 $2 $3" = "exec -i box" ] || exit 9
shift 3
cd /; exec env -i PATH={path} "$@"
"""

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


@pytest.fixture
def elsewhere(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put ssh and podman on the path."""
    folder = tmp_path_factory.mktemp("bin")
    python = Path(sys.executable).parent
    for name, text in (("ssh", SSH), ("podman", PODMAN)):
        (folder / name).write_text(text.format(path=f"{python}:/usr/bin:/bin"))
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")


def run(program: Command, library: Path, via: str, *words: str) -> CommandResult:
    claim = library.parent / "claim.yaml"
    select = ("--select", "hsa_init/success", "--select", "hsa_system_get_info")
    options = ("--library", library, "--claim", claim, "--via", via, "--out", "run")
    return program("hsa-conformance", "run", *options, *select, *words)


@pytest.mark.parametrize("via", ["ssh node -- {quoted}", "podman exec -i box {argv}"])
def test_a_library_elsewhere_is_judged(
    program: Command, elsewhere: None, fake: Callable[..., Path], via: str
) -> None:
    """Its clauses are judged as here, and a failure is reproduced with the same command."""
    done = run(program, fake("honest"), via)
    assert 0 == done.status, done.err
    assert "Passes" in done.out


def test_a_machine_that_is_not_reached_is_said(
    program: Command, elsewhere: None, fake: Callable[..., Path]
) -> None:
    """What the command says stands below the line that says what it means."""
    done = run(program, fake("honest"), "ssh nowhere -- {quoted}")
    assert 3 == done.status
    assert "does not run Python (ssh: exit status 9)" in done.err


def test_a_library_that_is_not_there_is_said(
    program: Command, elsewhere: None, fake: Callable[..., Path], tmp_path: Path
) -> None:
    """The path is one of the other machine."""
    words = ("--library", "/nowhere.so", "--via", "podman exec -i box {argv}")
    done = program("hsa-conformance", "run", *words)
    assert 2 == done.status
    assert "/nowhere.so does not exist: give the path of the library on that machine" in done.err


@pytest.mark.parametrize("via", ["ssh node -- {quoted}", "podman exec -i box {argv}"])
def test_a_failure_elsewhere_is_shown_in_python(
    program: Command,
    command: Command,
    elsewhere: None,
    fake: Callable[..., Path],
    tmp_path: Path,
    via: str,
) -> None:
    """The program is tried there, where nothing is compiled, and judges the library of there."""
    library, clause = tmp_path / "libbroken.so", "hsa_amd_vmem_address_free/in-use"
    shutil.copy(fake("wrong_status"), library)
    words = ("--library", library, "--via", via, "--select", clause, "--out", "run")
    assert 1 == program("hsa-conformance", "run", *words).status
    done = command("reproduce", "run", clause)
    assert (0, True) == (done.status, done.out.startswith('"""'))
    assert f"where it was seen, it ends with 1: {clause}: " in done.err
    written = command("reproduce", "run", "--all", "--out", "all")
    assert "   1      1  the defect is there" in written.out.splitlines()
    assert ["hsa_amd_vmem_address_free.in-use.py"] == [
        p.name for p in (tmp_path / "all").glob("*.*")
    ]
    in_c = command("reproduce", "run", clause, "--c")
    assert (0, "not run: there only python can be run\n") == (in_c.status, in_c.err)
    assert "#include <dlfcn.h>" in in_c.out
    library.write_bytes(fake("honest").read_bytes())
    assert 3 == command("reproduce", "run", clause).status
