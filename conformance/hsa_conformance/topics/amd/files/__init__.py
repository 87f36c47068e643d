"""Transfers between files and memory."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.amd.files import generators, properties, state

TOPIC = Topic(
    name="amd/files",
    group="files",
    generators=generators.GENERATORS,
    discover=generators.discover,
    facts=state.FACTS,
    proofs=(properties.proves,),
)
