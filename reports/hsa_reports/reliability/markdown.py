"""What holds in which release, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence

from hsa_reports.markdown import code, prose, table
from hsa_reports.reliability.matrix import ClauseRow, Matrix, Standing
from hsa_reports.words import english

#: How tables are read.
LEGEND = """\
Counted are clauses that bind (`must` and `should`). "18 of 20, CRASH": of 20 that were judged 18
hold, and of the others the worst ends the process in a call that has a rule of the text. An
expected failure is a failure here. The last column says of how many clauses the newest run says
nothing that can be relied on: nobody could try them, or an imitation of driver or device decided
them. A clause that holds did so for all inputs that were tried, and no more."""


def render_markdown(matrix: Matrix, title: str, *, full: bool = True) -> str:
    """Return a page.

    Args:
        matrix: what to show.
        title: its heading.
        full: with a table of all clauses, and not only of those that fail.

    """
    parts = [f"# {title}", LEGEND, functions(matrix), failures(matrix)]
    if full:
        parts += ["## Clause by clause", _words(), *_all(matrix)]
    return "\n\n".join(part for part in parts if part) + "\n"


def functions(matrix: Matrix) -> str:
    """Return the table of the functions."""
    last = len(matrix.runs) - 1
    rows = [
        (
            code(function.name),
            *(function.word(run) for run in range(len(matrix.runs))),
            str(function.left(last) or ""),
        )
        for function in matrix.functions
    ]
    return table(("Function", *map(prose, matrix.names), "Not known"), rows)


def failures(matrix: Matrix) -> str:
    """Return the table of what fails in a run."""
    failing = matrix.failing
    if not failing:
        return "Nothing that was judged fails."
    return f"## What fails\n\n{clauses(failing, matrix, whole=True)}"


def clauses(rows: Sequence[ClauseRow], matrix: Matrix, *, whole: bool) -> str:
    """Return a table of clauses.

    Args:
        rows: the clauses.
        matrix: what they are of.
        whole: name them by their whole ids, and not by what follows the function.

    """
    return table(
        ("Clause", "What it says", *map(prose, matrix.names), "Holds"),
        [
            (
                code(row.clause if whole else row.clause.partition("/")[2]),
                prose(english(row.clause, matrix.registry)),
                *(prose(cell.word) for cell in row.cells),
                prose(row.span),
            )
            for row in rows
        ],
    )


def _words() -> str:
    return table(("Word", "Meaning"), [(str(s), s.meaning) for s in Standing])


def _all(matrix: Matrix) -> list[str]:
    return [
        f"### {code(function.name)}\n\n{clauses(function.clauses, matrix, whole=False)}"
        for function in matrix.functions
    ]
