"""Times of dispatches and copies."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.profiling import generators, properties, state
from hsa_conformance.topics.core.queues import generators as queues

TOPIC = Topic(
    name="amd/profiling",
    group="profiling",
    generators=generators.GENERATORS,
    discover=queues.discover,
    facts=state.FACTS,
    passing=state.PASSING,
    proofs=properties.PROOFS,
)
