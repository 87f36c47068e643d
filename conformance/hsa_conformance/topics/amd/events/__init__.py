"""Events of memory, and callbacks when memory is freed."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.events import generators, properties, state

TOPIC = Topic(
    name="amd/events",
    group="events",
    generators=generators.GENERATORS,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    proofs=(properties.proves,),
)
