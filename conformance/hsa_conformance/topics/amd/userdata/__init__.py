"""User data of an address."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.userdata import properties

TOPIC = Topic(
    name="amd/userdata",
    group="userdata",
    proofs=(properties.proves,),
)
