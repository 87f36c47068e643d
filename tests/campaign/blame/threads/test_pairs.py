"""Two functions at one time, on one object or on neighbours."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from hsa_conformance.engine.checks.check import Check
from hsa_conformance.engine.running.beside import try_beside
from hsa_conformance.engine.running.result import unexplained
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_reference import memory
from hsa_reports import BESIDE, Result, Verdict
from hsa_reports.words import tried
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, Mistake, honest, mistaken
from tests.wrong.inside import running

SIGNAL, OTHER_SIGNAL = "hsa_signal_create", "hsa_amd_signal_create"
LOAD, DESTROY = "hsa_signal_load_relaxed", "hsa_signal_destroy"
FREE, ALLOW = "hsa_amd_memory_pool_free", "hsa_amd_agents_allow_access"
EXPORT = "hsa_amd_portable_export_dmabuf"
NAMED, OF_AGENT = "hsa_isa_from_name", "hsa_isa_get_info_alt"
WINDOW = 0.0008
ERROR = 0x1000


def cuts_the_list_meanwhile(f: Functions) -> dict[str, Function]:
    """Take the list of signals apart while one is added, and look there without waiting."""
    apart: list[int] = []

    def create(*arguments: int) -> int:
        apart.append(0)
        time.sleep(WINDOW)
        apart.pop()
        return f[SIGNAL](*arguments)

    return {SIGNAL: create, LOAD: lambda signal: 0 if apart else f[LOAD](signal)}


def frees_a_neighbour_for_a_moment(f: Functions) -> dict[str, Function]:
    """Mark all blocks as free while one is freed."""
    free: list[int] = []

    def wrong(ptr: int) -> int:
        free.append(0)
        time.sleep(WINDOW)
        free.pop()
        return f[FREE](ptr)

    def allow(*arguments: int) -> int:
        return ERROR if free else f[ALLOW](*arguments)

    return {FREE: wrong, ALLOW: allow}


def shares_a_place(f: Functions) -> dict[str, Function]:
    """Keep where the answer goes in one place for two functions."""
    place: list[int] = [0]

    def kept(name: str) -> Callable[..., int]:
        def wrong(*arguments: int) -> int:
            place[0] = arguments[-1]
            time.sleep(WINDOW)
            return f[name](*arguments[:-1], place[0])

        return wrong

    return {NAMED: kept(NAMED), OF_AGENT: kept(OF_AGENT)}


def counts_in_two_steps(f: Functions) -> dict[str, Function]:
    """Count signals of two kinds by one number that is read and written; destroy what counts."""
    count = [0]

    def counting(name: str) -> Callable[..., int]:
        inside: list[int] = []  # those of one function take turns

        def wrong(*arguments: int) -> int:
            while inside:
                time.sleep(0)
            inside.append(0)
            before = count[0]
            time.sleep(WINDOW)
            count[0] = before + 1
            inside.pop()
            return f[name](*arguments)

        return wrong

    def destroy(signal: int) -> int:
        if count[0] == 0:
            return ERROR
        count[0] -= 1
        return f[DESTROY](signal)

    return {SIGNAL: counting(SIGNAL), OTHER_SIGNAL: counting(OTHER_SIGNAL), DESTROY: destroy}


def _check(runner: Runner, function: str) -> Check:
    [check] = [
        c for c in runner.checks.of(runner.registry.clauses[f"{function}/threads"]) if c.beside
    ]
    return check


def beside(registry: Registry, mistake: Mistake, function: str, other: str) -> list[Result]:
    """Return the results of a function beside another one."""
    with running(mistaken(registry, mistake), registry, Settings(seed=1)) as runner:
        check = _check(runner, function)
        return try_beside(runner.campaign, check, unexplained, [(BESIDE, other)])


CASES = (
    (LOAD, SIGNAL, cuts_the_list_meanwhile),
    (ALLOW, FREE, frees_a_neighbour_for_a_moment),
    (NAMED, OF_AGENT, shares_a_place),
    (SIGNAL, OTHER_SIGNAL, counts_in_two_steps),
)


@pytest.mark.parametrize(("function", "other", "mistake"), CASES)
def test_what_two_functions_do_to_each_other_is_found(
    registry: Registry, function: str, other: str, mistake: Mistake
) -> None:
    """The result names the other one, and nothing is found where nothing is wrong."""
    whole, failed = beside(registry, mistake, function, other)
    assert (Verdict.PASS, Verdict.WARN) == (whole.verdict, failed.verdict)
    assert f"{BESIDE}={other}" == failed.value
    [right] = beside(registry, honest, function, other)
    assert Verdict.PASS == right.verdict
    assert "overlapped with those of the other function" in (right.reason or "")


def test_a_brief_run_takes_one_function_and_says_of_how_many(registry: Registry) -> None:
    """Another seed takes another one."""
    taken = set()
    for seed in (1, 2, 3):
        with running(mistaken(registry, honest), registry, Settings(seed=seed)) as runner:
            check = _check(runner, LOAD)
            [result] = try_beside(runner.campaign, check, unexplained)
        taken |= {value.value for value in result.values}
        assert f"{BESIDE}: 1 of {len(check.beside)}" == tried(result)
    assert len(taken) > 1


def test_what_goes_wrong_once_names_the_other_function_as_well(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A baseline can then expect it beside this function alone."""

    def once(check: Check, *_: object) -> Result:
        return Result(check.clause, check.name, Verdict.FLAKY, "once in 10 repetitions")

    with running(mistaken(registry, honest), registry, Settings(seed=1)) as runner:
        monkeypatch.setattr(runner.campaign, "run", once)
        check = _check(runner, LOAD)
        whole, flaky = try_beside(runner.campaign, check, unexplained, [(BESIDE, SIGNAL)])
    assert (Verdict.PASS, None) == (whole.verdict, whole.value)
    assert (Verdict.FLAKY, f"{BESIDE}={SIGNAL}") == (flaky.verdict, flaky.value)
    assert ["failed"] == [value.outcome for value in whole.values]


def test_nothing_is_destroyed_that_another_thread_uses(registry: Registry) -> None:
    """What a thread destroys it has made, whichever function it is beside."""
    gone: set[int] = set()
    used: list[bool] = []

    def watched(f: Functions) -> dict[str, Function]:
        def create(*arguments: int) -> int:
            status = f[SIGNAL](*arguments)
            gone.discard(memory.load(arguments[-1], 8))
            return status

        def load(signal: int) -> int:
            used.append(signal not in gone)
            return f[LOAD](signal)

        def destroy(signal: int) -> int:
            gone.add(signal)
            return f[DESTROY](signal)

        return {SIGNAL: create, LOAD: load, DESTROY: destroy}

    with running(mistaken(registry, watched), registry, Settings(seed=1)) as runner:
        check = _check(runner, LOAD)
        [result] = try_beside(runner.campaign, check, unexplained, [(BESIDE, DESTROY)])
    assert Verdict.PASS == result.verdict
    assert used
    assert all(used)


def test_descriptors_that_threads_were_given_are_closed(registry: Registry) -> None:
    """Their numbers come again; a process that makes many calls would have no more of them."""
    given: list[int] = []

    def watched(f: Functions) -> dict[str, Function]:
        def export(*arguments: int) -> int:
            status = f[EXPORT](*arguments)
            given.append(memory.load(arguments[2], 4))
            return status

        return {EXPORT: export}

    with running(mistaken(registry, watched), registry, Settings(seed=1)) as runner:
        check = _check(runner, EXPORT)
        [result] = try_beside(runner.campaign, check, unexplained, [(BESIDE, ALLOW)])
    assert Verdict.PASS == result.verdict
    assert len({*given}) < len(given)
