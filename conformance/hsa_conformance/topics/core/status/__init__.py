"""Texts of status codes."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.status import properties

TOPIC = Topic(
    name="core/status",
    group="status",
    proofs=(properties.proves,),
)
