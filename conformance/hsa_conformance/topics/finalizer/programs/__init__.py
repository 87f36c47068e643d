"""Programs of HSAIL, and the modules in them."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.finalizer.programs import generators, properties, state

TOPIC = Topic(
    name="finalizer/programs",
    group="programs",
    generators=generators.GENERATORS,
    discover=generators.discover,
    transitions=state.TRANSITIONS,
    facts=state.FACTS,
    clean_up=state.CLEAN_UP,
    passing=("module",),
    plural={"hsa_ext_program_create": {}},
    proofs=(properties.proves,),
)
