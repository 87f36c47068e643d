"""What holds in which release, on a terminal: a line for each function, and for what fails."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from hsa_reports.reliability.matrix import Matrix
from hsa_reports.terminal import table
from hsa_reports.text import one_line


def print_matrix(matrix: Matrix, out: Console) -> None:
    """Write the functions, and the clauses that fail.

    Args:
        matrix: what to show.
        out: where to write.

    """
    shown = table("Function", *(one_line(name, 30) for name in matrix.names), "not known")
    last = len(matrix.runs) - 1
    for function in matrix.functions:
        words = (function.word(run) for run in range(len(matrix.runs)))
        shown.add_row(function.name, *words, str(function.left(last) or ""))
    out.print(shown)
    for row in matrix.failing:
        each = (f"{n}: {cell.word}" for n, cell in zip(row.names, row.cells, strict=True))
        out.print(Text(f"{row.clause}: holds {row.span} ({', '.join(each)})"), soft_wrap=True)
    functions, failing = len(matrix.functions), len(matrix.failing)
    out.print(Text(f"{functions} functions and rules; {failing} clauses fail in a run."))
