"""Dispatches of the suite's kernels: a library with one mistake about them is blamed for it."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

import pytest

from hsa_conformance.topics.amd.profiling.properties import dispatches
from hsa_conformance.topics.shared import signals
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.rocr.device.device_kernels import lacking
from tests.samples import WHOLE
from tests.wrong.functions import SUCCESS, Function, Functions, Mistake, honest, verdicts

pytestmark = pytest.mark.skipif(bool(lacking("gfx942")), reason=lacking("gfx942"))


@pytest.fixture(autouse=True)
def little_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A kernel ends at once, or never, and has begun before the word is set that it waits for."""
    monkeypatch.setattr(dispatches, "MOMENT", 0.2)
    monkeypatch.setattr(signals, "PATIENCE", 0.3)


TIME = "hsa_amd_profiling_get_dispatch_time"
ENABLE = "hsa_amd_profiling_set_profiler_enabled"
SYMBOL = "hsa_executable_symbol_get_info"
CREATE = "hsa_queue_create"
KERNEL_OBJECT = 22
SECOND = 10**9  # in ticks of the reference's clock


def _times(change: Callable[[int, int], tuple[int, int]]) -> Mistake:
    """Return the mistake of telling other times than those of a dispatch."""

    def mistake(right: Functions) -> dict[str, Function]:
        def ask(agent: int, signal: int, time: int) -> int:
            answer = right[TIME](agent, signal, time)
            if answer == SUCCESS:
                told = (ctypes.c_uint64 * 2).from_address(time)
                told[:] = list(change(*told))
            return answer

        return {TIME: ask}

    return mistake


def _first_times(right: Functions) -> dict[str, Function]:
    """Tell the times that were told first of the signal that was asked about last."""
    last: tuple[int, list[int]] = 0, []

    def ask(agent: int, signal: int, time: int) -> int:
        nonlocal last
        answer = right[TIME](agent, signal, time)
        if answer == SUCCESS:
            told = (ctypes.c_uint64 * 2).from_address(time)
            if signal != last[0]:
                last = signal, list(told)
            told[:] = [*last[1]]
        return answer

    return {TIME: ask}


def _never_again(right: Functions) -> dict[str, Function]:
    """Leave a queue's profiling disabled once it was."""
    disabled: set[int] = set()

    def enable(queue: int, on: int) -> int:
        if not on:
            disabled.add(queue)
        return right[ENABLE](queue, 0 if queue in disabled else on)

    return {ENABLE: enable}


def _first_kernel(right: Functions) -> dict[str, Function]:
    """Give the kernel object that was given first for each kernel that is asked for after it."""
    given: list[int] = []

    def ask(symbol: int, attribute: int, value: int) -> int:
        answer = right[SYMBOL](symbol, attribute, value)
        if answer == SUCCESS and attribute == KERNEL_OBJECT:
            told = ctypes.c_uint64.from_address(value)
            if told.value and given:
                told.value = given.pop()
            elif told.value:
                given.append(told.value)
        return answer

    return {SYMBOL: ask}


def _no_data(right: Functions) -> dict[str, Function]:
    """Forget the data of a queue's callback."""

    def create(*args: int) -> int:
        return right[CREATE](*args[:4], 0, *args[5:])

    return {CREATE: create}


MISTAKES: dict[str, tuple[Mistake, str, Verdict]] = {
    "the end comes first": (_times(lambda a, b: (b + 1, a)), f"{TIME}/ordered", Verdict.WARN),
    "another clock": (
        _times(lambda a, b: (a // 2, b // 2)),
        f"{TIME}/system-clock",
        Verdict.FAIL,
    ),
    "a tenth too late": (
        _times(lambda a, b: (a + SECOND // 10, b + SECOND // 10)),
        f"{TIME}/within-wait",
        Verdict.WARN,
    ),
    "ends as it starts": (_times(lambda a, _: (a, a)), f"{TIME}/within-wait", Verdict.WARN),
    "the times of the first": (_first_times, f"{TIME}/within-wait", Verdict.WARN),
    "disabled for good": (_never_again, f"{ENABLE}/times-available", Verdict.FAIL),
    "another kernel": (_first_kernel, f"{SYMBOL}/kernel-object-frozen", Verdict.FAIL),
    "no data": (_no_data, f"{CREATE}/callback-arguments", Verdict.FAIL),
}


#: Takes half a minute: `tox -e whole`.
LONG = frozenset() if WHOLE else {"another kernel"}


@pytest.mark.parametrize("name", [name for name in MISTAKES if name not in LONG])
def test_a_mistake_is_blamed_on_its_clause(registry: Registry, name: str) -> None:
    """The verdict is the one of the strength of the clause, of one of its properties or more."""
    mistake, clause, expected = MISTAKES[name]
    assert {expected} == verdicts(registry, mistake, clause) - {Verdict.PASS}


@pytest.mark.parametrize("clause", dict.fromkeys(clause for _, clause, _ in MISTAKES.values()))
def test_what_is_right_passes(registry: Registry, clause: str) -> None:
    """No mistake, no blame."""
    assert {Verdict.PASS} == verdicts(registry, honest, clause)
