"""What came of a call: its answer, with names for what it gave, and the step that tells of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import zip_longest

from hsa_adapters.calls import Outcome
from hsa_conformance.engine.calls.arguments import PreparedCall
from hsa_conformance.engine.calls.symbols import text
from hsa_conformance.engine.calls.trace import Trace
from hsa_conformance.engine.calls.values import STATUS, Answer
from hsa_reports import actions
from hsa_spec import Function, Registry
from hsa_spec.layout import pointee


def answered(
    subject: Function,
    names: Sequence[str],
    outcome: Outcome,
    numbers: Mapping[str, int],
    callbacks: tuple[tuple[int, ...], ...],
    registry: Registry,
    trace: Trace,
) -> Answer:
    """Return what a call answered; what it gave has a name in the trace from now on.

    Args:
        subject: the function that was called.
        names: the parameters that room was made for, in the order in which they are read.
        outcome: what the process said.
        numbers: the arguments that are numbers, by parameter.
        callbacks: the arguments of callbacks, with what they are.
        registry: knows the names of statuses.
        trace: of the process.

    """
    count = len(names)
    after, before = outcome.reads[1 : 2 * count : 2], outcome.reads[2 * count : 3 * count]
    answer = Answer(
        subject,
        outcome.result,
        _result_name(subject, outcome.result, registry),
        dict(zip(names, outcome.reads[0::2], strict=False)),
        {
            name: (first or b"") + (last or b"")
            for name, first, last in zip_longest(names, before, after)
        },
        callbacks,
        numbers,
        zeros=outcome.zeros,
    )
    if answer.ok:
        for name, content in answer.outputs.items():
            if content is None:
                continue
            if len(content) <= 8:
                signed = pointee(subject.parameter[name].type) == "int"
                number = int.from_bytes(content, "little", signed=signed)
                answer.symbols[name] = trace.named(number, name)
            else:
                answer.held[name] = trace.held(content, name)
    return answer


def as_step(prepared: PreparedCall, answer: Answer) -> tuple[str, str, actions.Call]:
    """Return a call in words, what it answered, and the same as programs are made of it."""
    action = actions.Call(
        prepared.function.name,
        prepared.events,
        answer.status,
        given(answer),
        prepared.event_address,
    )
    return prepared.words, result_of(answer), action


def result_of(answer: Answer) -> str:
    """Return what a call answered, in words."""
    outputs = [f"{name} = {value.name}" for name, value in answer.symbols.items()]
    return ", ".join([answer.name, *outputs])


def given(answer: Answer) -> tuple[actions.Given, ...]:
    """Return the outputs of a call as an event has them."""
    return tuple(
        actions.Given(
            parameter, name.name if name is not None else answer.held.get(parameter), content
        )
        for parameter, content in answer.outputs.items()
        for name in (answer.symbols.get(parameter),)
    )


def _result_name(function: Function, result: int, registry: Registry) -> str:
    if function.result == STATUS:
        return registry.status_name(result)
    return "done" if function.result == "void" else text(result)
