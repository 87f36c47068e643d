"""The check of an export clause: the function is there."""

from __future__ import annotations

from hsa_adapters.protocol import Subject
from hsa_conformance.campaign import Counts, Failure, Result
from hsa_conformance.findings import Step, Violation
from hsa_reports.actions import Exports, LookUp
from hsa_spec import Clause


def export_result(clause: Clause, subject: Subject) -> Result:
    """Return the verdict of an export clause."""
    if clause.function in subject.exports:
        return Result(clause.id, "exported", "PASS", counts=Counts(satisfied=1))
    violation = Violation(
        clause.id,
        "FAIL",
        f"the library does not export {clause.function}",
        "no such symbol",
        {"exported": [clause.id]},
        demand=Exports(),
    )
    step = Step("main", f'dlsym(library, "{clause.function}")', "NULL", LookUp(clause.function))
    return Result(
        clause.id,
        "exported",
        "FAIL",
        violation.summary,
        Counts(satisfied=1),
        failure=Failure(violation, (step,)),
    )
