"""The runtime as a library for musl, judged with a Python that uses musl.

Skipped unless HSA_MUSL_PYTHON names one, and musl-gcc is there.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter, MisuseError
from hsa_spec import Registry
from tests.library.third_party.build import compile_library
from tests.library.third_party.judging import judge

PYTHON = os.environ.get("HSA_MUSL_PYTHON")
COMPILER = "musl-gcc"
VIA = f"{PYTHON} {{args}}"

pytestmark = pytest.mark.skipif(
    PYTHON is None or shutil.which(COMPILER) is None,
    reason=f"needs {COMPILER} and a Python that uses musl, named by HSA_MUSL_PYTHON",
)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the runtime, compiled for musl."""
    target = tmp_path_factory.mktemp("musl") / "libthird-party.so"
    return compile_library(target, compiler=COMPILER)


def test_the_suite_finds_no_fault_in_it_there_either(library: Path, tmp_path: Path) -> None:
    """Processes, memory, threads and callbacks of the worker are the same."""
    judged = judge(library, tmp_path / "run", "--via", VIA)
    assert {} == judged.verdicts
    assert 0 == judged.status
    assert judged.passing >= 470


def test_the_report_says_which_c_library_it_is(library: Path, registry: Registry) -> None:
    """Debian's musl is known as well as Alpine's."""
    adapter = LibraryAdapter(library, registry, via=VIA)
    assert "musl" == adapter.start().host["c_library"]
    adapter.close()


def test_what_is_built_for_glibc_is_not_loaded_before_it(
    library: Path, registry: Registry, tmp_path: Path
) -> None:
    """Such as an imitated machine: that Python would not start with it."""
    preloaded = compile_library(tmp_path / "libpreloaded.so")
    adapter = LibraryAdapter(library, registry, via=VIA, environment={"LD_PRELOAD": str(preloaded)})
    with pytest.raises(MisuseError, match="built for glibc, and this Python uses musl"):
        adapter.start()
