"""Libraries that are hostile to their own process: each function answers for what it does to it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import cycle
from pathlib import Path

import pytest

from hsa_adapters import LibraryAdapter
from hsa_adapters.worker.supervision.children import half_of_memory
from hsa_conformance.engine.running.attempt import Attempt
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.library.suite.fake_results import Put
from tests.wrong.inside import running

RESERVE = "hsa_amd_vmem_address_reserve"
#: Functions that every process calls to begin with.
AT_START = (
    "hsa_system_get_info",
    "hsa_iterate_agents",
    "hsa_agent_get_info",
    "hsa_amd_agent_iterate_memory_pools",
    "hsa_amd_memory_pool_get_info",
)
#: What ends a process, or keeps it from answering, and how.
DEADLY = {
    "exits": "EXIT (exit status 0)",
    "leaves": "EXIT (exit status 0)",
    "aborts": "CRASH (SIGABRT)",
    "kills": "CRASH (SIGKILL)",
    "stops": "HANG (the call did not return within its budget)",
    "traced": "HANG (the call did not return within its budget)",
    "jumps": "CRASH (SIGSEGV)",
    "ends_thread": "EXIT (exit status 0)",
    "executes": "EXIT (exit status 0)",
    "scribbles": "CRASH (SIGSEGV)",
    "unmaps": "CRASH (SIGSEGV)",
    "closes": "EXIT (the library closed the descriptors of the tester)",
    "dies_of_write": "CRASH (SIGSYS)",
}
#: What keeps the worker from its own work there, and how that shows.
HINDERING = {
    "filters_write": "EXIT (its system calls are filtered)",
    "no_write": "HANG (the process did not answer within its budget)",
    "no_descriptors": "EXIT (its limit of open files is 0, not ",
    "changes_root": "EXIT (the tester's own work fails in it: No such file or directory)",
}
#: What ends or stops the process that watches others, and how.
STRIKING = {
    "kills_parent": "CRASH (SIGKILL to the process that watches it)",
    "kills_group_of_parent": "CRASH (SIGKILL to the process that watches it)",
    "stops_parent": "CRASH (SIGSTOP to the process that watches it)",
}
#: What ends the process once the call has returned, and how.
LATE = {
    "leaves_later": "EXIT (exit status 0)",
    "sets_alarm": "CRASH (SIGALRM)",
    "strikes_later": "CRASH (SIGSEGV)",
}
#: What a function may change of its process, and nothing stands in anybody's way.
HARMLESS = ("few_descriptors", "filters", "ignores", "blocks", "masks", "never_blocks")


def shown(results: Iterable[Result], clause: str) -> set[tuple[Verdict, str, str]]:
    """Return the verdicts on a clause, how processes ended, and the functions they ended in."""
    return {
        (r.verdict, r.failure.got, r.failure.steps[-1].call.partition("(")[0])
        for r in results
        if r.clause == clause and r.failure is not None
    }


def ended_in(summary: str) -> str:
    """Return the function in which a process ended, or after which it did."""
    [function] = re.findall(r"the process ended (?:in|after) (\w+)", summary)
    return str(function)


def deadly(way: str) -> Verdict:
    return Verdict.HANG if DEADLY[way].startswith("HANG") else Verdict.CRASH


@pytest.mark.parametrize(("way", "function"), list(zip(DEADLY, cycle(AT_START), strict=False)))
def test_a_question_to_the_machine_answers_for_its_process(
    put: Put, way: str, function: str
) -> None:
    """It is no less a finding because every other clause waits for the same call."""
    own, other = f"{function}/success", f"{RESERVE}/success"
    found = put("hostile", own, other, budget=0.5, FAKE_IN=f'"{function}"', FAKE_HOW=way)
    assert {(deadly(way), DEADLY[way], function)} == shown(found[own], own)
    assert {(Verdict.BLOCKED, own)} == {(r.verdict, r.blocked_by) for r in found[other]}


@pytest.mark.parametrize("way", DEADLY)
def test_a_function_that_no_process_needs_answers_for_its_process(put: Put, way: str) -> None:
    own = f"{RESERVE}/success"
    found = put("hostile", own, budget=0.5, FAKE_IN=f'"{RESERVE}"', FAKE_HOW=way)
    assert {(deadly(way), DEADLY[way], RESERVE)} == shown(found[own], own)


@pytest.mark.parametrize("way", HINDERING)
def test_a_process_that_cannot_go_on_is_laid_on_the_function_that_hinders_it(
    put: Put, way: str
) -> None:
    own = f"{RESERVE}/success"
    found = put("hostile", own, budget=0.5, FAKE_IN=f'"{RESERVE}"', FAKE_HOW=way)
    failures = [r for r in found[own] if r.clause == own and r.failure is not None]
    assert failures
    for result in failures:
        assert result.failure is not None
        assert result.failure.got.startswith(HINDERING[way])
        assert f"after {RESERVE} had returned" in result.failure.summary


@pytest.mark.parametrize("function", [RESERVE, "hsa_iterate_agents"])
@pytest.mark.parametrize("way", STRIKING)
def test_the_call_is_blamed_that_strikes_the_parent_of_its_process(
    put: Put, way: str, function: str
) -> None:
    """Nobody watches the process then, whatever it answers."""
    own = f"{function}/success"
    found = put("hostile", own, FAKE_IN=f'"{function}"', FAKE_HOW=way)
    assert {(Verdict.CRASH, STRIKING[way], function)} == shown(found[own], own)


@pytest.mark.parametrize("function", [RESERVE, "hsa_iterate_agents"])
@pytest.mark.parametrize("way", LATE)
def test_the_call_is_blamed_that_brings_an_end_however_late(
    registry: Registry, fake: Callable[..., Path], way: str, function: str
) -> None:
    """Its check is the last one, so that no call of another one meets the end."""
    library = fake("hostile", FAKE_IN=f'"{function}"', FAKE_HOW=way)
    with running(LibraryAdapter(library, registry), registry) as runner:
        found = [*runner.run(registry.clauses[f"{function}/success"]), *runner.late_ends()]
    failures = [result.failure for result in found if result.failure is not None]
    assert {LATE[way]} == {failure.got for failure in failures}
    assert {function} == {ended_in(failure.summary) for failure in failures}


def test_an_end_that_no_call_brings_once_more_is_noted(
    registry: Registry, fake: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Attempt, "late", lambda *_: None)
    library = fake("hostile", FAKE_IN='"hsa_iterate_agents"', FAKE_HOW="leaves_later")
    with running(LibraryAdapter(library, registry), registry) as runner:
        runner.run(registry.clauses["hsa_iterate_agents/success"])
        runner.starts()
        assert not runner.late_ends()
        noted = runner.starts()
    assert [Verdict.FLAKY] == [result.verdict for result in noted]
    assert "EXIT (exit status 0)" in str(noted[0].reason)


@pytest.mark.parametrize("way", LATE)
def test_a_call_after_one_that_ends_the_process_later_is_innocent(put: Put, way: str) -> None:
    """It is under way when the process ends."""
    others = ("hsa_amd_vmem_address_free/success", "hsa_amd_vmem_map/success")
    found = put("hostile", *others, FAKE_IN=f'"{RESERVE}"', FAKE_HOW=way)
    failed = {ended_in(r.failure.summary) for other in others for r in found[other] if r.failure}
    assert failed <= {RESERVE}


def test_a_thread_is_laid_on_the_function_that_starts_it(put: Put) -> None:
    """It ends the process in the next call, which does no harm in its own checks."""
    own, other = "hsa_amd_vmem_get_access", "hsa_amd_vmem_unmap"
    wanted = [f"{name}/success" for name in (own, other)]
    found = put("hostile", *wanted, FAKE_IN=f'"{own}"', FAKE_HOW="ends_the_next")
    failures = [r for results in found.values() for r in results if r.failure is not None]
    assert {own} == {r.clause.partition("/")[0] for r in failures}
    assert own not in {ended_in(r.failure.summary) for r in failures if r.failure}


@pytest.mark.parametrize("way", ["filters_write", "no_write"])
def test_a_question_to_the_machine_that_hinders_its_process_is_blamed(put: Put, way: str) -> None:
    function = "hsa_iterate_agents"
    own = f"{function}/success"
    found = put("hostile", own, budget=0.5, FAKE_IN=f'"{function}"', FAKE_HOW=way)
    verdict = Verdict.HANG if way == "no_write" else Verdict.CRASH
    assert {(verdict, HINDERING[way], function)} == shown(found[own], own)


@pytest.mark.parametrize("function", [RESERVE, "hsa_iterate_agents"])
@pytest.mark.parametrize("way", HARMLESS)
def test_a_change_that_hinders_nothing_is_no_finding(put: Put, way: str, function: str) -> None:
    own = f"{RESERVE}/success"
    found = put("hostile", own, FAKE_IN=f'"{function}"', FAKE_HOW=way)
    assert {Verdict.PASS} == {r.verdict for r in found[own]}


def test_a_process_may_hold_half_of_the_memory_of_the_machine() -> None:
    total = Path("/proc/meminfo").read_text(encoding="ascii").split()[1]
    assert int(total) * 1024 // 2 == half_of_memory()


def test_a_process_without_memory_for_the_worker_is_no_error_of_the_suite(put: Put) -> None:
    """The worker's own work fails in it, and in no process that has called nothing."""
    function = "hsa_system_get_info"
    own = f"{function}/success"
    found = put("hostile", own, budget=0.5, FAKE_IN=f'"{function}"', FAKE_HOW="no_malloc")
    gone = "EXIT (the tester's own work fails in it)"
    assert {(Verdict.CRASH, gone, function)} == shown(found[own], own)
