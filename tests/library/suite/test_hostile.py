"""Libraries that are hostile to their own process: each function answers for what it does to it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import cycle

import pytest

from hsa_reports import Result, Verdict
from tests.library.suite.fake_results import Put

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
    "jumps": "CRASH (SIGSEGV)",
    "ends_thread": "EXIT (exit status 0)",
    "executes": "EXIT (exit status 0)",
    "scribbles": "CRASH (SIGSEGV)",
    "unmaps": "CRASH (SIGSEGV)",
    "closes": "EXIT (the library closed the descriptors of the tester)",
    "dies_of_write": "CRASH (SIGSYS)",
}


def shown(results: Iterable[Result], clause: str) -> set[tuple[Verdict, str, str]]:
    """Return the verdicts on a clause, how processes ended, and the functions they ended in."""
    return {
        (r.verdict, r.failure.got, r.failure.steps[-1].call.partition("(")[0])
        for r in results
        if r.clause == clause and r.failure is not None
    }


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
