"""Executables, what is loaded into them, and their symbols."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.executables import generators, life, objects, properties, state
from hsa_conformance.topics.shared.code import generators as code

TOPIC = Topic(
    name="core/executables",
    group="executables",
    generators=generators.GENERATORS,
    comparisons=generators.COMPARISONS,
    discover=code.ask_processors,
    objects=objects.kinds,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    plural={
        "hsa_executable_create": {},
        "hsa_executable_create_alt": {},
        "hsa_code_object_reader_create_from_file": {},
        "hsa_code_object_reader_create_from_memory": {},
    },
    lives=(life.LIFE,),
    proofs=properties.PROOFS,
)
