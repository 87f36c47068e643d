"""Leaves out the set-up of a failure that it does not need, as trying shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from hsa_conformance.reproduce.plans.assumptions import asks, is_presumed
from hsa_conformance.reproduce.plans.mentions import demanded, values
from hsa_reports import Failure, Step
from hsa_reports.actions import Action, Call, OpenFile, Read, Start, Together, Write
from hsa_reports.demands import KeepsNothing
from hsa_reports.operands import Listed, Memory, Named, Taken, Value
from hsa_reports.terms import Counted, Held

#: Returns whether the same is seen with fewer steps.
Shows = Callable[[Failure], bool]

#: What makes or counts the life of the runtime: nothing is the same without it.
_LIFE: Final = ("hsa_init", "hsa_shut_down")


def cut(failure: Failure, shows: Shows) -> Failure:
    """Return a failure with as few of its steps as show the same.

    A step is left out only if no clause about the last one could speak of it: it just asks
    something, or all that it gives and takes has nothing to do with what the last step is given.

    Args:
        failure: the failure, whose program shows it.
        shows: tries it with fewer steps.

    """
    spare = _spare(failure)
    if not spare:
        return failure
    fewer = bare(failure)
    if shows(fewer):
        return fewer
    for place in sorted(spare, reverse=True):
        fewer = _without(failure, {place})
        if shows(fewer):
            failure = fewer
    return failure


def bare(failure: Failure) -> Failure:
    """Return a failure without any step that it may not need."""
    return _without(failure, _spare(failure))


def _without(failure: Failure, places: set[int]) -> Failure:
    kept = (step for place, step in enumerate(failure.steps) if place not in places)
    return replace(failure, steps=tuple(kept))


def _spare(failure: Failure) -> set[int]:
    """Return the places of steps that may not be needed."""
    if any(isinstance(step.action, Together) for step in failure.steps):
        return set()  # chance decides what a trial shows
    shown = failure.demand.steps if isinstance(failure.demand, KeepsNothing) else 1
    before, last = failure.steps[:-shown], failure.steps[-shown:]
    needed = {*_demanded(failure)}
    for step in last:
        if step.action is None:
            return set()
        needed |= set(_takes(step.action))
    related = _related(before, needed)
    spare: set[int] = set()
    for place in range(len(before) - 1, -1, -1):
        action = before[place].action
        if action is None or not isinstance(action, Call | Read | OpenFile):
            continue
        if isinstance(action, Call) and action.function in _LIFE:
            continue
        if is_presumed(action, failure.demand):
            needed |= set(_takes(action))
            continue
        looks = isinstance(action, Read) or asks(action)
        gives = set(_gives(action))
        if gives & needed or not (looks or not related & ({*_takes(action)} | gives)):
            needed |= set(_takes(action))
        elif _has_names(action) or looks:
            spare.add(place)
    return spare


def _has_names(action: Action) -> bool:
    """Return whether it says what a step gives and takes: what does not may change anything."""
    return bool(set(_gives(action)) | set(_takes(action)))


def _related(steps: Sequence[Step], needed: set[str]) -> set[str]:
    """Return the names that have to do with some names, by way of steps that have both."""
    related = set(needed)
    while True:
        found = set(related)
        for step in steps:
            if step.action is not None:
                names = {*_gives(step.action), *_takes(step.action)}
                found |= names if names & related else set()
        if found == related:
            return related
        related = found


def _demanded(failure: Failure) -> Iterator[str]:
    for leaf in demanded(failure.demand):
        match leaf:
            case Held(name):
                yield name
            case Counted(arguments=arguments, address=address):
                for value in (*arguments, *(() if address is None else (address,))):
                    yield from _names(value)
            case _:
                yield from _names(leaf)


def _takes(action: Action) -> Iterator[str]:
    for value in values(action):
        yield from _names(value)


def _names(value: Value) -> Iterator[str]:
    """Yield what only earlier steps give; agents and their lists are there without."""
    match value:
        case Named(name) | Taken(name):
            yield name
        case Memory(block=block, copied=copied):
            yield f"block {block}"
            if copied is not None:
                yield copied
        case Listed(arguments=arguments):
            for argument in arguments:
                yield from _names(argument)


def _gives(action: Action) -> Iterator[str]:
    """Yield what a step may leave for later ones: also in memory whose address it is given."""
    match action:
        case Call(outputs=outputs):
            yield from (given.name for given in outputs if given.name)
        case OpenFile(name=name):
            yield name
        case Read(name=str(name)):
            yield name
    if isinstance(action, Call | Start | Write):
        for value in values(action):
            if isinstance(value, Memory):
                yield f"block {value.block}"
