"""A run as a badge: JSON for shields.io and its like (the schema of their endpoint, 1), or SVG."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

from hsa_reports.by_set import State, set_results
from hsa_reports.counting import clause_count
from hsa_reports.headline import headline
from hsa_reports.run import Run
from hsa_reports.selection import whole_topics
from hsa_reports.text import one_line
from hsa_reports.verdicts import Verdict
from hsa_spec import Registry

_COLOURS = {"good": "brightgreen", "bad": "red", "open": "yellow", "nothing": "lightgrey"}
#: The same ones for SVG, dark enough behind white letters.
_FILLS = {"brightgreen": "#2f7d0c", "red": "#b3261e", "yellow": "#7d5f00", "lightgrey": "#5f5f5f"}
_COUNTED = frozenset({"good", "bad", "open"})
_LETTER = 6.6
"""Pixels of a letter of Verdana at 11 pixels, about; the text is stretched to what is left."""


@dataclass(frozen=True)
class _Badge:
    """What stands at the left (what was judged) and right (what came of it), and all in full."""

    label: str
    message: str
    colour: str
    whole: str


def render_badge(run: Run, registry: Registry, name: str | None = None) -> str:
    """Return the run as a badge, in JSON: which set, and what came of it.

    Clauses whose text is contested are not counted as passing: there is no room to set them apart.

    Args:
        run: what to show.
        registry: says what the set is called.
        name: a named set, of which the badge is to speak; None for what the run selected.

    Raises:
        ValueError: there is no such set, or the run did not select all of it.

    """
    badge = _badge(run, registry, name)
    document = {
        "schemaVersion": 1,
        "label": badge.label,
        "message": badge.message,
        "color": badge.colour,
    }
    return json.dumps(document, indent=2) + "\n"


def render_badge_svg(run: Run, registry: Registry, name: str | None = None) -> str:
    """Return the same badge as an SVG image, which needs no service that draws it.

    Its title, which browsers show and screen readers read, is the first line of the report.

    Args:
        run: what to show.
        registry: says what the set is called.
        name: as of `render_badge`.

    Raises:
        ValueError: as `render_badge` does.

    """
    badge = _badge(run, registry, name)
    text = files("hsa_reports").joinpath("templates", "badge.svg.j2").read_text("utf-8")
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, keep_trailing_newline=True
    )
    return environment.from_string(text).render(
        label=badge.label,
        message=badge.message,
        whole=badge.whole,
        fill=_FILLS[badge.colour],
        left=round(len(badge.label) * _LETTER),
        right=round(len(badge.message) * _LETTER),
    )


def _badge(run: Run, registry: Registry, name: str | None) -> _Badge:
    if name is not None:
        return _of_set(run, registry, name)
    head = headline(run, registry)
    message = _counts(run, head.tone) if head.tone in _COUNTED else "nothing was shown"
    return _Badge(f"HSA {_what(run, registry)}", message, _COLOURS[head.tone], head.text)


def _counts(run: Run, tone: str) -> str:
    """Return the two counts that say most: what fails, what crashes or hangs, what passes."""
    known = run.counts[Verdict.XFAIL]
    counted = {
        "fail": run.failures if tone == "bad" else 0,
        "crash or hang": len(run.deaths),
        "fail as known": 0 if run.deaths else known,
    }
    bad = [f"{n:,} {words}" for words, n in counted.items() if n]
    passed = f"{run.counts[Verdict.PASS] - len(run.contested):,} pass"
    return ", ".join((bad if tone == "bad" else [passed, *bad])[:2]) if bad else passed


def _what(run: Run, registry: Registry) -> str:
    """Return a few words for what was selected."""
    selected = set(run.started.clauses).difference(run.started.narrowed)
    if selected == set(registry.clauses):
        return "conformance"
    topics = whole_topics(selected, registry)
    if len(topics) == 1 and set().union(*topics.values()) == selected:
        return next(iter(topics))
    return clause_count(len(selected))


def _of_set(run: Run, registry: Registry, name: str) -> _Badge:
    results = {r.named.name: r for r in set_results(run, registry)}
    if name not in results:
        raise ValueError(f"there is no set {name!r}; the sets are {', '.join(results)}")
    result = results[name]
    if result.state is State.NOT_SELECTED:
        raise ValueError(f"the run did not select all of set {name!r}")
    warned = ", with warnings" * result.warned
    found = result.why if result.state is State.NOT_CLAIMED else result.passing
    what = f'Set "{name}" of suite version {one_line(run.started.suite_version)}'
    message = f"{result.state}{warned}"
    return _Badge(
        f"HSA {name}", message, _COLOURS[result.state.tone], f"{what}: {message}: {found}"
    )
