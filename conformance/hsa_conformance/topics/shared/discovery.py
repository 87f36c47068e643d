"""Queries whose answers everything else stands on."""

from __future__ import annotations

from hsa_conformance.engine.calls import Out
from hsa_conformance.engine.outcomes import Unavailable
from hsa_conformance.engine.session import Session
from hsa_reports import Verdict


def query(session: Session, function: str, attribute: str, **subject: int) -> int:
    """Return an attribute that is a number.

    Args:
        session: the process.
        function: a function that writes the value of an attribute to `value`.
        attribute: the attribute's name.
        subject: whose attribute it is: the other arguments of the function.

    Raises:
        Unavailable: the query fails, or writes nothing.

    """
    answer = session.call(
        function,
        **subject,
        attribute=session.registry.constants[attribute],
        value=Out(),
    )
    if not answer.ok:
        raise Unavailable(
            Verdict.BLOCKED, f"{function}/success: {attribute} answered {answer.name}"
        )
    if answer.untouched("value"):
        raise Unavailable(Verdict.BLOCKED, f"{function}/success: {attribute} was not written")
    return answer.number("value")
