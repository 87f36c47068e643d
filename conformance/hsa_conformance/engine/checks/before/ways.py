"""The ways in which a process was used before the call under test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import cycle
from typing import Final

from hsa_adapters.calls import Callback
from hsa_adapters.faults import Faults, Refusal
from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import STATUS, Value
from hsa_conformance.engine.checks.before.earlier_calls import OBJECTS, TIMES, EarlierCalls, shared
from hsa_conformance.engine.checks.random_programs.lives import TAGS
from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.checks.refusals.arming import armed
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import begins, starts_runtime, waits
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, Misfit
from hsa_conformance.engine.session.clean_up import clean_up, giving_back, holdings
from hsa_conformance.engine.session.session import Interlude
from hsa_reports.actions import Refuse
from hsa_spec import Function, Registry

#: Uses a process in some way.
Way = Callable[[EarlierCalls], None]

#: The way of several calls, any of which can be left out.
PROGRAM: Final = "a random program"

#: The way in which other threads make the other calls of an example.
IN_THREADS: Final = "calls in other threads"

#: The ways of other circumstances.
INTERRUPTED: Final = "signals of the system during it"
SMALL_STACK: Final = "a small stack"
NO_INPUT: Final = "no standard input"

#: The way of the same query about something else.
ANOTHER_ARGUMENT: Final = "the same query but for one argument"

#: The way in which the callback of the call under test makes calls.
IN_CALLBACK: Final = "calls in its callback"

#: The ways of a refused call that comes after the call under test, whose effect it must not touch.
REFUSED_AFTER: Final = "a refused call after it"
OTHER_REFUSED_AFTER: Final = "a refused call of another function after it"

#: The ways that touch what comes of a call alone.
OF_EFFECTS: Final = (IN_CALLBACK, REFUSED_AFTER, OTHER_REFUSED_AFTER)

#: The ways of a call to which something is refused that it asks for.
REFUSED_BY_DRIVER: Final = "a call refused by the driver"
REFUSED_MEMORY: Final = "a call refused memory"

#: Before how many calls of an example the runtime is started once more: most have fewer.
_EVERY: Final = 100

#: How many signals come during a call, and how many seconds apart.
_SIGNALS: Final = 20
_PAUSE: Final = 0.0001

#: Bytes of the stack of a thread, by default, where the C library is musl.
_SMALL_STACK: Final = 128 << 10

#: How many calls a random program tries.
_CALLS: Final = drawing.integers(4, 16)


def another_call(past: EarlierCalls) -> None:
    """Make a valid call, on objects of its own, which live on."""
    past.succeed(past.valid())


def a_call_of(others: Sequence[Function]) -> Way:
    """Return the way of a valid call of another function, on objects of its own, which live on.

    Args:
        others: the functions that it may be.

    """

    def way(past: EarlierCalls) -> None:
        past.succeed(past.valid(function=Fixtures(past.session, past.draw).one_of(others)))

    return way


def objects_destroyed(past: EarlierCalls) -> None:
    """Make a valid call and destroy all objects, so that handles and addresses come again."""
    another_call(past)
    if not any(giving_back(past.session)):
        raise Misfit("there is nothing to destroy")
    if not clean_up(past.session):
        raise CannotMake("objects are not destroyed")


def a_restart(past: EarlierCalls) -> None:
    """Make a valid call, destroy all objects, and shut the runtime down and start it again."""
    session = past.session
    another_call(past)
    if not clean_up(session) or session.model.references != 1:
        raise CannotMake("the runtime does not end")
    session.set_up("hsa_shut_down")
    session.set_up("hsa_init")
    session.discover(session)


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

    session.meanwhile_do(Interlude(None, start, _EVERY))


def the_same_query(past: EarlierCalls) -> None:
    """Ask the same, of the same object, just before the call."""
    session, name = past.session, past.function.name

    def ask(values: Mapping[str, Value]) -> None:
        session.call_with(name, values)

    past.just_before(ask)


def another_argument(past: EarlierCalls) -> None:
    """Make the call with another value of each argument in turn, just before it.

    What a library keeps from one call for the next one belongs to all of its arguments.
    """

    def make(values: Mapping[str, Value]) -> None:
        for builder in past.varied(values):
            past.succeed(builder)

    past.just_before(make)


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


def calls_in_threads(past: EarlierCalls) -> None:
    """Let a thread of its own make each call of the example but those of the function."""
    name, registry = past.function.name, past.session.registry

    def in_thread(function: str) -> bool:
        # Threads are counted where the runtime ends, and it may end with the one that began it.
        return function != name and not starts_runtime(registry.functions[function])

    past.session.in_threads = in_thread


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
    """Close descriptor 0, as in a process that no terminal has, so that a file gets its number."""
    session = past.session
    try:
        session.need_own_process()
    except Unavailable as shared:
        raise Misfit(str(shared)) from None
    session.close_descriptor(0)
    session.model.lasting = True  # no other example shall find it so


def a_refused_call(past: EarlierCalls) -> None:
    """Make the call with one argument wrong, just before it and on the same objects."""
    past.just_before(lambda values: past.refuse(past.function, values))


def a_refused_call_of(others: Sequence[Function]) -> Way:
    """Return the way of a refused call of another function, on the same objects if it takes any.

    Args:
        others: the functions that it may be.

    """

    def way(past: EarlierCalls) -> None:
        function = Fixtures(past.session, past.draw).one_of(others)

        def refuse(values: Mapping[str, Value]) -> None:
            past.refuse(function, shared(past.function, function, values))

        past.just_before(refuse)

    return way


def a_refused_call_after_it(others: Sequence[Function]) -> Way:
    """Return the way of a refused call as soon as that under test has succeeded, on its objects.

    Args:
        others: the functions that it may be.

    """

    def way(past: EarlierCalls) -> None:
        function = Fixtures(past.session, past.draw).one_of(others)

        def refuse(values: Mapping[str, Value]) -> None:
            past.refuse(function, shared(past.function, function, values))

        past.just_after(refuse)

    return way


def a_call_refused_by(faults: Faults) -> Way:
    """Return the way of a call to which something is refused that it asks for.

    Args:
        faults: refuses it.

    """

    def way(past: EarlierCalls) -> None:
        session, name = past.session, past.function.name
        builder = past.valid()
        faults.watch()
        try:
            past.succeed(builder)
        finally:
            made = faults.made()
            faults.disarm()
        # Of what is refused once it was done, nobody can say that it was not.
        kinds = sorted(kind for kind in made if faults.done(kind) is Refusal.NOTHING)
        if not kinds:
            # Most functions ask for nothing. No check knows what another one has seen of them: it
            # would try something else in another part of the run, or once the run is resumed.
            raise Misfit("it asks for nothing that can be refused")
        kind = builder.one_of(kinds)
        after = past.draw(drawing.integers(0, made[kind] - 1))

        def refuse(values: Mapping[str, Value]) -> None:
            with armed(session, faults, Refuse(kind, faults.errors(kind)[0], after, False)):
                if session.call_with(name, values).ok:
                    raise CannotMake("the call before succeeds all the same")

        # Whether a later call asks for as much, nobody knows.
        past.just_before(refuse, 1)

    return way


def a_random_program(lives: Sequence[Life], functions: Sequence[str]) -> Way:
    """Return the way of right and wrong calls in any order, what they make lives on.

    Args:
        lives: what is known of such programs.
        functions: what is called.

    """

    def way(past: EarlierCalls) -> None:
        player = Player(
            past.session, past.draw, past.judge, past.repertoire, lives, cycle(TAGS), wrong=True
        )
        player.other = player
        made = 0
        # Each call has a ticket of its own, so that it is the same where others are left out.
        for number in [past.draw(drawing.ticket("")) for _ in range(past.draw(_CALLS))]:
            if not past.step():
                continue
            player.draw = drawing.drawn_from(number)
            try:
                player.make(player.one_of(functions))
            except CannotMake:
                pass  # nothing goes with it now
            else:
                made += 1
            player.settle()
        if not made:
            raise CannotMake("no call of a program could be made")

    return way


def is_query(function: Function) -> bool:
    """Return whether a function only tells something, at once, so that it can be asked again."""
    # Who may do without the answer does not call to be told.
    tells = any(p.direction == "out" and not p.nullable for p in function.params)
    kept = any(
        p.ownership in ("creates", "consumes") or p.direction == "inout" for p in function.params
    )
    return tells and not (kept or begins(function) or waits(function))
