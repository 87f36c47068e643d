"""The ways in which calls are made in other surroundings: threads, callbacks, starts, signals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Final

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import STATUS, Value
from hsa_conformance.engine.checks.before.earlier_calls import OBJECTS, TIMES, EarlierCalls
from hsa_conformance.engine.checks.before.ways import Way
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import starts_runtime
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, Misfit
from hsa_conformance.engine.session.clean_up import holdings
from hsa_conformance.engine.session.session import Interlude
from hsa_spec import Function, Registry

#: What reports call them.
NESTED: Final = "nested starts"
IN_THREADS: Final = "calls in other threads"
IN_CALLBACK: Final = "calls in its callback"
INTERRUPTED: Final = "signals of the system during it"
SMALL_STACK: Final = "a small stack"
NO_INPUT: Final = "no standard input"

#: Those in which threads of their own make calls.
OF_THREADS: Final = (IN_THREADS, INTERRUPTED, SMALL_STACK)

#: Before how many calls of an example the runtime is started once more: most have fewer.
_EVERY: Final = 100

#: How many signals come during a call, and how many seconds apart.
_SIGNALS: Final = 20
_PAUSE: Final = 0.0001

#: Bytes of the stack of a thread, by default, where the C library is musl.
_SMALL_STACK: Final = 128 << 10


def nested_starts(past: EarlierCalls) -> None:
    """Start the runtime once more before each call of the example, and shut that down again.

    All that the runtime knows lives on: the references of others are none of its clients' concern.
    """
    session = past.session

    def start(values: Mapping[str, Value]) -> None:
        del values
        if session.model.references:
            with past.blameless():
                session.set_up("hsa_init")
                session.set_up("hsa_shut_down")

    session.interpose(Interlude(None, start, _EVERY))


def calls_in_threads(past: EarlierCalls) -> None:
    """Let a thread of its own make each call of the example but those of the function."""
    name, registry = past.function.name, past.session.registry

    def in_thread(function: str) -> bool:
        # Threads are counted where the runtime ends, and it may end with the one that began it.
        return function != name and not starts_runtime(registry.functions[function])

    past.session.in_threads = in_thread


def calls_in_its_callback(others: Sequence[Function]) -> Way:
    """Return the way of calls that the callback of the call makes: of the function, and another.

    Args:
        others: the functions that the other may be.

    """

    def way(past: EarlierCalls) -> None:
        other = Fixtures(past.session, past.draw).one_of(others)
        takes_object = any(p.role in OBJECTS for p in past.function.params)

        def prepare(values: Mapping[str, Value]) -> None:
            if not any(isinstance(value, Callback) for value in values.values()):
                raise CannotMake("the call has no callback")
            there = holdings(past.session)
            same = {name: value for name, value in values.items() if isinstance(value, int)}
            builders = [past.valid(same)]
            if takes_object:  # else it lists all objects, and would list those of the others, too
                builders.append(past.valid(function=other))
                with suppress(CannotMake):
                    builders += past.varied(values)
            for builder in builders:
                past.succeed(builder)
            past.make_inside(builders, there)

        past.just_before(prepare, gives_back=True)

    return way


def traverses(function: Function, registry: Registry) -> bool:
    """Return whether a function calls back for each of several things, before it returns."""
    types = [p.type.partition(":")[2] for p in function.params if p.type.startswith("callback:")]
    results = [registry.callbacks[name].result for name in types]
    return results == [STATUS] and any(p.name == "data" for p in function.params)


def interrupted(past: EarlierCalls) -> None:
    """Let all threads handle signals of the system while a call of the function is under way."""
    session, restart = past.session, past.draw(drawing.booleans())
    in_a_thread(past)
    left = iter(range(TIMES))

    def send() -> None:
        if next(left, None) is not None:
            session.interrupt(_SIGNALS, _PAUSE, restart=restart)

    session.while_started = send


def with_a_small_stack(past: EarlierCalls) -> None:
    """Make each call of the function in a thread that has as much stack as threads of musl have."""
    in_a_thread(past)
    past.session.stack = _SMALL_STACK


def in_a_thread(past: EarlierCalls) -> None:
    """Let a thread of its own make each call of the function."""
    if starts_runtime(past.function):
        raise Misfit("the runtime may end with the thread that began it")
    past.session.in_threads = lambda function: function == past.function.name


def without_standard_input(past: EarlierCalls) -> None:
    """Close descriptor 0, as in a service without a terminal, so that a file gets its number."""
    session = past.session
    try:
        session.need_own_process()
    except Unavailable as shared:
        raise Misfit(str(shared)) from None
    session.close_descriptor(0)
    session.model.lasting = True  # no other example shall find it so
