"""What the HTML pages share: the templates, and how a template shows a name or a verdict."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from markupsafe import Markup

from hsa_reports.text import one_line, visible
from hsa_reports.verdicts import FAILURES, JUDGED, WARNINGS, Verdict
from hsa_reports.words import check_name, short_status, tried

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment() -> Environment:
    """Return where the templates of the pages are found."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("hsa_reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "breakable": breakable,
        "check_name": check_name,
        "one_line": one_line,
        "short_status": short_status,
        "tone": tone,
        "tried": tried,
        "visible": visible,
    }
    return environment


def tone(verdict: Verdict) -> str:
    """Return the CSS class of a verdict; the colour repeats what the word beside it says."""
    if verdict in FAILURES:
        return "bad"
    if verdict in WARNINGS | {Verdict.UNDOCUMENTED}:
        return "warn"
    if verdict not in JUDGED:
        return "imitated" if verdict is Verdict.IMITATED else "none"
    return "good" if verdict is Verdict.PASS else "known"


def breakable(name: str) -> Markup:
    """Return a name that a line may end in after each underscore."""
    return Markup("_<wbr>").join(one_line(name).split("_"))
