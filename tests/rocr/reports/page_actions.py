"""What readers do with the page of a run, and what they see."""

from __future__ import annotations

import json
from collections.abc import Callable

from tests.rocr.reports.browser import Window

CRASH = "hsa_amd_vmem_address_reserve/zero-size"
WIDTHS = (375, 768, 1440)
OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
UNFOLD = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"

Open = Callable[..., Window]
"""Opens the page of a run, at a place."""


def found(window: Window) -> str:
    """Return how much the page says it has found."""
    [text] = window.texts("#found")
    return text


def clauses(window: Window) -> list[str]:
    """Return the ids of the clauses that can be seen."""
    ids: list[str] = window.run(
        "[...document.querySelectorAll('.clause')].filter((each) => each.checkVisibility())"
        ".map((each) => each.id)"
    )
    return ids


def focus(window: Window) -> str:
    """Return the id of what has the focus, or of the part that it opens and folds."""
    place: str = window.run("document.activeElement.closest('[id], input').id || 'search box'")
    return place


def choose(window: Window, name: str, value: str) -> None:
    window.run(
        f"""(() => {{
        const filter = document.getElementById("search").elements[{json.dumps(name)}];
        filter.value = {json.dumps(value)};
        filter.dispatchEvent(new Event("input", {{ bubbles: true }}));
        }})()"""
    )
