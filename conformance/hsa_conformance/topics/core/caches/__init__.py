"""Caches of agents."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.caches import generators, properties

TOPIC = Topic(
    name="core/caches",
    group="caches",
    generators=generators.GENERATORS,
    holders={"cache": generators.holders},
    proofs=(properties.proves,),
)
