"""C programs that know nothing of this project run on the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.library.clients.client_programs import (
    MACHINE,
    PROGRAMS,
    arguments,
    compiled,
    expected,
    run,
)


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
