"""The ways in which a process was used before the call under test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import cycle
from typing import Final

from hsa_adapters.faults import Faults, Refusal
from hsa_conformance.engine.calls.values import Value
from hsa_conformance.engine.checks.before.earlier_calls import EarlierCalls, shared
from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.checks.random_programs.program import TAGS
from hsa_conformance.engine.checks.refusals.arming import armed
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.atoms import begins, waits
from hsa_conformance.engine.generation.fixtures import CannotMake, Fixtures, Misfit
from hsa_conformance.engine.session.clean_up import (
    clean_up,
    giving_back,
    giving_back_since,
    holdings,
)
from hsa_reports.actions import Refuse
from hsa_spec import Function

#: Uses a process in some way.
Way = Callable[[EarlierCalls], None]

#: The way of several calls, any of which can be left out.
PROGRAM: Final = "a random program"

#: The way of the same query about something else.
ANOTHER_ARGUMENT: Final = "the same query but for one argument"

#: The ways of a refused call between the call under test and the look at its effect.
REFUSED_AFTER: Final = "a refused call in between"
OTHER_REFUSED_AFTER: Final = "a refused call of another function in between"

#: The ways of a call to which something is refused that it asks for.
REFUSED_BY_DRIVER: Final = "a call refused by the driver"
REFUSED_MEMORY: Final = "a call refused memory"

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
    """Make a valid call and destroy all objects, so that handles and addresses come again.

    So do the addresses of the caller's memory, with other content.
    """
    another_call(past)
    if not any(giving_back(past.session)):
        raise Misfit("there is nothing to destroy")
    if not clean_up(past.session):
        raise CannotMake("objects are not destroyed")
    past.session.scratch.give_up()


def older_objects_destroyed(past: EarlierCalls) -> None:
    """Make the example twice before, and destroy the objects of the first, not of the second.

    So what was made last is not what is destroyed first, and new objects take the place of older
    ones beside some that live.
    """
    session, there = past.session, holdings(past.session)
    past.example()
    older = list(giving_back_since(session, there))
    if not older:
        raise Misfit("the example makes nothing to destroy")
    past.example()
    for function, arguments in older:
        session.set_up(function, **arguments)


def a_restart(past: EarlierCalls) -> None:
    """Make a valid call, destroy all objects, and shut the runtime down and start it again."""
    session = past.session
    another_call(past)
    if not clean_up(session) or session.model.references != 1:
        raise CannotMake("the runtime does not end")
    session.set_up("hsa_shut_down")
    session.set_up("hsa_init")
    session.discover(session)


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


def a_refused_call(past: EarlierCalls) -> None:
    """Make the call with one argument wrong, just before it and on the same objects."""
    past.just_before(lambda values: past.refuse(past.function, values))


def a_refused_call_of(others: Sequence[Function], *, after: bool = False) -> Way:
    """Return the way of a refused call of some function, on the same objects if it takes any.

    Args:
        others: the functions that it may be.
        after: whether it comes as soon as the call under test has succeeded, not before that.

    """

    def way(past: EarlierCalls) -> None:
        function = Fixtures(past.session, past.draw).one_of(others)

        def refuse(values: Mapping[str, Value]) -> None:
            past.refuse(function, shared(past.function, function, values))

        (past.just_after if after else past.just_before)(refuse)

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
            # What a library is left with then, no text says: no other example shall find it.
            session.model.lasting = True
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
