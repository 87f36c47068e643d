"""What a library in this process is judged by where its threads are of no account."""

from __future__ import annotations

from collections.abc import Iterable

from hsa_conformance.selection.names import select
from hsa_conformance.topics import TOPICS
from hsa_spec import Clause, Registry


def one_at_a_time(registry: Registry, wanted: Iterable[str]) -> list[Clause]:
    """Return the clauses that are selected, without those about threads.

    Threads of one Python take turns, and each of these clauses takes as long as many others.
    """
    return [clause for clause in select(registry, TOPICS, [*wanted]) if clause.slug != "threads"]
