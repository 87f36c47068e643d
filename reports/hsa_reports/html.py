"""A run as one self-contained HTML page: no scripts, styles, fonts or images from elsewhere.

What is said of the whole run stands in the page. Causes and clauses are data, which scripts show;
without scripts a table of the clauses remains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import PurePath

from markupsafe import Markup

from hsa_reports.by_set import assumed, said, set_results, telling
from hsa_reports.by_topic import Outcome, by_topic
from hsa_reports.causes import Explanation, causes_of
from hsa_reports.cautions import warnings
from hsa_reports.counting import deaths, share
from hsa_reports.facts import facts
from hsa_reports.headline import headline
from hsa_reports.page import environment
from hsa_reports.page_causes import happens
from hsa_reports.page_data import packed_data
from hsa_reports.run import Run
from hsa_reports.text import one_line
from hsa_reports.verdicts import Verdict
from hsa_reports.words import CONTESTED, strength
from hsa_spec import Registry, Strength

#: The scripts of the page, in the order in which they need each other.
_SCRIPTS = ("dom", "data", "address", "find", "failure", "clauses", "causes", "matrix", "keys")

#: How many causes stand at the head.
_WORST = 5

_FILTERS = {
    "verdict": "Verdict",
    "strength": "Strength",
    "topic": "Topic",
    "function": "Function",
    "status": "Status",
    "cause": "Cause",
    "release": "Release",
    "machine": "Machine",
}


def render_html(
    run: Run, registry: Registry, explained: Mapping[str, Explanation] | None = None
) -> str:
    """Return the run as an HTML page.

    Args:
        run: what to show.
        registry: where the words for the clauses stand.
        explained: what is known of causes of failures, by id.

    """
    causes = causes_of(run, explained)
    subject = run.started.subject
    selected = [name for name in run.functions if name not in registry.rules]
    return (
        environment()
        .get_template("report.html.j2")
        .render(
            run=run,
            name=PurePath(subject.path or "").name or subject.implementation,
            headline=headline(run, registry),
            share=share(run),
            sets=[(r, said(r, run)) for r in telling(set_results(run, registry))],
            assumed=assumed(run),
            facts=facts(run),
            warnings=warnings(run, registry),
            contested=CONTESTED,
            outcomes=tuple(Outcome),
            rows=by_topic(run, registry),
            worst=[(cause, happens(cause)) for cause in causes[:_WORST]],
            causes=len(causes),
            deaths=deaths(run),
            strengths=_strengths(run, registry),
            offered=len(set(selected).intersection(subject.exports)),
            functions=len(selected),
            plain=_plain(run, registry),
            filters=_FILTERS,
            # Base64 has no character that means anything to HTML.
            data=Markup(packed_data(run, causes, registry)),
            scripts=(*_SCRIPTS, "report"),
        )
    )


def _plain(run: Run, registry: Registry) -> Iterator[tuple[str, str, str]]:
    """Yield each clause with its verdict and its strength."""
    for clause in run.verdicts:
        yield one_line(clause), run.label(clause), strength(clause, registry)


def _strengths(run: Run, registry: Registry) -> Mapping[str, Mapping[Verdict, int]]:
    """Return how many clauses of each strength that there is have each verdict."""
    found: dict[str, Counter[Verdict]] = {}
    for clause, verdict in run.verdicts.items():
        found.setdefault(strength(clause, registry), Counter())[verdict] += 1
    # The strengths in their own order; a clause of another version of the suite may have none.
    return {of: found[of] for of in sorted(found, key=lambda of: [*Strength, of].index(of))}
