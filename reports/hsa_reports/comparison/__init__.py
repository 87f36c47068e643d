"""Runs held against each other: what got worse, what was fixed, what else changed.

What writes on a terminal is in `hsa_reports.comparison.terminal`.
"""

from hsa_reports.comparison.by_set import render_sets
from hsa_reports.comparison.clause_change import Change, Group
from hsa_reports.comparison.comparison import Comparison
from hsa_reports.comparison.html import render_html
from hsa_reports.comparison.markdown import render_markdown

__all__ = ["Change", "Comparison", "Group", "render_html", "render_markdown", "render_sets"]
