"""The check of an export clause: the function is there."""

from __future__ import annotations

from hsa_adapters.protocol import Subject
from hsa_conformance.engine.checks.code_place import code_place
from hsa_conformance.engine.judging.breach import breach
from hsa_reports import Result, Step, Verdict
from hsa_reports.actions import LookUp
from hsa_reports.demands import Exports
from hsa_spec import Clause

NAME = "exported"


def export_result(clause: Clause, subject: Subject) -> Result:
    """Return the verdict of an export clause."""
    source = str(code_place(export_result))
    if clause.function in subject.exports:
        return Result(clause.id, NAME, Verdict.PASS, satisfied=1, source=source)
    violation = breach(
        clause,
        f"the library does not export {clause.function}",
        "no such symbol",
        {NAME: [clause.id]},
        demand=Exports(),
    )
    step = Step("main", f'dlsym(library, "{clause.function}")', "NULL", LookUp(clause.function))
    failure = violation.failure([step])
    return Result(
        clause.id,
        NAME,
        violation.verdict,
        violation.summary,
        satisfied=1,
        failure=failure,
        source=source,
    )
