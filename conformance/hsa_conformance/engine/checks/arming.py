"""A driver that is armed for one call: what it refuses then, noted in the trace."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from hsa_adapters.protocol import Faults
from hsa_conformance.engine.session import Session
from hsa_reports.actions import Refuse


@contextmanager
def armed(session: Session, faults: Faults, refusal: Refuse) -> Iterator[None]:
    """Let the driver refuse something during the one call that is made meanwhile.

    How often it did is forgotten at the end.

    Args:
        session: where the refusal is noted, as a step before that of the call.
        faults: makes the driver refuse.
        refusal: what it refuses.

    """
    session.trace.note(words(refusal), "in the next step", refusal)
    faults.arm(refusal.call, refusal.error, refusal.after, lasting=refusal.lasting)
    try:
        yield
    finally:
        faults.disarm()


def words(refusal: Refuse) -> str:
    """Return a refusal in words."""
    number = refusal.after + 1
    ordinal = f"{number}{({1: 'st', 2: 'nd', 3: 'rd'}).get(number, 'th')}"
    later = " and all later ones" if refusal.lasting else ""
    return f"the driver refuses the {ordinal} {refusal.call}{later} with {refusal.error}"
