"""The command line, in this process and in one of its own."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from hsa_conformance.cli import main
from hsa_spec import load
from tests.library.cli.commands import Command, CommandResult

SCRIPTS = Path(sys.executable).parent


@pytest.fixture
def program(tmp_path: Path) -> Command:
    """Return a function that runs an installed program in an empty folder."""

    def program(name: str, *words: str | Path) -> CommandResult:
        done = subprocess.run(
            [SCRIPTS / name, *words], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        return CommandResult(done.returncode, done.stdout, done.stderr)

    return program


@pytest.fixture
def command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Command:
    """Return a function that runs a command in this process, in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(*words: str | Path) -> CommandResult:
        try:
            status = main([str(word) for word in words])
        except SystemExit as end:  # argparse ends the process when it does not understand
            status = int(end.code or 0)
        out, err = capsys.readouterr()
        return CommandResult(status, out, err)

    return command


def exported(library: Path) -> list[str]:
    """Return the functions of the API that a library exports."""
    with library.open("rb") as file:
        table = ELFFile(file).get_section_by_name(".dynsym")
        assert isinstance(table, SymbolTableSection)
        names = [s.name for s in table.iter_symbols() if s["st_shndx"] != "SHN_UNDEF"]
    functions = load().functions
    return [name for name in names if name in functions]


@pytest.fixture(scope="session")
def fake(
    fake: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory
) -> Callable[..., Path]:
    """Return a function that builds a fake library, with a claim beside it."""

    @cache
    def built(name: str, **defines: object) -> Path:
        # Other tests have the same fakes, without a claim.
        library = Path(shutil.copy(fake(name, **defines), tmp_path_factory.mktemp("claimed")))
        # The fakes have few functions, and are not to be blamed for the rest.
        functions = "".join(f"  - {function}\n" for function in exported(library))
        claim = f"implementation: a fake library\nfunctions:\n{functions}"
        (library.parent / "claim.yaml").write_text(claim, encoding="utf-8")
        return library

    return built


@pytest.fixture
def run_folder(tmp_path: Path, program: Command) -> Path:
    """Return the folder of a finished run."""
    folder = tmp_path / "finished"
    words = ("--select", "hsa_shut_down/success", "--select", "hsa_init/exported")
    assert 0 == program("hsa-conformance", "run", *words, "--out", folder).status
    return folder
