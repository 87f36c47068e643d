"""What AMD's extension adds to agents."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.agents import properties

TOPIC = Topic(
    name="amd/agents",
    proofs=(properties.proves,),
)
