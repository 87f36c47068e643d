"""Queries whose answers everything else stands on."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Blocked
from hsa_conformance.engine.calls.values import Answer, Out
from hsa_conformance.engine.judging.statuses import (
    ERROR,
    INVALID_AGENT,
    NOT_SUPPORTED,
    OUT_OF_RESOURCES,
)
from hsa_conformance.engine.session.session import Session

_SEGMENTS: Final = {1: "read-only", 2: "private", 3: "group", 4: "kernarg"}
_FLAGS: Final = {
    1: "kernarg",
    4: "coarse-grained",
    8: "fine-grained in the extended scope",
    2: "fine-grained",
}


def memory_sort(segment: int, flags: int) -> str:
    """Return what kind of memory a region or a pool is, in words.

    Args:
        segment: a value of hsa_region_segment_t or hsa_amd_segment_t, which have the same ones.
        flags: bits of hsa_region_global_flag_t or its equal for pools.

    """
    if segment:
        return _SEGMENTS.get(segment, "other")
    return next((words for flag, words in _FLAGS.items() if flags & flag), "global")


def query(session: Session, function: str, attribute: str, **subject: int) -> int:
    """Return an attribute that is a number.

    Args:
        session: the process.
        function: a function that writes the value of an attribute to `value`.
        attribute: the attribute's name.
        subject: whose attribute it is: the other arguments of the function.

    Raises:
        Blocked: the query fails, or writes nothing.

    """
    answer = session.call(
        function,
        **subject,
        attribute=session.registry.constants[attribute],
        value=Out(),
    )
    clause, asked = f"{function}/success", f"{answer.name} for {attribute}"
    if not answer.ok:
        raise Blocked(clause, asked, refused=True, steps=session.trace.steps)
    if answer.untouched("value"):
        raise Blocked(clause, f"{asked} and wrote nothing")
    return answer.number("value")


def is_lacking(answer: Answer) -> bool:
    """Return whether a valid call is refused because the machine cannot do what it asks for.

    Other statuses say that the call is wrong: that is for the function's clauses to judge.
    """
    return answer.name in (ERROR, NOT_SUPPORTED, OUT_OF_RESOURCES, INVALID_AGENT)
