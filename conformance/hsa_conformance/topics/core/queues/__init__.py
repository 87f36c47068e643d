"""User-mode queues, their indices and packets, and soft queues."""

from hsa_conformance.engine.checks.refusals.exhaustion import Refusals
from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.queues import generators, life, objects, properties, state

TOPIC = Topic(
    name="core/queues",
    group="queues",
    generators=generators.GENERATORS,
    discover=generators.discover,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    plural={"hsa_queue_create": {}, "hsa_soft_queue_create": {}},
    lives=(life.LIFE,),
    passing=(
        "layout",
        "layouts",
        "read_index",
        "write_index",
    ),
    proofs=properties.PROOFS,
    refusals=Refusals({"memory": (("CREATE_QUEUE", "ENOMEM"),)}),
)
