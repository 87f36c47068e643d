"""The commands that show a failure again, as its result carries them."""

from __future__ import annotations

from dataclasses import replace

from hsa_reports import Result


def with_commands(result: Result, again: str, program: str | None) -> Result:
    """Return a result whose failure, if it has one, says how to see it again.

    Args:
        result: what a check found.
        again: the command that judges the clause again in the same way.
        program: the command that makes a program of the failure; None where no event file is
            written.

    """
    failure = result.failure
    if failure is None:
        return result
    return replace(result, failure=replace(failure, reproduce=again, program=program))
