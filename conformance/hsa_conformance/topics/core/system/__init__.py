"""What the runtime says of the system."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.system import properties

TOPIC = Topic(
    name="core/system",
    group="system",
    proofs=(properties.proves,),
)
