"""Memory pools, blocks from them, and access to both."""

from hsa_conformance.engine.checks.refusals.exhaustion import Refusals
from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.pools import (
    discovery,
    fixtures,
    generators,
    holders,
    life,
    objects,
    properties,
    state,
)
from hsa_conformance.topics.shared.refusals import REFUSED

TOPIC = Topic(
    name="amd/pools",
    group="pools",
    generators=generators.GENERATORS,
    comparisons=generators.COMPARISONS,
    machine={"hsa_amd_memory_pool_t": fixtures.all_pools},
    holders={"memory_pool": holders.pools, "agent_and_memory_pool": holders.routes},
    memory=fixtures.MEMORY,
    at_start=discovery.discover,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    passing=("word", "grant"),
    lives=(life.LIFE,),
    proofs=properties.PROOFS,
    refusals=Refusals(REFUSED),
)
