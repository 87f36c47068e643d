"""Initialisation and shutdown."""

from hsa_conformance.engine.checks.refusals.exhaustion import Refusals
from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.init import life, properties, state
from hsa_conformance.topics.shared.refusals import REFUSED

TOPIC = Topic(
    name="core/init",
    group="init",
    transitions=state.TRANSITIONS,
    lives=(life.LIFE,),
    proofs=properties.PROOFS,
    refusals=Refusals(REFUSED),
)
