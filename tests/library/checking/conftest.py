"""A client in C that errs in the way that its argument names, and what is said of it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

import hsa_spec
from hsa_reference import implemented
from hsa_reference.checking import report
from hsa_reference.library import LibraryError, build
from hsa_reference.runtime import CHECK_VARIABLE
from hsa_spec.c_header import c_header
from hsa_spec.diff import release
from tests.library.checking.mistakes import MISTAKES

CLIENT = Path(__file__).with_name("client.c")

#: Runs a program, or a command that ends with one, and returns the blocks on its stderr.
Blocks = Callable[[Sequence[str | Path], Mapping[str, str]], list[str]]


@pytest.fixture(scope="session")
def reference_library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the C library of the reference."""
    try:
        return build(tmp_path_factory.mktemp("reference"), implemented(hsa_spec.load()))
    except LibraryError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def client(reference_library: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the client, which takes any libhsa-runtime64.so.1 in place of the reference."""
    folder = tmp_path_factory.mktemp("client")
    (folder / "hsa.h").write_text(c_header(hsa_spec.load(), release("7.2.4")))
    program = folder / "client"
    options = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-rdynamic", "-I", folder)
    link = ("-L", reference_library.parent, "-lhsa-runtime64")
    subprocess.run([os.environ.get("CC", "cc"), *options, "-o", program, CLIENT, *link], check=True)
    return program


@pytest.fixture
def blocks() -> Blocks:
    """Return a function that runs a program and returns what the checks say of it."""

    def run(command: Sequence[str | Path], variables: Mapping[str, str]) -> list[str]:
        done = subprocess.run(
            command,
            env={**os.environ, **variables},
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        # A mistake may end the client; one that makes none ends by itself.
        if command[-1] not in MISTAKES:
            assert (0, "done\n") == (done.returncode, done.stdout), done.stderr
        return ["hsa-check: " + block for block in ("\n" + done.stderr).split("\nhsa-check: ")[1:]]

    return run


@pytest.fixture
def said(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the blocks that runtimes of this process say from now on."""
    blocks: list[str] = []
    monkeypatch.setattr(report, "_to_stderr", blocks.append)
    monkeypatch.setenv(CHECK_VARIABLE, "1")
    return blocks
