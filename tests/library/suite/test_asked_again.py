"""What nothing is said to change is asked again: a library is found in which it changes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import pytest

from hsa_adapters import Adapter
from hsa_adapters.calls import Call, Outcome
from hsa_adapters.protocol import Process
from hsa_conformance import subjects
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_conformance.topics import TOPICS
from hsa_reports import AFTER, Result, Verdict
from hsa_spec import Registry
from tests.library.suite.test_campaign import Counting

AGENT = "hsa_agent_get_info"
LIST = "hsa_iterate_agents"
POOL = "hsa_amd_memory_pool_get_info"
SYSTEM = "hsa_system_get_info"
QUEUE = "hsa_queue_create"
SIGNAL = "hsa_signal_create"
ERROR = 0x1000

#: Calls that a process has made, each with what it answered.
Past = Sequence[tuple[Call, int]]
#: Returns what a process answers instead; gets the calls before, the call, and the honest answer.
Answers = Callable[[Past, Call, Outcome], Outcome]


class Changing(Counting):
    """An adapter whose processes answer otherwise because of the calls before.

    Args:
        adapter: answers honestly.
        answers: makes another answer of it.

    """

    def __init__(self, adapter: Adapter, answers: Answers) -> None:
        super().__init__(adapter)
        self.answers = answers

    def _spoilt(self, process: Process) -> Process:
        process, past = super()._spoilt(process), list[tuple[Call, int]]()
        honest = process.call

        def call(call: Call) -> Outcome:
            outcome = self.answers(past, call, honest(call))
            past.append((call, outcome.result))
            return outcome

        process.call = call  # type: ignore[method-assign]
        return process


@pytest.fixture
def runs(registry: Registry) -> Iterator[Callable[[Answers], Runner]]:
    """Return a function that begins a run on a library that answers otherwise now and then."""
    runners: list[Runner] = []

    def begin(answers: Answers) -> Runner:
        adapter = Changing(subjects.reference(None, registry), answers)
        runners.append(Runner(adapter, registry, TOPICS, Settings()))  # type: ignore[arg-type]
        return runners[-1]

    yield begin
    for runner in runners:
        runner.close()


def written(call: Call, outcome: Outcome, content: bytes) -> Outcome:
    """Return an answer with other bytes at the beginning of its first output."""
    first, *others = outcome.reads
    assert first is not None
    return replace(outcome, reads=(content + first[len(content) :], *others))


def asks(call: Call, function: str, attribute: int) -> bool:
    return call.function == function and attribute in call.args


def after_another(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Tell of fewer queues once a signal was made."""
    made = any(p.function == SIGNAL and not result for p, result in past)
    return written(call, outcome, b"\1\0\0\0") if made and asks(call, AGENT, 0xC) else outcome


def after_a_refusal(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Refuse the name of an agent once a signal was refused."""
    refused = any(p.function == SIGNAL and result >= ERROR for p, result in past)
    return replace(outcome, result=ERROR) if refused and asks(call, AGENT, 0) else outcome


def without_the_last(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """List one agent less once a queue was made."""
    made = any(p.function == QUEUE and not result for p, result in past)
    shorter = made and call.function == LIST
    return replace(outcome, callbacks=outcome.callbacks[:-1]) if shorter else outcome


def half_written(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Write four of the eight bytes of a pool's size."""
    if not asks(call, POOL, 2) or outcome.result:
        return outcome
    size, *others = outcome.reads
    assert size is not None
    return replace(outcome, reads=(size[:4] + call.writes[0][1][4:8], *others))


def after_each(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Tell of a free memory, a time and a limit of scratch memory that each call changes."""
    varies = asks(call, AGENT, 0xA015) or asks(call, AGENT, 0xA117) or asks(call, SYSTEM, 2)
    number = len(past).to_bytes(8, "little")
    return written(call, outcome, number) if varies and not outcome.result else outcome


def results(runner: Runner, function: str, other: str) -> list[Result]:
    """Return what comes of asking a function again after calls of another one."""
    clause = runner.registry.clauses[f"{function}/same-answer"]
    [check] = runner.checks.of(clause)
    return [runner.campaign.run(replace(check, pins={AFTER: other}))]


@pytest.mark.parametrize(
    ("answers", "function", "other", "says"),
    [
        (after_another, AGENT, SIGNAL, "HSA_AGENT_INFO_QUEUES_MAX is not what it was before"),
        (after_a_refusal, AGENT, SIGNAL, "HSA_AGENT_INFO_NAME is not what it was before"),
        (without_the_last, LIST, QUEUE, f"{LIST} is not what it was before {QUEUE} was called"),
        (half_written, POOL, SIGNAL, "with bytes that are not written"),
    ],
)
def test_what_changes_is_found(
    runs: Callable[[Answers], Runner], answers: Answers, function: str, other: str, says: str
) -> None:
    """The steps are the two questions and the call between, and the clause is the query's."""
    [found] = results(runs(answers), function, other)
    assert (f"{function}/same-answer", Verdict.WARN) == (found.clause, found.verdict)
    assert found.reason is not None
    assert says in found.reason
    assert found.failure is not None
    called = [step.call.partition("(")[0] for step in found.failure.steps]
    assert called.count(function) == 2
    assert called[-1] == function


def test_what_may_vary_is_not_asked_again(runs: Callable[[Answers], Runner]) -> None:
    """The time, free memory and limits that calls set are no facts that stay."""
    runner = runs(after_each)
    found = [results(runner, function, SIGNAL)[0].verdict for function in (AGENT, SYSTEM)]
    assert [Verdict.PASS, Verdict.PASS] == found
