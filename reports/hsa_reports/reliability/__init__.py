"""What holds in which release: for people who have to know what they can rely on.

What writes on a terminal is in `hsa_reports.reliability.terminal`.
"""

from hsa_reports.reliability.as_json import to_json
from hsa_reports.reliability.html import render_html
from hsa_reports.reliability.markdown import render_markdown
from hsa_reports.reliability.matrix import Cell, ClauseRow, FunctionRow, Matrix, Standing
from hsa_reports.reliability.pages import MARK, Page, render_pages

__all__ = [
    "MARK",
    "Cell",
    "ClauseRow",
    "FunctionRow",
    "Matrix",
    "Page",
    "Standing",
    "render_html",
    "render_markdown",
    "render_pages",
    "to_json",
]
