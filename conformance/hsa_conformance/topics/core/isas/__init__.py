"""Instruction sets, wavefronts and rounding."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.isas import generators, holders, properties, state

TOPIC = Topic(
    name="core/isas",
    group="isas",
    generators=generators.GENERATORS,
    holders={"isa": holders.isas, "wavefront": holders.wavefronts},
    discover=generators.discover,
    facts=state.FACTS,
    proofs=properties.PROOFS,
)
