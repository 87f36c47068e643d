"""What holds in which release, as Markdown."""

from __future__ import annotations

from hsa_reports.markdown import code, prose
from hsa_reports.reliability.matrix import ClauseRow, Matrix, Standing
from hsa_reports.words import english
from hsa_spec.markdown import table

#: How tables are read.
LEGEND = """\
Counted are clauses that bind (`must` and `should`). "18 of 20, CRASH": of 20 that were judged 18
hold, and the worst of the others is a CRASH. An expected failure is a failure here. FAIL breaks
what the text says, and WARN what follows from it. CRASH and HANG end a call that has a rule of the
text, and FRAGILE one for which no text states an answer. The last column says of how many clauses
the newest run says nothing that can be relied on: nobody could try them, or an imitation of driver
or device decided them. A clause that holds did so for all inputs that were tried, and no more."""


def render_markdown(matrix: Matrix, title: str, findings: str | None = None) -> str:
    """Return a page.

    Args:
        matrix: what to show.
        title: its heading.
        findings: the folder of the findings' pages, seen from the page; None for no links to it.

    """
    parts = [f"# {title}", LEGEND, functions(matrix), failures(matrix, findings)]
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


def failures(matrix: Matrix, findings: str | None = None) -> str:
    """Return the table of what fails in a run, with the findings that explain it."""
    failing = matrix.failing
    if not failing:
        return "Nothing that was judged fails."
    rows = (
        (code(row.clause), *_cells(row, matrix), ", ".join(_link(c, findings) for c in row.causes))
        for row in failing
    )
    return f"## What fails\n\n{table((*_head(matrix), 'Cause'), [*rows])}"


def _link(cause: str, findings: str | None) -> str:
    return f"[{cause}]({findings}/{cause}.md)" if findings else prose(cause)


def _head(matrix: Matrix) -> tuple[str, ...]:
    return ("Clause", "What it says", *map(prose, matrix.names), "Holds")


def _cells(row: ClauseRow, matrix: Matrix) -> tuple[str, ...]:
    words = (prose(cell.word) for cell in row.cells)
    return (prose(english(row.clause, matrix.registry)), *words, prose(row.span))


def _words() -> str:
    return table(("Word", "Meaning"), [(str(s), s.meaning) for s in Standing])


def _all(matrix: Matrix) -> list[str]:
    return [
        f"### {code(function.name)}\n\n"
        + table(
            _head(matrix),
            [(code(r.clause.partition("/")[2]), *_cells(r, matrix)) for r in function.clauses],
        )
        for function in matrix.functions
    ]
