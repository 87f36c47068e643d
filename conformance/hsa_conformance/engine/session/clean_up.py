"""What an example took is given back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from hsa_adapters.errors import Ended
from hsa_conformance.engine.session.session import Session

#: How often a wait has to be in vain before it is known to be.
_TWICE: Final = 2


class Vain:
    """Remembers functions that wait in vain when objects are given back.

    Each such wait costs all of its patience, so a process that needs one is thrown away instead. It
    may be chance once.
    """

    def __init__(self) -> None:
        self._times = Counter[str]()

    def known(self, function: str) -> bool:
        """Return whether a function is known to wait in vain."""
        return self._times[function] >= _TWICE

    def waited(self, function: str) -> None:
        """Note that a function did."""
        self._times[function] += 1


def giving_back(session: Session) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield the calls that give back everything that the model knows of, in the order for that."""
    for rule in session.rules.clean_up:
        if not session.model.objects.get(rule.kind):
            continue  # most kinds, most times
        for arguments in list(rule.calls(session.model)):
            yield rule.function, arguments


def clean_up(session: Session, vain: Vain | None = None) -> bool:
    """Give back everything that the model knows of.

    Args:
        session: the process, and what is known of it.
        vain: which waits are not worth their time, for who can do without the process.

    Returns:
        False when the library refuses to, or would be waited for in vain.

    """
    vain = vain or Vain()
    for function, arguments in giving_back(session):
        if vain.known(function):
            return False
        before = session.model.lasting
        try:
            answer = session.call(function, **arguments)
        except Ended as end:
            if end.kind == "HANG":
                vain.waited(function)
            raise
        if session.model.lasting and not before:
            vain.waited(function)
        if not answer.ok:
            return False
    for descriptor in list(session.model.descriptors):
        session.close_descriptor(descriptor)
    return session.model.owes_nothing()


def clean_up_both(session: Session) -> bool:
    """Give back what this process and the second one have, if there is one."""
    second = session.second
    return clean_up(session) and (second is None or clean_up(second))
