"""The deprecated code objects, and their symbols."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.code_objects import generators, properties, state
from hsa_conformance.topics.shared.code import generators as code

TOPIC = Topic(
    name="core/code_objects",
    group="code-objects",
    generators=generators.GENERATORS,
    discover=code.ask_processors,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    plural={"hsa_code_object_deserialize": {}},
    proofs=properties.PROOFS,
)
