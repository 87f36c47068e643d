"""What AMD's extension adds to queues."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.queues import descriptors, generators, properties, state

TOPIC = Topic(
    name="amd/queues",
    group="amd-queues",
    generators={**generators.GENERATORS, **descriptors.GENERATORS},
    comparisons={**generators.COMPARISONS, **descriptors.COMPARISONS},
    discover=generators.discover,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    proofs=properties.PROOFS,
)
