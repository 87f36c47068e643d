"""Memory regions, blocks from them, registered ranges, and ownership."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.memory import generators, life, properties, state

TOPIC = Topic(
    name="core/memory",
    group="memory",
    generators=generators.GENERATORS,
    comparisons=generators.COMPARISONS,
    machine={"hsa_region_t": generators.all_regions},
    holders={"region": generators.holders},
    memory=generators.MEMORY,
    addresses=generators.ADDRESSES,
    discover=generators.discover,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    lives=(life.LIFE,),
    passing=("region_word",),
    proofs=properties.PROOFS,
)
