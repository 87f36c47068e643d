"""A cause of failures as the HTML page shows it."""

from __future__ import annotations

from typing import Any

from hsa_reports.causes import Cause
from hsa_reports.page import tone
from hsa_reports.run import Run
from hsa_reports.text import one_line, visible


class Words:
    """Makes texts of a run fit to show.

    Args:
        limit: how many characters of one text to keep.

    """

    def __init__(self, limit: int) -> None:
        self._limit = limit

    def __call__(self, text: str) -> str:
        """Return a text, which may have several lines."""
        return visible(text, self._limit)

    def line(self, text: str) -> str:
        """Return a text on one line."""
        return one_line(text, min(self._limit, 300))


def cause_data(cause: Cause, run: Run, words: Words) -> dict[str, Any]:
    """Return the data of a cause; `example` is the place of its failure among the results.

    Args:
        cause: what to show.
        run: whose failures it explains.
        words: makes texts fit to show.

    """
    known, example = cause.explanation, cause.example
    results = run.by_clause[example.clause]
    return {
        "id": words.line(cause.id),
        "title": words.line(cause.title),
        "text": words(known.paragraph),
        "label": words.line(happens(cause)),
        "tone": tone(cause.verdict),
        "weight": cause.weight.meaning,
        "expected": cause.expected,
        "functions": [words.line(name) for name in cause.functions],
        "clauses": [words.line(clause) for clause in cause.clauses],
        "releases": [words.line(release) for release in known.releases],
        "defect": known.defect or "",
        "page": f"docs/{known.page}" if known.page else "",
        "upstream": [[f"{each.name} ({each.words})", each.link] for each in known.upstream],
        "example": [words.line(example.clause), results.index(example)]
        if example.failure
        else None,
    }


def happens(cause: Cause) -> str:
    """Return the worst that comes of a cause, such as "CRASH SIGSEGV"."""
    ends = [name for name in cause.ends if name != cause.verdict]
    return " ".join([str(cause.verdict), *ends])
