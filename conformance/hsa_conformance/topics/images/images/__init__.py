"""Images: created, described, copied, cleared."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.images.images import discovery, generators, objects, properties, state

TOPIC = Topic(
    name="images/images",
    group="images",
    generators=generators.GENERATORS,
    addresses=generators.ADDRESSES,
    discover=discovery.discover,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    passing=state.PASSING,
    plural={"hsa_ext_image_create": {}, "hsa_ext_sampler_create": {}},
    proofs=properties.PROOFS,
)
