"""Bursts: threads that make and give back what is their own, again and again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from hsa_adapters import LibraryAdapter
from hsa_conformance.engine.calls.outcomes import Violation
from hsa_conformance.engine.calls.values import Answer, Before, Out, Value
from hsa_conformance.engine.checks.threads.bursts import Cycle, burst, cycles
from hsa_conformance.engine.checks.threads.histories import HEARD, said
from hsa_conformance.engine.session.session import Session
from hsa_conformance.engine.session.threads.together import Task
from hsa_reference import memory
from hsa_spec import Registry
from tests.wrong.functions import Function, Functions, Mistake, honest, mistaken
from tests.wrong.inside import running

CREATE, DESTROY = "hsa_signal_create", "hsa_signal_destroy"
CLAUSE = "hsa_signal_create/threads"
WANTED: Mapping[str, Value] = {
    "initial_value": 0,
    "num_consumers": 0,
    "consumers": 0,
    "signal": Out(),
}


def gives_a_spare_to_two(f: Functions) -> dict[str, Function]:
    """Keep signals that are destroyed, and give one of them again, to whoever asks meanwhile."""
    spare: list[int] = []

    def create(*arguments: int) -> int:
        if not spare:
            return f[CREATE](*arguments)
        memory.store(arguments[-1], spare[-1], 8)
        time.sleep(0.0005)
        del spare[-1:]
        return 0

    def destroy(signal: int) -> int:
        spare.append(signal)
        return 0

    return {CREATE: create, DESTROY: destroy}


def refuses_in_a_crowd(f: Functions) -> dict[str, Function]:
    """Refuse to destroy a signal while another one is destroyed."""
    inside: list[int] = []

    def destroy(signal: int) -> int:
        inside.append(0)
        time.sleep(0.0001)
        status = 0x1000 if len(inside) > 1 else f[DESTROY](signal)
        inside.pop()
        return status

    return {DESTROY: destroy}


@pytest.fixture
def opened(registry: Registry) -> Iterator[Callable[[Mistake], Session]]:
    """Return what opens a session of a reference with a mistake."""
    with ExitStack() as stack:

        def open_(mistake: Mistake) -> Session:
            runner = stack.enter_context(running(mistaken(registry, mistake), registry))
            return stack.enter_context(runner.pool.session(initialised=True, fresh=True))

        yield open_


def test_what_was_made_is_given_back_by_what_the_call_before_gave(
    opened: Callable[[Mistake], Session],
) -> None:
    """Nothing is left when the cycles of all threads are known."""
    session = opened(honest)
    before = session.model.live("signal")
    back: Task = (DESTROY, {"signal": Before("signal")})
    assert [Cycle((CREATE, WANTED), back, ("signal",))] * 2 == cycles(
        session, [(CREATE, WANTED)] * 2
    )
    assert before == session.model.live("signal")


def test_a_question_leaves_nothing_to_be_given_back(opened: Callable[[Mistake], Session]) -> None:
    """It is asked again and again."""
    ask: Task = ("hsa_system_get_info", {"attribute": 0, "value": Out()})
    assert [Cycle(ask)] == cycles(opened(honest), [ask])


def test_threads_that_have_their_own_are_told_apart(
    opened: Callable[[Mistake], Session], registry: Registry
) -> None:
    """Each thread creates and destroys its signals, many times."""
    session = opened(honest)
    parts = cycles(session, [(CREATE, WANTED)] * 2)
    made = session.calls
    burst(session, registry.clauses[CLAUSE], parts)
    assert session.calls - made > 20


@pytest.mark.parametrize(
    ("mistake", "words"),
    [
        (gives_a_spare_to_two, "hsa_signal_create gave a thread what another one had"),
        (
            refuses_in_a_crowd,
            "hsa_signal_destroy answered HSA_STATUS_ERROR where threads give back",
        ),
    ],
)
def test_what_one_thread_has_is_not_touched_by_another(
    opened: Callable[[Mistake], Session], registry: Registry, mistake: Mistake, words: str
) -> None:
    """It is nobody else's until it is given back, and that succeeds."""
    session = opened(mistake)
    parts = cycles(session, [(CREATE, WANTED)] * 2)
    with pytest.raises(Violation, match=words):
        burst(session, registry.clauses[CLAUSE], parts)


def test_a_c_library_gets_what_its_call_before_gave(
    registry: Registry, fake: Callable[..., Path]
) -> None:
    """Machine code loads it between two calls."""
    adapter = LibraryAdapter(fake("signals"), registry)
    lane: list[Task] = [(CREATE, WANTED), (DESTROY, {"signal": Before("signal")})] * 20
    with (
        running(adapter, registry) as runner,
        runner.pool.session(initialised=True, fresh=True) as session,
    ):
        events = session.together([lane] * 2)
    assert {"HSA_STATUS_SUCCESS"} == {event.answer.name for event in events}


def test_callbacks_of_earlier_calls_are_compared_with_what_they_got(registry: Registry) -> None:
    """What one of the call itself points to is left out; another kind may get fewer arguments."""
    function = registry.functions["hsa_ven_amd_aqlprofile_iterate_data"]
    answer = SimpleNamespace(
        function=function, name="HSA_STATUS_SUCCESS", outputs={}, callbacks=((1, 0x7000, 9), (5,))
    )
    assert [(1, 9), (5,)] == said(cast("Answer", answer), registry)[HEARD]
