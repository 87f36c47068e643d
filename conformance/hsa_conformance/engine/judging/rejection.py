"""Makes a finding of a valid call that the library rejects, or answers in part."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Blocked, Violation
from hsa_conformance.engine.judging.breach import breach
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_reports.demands import Answers, Fills
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
        stated=blocked.stated,
    )


def omission(blocked: Blocked, output: str, clause: Clause) -> Violation:
    """Return the finding that a call succeeded and did not write an output.

    Args:
        blocked: the call.
        output: what it had to write.
        clause: why it had to.

    """
    return breach(
        clause,
        f"answered SUCCESS and did not write {output}",
        f"{SUCCESS}, {output} untouched",
        {SUCCESS: [clause.id]},
        demand=Fills(output),
        step_count=len(blocked.steps),
        stated=blocked.stated,
    )
