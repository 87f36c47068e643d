"""Reports of a run, made from its event file: HTML, JUnit, Markdown, JSON, annotations, badges.

What writes on a terminal is in `hsa_reports.terminal`, so that nobody else waits for rich.
"""

from hsa_reports import actions, demands, operands, terms
from hsa_reports.badge import render_badge, render_badge_svg
from hsa_reports.causes import Cause, Explanation, causes_of
from hsa_reports.event_file import COMPRESSED, EVENTS, EventFileError, holds_run
from hsa_reports.events import (
    ALWAYS_JUDGED,
    STARTS,
    Event,
    Judged,
    Notice,
    RunEnded,
    RunStarted,
    Shard,
)
from hsa_reports.failure import AllowedStatus, Failure, Step, TextReading
from hsa_reports.github import render_github
from hsa_reports.html import render_html
from hsa_reports.junit import render_junit
from hsa_reports.markdown import render_markdown
from hsa_reports.part import Part, read_part
from hsa_reports.place import Place
from hsa_reports.programs import ProgramRun
from hsa_reports.result import AFTER, APPLICABILITY, BEFORE, BESIDE, Result, ValueResult
from hsa_reports.run import Run, read_run
from hsa_reports.stream import EventWriter, read_events
from hsa_reports.subject import Subject
from hsa_reports.summary import render_summary, summary_schema
from hsa_reports.upstream import Upstream
from hsa_reports.verdicts import Verdict, worst
from hsa_reports.weight import Weight

__all__ = [
    "AFTER",
    "ALWAYS_JUDGED",
    "APPLICABILITY",
    "BEFORE",
    "BESIDE",
    "COMPRESSED",
    "EVENTS",
    "STARTS",
    "AllowedStatus",
    "Cause",
    "Event",
    "EventFileError",
    "EventWriter",
    "Explanation",
    "Failure",
    "Judged",
    "Notice",
    "Part",
    "Place",
    "ProgramRun",
    "Result",
    "Run",
    "RunEnded",
    "RunStarted",
    "Shard",
    "Step",
    "Subject",
    "TextReading",
    "Upstream",
    "ValueResult",
    "Verdict",
    "Weight",
    "actions",
    "causes_of",
    "demands",
    "holds_run",
    "operands",
    "read_events",
    "read_part",
    "read_run",
    "render_badge",
    "render_badge_svg",
    "render_github",
    "render_html",
    "render_junit",
    "render_markdown",
    "render_summary",
    "summary_schema",
    "terms",
    "worst",
]
