"""Functions that hang before anything is refused: a few calls are enough, and none counts."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from hsa_adapters import Ended
from hsa_adapters.calls import Call
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.refusals.function import RefusedFunction
from hsa_conformance.engine.checks.refusals.memory_ways import MemoryWays
from hsa_conformance.engine.checks.refusals.refusers import HEAP
from hsa_conformance.engine.generation.drawing import simplest
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.judge import Judge
from hsa_conformance.engine.running.session_pool import SessionPool
from hsa_reports import Verdict
from hsa_spec import Registry

NAME = "hsa_shut_down"


@pytest.fixture
def of(registry: Registry) -> RefusedFunction:
    """A function whose valid calls take no arguments, and a heap that nobody asks."""
    heap: Any = SimpleNamespace(watch=lambda: None, made=dict, disarm=lambda: None)
    case: Any = SimpleNamespace(
        clause=registry.clauses[f"{NAME}/success"],
        function=registry.functions[NAME],
        valid=None,
        starts_runtime=False,
    )
    calls: Any = SimpleNamespace(
        begin=lambda *_: SimpleNamespace(values={}), satisfy=lambda *_: None
    )
    judge = Judge(registry, lambda _: True)
    ways = MemoryWays(heap, thorough=False)
    return RefusedFunction(case, heap, HEAP, ways, calls, judge, [], [], gives_back=False)


def count(of: RefusedFunction, pool: SessionPool, kind: str = "") -> None:
    """Let valid calls be counted, which end the process in some way."""

    def ended(call: Call) -> None:
        raise Ended(kind, call, "SIGSEGV")

    with pool.session(initialised=True, fresh=True) as session:
        if kind:
            session.process.call = ended  # type: ignore[method-assign,assignment]
        of.count(session, simplest)


@pytest.mark.parametrize("kind", ["HANG", "CRASH"])
def test_a_call_that_ends_its_process_is_no_valid_call_that_asks_for_nothing(
    of: RefusedFunction, pool: SessionPool, kind: str
) -> None:
    for _ in range(2):
        with pytest.raises(CannotMake):
            count(of, pool, kind)
    assert 0 == of.ways.counted


def test_two_hangs_are_enough(of: RefusedFunction, pool: SessionPool) -> None:
    for _ in range(2):
        with pytest.raises(CannotMake):
            count(of, pool, "HANG")
    with pytest.raises(Unavailable) as caught:
        count(of, pool)
    assert Verdict.BLOCKED == caught.value.verdict
    assert caught.value.reason.startswith(f"{NAME}/success: HANG")


def test_a_hang_between_calls_that_return_is_no_reason_to_give_up(
    of: RefusedFunction, pool: SessionPool
) -> None:
    for kind in ("HANG", "", "HANG", ""):
        try:
            count(of, pool, kind)
        except CannotMake:
            assert kind
    assert of.ways.counted
