"""The profiler: judged where a runtime has it, and a mistake of it is blamed."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping

import pytest

from hsa_conformance import subjects
from hsa_conformance.engine.running.runner import Runner
from hsa_conformance.subjects import Options
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.library.suite.fake_results import Put
from tests.wrong.functions import SUCCESS, Functions, Mistake, verdicts
from tests.wrong.inside import running

PREFIX = "hsa_ven_amd_aqlprofile_"
ERROR = 0x1000


@pytest.fixture(scope="module")
def runner(registry: Registry) -> Iterator[Runner]:
    """A runner over the reference on a machine whose first GPU has counters, and no other."""
    adapter = subjects.reference(Options(machine="two_gpus"), registry)
    with running(adapter, registry) as runner:
        yield runner


def test_the_references_profiler_is_judged_and_passes(registry: Registry, runner: Runner) -> None:
    """Drivers that refuse and threads, which every function meets, have tests of their own."""
    own = (c for c in registry.clauses.values() if c.function.startswith(PREFIX))
    clauses = [c for c in own if c.slug not in {"driver-refuses", "threads"}]
    found = {c.id: {r.verdict for r in runner.run(c)} for c in clauses}
    assert {f"{PREFIX}start/sizes-asked": {"UNTESTED"}} == {
        clause: verdicts for clause, verdicts in found.items() if verdicts != {"PASS"}
    }


def test_a_runtime_that_finds_no_profiler_is_not_judged_by_it(put: Put) -> None:
    """Its mask of extensions says so."""
    clause = f"{PREFIX}start/success"
    [result] = put("loader", clause)[clause]
    reason = "HSA_SYSTEM_INFO_EXTENSIONS has no bit for HSA_EXTENSION_AMD_AQLPROFILE"
    assert ("NOT_APPLICABLE", reason) == (result.verdict, result.reason)


def header_written(right: Functions) -> dict[str, Callable[..., int]]:
    """Write the header of a packet, too."""

    def stop(profile: int, packet: int) -> int:
        status = right[f"{PREFIX}stop"](profile, packet)
        ctypes.memmove(packet, b"\1\1", 2)
        return status

    return {f"{PREFIX}stop": stop}


def second_counter_missed(right: Functions) -> dict[str, Callable[..., int]]:
    """Say of the first counter of each profile alone what it counted."""

    def get_info(profile: int, attribute: int, value: int) -> int:
        asked = ctypes.string_at(value + 8, 12)
        first = ctypes.c_uint64.from_address(profile + 16).value
        if attribute == 2 and asked != ctypes.string_at(first, 12):
            return ERROR
        return right[f"{PREFIX}get_info"](profile, attribute, value)

    return {f"{PREFIX}get_info": get_info}


def any_instance(right: Functions) -> dict[str, Callable[..., int]]:
    """Take any number of a block for one that is there."""

    def validate(agent: int, event: int, result: int) -> int:
        status = right[f"{PREFIX}validate_event"](agent, event, result)
        if status == SUCCESS and ctypes.c_uint32.from_address(event + 4).value:
            ctypes.c_uint8.from_address(result).value = 1
        return status

    return {f"{PREFIX}validate_event": validate}


MISTAKES: Mapping[str, Mistake] = {
    "stop/commands-alone": header_written,
    "get_info/counter-read": second_counter_missed,
    "validate_event/tells": any_instance,
}


@pytest.mark.parametrize("clause", MISTAKES)
def test_a_mistake_of_the_profiler_is_blamed(registry: Registry, clause: str) -> None:
    assert Verdict.FAIL in verdicts(registry, MISTAKES[clause], f"{PREFIX}{clause}")
