"""A refused call changes nothing: a library is found in which it changes what a query tells."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from hsa_adapters.calls import Call, Outcome
from hsa_conformance import subjects
from hsa_conformance.engine.running.runner import Runner, Settings
from hsa_reports import Verdict
from hsa_spec import Registry
from tests.library.suite.test_asked_again import Answers, Changing, Past, written
from tests.wrong.inside import Begin

FREE = "hsa_amd_vmem_address_free"
GET_ACCESS = "hsa_amd_vmem_get_access"
HANDLER = "hsa_amd_signal_async_handler"
ERROR = 0x1000


@pytest.fixture
def runs(registry: Registry, begin: Begin) -> Callable[[Answers], Runner]:
    """Return a function that begins a thorough run on a library that answers otherwise."""
    honest, settings = subjects.reference(None, registry), Settings(profile="full")
    return lambda answers: begin(Changing(honest, answers), settings)


def refused(past: Past, function: str, subject: object) -> bool:
    """Return whether a function was refused something that its first argument names."""
    return any(p.function == function and r >= ERROR and p.args[0] == subject for p, r in past)


def access_is_taken(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Tell of no access to a range whose end was refused."""
    taken = call.function == GET_ACCESS and not outcome.result
    if taken and refused(past, FREE, call.args[0]):
        return written(call, outcome, bytes(4))
    return outcome


def fails_afterwards(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Refuse the query of access to a range whose end was refused."""
    if call.function == GET_ACCESS and refused(past, FREE, call.args[0]):
        return replace(outcome, result=ERROR)
    return outcome


def counts_down(past: Past, call: Call, outcome: Outcome) -> Outcome:
    """Give another value of a signal for which a handler was refused."""
    if call.function.startswith("hsa_signal_load_") and refused(past, HANDLER, call.args[0]):
        return replace(outcome, result=outcome.result - 1)
    return outcome


@pytest.mark.parametrize(
    ("answers", "clause"),
    [
        (access_is_taken, f"{FREE}/in-use"),
        (fails_afterwards, f"{FREE}/in-use"),
        (counts_down, f"{HANDLER}/handler-null"),
    ],
)
def test_a_refused_call_that_changes_something_is_found(
    runs: Callable[[Answers], Runner], registry: Registry, answers: Answers, clause: str
) -> None:
    """It is a WARN: no text says so of each refusal."""
    found = runs(answers).run(registry.clauses[clause])
    warned = [result for result in found if result.verdict is Verdict.WARN]
    assert warned
    assert {clause} == {result.clause for result in warned}
    assert all("before" in str(result.reason) for result in warned)
