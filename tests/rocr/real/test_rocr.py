"""The suite on AMD's own binaries, on machines without a GPU: true verdicts only."""

from __future__ import annotations

import ctypes.util
from collections.abc import Mapping
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.hosts import HostError, create
from hsa_conformance.engine.running.runner import Settings
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_conformance.topics import TOPICS
from hsa_reports import Verdict, worst
from hsa_spec import Release, load
from tests.findings import explained
from tests.golden.answers import CannotRunError, WrongAnswerError
from tests.golden.cases import load_cases
from tests.golden.runner import Runner as GoldenRunner
from tests.samples import WHOLE
from tests.wrong.inside import running

ACCUSING = (
    Verdict.FAIL,
    Verdict.WARN,
    Verdict.UNDOCUMENTED,
    Verdict.CRASH,
    Verdict.HANG,
    Verdict.FLAKY,
    Verdict.FRAGILE,
)


#: A release, and the verdicts by clause.
Judged = tuple[Release, Mapping[str, Verdict]]


def judge(library: Path | str, via: str | None = None, release: str | None = None) -> Judged:
    """Judge every clause and return the release and the verdicts by clause."""
    registry = load()
    adapter = LibraryAdapter(library, registry, via=via, release=release)
    with running(adapter, registry, Settings(expect_no_device=True)) as runner:
        if runner.subject.device:
            pytest.skip("a device node is in sight; these tests are about machines without one")
        verdicts = {
            clause.id: worst(Verdict(r.verdict) for r in runner.run(clause))
            for clause in registry.clauses.values()
        }
        return runner.release, verdicts


def unexplained(release: str | None, verdicts: Mapping[str, Verdict]) -> dict[str, Verdict]:
    assert release is not None
    return {
        clause: verdict
        for clause, verdict in verdicts.items()
        if verdict in ACCUSING and not explained(clause, release, verdict)
    }


@pytest.fixture(scope="module")
def native() -> Judged:
    name = ctypes.util.find_library("hsa-runtime64")
    if name is None:
        pytest.skip("no libhsa-runtime64 is installed (Debian: apt install libhsa-runtime64-1)")
    return judge(name)


@pytest.fixture(scope="module")
def trixie() -> Judged:
    try:
        host = create("trixie")
    except HostError as error:
        pytest.skip(f"no host can be made here: {error}")
    return judge(host.library, host.via, host.rocr_version)


def test_every_accusation_of_the_installed_release_has_a_finding(native: Judged) -> None:
    release, verdicts = native

    assert {} == unexplained(release.lowest, verdicts)


def test_virtual_memory_is_not_applicable_to_a_release_that_never_had_it(native: Judged) -> None:
    release, verdicts = native
    if release.lowest is None or not release.lowest.startswith("5."):
        pytest.skip(f"this is {release}, which has virtual memory")

    assert {Verdict.NOT_APPLICABLE} == {
        v for clause, v in verdicts.items() if clause.startswith("hsa_amd_vmem_")
    }


def test_the_installed_release_is_judged_before_and_after_a_failing_hsa_init(
    native: Judged,
) -> None:
    _, verdicts = native

    assert Verdict.PASS == verdicts["hsa_shut_down/not-initialized"]
    assert Verdict.PASS == verdicts["hsa_init/failure-leaves-uninitialized"]
    assert Verdict.NOT_APPLICABLE == verdicts["hsa_init/success"]


@pytest.mark.network
def test_every_accusation_of_trixies_release_has_a_finding(trixie: Judged) -> None:
    release, verdicts = trixie

    assert {} == unexplained(release.lowest, verdicts)


@pytest.mark.network
def test_trixies_twelve_virtual_memory_functions_are_judged_before_hsa_init(trixie: Judged) -> None:
    _, verdicts = trixie
    before = {
        clause: verdict
        for clause, verdict in verdicts.items()
        if clause.startswith("hsa_amd_vmem_") and clause.endswith("/not-initialized")
    }
    judged = {c for c, v in before.items() if v is not Verdict.NOT_APPLICABLE}

    later = ("address_reserve_align", "export_fabric_handle", "import_fabric_handle")
    assert {f"hsa_amd_vmem_{name}/not-initialized" for name in later} == set(before) - judged
    assert 12 == len(judged)


@pytest.mark.network
def test_any_status_of_trixies_import_before_hsa_init_is_right(trixie: Judged) -> None:
    _, verdicts = trixie
    clause = "hsa_amd_vmem_import_shareable_handle/not-initialized"

    assert Verdict.PASS == verdicts[clause]


def golden(library: Path | str, via: str | None, reason: str | None) -> dict[str, str | None]:
    """Run golden cases that no device is needed for; return what went wrong with each, if any.

    Args:
        library: the library.
        via: the command that runs it; None for this Python.
        reason: the one that the cases have for not running on a library; None for none.

    Raises:
        LookupError: every case needs something that is not there.

    """
    adapter = LibraryAdapter(library, load(), via=via)
    pool = SessionPool(adapter, load(), TOPICS, expect_no_device=True)
    runner = GoldenRunner(lambda _: pool)
    judged: dict[str, str | None] = {}
    try:
        for case in load_cases():
            if case.reason("library") != reason or not case.called <= pool.subject.exports:
                continue
            try:
                runner.run(case)
            except CannotRunError:
                continue
            except WrongAnswerError as error:
                judged[str(case)] = str(error)
            else:
                judged[str(case)] = None
    finally:
        pool.close()
    if not judged:
        raise LookupError("no golden case can be run here")
    return judged


def test_golden_cases_without_a_device_hold_on_the_installed_release(native: Judged) -> None:
    judged = golden(str(ctypes.util.find_library("hsa-runtime64")), None, None)
    assert [] == [*filter(None, judged.values())]


@pytest.mark.network
@pytest.mark.parametrize("suite", ["trixie", "sid", "experimental"] if WHOLE else ["trixie"])
def test_golden_cases_without_a_device_hold_on_a_release(suite: str) -> None:
    host = create(suite)
    assert [] == [*filter(None, golden(host.library, host.via, None).values())]


@pytest.mark.network
def test_what_a_release_is_asked_too_early_for_is_not_answered_as_usual() -> None:
    """Each case that runs on no library, because hsa_init was not called, differs on the newest."""
    host = create("experimental")
    judged = golden(host.library, host.via, "early")
    assert [] == [case for case, wrong in judged.items() if wrong is None]
