"""Objects that live while something else happens: a sampler."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.session.state_rules import ObjectKind
from hsa_conformance.topics.images.images.discovery import offered_image_agents
from hsa_conformance.topics.images.samplers.generators import sampler


def kinds(f: Fixtures) -> Iterator[ObjectKind]:
    """Yield the kinds of objects that can be made here."""
    if able := offered_image_agents(f):
        yield ObjectKind("sampler", lambda: sampler(f, able[0].handle))
