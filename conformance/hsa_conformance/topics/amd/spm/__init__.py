"""Streaming performance counters."""

from hsa_conformance.engine.checks.refusals.exhaustion import Refusals
from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.spm import generators, properties, state

TOPIC = Topic(
    name="amd/spm",
    group="spm",
    generators=generators.GENERATORS,
    discover=generators.discover,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    proofs=(properties.proves,),
    refusals=Refusals({"streaming counters": (("RLC_SPM", "EBUSY"),)}),
)
