"""The runtime of `tests/library/third_party/`, as its author sees it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from hsa_reports import Verdict
from tests.library.third_party.build import CLAIM, HERE, SOURCES, compile_files, compile_library
from tests.library.third_party.defects import Defect, defects
from tests.library.third_party.judging import judge
from tests.library.third_party.refusing import accused, refusing, waiting
from tests.samples import sample

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")


def test_its_smoke_test_passes(tmp_path: Path) -> None:
    """Each function does in a plain program what the author takes the text to say."""
    smoke = tmp_path / "smoke"
    compile_files(smoke, [*sorted(SOURCES.glob("*.c")), HERE / "smoke.c"])
    assert 0 == subprocess.run([smoke], timeout=60, check=False).returncode


@pytest.mark.skipif(shutil.which("nm") is None, reason="needs nm")
def test_the_claim_is_all_that_it_exports(tmp_path: Path) -> None:
    """Nothing is exported without a claim, or claimed without being exported."""
    library = compile_library(tmp_path / "libthird-party.so")
    command = ["nm", "-D", "--defined-only", str(library)]
    symbols = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in symbols.splitlines()}
    assert set(yaml.safe_load(CLAIM.read_text("utf-8"))["functions"]) == exported


def test_the_suite_finds_no_fault_in_it(tmp_path: Path) -> None:
    """Each clause that applies is judged and holds.

    Where too few calls of threads overlapped, as on a busy machine, they are made again alone.
    """
    library = compile_library(tmp_path / "libthird-party.so")
    judged = judge(library, tmp_path / "run")
    found = dict(judged.verdicts)
    late = [c for c, v in found.items() if v is Verdict.VACUOUS and c.endswith("/threads")]
    if late:
        selected = [word for clause in late for word in ("--select", f"clause:{clause}")]
        again = judge(library, tmp_path / "again", *selected, "-n", "0").verdicts
        found = {c: v for c, v in found.items() if c not in late} | dict(again)
    assert {} == found
    assert 0 == judged.status
    assert judged.passing >= 470


@pytest.mark.parametrize(
    ("function", "other"),
    sample(
        [
            ("hsa_iterate_agents", "hsa_signal_add_relaxed"),
            ("hsa_agent_get_info", "hsa_memory_register"),
            ("hsa_soft_queue_create", "hsa_queue_add_write_index_relaxed"),
            ("hsa_queue_create", "hsa_queue_cas_write_index_relaxed"),
            ("hsa_agent_iterate_regions", "hsa_queue_cas_write_index_relaxed"),
            ("hsa_isa_get_info", "hsa_isa_compatible"),
            ("hsa_system_get_info", "hsa_shut_down"),
        ],
        3,
    ),
)
def test_what_does_without_a_function_that_refuses_is_judged(
    function: str, other: str, tmp_path: Path
) -> None:
    """A function that refuses every call is blamed, nobody else is, and others can be judged."""
    select = ("--select", function, "--select", other)
    judged = judge(refusing(function, tmp_path), tmp_path / "run", *select)
    assert {function} == accused(judged)
    assert [] == waiting(judged, function)
    assert 1 == judged.status


def test_a_largest_queue_that_cannot_be_created_is_blamed(tmp_path: Path) -> None:
    """There is room for it: its size is the library's own word, and small."""
    [defect] = [d for d in defects() if d.name == "there is no room for the largest queue"]
    sources = tmp_path / "runtime"
    shutil.copytree(SOURCES, sources)
    defect.plant(sources)
    library = compile_library(tmp_path / "libthird-party.so", sources)
    judged = judge(library, tmp_path / "run", "--select", "hsa_queue_create/success")
    assert "FAIL" == judged.verdicts["hsa_queue_create/success"]


@pytest.mark.parametrize("defect", defects(), ids=lambda defect: defect.name)
def test_a_defect_fits_the_runtime(defect: Defect, tmp_path: Path) -> None:
    """The text that it replaces is in the runtime once, and what comes of it compiles."""
    shutil.copytree(SOURCES, tmp_path / "runtime")
    defect.plant(tmp_path / "runtime")
    file = tmp_path / "runtime" / defect.file
    compile_files(tmp_path / "nothing", [file], "-fsyntax-only")
