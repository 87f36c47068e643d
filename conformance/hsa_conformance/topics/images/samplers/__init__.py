"""Samplers."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.images.images import discovery
from hsa_conformance.topics.images.samplers import generators, life, objects, properties, state

TOPIC = Topic(
    name="images/samplers",
    group="samplers",
    generators=generators.GENERATORS,
    discover=discovery.discover,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    proofs=(properties.proves,),
    lives=life.LIVES,
)
