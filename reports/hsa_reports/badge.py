"""A run as a badge: JSON that shields.io and its like draw (the schema of their endpoint, 1)."""

from __future__ import annotations

import json

from hsa_reports.by_set import State, set_results
from hsa_reports.run import Run
from hsa_reports.text import one_line
from hsa_reports.words import failing, headline, passing, selection
from hsa_spec import Registry

_COLOURS = {"good": "brightgreen", "bad": "red", "open": "yellow", "nothing": "lightgrey"}


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
    if name is not None:
        return _of_set(run, registry, name)
    tone = headline(run, registry).tone
    messages = {"bad": failing, "good": passing, "open": passing}
    message = messages[tone](run) if tone in messages else "nothing was shown"
    return _badge(selection(run, registry), message, tone)


def _of_set(run: Run, registry: Registry, name: str) -> str:
    results = {r.named.name: r for r in set_results(run, registry)}
    if name not in results:
        raise ValueError(f"there is no set {name!r}; the sets are {', '.join(results)}")
    result = results[name]
    if result.state is State.NOT_SELECTED:
        raise ValueError(f"the run did not select all of set {name!r}")
    warned = ", with warnings" * result.warned
    found = result.why if result.state is State.NOT_CLAIMED else result.passing
    what = f'set "{name}" of suite version {one_line(run.started.suite_version)}'
    return _badge(what, f"{result.state}{warned}: {found}", result.state.tone)


def _badge(what: str, message: str, tone: str) -> str:
    badge = {
        "schemaVersion": 1,
        "label": f"HSA conformance, {what}",
        "message": message,
        "color": _COLOURS[tone],
    }
    return json.dumps(badge, indent=2) + "\n"
