"""Sampling of program counters."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.pc_sampling.pc_sampling import generators, properties, state

TOPIC = Topic(
    name="pc_sampling/pc_sampling",
    group="pc-sampling",
    generators=generators.GENERATORS,
    discover=generators.discover,
    facts=state.FACTS,
    proofs=(properties.proves,),
)
