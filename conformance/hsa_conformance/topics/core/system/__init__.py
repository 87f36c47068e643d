"""What the runtime says of the system."""

from hsa_conformance.engine.checks.effects.relations import Holder
from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.system import properties

TOPIC = Topic(
    name="core/system",
    group="system",
    holders={"system": lambda _: [Holder("the system", {}, {})]},
    proofs=(properties.proves,),
)
