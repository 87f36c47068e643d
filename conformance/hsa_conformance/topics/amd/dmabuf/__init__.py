"""Memory exported as a dma-buf."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.dmabuf import generators, life, objects, properties, state

TOPIC = Topic(
    name="amd/dmabuf",
    group="dmabuf",
    descriptors=("dmabuf",),
    generators=generators.GENERATORS,
    discover=generators.discover,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    lives=(life.LIFE,),
    proofs=(properties.proves,),
)
