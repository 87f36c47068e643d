"""C programs that know nothing of this project run on the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from hsa_reference import implemented
from hsa_reference.library import LibraryError, build
from hsa_spec import load
from tests.clients.client_programs import MACHINE, PROGRAMS, arguments, compiled, expected, run


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The reference as a C library."""
    try:
        return build(tmp_path_factory.mktemp("library"), implemented(load()))
    except LibraryError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_prints_what_the_text_promises(
    program: str, library: Path, tmp_path: Path
) -> None:
    made = compiled(program, library, tmp_path)
    done = run(
        [made, *arguments(program, tmp_path)],
        {"LD_LIBRARY_PATH": str(library.parent), "HSA_REFERENCE_MACHINE": str(MACHINE)},
    )

    assert (expected(program), "", 0) == (done.stdout.splitlines(), done.stderr, done.returncode)
