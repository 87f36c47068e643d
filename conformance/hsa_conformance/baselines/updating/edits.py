"""What an update starts from, and what it does to the text of a file."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hsa_conformance.baselines.baseline import Baseline
from hsa_conformance.baselines.updating.amendments import Draft
from hsa_conformance.baselines.updating.sheet import LISTS
from hsa_conformance.baselines.updating.update import Update
from hsa_spec import Registry
from hsa_spec.releases import numbers


def begun(baseline: Baseline, data: dict[str, Any], registry: Registry) -> Update:
    """Return an update of a file that changes nothing yet.

    Args:
        baseline: what the file says.
        data: the same, as YAML has it.
        registry: knows the clauses.

    """
    changes, causes, listed = (
        [Draft(dict(item), origin=n) for n, item in enumerate(data.get(key) or ())] for key in LISTS
    )
    releases = sorted(baseline.releases, key=numbers)
    return Update(baseline, registry, listed, releases, causes, changes)


def edits(update: Update, data: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield what has to be done to the text: the name of a method of `Sheet`, and its arguments.

    Args:
        update: the update.
        data: what the file said before.

    """
    own = set(data.get("releases", ()))
    new = [r for r in update.releases if r not in update.baseline.releases]
    if new:
        yield "set_releases", (sorted({*own, *new}, key=numbers),)
    for listed, drafted in update.lists.items():
        kept = {d.origin: d.data for d in drafted if d.origin is not None}
        for number, entry in enumerate(data.get(listed, ())):
            now = kept.get(number)
            if now is None:
                yield "drop", (listed, number)
                continue
            for key in dict.fromkeys([*entry, *now]):
                if entry.get(key) != now.get(key):
                    yield "set", (listed, number, key, now.get(key))
        for draft in drafted:
            if draft.origin is None:
                yield "add", (listed, draft.after, draft.data)
