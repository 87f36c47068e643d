"""Signals: values, waits, and groups."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.signals import generators, life, objects, properties, state

TOPIC = Topic(
    name="core/signals",
    group="signals",
    generators=generators.GENERATORS,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    clean_up=state.CLEAN_UP,
    types={"hsa_signal_t": "is_signal"},
    plural={"hsa_signal_create": {"initial_value": 5}, "hsa_signal_group_create": {}},
    lives=(life.LIFE,),
    passing=("value",),
    proofs=properties.PROOFS,
)
