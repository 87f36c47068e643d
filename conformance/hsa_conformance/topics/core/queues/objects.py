"""Objects that live while something else happens: a queue."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.core.queues.generators import agents_with_queues, queue


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    if f.session.offers("hsa_queue_create") and agents_with_queues(f):
        yield ObjectKind("queue", lambda: queue(f))
