"""The commands that show a failure again, as its result carries them."""

from __future__ import annotations

from dataclasses import replace

from hsa_reports import Result
from hsa_reports.actions import Refuse


def with_commands(result: Result, again: str, program: str | None) -> Result:
    """Return a result whose failure, if it has one, says how to see it again.

    Args:
        result: what a check found.
        again: the command that judges the clause again in the same way.
        program: the command that makes a program of the failure; None where no event file is
            written. It is left out where the driver was made to fail, which no program can do.

    """
    failure = result.failure
    if failure is None:
        return result
    refused = any(isinstance(step.action, Refuse) for step in failure.steps)
    commands = replace(failure, reproduce=again, program=None if refused else program)
    return replace(result, failure=commands)
