"""A runtime that is used may keep something when it is shut down, of one function alone."""

from __future__ import annotations

import os

from hsa_conformance.engine.checks.effects.used_runtime import SEVERAL, USED_BY, used_runtime_check
from hsa_conformance.engine.running.runner import Settings
from hsa_conformance.engine.running.sweep import sweep
from hsa_reports import Result, Verdict
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, Mistake, honest, mistaken
from tests.wrong.inside import running

START, END, NAME = "hsa_init", "hsa_shut_down", "hsa_isa_from_name"
USED = (NAME, "hsa_signal_create", "hsa_memory_allocate", "hsa_system_get_info")


def opens_a_file_at_first_use(f: Functions, *, at_each: bool = False) -> dict[str, Function]:
    """Open a file when a name is looked up first, and forget it when the runtime starts again."""
    opened: list[int] = []

    def start() -> int:
        opened.clear()
        return f[START]()

    def look_up(*arguments: int) -> int:
        if at_each or not opened:
            opened.append(os.open(os.devnull, os.O_RDONLY))
        return f[NAME](*arguments)

    return {START: start, NAME: look_up}


def opens_a_file_each_time(f: Functions) -> dict[str, Function]:
    """Open a file whenever a name is looked up, which is no matter of the end of the runtime."""
    return opens_a_file_at_first_use(f, at_each=True)


def closes_it(f: Functions) -> dict[str, Function]:
    """Keep a file from the first use until the runtime is shut down."""
    wrong = opens_a_file_at_first_use(f)
    opened: list[int] = []

    def look_up(*arguments: int) -> int:
        if not opened:
            opened.append(os.open(os.devnull, os.O_RDONLY))
        return f[NAME](*arguments)

    def end() -> int:
        while opened:
            os.close(opened.pop())
        return f[END]()

    return {**wrong, NAME: look_up, END: end}


def used(registry: Registry, mistake: Mistake) -> list[Result]:
    """Return the results of the check, for a runtime that is used by a few functions."""
    with running(mistaken(registry, mistake), registry, Settings(seed=1)) as runner:
        case = runner.checks.cases.of(registry.clauses[f"{END}/nothing-kept"])
        functions = {name: registry.functions[name] for name in USED}
        check = used_runtime_check(case, runner.checks.calls, functions, 1)
        return sweep(runner.campaign, check)


def test_what_a_function_leaves_at_the_end_is_found(registry: Registry) -> None:
    """The result names the function, and says that several others leave nothing."""
    whole, found = used(registry, opens_a_file_at_first_use)
    assert (Verdict.PASS, Verdict.WARN) == (whole.verdict, found.verdict)
    assert f"{USED_BY}={NAME}" == found.value
    assert found.failure is not None
    assert "1 file descriptor" == found.failure.got
    assert {(USED_BY, SEVERAL, "judged"), (USED_BY, NAME, "failed")} == {
        (value.axis, value.value, value.outcome) for value in whole.values
    }


def test_nothing_is_found_where_the_end_is_not_to_blame(registry: Registry) -> None:
    """Neither of a runtime that closes its files, nor of a function that opens one each time."""
    for mistake in (honest, closes_it, opens_a_file_each_time):
        assert [Verdict.PASS] == [result.verdict for result in used(registry, mistake)]
