"""What holds in which release, as JSON."""

from __future__ import annotations

import json

from hsa_reports.reliability.matrix import Matrix
from hsa_reports.words import english


def to_json(matrix: Matrix) -> str:
    """Return the matrix: each function with its clauses, each with a cell for each run.

    Args:
        matrix: what to write.

    """
    document = {
        "runs": [
            {
                "name": name,
                "release": run.started.subject.release,
                "imitation": run.started.subject.imitation,
            }
            for name, run in zip(matrix.names, matrix.runs, strict=True)
        ],
        "functions": [
            {
                "name": function.name,
                "clauses": [
                    {
                        "clause": row.clause,
                        "says": english(row.clause, matrix.registry),
                        "first": row.first,
                        "last": row.last,
                        "holds": row.span,
                        "runs": [
                            {
                                "standing": cell.standing,
                                "verdict": cell.verdict,
                                "values": cell.values,
                                "machines": cell.machines,
                                "causes": cell.causes,
                            }
                            for cell in row.cells
                        ],
                    }
                    for row in function.clauses
                ],
            }
            for function in matrix.functions
        ],
    }
    return json.dumps(document, indent=1) + "\n"
