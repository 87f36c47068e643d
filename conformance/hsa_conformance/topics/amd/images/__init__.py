"""Images in AMD's own layouts."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.images import generators, properties, state
from hsa_conformance.topics.images.images import discovery

TOPIC = Topic(
    name="amd/images",
    group="amd-images",
    generators=generators.GENERATORS,
    discover=discovery.discover,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    proofs=(properties.proves,),
)
