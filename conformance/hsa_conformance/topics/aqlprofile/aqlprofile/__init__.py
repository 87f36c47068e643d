"""Profiles of counters and of traces, and what the profiler makes of them."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.aqlprofile.aqlprofile import generators, properties, state

TOPIC = Topic(
    name="aqlprofile/aqlprofile",
    group="aqlprofile",
    generators=generators.GENERATORS,
    facts=state.FACTS,
    passing=state.PASSING,
    proofs=properties.PROOFS,
)
