"""Asynchronous copies, and fills."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.copies import generators, properties, state

TOPIC = Topic(
    name="amd/copies",
    group="copies",
    generators=generators.GENERATORS,
    comparisons=generators.COMPARISONS,
    discover=generators.discover,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    proofs=properties.PROOFS,
)
