"""What is refused during one call, noted in the trace."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from hsa_adapters.faults import Faults
from hsa_adapters.memory import MEMORY
from hsa_conformance.engine.session.session import Session
from hsa_reports.actions import Refuse


@contextmanager
def armed(session: Session, faults: Faults, refusal: Refuse) -> Iterator[None]:
    """Let something be refused during the one call that is made meanwhile.

    How often it did is forgotten at the end. What was refused, and what the library asked for next,
    is the outcome of that step.

    Args:
        session: where the refusal is noted, as a step before that of the call.
        faults: refuses.
        refusal: what is refused.

    """
    asked: list[str] = []
    done = refusal
    session.trace.note_later(lambda: (words(done), _outcome(asked), done))
    session.used_before = True  # what comes behind it says nothing of other processes
    session.refusals += 1
    faults.arm(refusal.call, refusal.error, refusal.after, lasting=refusal.lasting)
    try:
        yield
    finally:
        asked += faults.noted()
        size, alike = faults.alike()
        done = replace(refusal, size=size, alike=alike)
        faults.disarm()


def _outcome(asked: Sequence[str]) -> str:
    if not asked:
        return "in the next step"
    first, *later = asked
    return f"in the next step: {first}; next {', '.join(later) or 'nothing'}"


def words(refusal: Refuse) -> str:
    """Return a refusal in words."""
    which = ordinal(refusal.after + 1)
    later = " and all later ones" if refusal.lasting else ""
    if refusal.size:
        alike = f"{ordinal(refusal.alike + 1)} of {refusal.size} bytes"
        return f"the library is refused its {which} request for memory, the {alike}{later}"
    if refusal.call == MEMORY:
        return f"the library is refused its {which} request for memory{later}"
    return f"the driver refuses the {which} {refusal.call}{later} with {refusal.error}"


def ordinal(number: int) -> str:
    """Return a number's ordinal, such as "3rd" or "12th"."""
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"
