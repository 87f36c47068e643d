"""Memory migrated and preloaded."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.migration import generators, properties, state

TOPIC = Topic(
    name="amd/migration",
    group="migration",
    generators=generators.GENERATORS,
    discover=generators.discover,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    proofs=(properties.proves,),
)
