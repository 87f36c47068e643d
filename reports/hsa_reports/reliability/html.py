"""What holds in which release, as one self-contained HTML page."""

from __future__ import annotations

from hsa_reports.page import environment
from hsa_reports.reliability.markdown import LEGEND
from hsa_reports.reliability.matrix import Matrix, Standing
from hsa_reports.words import english


def render_html(matrix: Matrix, title: str) -> str:
    """Return the page.

    Args:
        matrix: what to show.
        title: its heading.

    """
    template = environment().get_template("reliability.html.j2")
    return template.render(
        title=title,
        legend=LEGEND.replace("`", ""),
        names=matrix.names,
        functions=matrix.functions,
        last=len(matrix.runs) - 1,
        says={clause: english(clause, matrix.registry) for clause in matrix.wanted},
        standings={standing: standing.meaning for standing in Standing},
    )
