"""Agents, and what they say of themselves."""

from hsa_conformance.engine.topic import Topic
from hsa_conformance.topics.core.agents import discovery, fixtures, generators, nodes, properties

TOPIC = Topic(
    name="core/agents",
    group="agents",
    generators=generators.GENERATORS,
    comparisons=generators.COMPARISONS,
    machine={"hsa_agent_t": fixtures.known_agents},
    holders={"agent": nodes.agent_holders},
    at_start=discovery.discover,
    proofs=(properties.proves,),
)
