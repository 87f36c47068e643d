"""The suite on AMD's own binaries over an imitated driver: nothing fails but what is known."""

from __future__ import annotations

import ctypes.util
import shutil
import sys
from pathlib import Path

import pytest

from hsa_adapters.hosts import HostError, create
from hsa_conformance.cli import main
from hsa_reports import Run, Verdict, read_run
from hsa_reports.comparison import Comparison
from hsa_spec import load
from tests.samples import WHOLE

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="needs a C compiler")

#: The library that is installed; the others come as hosts.
INSTALLED = ctypes.util.find_library("hsa-runtime64")
#: Topics that a later release is judged by: what the installed one lacks, or does otherwise.
NEWER = ("amd/vmem", "amd/dmabuf", "core/agents")
#: Where every clause is judged; on further machines only what can differ.
MACHINE = "gfx90a"
#: What of all clauses the installed library is judged by.
PART = () if WHOLE else ("--shard", "1/16")
#: Clauses whose results are looked at closely.
NAMED = (
    "hsa_init/success",
    "hsa_amd_memory_pool_allocate/success",
    "hsa_queue_create/success",
    "hsa_soft_queue_create/success",
    "hsa_amd_memory_async_copy/copied",
)


def judged(folder: Path, *words: str) -> tuple[int, Run]:
    """Run the suite in the quick profile with ROCr's baseline."""
    out = folder / "run"
    command = [
        "run",
        *words,
        "--virtual-kfd",
        MACHINE,
        "--baseline",
        "rocr",
        "-n",
        "2",
        "--out",
        str(out),
    ]
    return main(command), read_run(out / "events.jsonl")


def unexpected(run: Run) -> dict[str, str]:
    """Return what is neither right nor known."""
    return {
        clause: str(verdict)
        for clause, verdict in run.verdicts.items()
        if verdict.fails(strict=True) or verdict is Verdict.UNDOCUMENTED
    }


@pytest.fixture(scope="module")
def installed() -> str:
    if INSTALLED is None:
        pytest.skip("no libhsa-runtime64 is installed (Debian: apt install libhsa-runtime64-1)")
    return INSTALLED


@pytest.fixture(scope="module")
def native(installed: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Run]:
    return judged(tmp_path_factory.mktemp("native"), "--library", installed, *PART)


@pytest.fixture(scope="module")
def named(installed: str, tmp_path_factory: pytest.TempPathFactory) -> Run:
    words = ("--library", installed, *(f"--select={clause}" for clause in NAMED))
    return judged(tmp_path_factory.mktemp("named"), *words)[1]


@pytest.fixture(scope="module")
def trixie(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, Run]:
    try:
        create("trixie")
    except HostError as error:
        pytest.skip(f"no host can be made here: {error}")
    out = tmp_path_factory.mktemp("trixie")
    return judged(out, "--host", "trixie", *(f"--select={topic}" for topic in NEWER))


def known(run: Run) -> bool:
    """Return whether the baseline was made on this release; others run without one."""
    return not any("runs without one" in notice for notice in run.notices)


def test_the_installed_release_fails_as_known(native: tuple[int, Run]) -> None:
    """Every failure of the clauses that are judged is explained, and is still there."""
    status, run = native
    if not known(run):
        pytest.skip("the baseline was not made on this release")
    assert {} == unexpected(run)
    # A clause of a part may wait for one of another part, and is BLOCKED then: status 3.
    assert status in ((0,) if WHOLE else (0, 3))


def test_the_installed_release_is_judged_in_an_initialised_runtime(
    named: Run, native: tuple[int, Run]
) -> None:
    """The imitation carries it past hsa_init, and takes no credit for what it decides itself."""
    assert "virtual KFD, machine gfx90a" == named.started.subject.imitation
    assert Verdict.PASS is named.verdicts["hsa_init/success"]
    assert Verdict.PASS is named.verdicts["hsa_amd_memory_pool_allocate/success"]
    assert native[1].counts[Verdict.IMITATED] > 0


@pytest.mark.skipif(not WHOLE, reason="looks at all clauses: run `tox -e whole`")
def test_every_enumeration_that_a_call_takes_is_tried(native: tuple[int, Run]) -> None:
    """Of each function that was shown to succeed; the other enumerations are outputs."""
    _, run = native
    registry = load()
    tried = {(r.clause.partition("/")[0], v.axis) for r in run.results for v in r.values}
    taken = {
        (function.name, parameter.name)
        for function in registry.functions.values()
        if run.verdicts.get(f"{function.name}/success") is Verdict.PASS
        for parameter in function.params
        if parameter.direction == "in" and parameter.role in ("enum", "attribute")
    }
    assert len(taken) > 20
    assert set() == taken - tried


def test_a_queue_is_created_with_the_least_and_the_largest_size(named: Run) -> None:
    """They depend on the agent; where nothing bounds a size, the least one is tried."""
    sizes = {
        (r.clause, v.value)
        for r in named.results
        for v in r.values
        if r.clause.endswith("queue_create/success") and v.axis == "size"
    }
    assert {
        ("hsa_queue_create/success", "smallest"),
        ("hsa_queue_create/success", "largest"),
        ("hsa_soft_queue_create/success", "smallest"),
    } == sizes


def test_copies_take_every_route(named: Run) -> None:
    """What a copy does depends on both agents together."""
    routes = {
        v.value: v.outcome
        for r in named.results
        for v in r.values
        if (r.clause, v.axis) == ("hsa_amd_memory_async_copy/copied", "route")
    }
    ways = ("cpu to cpu", "cpu to gpu", "gpu to cpu", "gpu to gpu")
    expected = dict.fromkeys(ways, "judged")
    assert expected == routes


@pytest.mark.network
def test_trixies_release_fails_as_known(trixie: tuple[int, Run]) -> None:
    """The same for a release that has virtual memory."""
    status, run = trixie
    if not known(run):
        pytest.skip("the baseline was not made on this release")
    assert {} == unexpected(run)
    assert 0 == status


@pytest.mark.network
def test_trixies_virtual_memory_is_judged(trixie: tuple[int, Run]) -> None:
    """Objects are mapped, shared and told apart on real memory."""
    _, run = trixie
    for clause in ("hsa_amd_vmem_map/success", "hsa_amd_vmem_export_shareable_handle/success"):
        assert Verdict.PASS is run.verdicts[clause], clause


@pytest.mark.network
def test_what_the_runtime_decides_is_the_same_on_another_imitation(tmp_path: Path) -> None:
    """Of functions whose answers come from all sides, no clause of the runtime's differs."""
    queries = (
        "hsa_agent_get_info",
        "hsa_agent_iterate_caches",  # not their names, which chance decides
        "hsa_amd_svm_attributes_set",
        "hsa_amd_svm_attributes_get",
    )
    words = ["--host", "trixie", *(f"--select={q}" for q in queries)]
    try:
        create("trixie")
    except HostError as error:
        pytest.skip(f"no host can be made here: {error}")
    runs = []
    for machine in ("gfx90a", "gfx90a-otherwise"):
        out = tmp_path / machine
        main(["run", *words, "--virtual-kfd", machine, "--out", str(out)])
        runs.append(read_run(out / "events.jsonl"))
    comparison = Comparison(("usual", "otherwise"), tuple(runs))
    assert [] == [(change.name, change.verdicts) for change in comparison.changes]
    assert not comparison.shows_nothing


def test_under_somebody_elses_emulator_the_library_is_judged_alike(
    installed: str, tmp_path: Path
) -> None:
    """What it decides itself has one verdict; what the emulator decides is IMITATED."""
    # The imitation stands in for an emulator that the suite knows nothing of.
    command = Path(sys.executable).with_name("hsa-conformance")
    via = f"{command} virtual-kfd run --machine gfx90a -- {{argv}}"
    runs = []
    for name, words in {
        "known": ["--virtual-kfd", "gfx90a"],
        "unknown": ["--via", via, "--emulated", "a stand-in"],
    }.items():
        words += ["--select=hsa_amd_svm_attributes_set", "--select=hsa_agent_iterate_caches"]
        main(["run", "--library", installed, *words, "--out", str(tmp_path / name)])
        runs.append(read_run(tmp_path / name / "events.jsonl"))
    assert "emulator a stand-in" == runs[1].started.subject.imitation
    assert Verdict.IMITATED in runs[1].verdicts.values()
    comparison = Comparison(("known", "unknown"), tuple(runs))
    assert [] == [(change.name, change.verdicts) for change in comparison.changes]
    assert comparison.agreed > 10
