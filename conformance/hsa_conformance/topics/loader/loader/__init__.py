"""Queries of the loader: what is loaded, where, and from what."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.loader.loader import generators, life, properties, state
from hsa_conformance.topics.shared.code import generators as code

TOPIC = Topic(
    name="loader/loader",
    group="loader",
    generators=generators.GENERATORS,
    comparisons=generators.COMPARISONS,
    discover=code.ask_processors,
    facts=state.FACTS,
    passing=state.PASSING,
    lives=(life.LIFE,),
    proofs=properties.PROOFS,
)
