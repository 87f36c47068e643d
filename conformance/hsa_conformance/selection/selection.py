"""Which clauses a run is about, and which of them this process judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

from hsa_conformance.engine.running.choice.applicability import LONG_RUN
from hsa_conformance.engine.running.example_counts import SOAK
from hsa_conformance.engine.session.axes import Pin
from hsa_conformance.selection.names import read_wish
from hsa_conformance.selection.shards import divided
from hsa_conformance.topics import TOPICS
from hsa_reports import Shard
from hsa_spec import Clause, Registry

_IDS = "hsa_selected"
_VALUES = "hsa_values"


@dataclass(frozen=True)
class Selection:
    """What was selected.

    Attributes:
        everything: the ids of all that was selected, for all shards.
        clauses: what this run judges, in the order of the registry.
        values: the values of axes that a clause is tried with, by its id; all of them where there
            are none.

    """

    everything: frozenset[str]
    clauses: tuple[Clause, ...]
    values: Mapping[str, frozenset[Pin]] = field(default_factory=dict)

    @property
    def ids(self) -> frozenset[str]:
        """Return the ids of what this run judges."""
        return frozenset(clause.id for clause in self.clauses)


def choose(
    registry: Registry, queries: Sequence[str], shard: Shard | None, profile: str = "quick"
) -> Selection:
    """Return what is selected.

    Args:
        registry: the specification.
        queries: what was asked for; nothing is everything that the profile is for.
        shard: which of how many is to be judged, None for all of it.
        profile: that of long runs is for clauses that need one.

    Raises:
        SelectionError: a query matches nothing, or cannot be understood.

    """
    wish = read_wish(registry, TOPICS, queries)
    selected = wish.clauses
    if profile == SOAK and not queries:
        selected = [clause for clause in selected if LONG_RUN in clause.needs]
    return _part(frozenset(c.id for c in selected), wish.values, registry, shard)


def _part(
    everything: frozenset[str],
    values: Mapping[str, frozenset[Pin]],
    registry: Registry,
    shard: Shard | None,
) -> Selection:
    own = divided([*everything], shard.of)[shard.number - 1] if shard else everything
    clauses = tuple(c for c in registry.clauses.values() if c.id in own)
    return Selection(everything, clauses, values)


def tell(chosen: Selection, node: object) -> None:
    """Tell a process of pytest-xdist what was selected, so that all have the same."""
    values = {clause: sorted(pins) for clause, pins in chosen.values.items()}
    told = {_IDS: sorted(chosen.everything), _VALUES: values}
    node.workerinput.update(told)  # type: ignore[attr-defined]


def selection_of(config: pytest.Config, registry: Registry) -> Selection:
    """Return what is selected, as the options say, or whoever started this process.

    Raises:
        SelectionError: a query matches nothing, or cannot be understood.

    """
    shard = config.getoption("--hsa-shard")
    told: Mapping[str, Any] | None = getattr(config, "workerinput", None)
    if told is not None:
        values = {c: frozenset((a, v) for a, v in pins) for c, pins in told[_VALUES].items()}
        return _part(frozenset(told[_IDS]), values, registry, shard)
    queries = config.getoption("--hsa-select") or []
    return choose(registry, queries, shard, str(config.getoption("--hsa-profile")))
