"""Makes a finding of a valid call that the library rejects."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Blocked, Violation
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_reports.demands import Answers
from hsa_spec import Clause


def rejection(blocked: Blocked, clause: Clause) -> Violation:
    """Return the finding that a call which had to succeed answered an error.

    Args:
        blocked: the call, and what it answered.
        clause: why it had to succeed.

    """
    return breach(
        clause,
        f"answered {blocked.got} instead of {SUCCESS}",
        blocked.got,
        {SUCCESS: [clause.id]},
        demand=Answers((SUCCESS,)),
    )
