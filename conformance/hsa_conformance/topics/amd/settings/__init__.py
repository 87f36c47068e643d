"""Limits and switches of the runtime."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.settings import generators, properties, state

TOPIC = Topic(
    name="amd/settings",
    group="settings",
    generators=generators.GENERATORS,
    discover=generators.discover,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    proofs=properties.PROOFS,
)
