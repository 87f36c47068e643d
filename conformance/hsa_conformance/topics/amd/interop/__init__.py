"""Memory of other drivers, mapped."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.interop import generators, properties, state

TOPIC = Topic(
    name="amd/interop",
    group="interop",
    generators=generators.GENERATORS,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    proofs=(properties.proves,),
)
