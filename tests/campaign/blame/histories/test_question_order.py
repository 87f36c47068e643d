"""Questions in several orders: a library is found that answers by a part of what it is asked."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hsa_adapters import Adapter
from hsa_adapters.calls import Call, Outcome
from hsa_adapters.protocol import Process
from hsa_conformance import subjects
from hsa_conformance.engine.running.question_order import ORDERS
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.library.suite.test_campaign import Counting
from tests.wrong.inside import Begin

AGENT = "hsa_agent_get_info"
CACHE = "hsa_cache_get_info"

#: Returns the key under which an answer is kept; gets the call, and the one before it.
Key = Callable[[Call, Call | None], object]


class Keeping(Counting):
    """An adapter whose processes answer as they did when they were asked under the same key.

    Args:
        adapter: answers a question under a new key.
        function: what is asked.
        key: under what an answer is kept; None where it is not.

    """

    def __init__(self, adapter: Adapter, function: str, key: Key) -> None:
        super().__init__(adapter)
        self.function = function
        self.key = key

    def _spoilt(self, process: Process) -> Process:
        process = super()._spoilt(process)
        honest, kept, last = process.call, dict[object, Outcome](), list[Call]()

        def call(call: Call) -> Outcome:
            outcome = honest(call)
            if call.function != self.function or outcome.result:
                return outcome
            under = self.key(call, last[-1] if last else None)
            last.append(call)
            if under is None:
                return outcome
            return kept.setdefault(under, outcome)

        process.call = call  # type: ignore[method-assign]
        return process


@pytest.fixture
def asked(registry: Registry, begin: Begin) -> Callable[[str, Key], Runner]:
    """Return a function that begins a run on a library that keeps answers of a function."""
    honest = subjects.reference(None, registry)
    return lambda function, key: begin(Keeping(honest, function, key), Settings())


def by_attribute(call: Call, _: Call | None) -> object:
    """Keep the answer for all agents."""
    return call.args[1]


def by_the_last_attribute(call: Call, last: Call | None) -> object:
    """Keep the answer as long as the same attribute is asked for."""
    return None if last is None or last.args[1] != call.args[1] else call.args[1]


@pytest.mark.parametrize(
    ("function", "key", "calls"),
    [(AGENT, by_attribute, 2), (CACHE, by_attribute, 2), (AGENT, by_the_last_attribute, 3)],
)
def test_an_answer_that_is_kept_by_a_part_of_the_question_is_found(
    asked: Callable[[str, Key], Runner], registry: Registry, function: str, key: Key, calls: int
) -> None:
    """The steps are the questions that it takes to keep it, and the one that it is given to."""
    found, *_ = asked(function, key).question_order.results(
        registry.clauses[f"{function}/same-answer"]
    )
    assert (ORDERS, Verdict.WARN) == (found.check, found.verdict)
    assert found.failure is not None
    assert calls == len([step for step in found.failure.steps if function in step.call])


def test_nothing_is_found_where_nothing_is_kept(
    asked: Callable[[str, Key], Runner], registry: Registry
) -> None:
    """No function of the reference is accused."""
    order = asked(AGENT, lambda *_: None).question_order
    stable = [f"{f.name}/same-answer" for f in registry.functions.values() if f.stable]
    assert len(stable) > 30
    assert [] == [r for clause in stable for r in order.results(registry.clauses[clause])]
