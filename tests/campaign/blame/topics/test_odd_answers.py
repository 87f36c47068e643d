"""Answers that no enumerator names: they break clauses of the query alone."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from hsa_reports import Verdict
from hsa_spec import Registry
from tests.library.suite.one_at_a_time import one_at_a_time
from tests.samples import sample
from tests.wrong.functions import Function, mistaken
from tests.wrong.inside import by_clause

QUIET = {Verdict.PASS, Verdict.UNTESTED, Verdict.NOT_APPLICABLE}
WANTED = (
    *("hsa_amd_pointer_info", "hsa_amd_memory_pool_get_info", "hsa_amd_memory_pool_allocate"),
    *("hsa_agent_get_info/device", "hsa_amd_agents_allow_access", "hsa_amd_vmem_map"),
    "hsa_amd_agent_iterate_memory_pools",
)

#: Attributes: of pools two, and one of agents.
SEGMENT, FLAGS, DEVICE = 0, 1, 17


def number_at(address: int) -> ctypes.c_uint32:
    return ctypes.c_uint32.from_address(address)


def unknown_type(real: Function) -> Function:
    """Answer a type of memory that no enumerator has."""

    def pointer_info(ptr: int, info: int, *others: int) -> int:
        status = real(ptr, info, *others)
        if not status and number_at(info).value >= 8:
            number_at(info + 4).value = 99
        return status

    return pointer_info


def unknown_for_own(real: Function) -> Function:
    """Answer that nothing is known of the library's own memory."""

    def pointer_info(ptr: int, info: int, *others: int) -> int:
        status = real(ptr, info, *others)
        if not status and number_at(info).value >= 8:
            number_at(info + 4).value = 0
        return status

    return pointer_info


def answering(attribute: int, change: Callable[[int], int]) -> Callable[[Function], Function]:
    """Return what changes the number that a query answers for one attribute."""

    def changed(real: Function) -> Function:
        def get_info(handle: int, asked: int, value: int) -> int:
            status = real(handle, asked, value)
            if not status and asked == attribute:
                number_at(value).value = change(number_at(value).value)
            return status

        return get_info

    return changed


POINTER, POOL, AGENT = "hsa_amd_pointer_info", "hsa_amd_memory_pool_get_info", "hsa_agent_get_info"
KINDS = {f"{POINTER}/{slug}" for slug in ("block-type", "mapping", "reservation")}


CASES = {
    "type of pointer": (
        POINTER,
        unknown_type,
        KINDS | {f"{POINTER}/unknown", f"{POINTER}/freed-block"},
    ),
    "own memory": (POINTER, unknown_for_own, KINDS),
    "flags of a pool": (POOL, answering(FLAGS, lambda flags: flags | 1 << 30), set[str]()),
    "segment of a pool": (POOL, answering(SEGMENT, lambda _: 9), {f"{POOL}/segment"}),
    "kind of agent": (AGENT, answering(DEVICE, lambda kind: kind and 77), {f"{AGENT}/device"}),
}


@pytest.mark.parametrize("case", sample(list(CASES), 3))
def test_an_answer_without_a_name_breaks_clauses_of_its_own_function_alone(
    registry: Registry, case: str
) -> None:
    """What such an answer is about is judged as far as it goes, and nothing is BLOCKED by it."""
    name, changed, broken = CASES[case]
    adapter = mistaken(registry, lambda real: {name: changed(real[name])})
    judged = by_clause(adapter, registry, one_at_a_time(registry, WANTED))
    found = [result for results in judged.values() for result in results]
    loud = {r.clause for r in found if r.verdict not in QUIET}
    assert broken <= loud
    assert {clause.partition("/")[0] for clause in broken} == {c.partition("/")[0] for c in loud}
    assert {Verdict.PASS} <= {r.verdict for r in found}
