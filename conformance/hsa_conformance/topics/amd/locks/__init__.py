"""Host memory locked for agents."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.locks import generators, life, objects, properties, state

TOPIC = Topic(
    name="amd/locks",
    group="locks",
    generators=generators.GENERATORS,
    memory=generators.MEMORY,
    addresses=generators.ADDRESSES,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    lives=(life.LIFE,),
    passing=(
        "lockable",
        "locked_word",
        "seen_locked",
        "unsure_lock",
    ),
    proofs=(properties.proves,),
)
