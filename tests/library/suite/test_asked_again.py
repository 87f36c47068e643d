"""What nothing is said to change is asked again: a library is found in which it changes."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from weakref import ReferenceType, ref

import pytest

from hsa_adapters import Adapter
from hsa_adapters.calls import Call, Outcome
from hsa_adapters.ends import ORDERLY, End
from hsa_adapters.protocol import Process
from hsa_conformance import subjects
from hsa_conformance.engine.running.facts import FACTS
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_reports import AFTER, Result, Verdict
from hsa_spec import Registry
from tests.library.suite.test_campaign import Counting
from tests.wrong import inside
from tests.wrong.functions import Function, Functions, mistaken
from tests.wrong.inside import Begin

AGENT = "hsa_agent_get_info"
LIST = "hsa_iterate_agents"
POOL = "hsa_amd_memory_pool_get_info"
SYSTEM = "hsa_system_get_info"
POINTER = "hsa_amd_pointer_info"
ALLOCATE = "hsa_amd_memory_pool_allocate"
OWNER = 40  # where hsa_amd_pointer_info_t has it
QUEUE = "hsa_queue_create"
OF_QUEUE = "hsa_amd_queue_get_info"
MASK = "hsa_amd_queue_cu_set_mask"
SIGNAL = "hsa_signal_create"
ERROR = 0x1000
#: More than there are facts, so that each of them is asked for after each example.
EVERY = 1 << 20

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
def runs(registry: Registry, begin: Begin) -> Callable[[Answers], Runner]:
    """Return a function that begins a run on a library that answers otherwise now and then."""
    honest = subjects.reference(None, registry)
    return lambda answers: begin(Changing(honest, answers), Settings())


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


def after_its_mask(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Tell of another doorbell once this very queue got a mask."""
    masked = any(p.function == MASK and not r and p.args[0] == call.args[0] for p, r in past)
    return written(call, outcome, b"\0\0\0\x7e") if masked and asks(call, OF_QUEUE, 1) else outcome


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
        (after_its_mask, OF_QUEUE, MASK, "HSA_AMD_QUEUE_INFO_DOORBELL_ID is not what it was"),
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


def found_beside(runner: Runner, *clauses: str) -> list[Result]:
    """Return what the examples of clauses show of facts of the machine."""
    found = [r for c in clauses for r in runner.run(runner.registry.clauses[c], effort=0.5)]
    return [result for result in found if result.check == FACTS]


def calls_of(result: Result) -> list[str]:
    assert result.failure is not None
    return [step.call.partition("(")[0] for step in result.failure.steps]


@pytest.mark.parametrize(
    ("answers", "clause", "function", "changed_by"),
    [
        (after_another, f"{SIGNAL}/success", AGENT, SIGNAL),
        (after_a_refusal, f"{SIGNAL}/consumers-null", AGENT, SIGNAL),
        (without_the_last, f"{QUEUE}/success", LIST, QUEUE),
    ],
)
def test_examples_of_all_clauses_show_it(
    runs: Callable[[Answers], Runner], answers: Answers, clause: str, function: str, changed_by: str
) -> None:
    """Facts are asked for after each example; the call that changed one is the last but one."""
    runner = runs(answers)
    runner.facts.handful = EVERY
    found = found_beside(runner, clause)
    assert {(f"{function}/same-answer", Verdict.WARN)} == {(r.clause, r.verdict) for r in found}
    assert {f"{AFTER}={changed_by}"} == {result.value for result in found}
    for result in found:
        assert [function, changed_by, function] == calls_of(result)[-3:]


def late(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Tell of a shorter longest wait once a process has destroyed three signals."""
    ended = sum(p.function == "hsa_signal_destroy" and not result for p, result in past)
    return written(call, outcome, b"\1\0\0\0") if ended > 2 and asks(call, SYSTEM, 4) else outcome


def test_earlier_examples_are_made_again(runs: Callable[[Answers], Runner]) -> None:
    """A change that takes several examples is shown with as many of them as it takes."""
    runner = runs(late)
    runner.facts.handful = EVERY
    [found, *_] = found_beside(runner, f"{SIGNAL}/success")
    assert f"{AFTER}=hsa_signal_destroy" == found.value
    assert calls_of(found).count("hsa_signal_destroy") == 3


def test_an_address_is_no_fact_of_the_machine(runs: Callable[[Answers], Runner]) -> None:
    """Two processes may share the address of a register by chance; a third one changed nothing."""
    processes: list[Past] = []

    def placed(past: Past, call: Call, outcome: Outcome) -> Outcome:
        if not asks(call, AGENT, 0xA00E) or outcome.result:
            return outcome
        if not any(past is known for known in processes):
            processes.append(past)
        is_used = len(processes) == 2
        return written(call, outcome, (0x7000_0000 + is_used).to_bytes(8, "little"))

    runner = runs(placed)
    runner.facts.handful = EVERY
    clause = runner.registry.clauses[f"{SIGNAL}/success"]
    with runner.pool.session(initialised=True, fresh=True) as session:
        runner.facts.look(session, runner.checks.of(clause)[0], ())
    assert len(processes) > 1
    assert [] == runner.facts.changes


def test_a_fact_that_differs_between_processes_is_none(runs: Callable[[Answers], Runner]) -> None:
    """What two fresh processes do not tell alike, such as an address, nobody is blamed for."""
    numbers = iter(range(1, 1 << 30))

    def counts(past: Past, call: Call, outcome: Outcome) -> Outcome:
        number = next(numbers).to_bytes(4, "little")
        return written(call, outcome, number) if asks(call, AGENT, 0xC) else outcome

    runner = runs(counts)
    runner.facts.handful = EVERY
    assert [] == found_beside(runner, f"{SIGNAL}/success")


def test_a_library_that_keeps_its_facts_is_not_blamed(runs: Callable[[Answers], Runner]) -> None:
    """Nothing is found beside clauses whose examples create, refuse and destroy."""
    runner = runs(after_each)
    runner.facts.handful = EVERY
    clauses = [f"{SIGNAL}/success", f"{SIGNAL}/consumers-null", f"{QUEUE}/success"]
    assert [] == found_beside(runner, *clauses)


@pytest.mark.parametrize("ends", [False, True])
def test_a_process_that_was_told_to_end_is_asked_for_nothing(
    runs: Callable[[Answers], Runner], ends: bool
) -> None:
    """It cannot answer, and whatever is asked would be taken for what ended it."""
    runner = runs(lambda past, call, outcome: outcome)
    check = runner.checks.of(runner.registry.clauses[f"{SIGNAL}/success"])[0]
    asked: list[str] = []
    with runner.pool.session(initialised=True, fresh=True) as session:
        honest = session.process.call
        session.process.end = lambda how: End(ORDERLY)  # type: ignore[method-assign]
        if ends:
            session.end_by("exit")

        def call(call: Call) -> Outcome:
            asked.append(call.function)
            return honest(call)

        session.process.call = call  # type: ignore[method-assign]
        runner.facts.look(session, check, ())
    assert ends is not bool(asked)


def test_a_process_that_was_asked_is_not_kept(runs: Callable[[Answers], Runner]) -> None:
    """A run of hours has thousands of processes, and their calls would fill the memory."""
    runner = runs(lambda past, call, outcome: outcome)
    check = runner.checks.of(runner.registry.clauses[f"{SIGNAL}/success"])[0]

    def asked() -> ReferenceType[Session]:
        with runner.pool.session(initialised=True, fresh=True) as session:
            runner.facts.look(session, check, ())
            return ref(session)

    first, _ = asked(), asked()
    gc.collect()
    assert first() is None


def with_a_late_callback(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Call an earlier call's callback during each list: it takes one argument."""
    if call.function not in (LIST, "hsa_agent_iterate_caches"):
        return outcome
    return replace(outcome, callbacks=((len(past),), *outcome.callbacks))


def test_late_callbacks_are_no_part_of_a_list(runs: Callable[[Answers], Runner]) -> None:
    """A callback that an earlier call was given may be called while something is listed."""
    runner = runs(with_a_late_callback)
    runner.facts.handful = EVERY
    assert [] == found_beside(runner, f"{SIGNAL}/success")
    assert Verdict.PASS is results(runner, LIST, SIGNAL)[0].verdict


class Forgetting(Changing):
    """An adapter whose library forgets who owns a block once another one was allocated."""

    def __init__(self, adapter: Adapter) -> None:
        super().__init__(adapter, lambda _, call, outcome: outcome)

    def _spoilt(self, process: Process) -> Process:
        process, allocated = super()._spoilt(process), 0
        honest = process.call

        def call(call: Call) -> Outcome:
            nonlocal allocated
            outcome = honest(call)
            allocated += call.function == ALLOCATE
            if call.function == POINTER and allocated > 1 and isinstance(info := call.args[1], int):
                process.write(info + OWNER, bytes(8))
            return outcome

        process.call = call  # type: ignore[method-assign]
        return process


def test_a_block_whose_owner_is_forgotten_is_found(registry: Registry) -> None:
    """The owner is there for a block alone, and gone with a second one."""
    adapter = Forgetting(subjects.reference(None, registry))
    runner = Runner(adapter, registry, TOPICS, Settings())
    [check] = runner.checks.of(registry.clauses[f"{POINTER}/block-stays"])
    alone, beside = (
        runner.campaign.run(replace(check, examples=0.0, pins={"other object": other}))
        for other in ("nothing", "block")
    )
    runner.close()
    assert (Verdict.PASS, Verdict.WARN) == (alone.verdict, beside.verdict)
    assert beside.reason is not None
    assert "agentOwner" in beside.reason


def test_a_question_that_leaves_something_behind_is_named(registry: Registry) -> None:
    """One attribute of many takes a descriptor each time; nothing says that its value stays."""
    available = registry.constants["HSA_AMD_AGENT_INFO_MEMORY_AVAIL"]
    kept: list[int] = []

    def mistake(right: Functions) -> dict[str, Function]:
        def get(agent: int, attribute: int, value: int) -> int:
            if attribute == available:
                kept.append(os.dup(2))
            return right[AGENT](agent, attribute, value)

        return {AGENT: get}

    clause = f"{AGENT}/nothing-kept"
    found = inside.results(mistaken(registry, mistake), registry, clause)
    for descriptor in kept:
        os.close(descriptor)
    [failed] = [result for result in found if result.verdict is Verdict.WARN]
    assert failed.reason is not None
    assert "HSA_AMD_AGENT_INFO_MEMORY_AVAIL leaves 1 file descriptor behind" in failed.reason
