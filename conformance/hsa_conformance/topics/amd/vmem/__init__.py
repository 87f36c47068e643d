"""Virtual memory: addresses, memory without an address, and both joined."""

from hsa_conformance.engine.checks.refusals.exhaustion import Refusals
from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.vmem import (
    discovery,
    fixtures,
    generators,
    objects,
    properties,
    state,
)
from hsa_conformance.topics.amd.vmem.life import LIVES
from hsa_conformance.topics.shared.refusals import REFUSED

TOPIC = Topic(
    name="amd/vmem",
    group="vmem",
    generators=generators.GENERATORS,
    comparisons=generators.COMPARISONS,
    memory=fixtures.MEMORY,
    at_start=discovery.discover,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    descriptors=state.DESCRIPTORS,
    plural={"hsa_amd_vmem_handle_create": {}},
    proofs=properties.PROOFS,
    lives=LIVES,
    refusals=Refusals(REFUSED),
)
