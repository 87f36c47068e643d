"""Which extensions there are, and their tables of functions."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.extensions import generators, properties, state

TOPIC = Topic(
    name="core/extensions",
    group="extensions",
    generators=generators.GENERATORS,
    discover=generators.discover,
    facts=state.FACTS,
    proofs=properties.PROOFS,
)
