"""What AMD's extension adds to signals."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.signals import generators, objects, properties, state
from hsa_conformance.topics.amd.signals.sequences import machine_checks

TOPIC = Topic(
    name="amd/signals",
    group="amd-signals",
    generators=generators.GENERATORS,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    plural={"hsa_amd_signal_create": {"initial_value": 5}},
    proofs=properties.PROOFS,
    sequences=machine_checks,
)
