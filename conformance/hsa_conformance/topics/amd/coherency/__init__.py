"""The coherency type of an agent."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.coherency import properties

TOPIC = Topic(
    name="amd/coherency",
    group="coherency",
    proofs=(properties.proves,),
)
