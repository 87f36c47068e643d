"""What the runtime knows of an address."""

from hsa_conformance.engine.checks.refusals.exhaustion import Refusals
from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.pointers import generators, life, properties, state
from hsa_conformance.topics.shared.refusals import REFUSED

TOPIC = Topic(
    name="amd/pointers",
    group="pointers",
    generators=generators.GENERATORS,
    comparisons=generators.COMPARISONS,
    addresses=generators.ADDRESSES,
    facts=state.FACTS,
    lives=(life.LIFE,),
    proofs=properties.PROOFS,
    refusals=Refusals(REFUSED),
)
