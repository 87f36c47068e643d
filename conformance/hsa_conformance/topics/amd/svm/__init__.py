"""Shared virtual memory."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.svm import generators, life, properties, state

TOPIC = Topic(
    name="amd/svm",
    group="svm",
    generators=generators.GENERATORS,
    discover=generators.discover,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    proofs=properties.PROOFS,
    lives=(life.LIFE,),
)
