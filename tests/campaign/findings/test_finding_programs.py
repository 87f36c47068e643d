"""Programs of findings: on the reference they find no defect, and without a library they say so."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from hsa_adapters.virtual_kfd import DEFAULT
from hsa_conformance.cli.findings import program
from hsa_reference import implemented
from hsa_reference.library import LibraryError, build
from hsa_spec import load
from tests.finding_programs import CANNOT_TELL, NO_DEFECT, compiled_file
from tests.findings import FOLDER, findings, machine_of, pages, quick_pages, tried_pages
from tests.samples import WHOLE, sample

#: Programs whose code has an empty note instead of metadata, which the reference does not load.
WITHOUT_METADATA = frozenset(
    (
        *("code-object-attributes", "code-objects-from-threads", "code-uri-unterminated"),
        "empty-executable-asserts",
        *("kernarg-size-unrounded", "load-options-unknown", "serialized-code-lost"),
        "symbol-address-unfrozen",
    )
)

#: Programs that hold answers against the driver's files, of which the reference has none.
WITHOUT_DRIVER = frozenset(("cacheline-constant",))

#: Programs that call functions of tools, for which the reference loads no library.
WITHOUT_TOOLS = frozenset(
    ("intercept-in-pieces", "intercept-overflow-hangs", "intercept-retry-unseen")
)


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    try:
        return build(tmp_path_factory.mktemp("reference"), implemented(load()))
    except LibraryError as error:
        pytest.skip(str(error))


@pytest.mark.parametrize("page", tried_pages())
def test_a_program_finds_no_defect_in_the_reference(
    page: str, finding_program: Callable[[str], Path], reference: Path, tmp_path: Path
) -> None:
    """It compiles without a warning, and can tell if the reference has what it needs."""
    clauses = load().clauses
    named = {clauses[f.clause].function for f in findings() if f.finding == page}
    needed = set(re.findall(r'need\("(\w+)"\)', (FOLDER / f"{page}.c").read_text()))
    known = implemented(load()).functions.keys()
    lacking = WITHOUT_METADATA | WITHOUT_DRIVER | WITHOUT_TOOLS
    can_tell = named & known and needed <= known and page not in lacking
    expected = NO_DEFECT if can_tell else CANNOT_TELL
    # Nothing preloads a driver here, so the machine's folder is only written to.
    environment = {**os.environ, "HSA_VIRTUAL_KFD": str(tmp_path)}
    if machine_of(page) != DEFAULT:
        environment["HSA_REFERENCE_MACHINE"] = machine_of(page)
    command = [finding_program(page), reference]
    done = subprocess.run(command, env=environment, capture_output=True, check=False, text=True)
    assert (expected, "") == (done.returncode, done.stderr), done.stdout


INCLUDES = re.compile(r'^#include ".+"$', re.MULTILINE)


def each_set_of_headers() -> list[str]:
    """Return one page for each set of headers that programs include."""
    tried = pages() if WHOLE else quick_pages()
    sources = {page: (FOLDER / f"{page}.c").read_text(encoding="utf-8") for page in tried}
    return list({tuple(INCLUDES.findall(sources[page])): page for page in sources}.values())


@pytest.mark.parametrize("page", sample(each_set_of_headers(), 15))
def test_a_program_that_stands_alone_ends_alike(
    page: str, finding_program: Callable[[str], Path], reference: Path, tmp_path: Path
) -> None:
    """With the headers in it, it compiles without a warning; one page for each set of headers."""
    alone = tmp_path / "alone" / f"{page}.c"
    alone.parent.mkdir()
    alone.write_text(program(FOLDER / f"{page}.c"), encoding="utf-8")
    environment = {**os.environ, "HSA_VIRTUAL_KFD": str(tmp_path)}
    beside_headers, by_itself = (
        subprocess.run([made, reference], env=environment, capture_output=True, check=False)
        for made in (finding_program(page), compiled_file(alone, alone.parent))
    )
    assert beside_headers.returncode == by_itself.returncode


@pytest.mark.parametrize("page", pages())
def test_a_program_without_a_library_cannot_tell(
    page: str, finding_program: Callable[[str], Path]
) -> None:
    """Its exit status is the one that a test runner takes for skipped."""
    done = subprocess.run(
        [finding_program(page), "/no/such/library"],
        capture_output=True,
        check=False,
        text=True,
    )
    assert CANNOT_TELL == done.returncode
    assert "cannot tell: /no/such/library" in done.stdout
