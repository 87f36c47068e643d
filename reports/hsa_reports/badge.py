"""A run as a badge: JSON for shields.io and its like (the schema of their endpoint, 1), or SVG."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files

from hsa_reports.by_set import State, set_results
from hsa_reports.run import Run
from hsa_reports.text import one_line
from hsa_reports.words import failing, headline, passing, selection
from hsa_spec import Registry

_COLOURS = {"good": "brightgreen", "bad": "red", "open": "yellow", "nothing": "lightgrey"}
#: The same ones for SVG, dark enough behind white letters.
_FILLS = {"brightgreen": "#2f7d0c", "red": "#b3261e", "yellow": "#7d5f00", "lightgrey": "#5f5f5f"}
_LETTER = 6.6
"""Pixels of a letter of Verdana at 11 pixels, about; the text is stretched to what is left."""


@dataclass(frozen=True)
class _Badge:
    """What stands on it: at the left what was judged, at the right what came of it."""

    label: str
    message: str
    colour: str


def render_badge(run: Run, registry: Registry, name: str | None = None) -> str:
    """Return the run as a badge, in JSON: which set, and what came of it.

    Clauses whose text is contested are set apart, as in every count.

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
        fill=_FILLS[badge.colour],
        left=round(len(badge.label) * _LETTER),
        right=round(len(badge.message) * _LETTER),
    )


def _badge(run: Run, registry: Registry, name: str | None) -> _Badge:
    if name is not None:
        return _of_set(run, registry, name)
    tone = headline(run, registry).tone
    messages = {"bad": failing, "good": passing, "open": passing}
    message = messages[tone](run) if tone in messages else "nothing was shown"
    return _named(selection(run, registry), message, tone)


def _of_set(run: Run, registry: Registry, name: str) -> _Badge:
    results = {r.named.name: r for r in set_results(run, registry)}
    if name not in results:
        raise ValueError(f"there is no set {name!r}; the sets are {', '.join(results)}")
    result = results[name]
    if result.state is State.NOT_SELECTED:
        raise ValueError(f"the run did not select all of set {name!r}")
    warned = ", with warnings" * result.warned
    found = result.why if result.state is State.NOT_CLAIMED else result.passing
    what = f'set "{name}" of suite version {one_line(run.started.suite_version)}'
    return _named(what, f"{result.state}{warned}: {found}", result.state.tone)


def _named(what: str, message: str, tone: str) -> _Badge:
    return _Badge(f"HSA conformance, {what}", message, _COLOURS[tone])
