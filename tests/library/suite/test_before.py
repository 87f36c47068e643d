"""What happens before a call: a library is found that is right for a first call alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

import pytest

from hsa_adapters import Adapter
from hsa_adapters.calls import Call, Callback, Outcome, Repeat
from hsa_adapters.errors import Ended
from hsa_adapters.protocol import Process
from hsa_conformance import subjects
from hsa_conformance.engine.calls.outcomes import Inconsistent
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.before.earlier_calls import shared
from hsa_conformance.engine.checks.before.surroundings import (
    IN_CALLBACK,
    IN_THREADS,
    INTERRUPTED,
    NO_INPUT,
    SMALL_STACK,
)
from hsa_conformance.engine.checks.before.ways import (
    OTHER_REFUSED_AFTER,
    REFUSED_AFTER,
    REFUSED_MEMORY,
)
from hsa_conformance.engine.checks.case import case_of
from hsa_conformance.engine.checks.check import Counts
from hsa_conformance.engine.generation.drawing import Draw
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.running.attempt import MISFITS
from hsa_conformance.engine.running.before import try_before
from hsa_conformance.engine.running.result import unexplained
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics import TOPICS
from hsa_reports import BEFORE, Verdict, actions
from hsa_reports.words import tried
from hsa_spec import Kind, Registry
from tests.library.suite.test_campaign import Counting
from tests.wrong.inside import Begin

CREATE = "hsa_signal_create"
DESTROY = "hsa_signal_destroy"
QUERY = "hsa_status_string"
ROUNDING = "hsa_isa_get_round_method"
LOAD = "hsa_signal_load_relaxed"
SHARE = "hsa_amd_vmem_export_shareable_handle"
REGIONS = "hsa_agent_iterate_regions"
ERROR = 0x1000

#: Returns whether a process was used in a way after which a call is spoilt; gets the calls that it
#: has made, with what each answered, and the call.
Spoils = Callable[[Sequence[tuple[Call, int]], Call], bool]


def wrong(call: Call, outcome: Outcome) -> Outcome:
    """Return a wrong answer: zeros for the query, and an error for all others."""
    if outcome.callbacks:
        return replace(outcome, callbacks=outcome.callbacks[:-1])
    if call.function == QUERY:
        return replace(outcome, reads=(bytes(8), *outcome.reads[1:]))
    return replace(outcome, result=ERROR)


class Forgetful(Counting):
    """An adapter whose processes answer a call wrongly because of the calls before it.

    Args:
        adapter: answers all other calls.
        spoils: which calls are answered wrongly.

    """

    def __init__(self, adapter: Adapter, spoils: Spoils) -> None:
        super().__init__(adapter)
        self.spoils = spoils

    def _spoilt(self, process: Process) -> Process:
        process, past = super()._spoilt(process), list[tuple[Call, int]]()
        honest = process.call

        def call(call: Call) -> Outcome:
            spoilt = self.spoils(past, call)
            outcome = honest(call)
            past.append((call, outcome.result))
            return wrong(call, outcome) if spoilt else outcome

        process.call = call  # type: ignore[method-assign]
        return process


@pytest.fixture
def runs(registry: Registry, begin: Begin) -> Callable[..., Runner]:
    """Return a function that begins a run on a library that spoils some calls."""
    honest = subjects.reference(None, registry)

    def spoilt(spoils: Spoils, profile: str = "full", seed: int = 0) -> Runner:
        return begin(Forgetful(honest, spoils), Settings(profile=profile, seed=seed))

    return spoilt


def names(past: Sequence[tuple[Call, int]]) -> list[str]:
    return [call.function for call, _ in past]


def after_another(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    return call.function == CREATE and CREATE in names(past)


def after_a_refusal(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    refused = [p.function for p, result in past if result >= ERROR]
    return call.function == CREATE and CREATE in refused


def after_a_refusal_elsewhere(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    refused = {p.function for p, result in past if result >= ERROR} - {DESTROY}
    return call.function == DESTROY and bool(refused)


def after_a_call_elsewhere(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    others = {name for name in names(past) if name.startswith("hsa_signal_")} - {CREATE, DESTROY}
    return call.function == CREATE and bool(others)


def after_its_end(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    return call.function == CREATE and DESTROY in names(past)


def after_an_older_ones_end(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    made = names(past)
    return call.function == CREATE and 0 < made.count(DESTROY) < made.count(CREATE)


def after_a_restart(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    return call.function == CREATE and "hsa_shut_down" in names(past)


def after_a_nested_start(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    made = [name for name in names(past) if name in ("hsa_init", "hsa_shut_down")]
    return call.function == CREATE and made[:3] == ["hsa_init", "hsa_init", "hsa_shut_down"]


def asked_of_another(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    others = {p.args[:3] for p, _ in past if p.function == ROUNDING} - {call.args[:3]}
    return call.function == ROUNDING and bool(others)


def asked_twice(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    return call.function == QUERY and names(past)[-1:] == [QUERY]


def after_a_program(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    return call.function == LOAD and DESTROY in names(past)


def since_a_refusal(past: Sequence[tuple[Call, int]], call: Call) -> bool:
    # What a refused call needs beside the signal is made before it, and given back after it.
    return call.function.startswith("hsa_signal_load") and any(code >= ERROR for _, code in past)


def with_calls_inside(_: Sequence[tuple[Call, int]], call: Call) -> bool:
    return any(isinstance(argument, Callback) and argument.calls for argument in call.args)


@pytest.mark.parametrize(
    ("spoils", "clause", "way"),
    [
        (after_another, f"{CREATE}/success", "another call"),
        (after_a_refusal, f"{CREATE}/success", "a refused call"),
        (after_a_call_elsewhere, f"{CREATE}/success", "a call of another function"),
        (after_a_refusal_elsewhere, f"{DESTROY}/success", "a refused call of another function"),
        (after_its_end, f"{CREATE}/success", "objects destroyed"),
        (after_an_older_ones_end, f"{CREATE}/success", "older objects destroyed"),
        (after_a_restart, f"{CREATE}/success", "a restart"),
        (after_a_nested_start, f"{CREATE}/success", "nested starts"),
        (asked_twice, f"{QUERY}/string", "the same query"),
        (asked_of_another, f"{ROUNDING}/success", "the same query but for one argument"),
        (after_a_program, f"{LOAD}/value", "a random program"),
        (since_a_refusal, f"{CREATE}/initial-value", REFUSED_AFTER),
        (since_a_refusal, f"{CREATE}/initial-value", OTHER_REFUSED_AFTER),
        (with_calls_inside, f"{REGIONS}/each-once", IN_CALLBACK),
    ],
)
def test_what_comes_before_shows_a_failure(
    runs: Callable[..., Runner], registry: Registry, spoils: Spoils, clause: str, way: str
) -> None:
    """The same example holds with nothing before, and the steps have what came before."""
    runner = runs(spoils)
    check = replace(runner.checks.of(registry.clauses[clause])[0], examples=0.0)
    found = runner.campaign.run(replace(check, pins={BEFORE: way}))
    assert (clause, Verdict.FAIL) == (found.clause, found.verdict)
    assert found.failure is not None
    assert len(found.failure.steps) > 2
    assert Verdict.PASS is runner.campaign.run(replace(check, fresh=True)).verdict


class OfOneThread(Counting):
    """An adapter for a library in which a signal that another thread makes has another value."""

    def _spoilt(self, process: Process) -> Process:
        process = super()._spoilt(process)
        honest = process.start

        def start(call: Call, repeat: Repeat | None = None) -> None:
            if call.function == CREATE:
                value, *others = call.args
                call = replace(call, args=(int(str(value)) ^ 1, *others))
            honest(call, repeat)

        process.start = start  # type: ignore[method-assign]
        return process


def test_calls_in_other_threads_show_what_is_kept_for_one_thread(registry: Registry) -> None:
    """Each call but those of the function has a thread of its own, which the steps say."""
    adapter = OfOneThread(subjects.reference(None, registry))
    runner = Runner(adapter, registry, TOPICS, Settings(profile="full"))
    try:
        check = replace(runner.checks.of(registry.clauses[f"{LOAD}/value"])[0], examples=0.0)
        found = runner.campaign.run(replace(check, pins={BEFORE: IN_THREADS}))
        assert (f"{LOAD}/value", Verdict.FAIL) == (found.clause, found.verdict)
        assert found.failure is not None
        assert [actions.Start, actions.Join, actions.Call] == [
            type(step.action) for step in found.failure.steps[-3:]
        ]
        assert Verdict.PASS is runner.campaign.run(replace(check, fresh=True)).verdict
    finally:
        runner.close()


class Delicate(Counting):
    """An adapter for a library whose queries go wrong in some circumstances.

    Args:
        adapter: answers all other calls.
        circumstance: the circumstance, which is a way.

    """

    def __init__(self, adapter: Adapter, circumstance: str) -> None:
        super().__init__(adapter)
        self.circumstance = circumstance

    def _spoilt(self, process: Process) -> Process:
        process = super()._spoilt(process)
        honest, begin, end, signal = process.call, process.start, process.join, process.interrupt
        give_back = process.close_descriptor
        met = set[str]()

        def call(call: Call) -> Outcome:
            outcome = honest(call)
            spoilt = self.circumstance in met and call.function == SHARE
            return wrong(call, outcome) if spoilt else outcome

        def start(call: Call, repeat: Repeat | None = None) -> None:
            met.clear()
            if call.stack:
                met.add(SMALL_STACK)
            begin(call, repeat)

        def join(budget: float | None = None) -> Outcome:
            outcome = end(budget)
            return replace(outcome, result=ERROR) if self.circumstance in met else outcome

        def interrupt(times: int, pause: float, *, restart: bool) -> None:
            met.add(INTERRUPTED)
            signal(times, pause, restart=restart)

        def close(descriptor: int) -> bool:
            if descriptor:
                return give_back(descriptor)
            met.add(NO_INPUT)
            return True

        process.call, process.start, process.join = call, start, join  # type: ignore[method-assign]
        process.interrupt, process.close_descriptor = interrupt, close  # type: ignore[method-assign]
        if self.circumstance == NO_INPUT:  # which closes what the process of these tests needs
            process.inherited = dict  # type: ignore[method-assign]
        return process


@pytest.mark.parametrize(
    ("clause", "way"),
    [
        (f"{ROUNDING}/success", INTERRUPTED),
        (f"{ROUNDING}/success", SMALL_STACK),
        (f"{SHARE}/success", NO_INPUT),
    ],
)
def test_circumstances_show_a_failure(registry: Registry, clause: str, way: str) -> None:
    """A call is made in them, and fails; the same call succeeds without."""
    adapter = Delicate(subjects.reference(None, registry), way)
    runner = Runner(adapter, registry, TOPICS, Settings(profile="full"))
    try:
        check = replace(runner.checks.of(registry.clauses[clause])[0], examples=0.0)
        found = runner.campaign.run(replace(check, pins={BEFORE: way}))
        assert (clause, Verdict.FAIL) == (found.clause, found.verdict)
        assert Verdict.PASS is runner.campaign.run(replace(check, fresh=True)).verdict
    finally:
        runner.close()


def test_a_process_serves_no_other_example_once_something_was_refused(registry: Registry) -> None:
    """What a library is left with then, no text says."""
    adapter = Counting(subjects.reference(None, registry))
    runner = Runner(adapter, registry, TOPICS, Settings(profile="full"))
    try:
        check = replace(runner.checks.of(registry.clauses["hsa_queue_create/success"])[0])
        opened = []
        for pins in ({}, {BEFORE: REFUSED_MEMORY}, {}):
            runner.campaign.run(replace(check, pins=pins, examples=0.0))
            opened.append(adapter.opened)
        assert opened[2] > opened[1]
    finally:
        runner.close()


class Dying(Counting):
    """An adapter whose refused calls spoil the next one, or end the process where it is fresh."""

    def _spoilt(self, process: Process) -> Process:
        process, dies = super()._spoilt(process), self.opened > 1
        honest, refused, end = process.call, False, list[Ended]()

        def call(call: Call) -> Outcome:
            nonlocal refused
            if end:
                raise end[0]
            outcome = honest(call)
            if call.function != CREATE:
                return outcome
            spoilt, refused = refused, bool(outcome.result)
            if refused and dies:
                end.append(Ended("CRASH", call, "SIGSEGV"))
                raise end[0]
            return wrong(call, outcome) if spoilt else outcome

        process.call = call  # type: ignore[method-assign]
        return process


def test_nobody_is_blamed_after_a_call_that_ends_the_process(registry: Registry) -> None:
    """Made again, the refused call before is the one that goes wrong: its own checks find that."""
    runner = Runner(Dying(subjects.reference(None, registry)), registry, TOPICS, Settings())
    try:
        check = runner.checks.of(registry.clauses[f"{CREATE}/success"])[0]
        with runner.pool.session(initialised=True):
            pass  # the first process is the one that is used
        found = runner.campaign.run(replace(check, pins={BEFORE: "a refused call"}))
    finally:
        runner.close()
    assert found.failure is None
    assert Verdict.FLAKY is not found.verdict


def query(session: Session) -> None:
    session.call(QUERY, status=0, status_string=Out(8))


def find_facts_that_do_not_fit(_: Session) -> None:
    raise Inconsistent("two objects have one handle")


@pytest.mark.parametrize("going_on", [query, find_facts_that_do_not_fit])
def test_nobody_is_blamed_if_the_check_goes_on_after_such_a_call(
    registry: Registry, going_on: Callable[[Session], None]
) -> None:
    """A property may take the call that cannot be made for one of its own, and make the next."""
    runner = Runner(Dying(subjects.reference(None, registry)), registry, TOPICS, Settings())
    clause = registry.clauses[f"{CREATE}/success"]
    plain = runner.checks.of(clause)[0]

    def body(session: Session, draw: Draw, counts: Counts) -> None:
        assert plain.proof is not None
        with suppress(CannotMake):
            plain.proof(session, draw, counts)
        going_on(session)

    try:
        check = replace(plain, body=body, fresh=True, examples=0.0)
        found = runner.campaign.run(
            replace(
                runner.checks.before.of(case_of(clause, registry), check, 0),
                pins={BEFORE: "a refused call"},
            )
        )
    finally:
        runner.close()
    assert (Verdict.VACUOUS, None) == (found.verdict, found.failure)


def test_a_query_that_takes_something_is_not_asked_once_more(
    runs: Callable[..., Runner], registry: Registry
) -> None:
    """Each answer is a reference, which the example knows nothing of and does not give back."""
    runner = runs(lambda *_: False)
    clause = registry.clauses["hsa_amd_vmem_retain_alloc_handle/reference"]
    check = replace(runner.checks.of(clause)[0], examples=0.0)
    found = runner.campaign.run(replace(check, pins={BEFORE: "the same query"}))
    assert found.failure is None


def test_the_result_names_what_came_before(runs: Callable[..., Runner], registry: Registry) -> None:
    """The clause holds with nothing before; what it fails with has a result of its own."""
    whole, *others = runs(after_a_refusal).run(registry.clauses[f"{CREATE}/success"], effort=0.05)
    assert Verdict.PASS is whole.verdict
    assert {
        (Verdict.FAIL, f"{BEFORE}=a refused call"),
        # No text says that this may not cost anything.
        (Verdict.WARN, f"{BEFORE}=a call refused memory"),
    } == {
        (r.verdict, r.value) for r in others if r.failure is not None and r.clause == whole.clause
    }


@pytest.mark.parametrize(
    ("way", "verdict"), [("a refused call", Verdict.FAIL), (REFUSED_MEMORY, Verdict.WARN)]
)
def test_a_call_that_an_effect_needs_weighs_as_much_as_any(
    runs: Callable[..., Runner], registry: Registry, way: str, verdict: Verdict
) -> None:
    """The call under test is refused before its effect can be looked at."""
    runner, success = runs(after_a_refusal), registry.clauses[f"{CREATE}/success"]
    runner.pool.verdicts_of = lambda _: frozenset({Verdict.PASS})
    [check, *_] = runner.checks.of(registry.clauses[f"{CREATE}/initial-value"])
    found = runner.campaign.run(replace(check, pins={BEFORE: way}, examples=0.0))
    assert (success.id, verdict) == (found.clause, found.verdict)


@pytest.mark.parametrize("spoils", [after_another, after_its_end])
def test_earlier_examples_explain_a_failure(
    runs: Callable[..., Runner], registry: Registry, spoils: Spoils
) -> None:
    """A process that nothing happened in does not show it: the steps have the one that it takes."""
    whole, *_ = runs(spoils, "quick").run(registry.clauses[f"{CREATE}/success"])
    assert whole.failure is not None
    assert Verdict.FAIL is whole.verdict
    called = [step.call.partition("(")[0] for step in whole.failure.steps]
    assert ["hsa_init", CREATE, DESTROY, CREATE] == called


def test_a_refused_call_writes_to_nothing_of_the_example(registry: Registry) -> None:
    """A name that is read by the one function is where the other would store one."""
    create, attach = (registry.functions[f"hsa_amd_ipc_memory_{n}"] for n in ("create", "attach"))
    assert {} == shared(attach, create, {"handle": 0x1000})
    detach = registry.functions["hsa_amd_ipc_memory_detach"]
    assert {"mapped_ptr": 0x1000} == shared(detach, detach, {"mapped_ptr": 0x1000})


def test_a_brief_run_tries_two_ways(runs: Callable[..., Runner], registry: Registry) -> None:
    """Over seeds it tries others; the result says of how many it tried two, beside nothing."""
    clause = registry.clauses[f"{CREATE}/success"]
    found = [runs(lambda *_: False, "quick", seed).run(clause, effort=0.05)[0] for seed in range(8)]
    ways = {v.value for result in found for v in result.values if v.axis == BEFORE}
    assert len(ways) > 4
    assert {Verdict.PASS} == {result.verdict for result in found}
    assert all(f"before: 3 of {result.ways + 1}" in tried(result) for result in found)


def test_the_checks_of_a_function_try_other_ways(
    runs: Callable[..., Runner], registry: Registry
) -> None:
    """The two that one tries first, the next one does not, as long as ways are left."""
    runner = runs(lambda *_: False, "quick")
    function = registry.functions[CREATE]
    effects = [c for c in function.clauses if c.kind is Kind.EFFECT and not c.untestable]
    dealt = [check for clause in effects for check in runner.checks.of(clause) if check.before]
    tried_first = [way for check in dealt for way in check.before[:2]]
    assert len(tried_first) > 2
    assert len(set(tried_first)) == len(tried_first)


def test_a_function_that_asks_for_nothing_is_soon_left_alone(
    runs: Callable[..., Runner], registry: Registry
) -> None:
    """What nobody can refuse it takes none of the tries of a brief run, and few calls.

    They are as many as if nothing was known of it, as in a part of the run.
    """
    runner, idle = runs(lambda *_: False, "quick"), []
    [check, *_] = runner.checks.of(registry.clauses[f"{QUERY}/string"])
    for way in ("a call refused memory", "a call refused by the driver"):
        refused = replace(check, examples=0.0, pins={BEFORE: way})
        assert {MISFITS} == {runner.campaign.run(refused).calls for _ in range(4)}
        idle.append(way)
    late = replace(check, before=(*idle, "another call"))
    result, *_ = try_before(runner.campaign, late, unexplained, [runner.campaign.run(check)])
    assert ["another call"] == [value.value for value in result.values if value.axis == BEFORE]


def test_a_long_run_tries_all(runs: Callable[..., Runner], registry: Registry) -> None:
    """Each way is tried but two: it asks the driver for nothing, and makes no other call."""
    [found, *_] = runs(lambda *_: False).run(registry.clauses[f"{CREATE}/success"], effort=0.05)
    assert f"before: {found.ways - 1} of {found.ways + 1}" in tried(found)


def test_a_random_program_is_shortened(runs: Callable[..., Runner], registry: Registry) -> None:
    """No call of it is left without which the check fails as well: one signal is destroyed."""
    runner = runs(after_a_program)
    check = replace(runner.checks.of(registry.clauses[f"{LOAD}/value"])[0], fresh=True)
    pin = (BEFORE, "a random program")
    whole = runner.campaign.run(replace(check, pins=dict([pin]), examples=0.0))
    plain = runner.campaign.run(check)
    _, shortened = try_before(runner.campaign, check, unexplained, [plain], [pin])
    called, fewer = (
        [step.call.partition("(")[0] for step in result.failure.steps]
        for result in (whole, shortened)
        if result.failure is not None
    )
    assert 1 == fewer.count(DESTROY) < called.count(DESTROY)
    assert len(fewer) < len(called)


def test_a_value_is_tried_alone(runs: Callable[..., Runner], registry: Registry) -> None:
    """With one seed as with another, and in a brief run as in a long one."""
    clause, pin = registry.clauses[f"{CREATE}/success"], (BEFORE, "a refused call")
    for seed in range(3):
        found = runs(after_a_refusal, "quick", seed).run(clause, effort=0.05, values=[pin])
        assert {"=".join(pin)} == {r.value for r in found if r.failure is not None}
        assert {pin[1]} == {v.value for v in found[0].values if v.axis == BEFORE}


def test_a_value_that_cannot_be_tried_proves_nothing(
    runs: Callable[..., Runner], registry: Registry
) -> None:
    """The reason says which values there are."""
    clause = registry.clauses[f"{CREATE}/success"]
    [found] = runs(lambda *_: False).run(clause, effort=0.05, values=[(BEFORE, "an earthquake")])
    assert Verdict.VACUOUS is found.verdict
    there = "before=an earthquake; there is before=a call of another function, "
    assert there in (found.reason or "")
