"""What an example took is given back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hsa_conformance.engine.session import Session


def giving_back(session: Session) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield the calls that give back everything that the model knows of, in the order for that."""
    for rule in session.rules.clean_up:
        if not session.model.objects.get(rule.kind):
            continue  # most kinds, most times
        for arguments in list(rule.calls(session.model)):
            yield rule.function, arguments


def clean_up(session: Session) -> bool:
    """Give back everything that the model knows of; False when the library refuses to."""
    for function, arguments in giving_back(session):
        if not session.call(function, **arguments).ok:
            return False
    for descriptor in list(session.model.descriptors):
        session.close_descriptor(descriptor)
    return session.model.owes_nothing()


def clean_up_both(session: Session) -> bool:
    """Give back what this process and the second one have, if there is one."""
    second = session.second
    return clean_up(session) and (second is None or clean_up(second))
