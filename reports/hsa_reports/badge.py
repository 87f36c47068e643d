"""A run as a badge: JSON that shields.io and its like draw (the schema of their endpoint, 1)."""

from __future__ import annotations

import json

from hsa_reports.run import Run
from hsa_reports.words import failing, headline, passing, selection
from hsa_spec import Registry

_COLOURS = {"good": "brightgreen", "bad": "red", "open": "yellow", "nothing": "lightgrey"}


def render_badge(run: Run, registry: Registry) -> str:
    """Return the run as a badge, in JSON: which set, and what came of it.

    Clauses whose text is contested are set apart, as in every count.

    Args:
        run: what to show.
        registry: says what the set is called.

    """
    tone = headline(run, registry).tone
    messages = {"bad": failing, "good": passing, "open": passing}
    message = messages[tone](run) if tone in messages else "nothing was shown"
    badge = {
        "schemaVersion": 1,
        "label": f"HSA conformance, {selection(run, registry)}",
        "message": message,
        "color": _COLOURS[tone],
    }
    return json.dumps(badge, indent=2) + "\n"
