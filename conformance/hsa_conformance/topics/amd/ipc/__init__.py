"""Memory and signals that processes share by name."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.ipc import generators, life, objects, properties, state

TOPIC = Topic(
    name="amd/ipc",
    group="ipc",
    generators=generators.GENERATORS,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    proofs=properties.PROOFS,
    lives=life.LIVES,
)
