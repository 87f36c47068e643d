"""What an example took is given back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from hsa_adapters.errors import Ended
from hsa_conformance.engine.session.repeat_offenders import RepeatOffenders
from hsa_conformance.engine.session.session import Session

#: A call that gives something back: the function, and the arguments.
Task = tuple[Any, ...]


def giving_back(
    session: Session, *, oldest_first: bool = False
) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield the calls that give back everything that the model knows of, in the order for that.

    There are no more of them once one has waited in vain, for what may still use what is left.

    Args:
        session: the process and what is known of it.
        oldest_first: whether the object of a kind that was made last comes last, not first.

    """
    for rule in session.rules.clean_up:
        if not session.model.objects.get(rule.kind):
            continue  # most kinds, most times
        for arguments in list(rule.calls(session.model, oldest_first=oldest_first)):
            stuck = rule.is_stuck(session.model)
            yield rule.function, arguments
            if rule.is_stuck(session.model) and not stuck:
                return


def as_task(function: str, arguments: Mapping[str, int]) -> Task:
    """Return a call that gives something back as one thing."""
    return (function, *arguments.values())


def holdings(session: Session) -> Counter[Task]:
    """Return what there is to give back, and how often; a descriptor has no function."""
    held = Counter(as_task(function, given) for function, given in giving_back(session))
    held.update(("", descriptor) for descriptor in session.model.descriptors)
    return held


def giving_back_since(
    session: Session, there: Counter[Task], *, oldest_first: bool = False
) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield the calls that give back what was not there before; see `giving_back`."""
    before = there.copy()
    for function, arguments in giving_back(session, oldest_first=oldest_first):
        before[as_task(function, arguments)] -= 1
        if before[as_task(function, arguments)] < 0:
            yield function, arguments


def give_back_since(session: Session, there: Counter[Task]) -> None:
    """Give back what was not there before."""
    for function, arguments in giving_back_since(session, there):
        session.set_up(function, **arguments)
    close_descriptors_since(session, there)


def close_descriptors_since(session: Session, there: Counter[Task]) -> None:
    """Close the descriptors that were not there before."""
    for descriptor in [d for d in session.model.descriptors if not there["", d]]:
        session.close_descriptor(descriptor)


def _is_stuck(session: Session) -> bool:
    return any(rule.is_stuck(session.model) for rule in session.rules.clean_up)


def clean_up(session: Session, waits: RepeatOffenders[str] | None = None) -> bool:
    """Give back everything that the model knows of.

    Args:
        session: the process, and what is known of it.
        waits: functions that wait in vain, for a caller that can throw the process away instead.

    Returns:
        False when the library refuses to, or would be waited for in vain.

    """
    waits = RepeatOffenders() if waits is None else waits
    if _is_stuck(session):
        return False  # it may still use what would be given back
    for function, arguments in giving_back(session):
        if waits.evidence(function) is not None:
            return False
        try:
            answer = session.call(function, **arguments)
        except Ended as end:
            if end.kind == "HANG":
                waits.accuse(function, "hangs")
            raise
        if _is_stuck(session):
            waits.accuse(function, "gives up")
            return False
        if not answer.ok:
            return False
    close_descriptors(session)
    return session.model.owes_nothing()


def close_descriptors(session: Session) -> None:
    """Close every file descriptor that the suite knows of."""
    for descriptor in list(session.model.descriptors):
        session.close_descriptor(descriptor)


def clean_up_both(session: Session) -> bool:
    """Give back what this process and the second one have, if there is one."""
    second = session.second
    return clean_up(session) and (second is None or clean_up(second))
