"""What AMD's extension adds to signals."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.signals import generators, life, objects, properties, state

TOPIC = Topic(
    name="amd/signals",
    group="amd-signals",
    generators=generators.GENERATORS,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    plural={"hsa_amd_signal_create": {"initial_value": 5}},
    proofs=properties.PROOFS,
    lives=(life.LIFE,),
)
