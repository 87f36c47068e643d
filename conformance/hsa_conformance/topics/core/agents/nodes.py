"""Which processor of the driver's topology an agent is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial

from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.checks.effects.attribute_values import decoded
from hsa_conformance.engine.checks.effects.relations import Holder
from hsa_conformance.engine.generation.definedness import value_of
from hsa_conformance.engine.generation.fixtures import Fixtures
from hsa_conformance.engine.library.topology import Node, Unknown
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.agents.state import Agent, find_agent

_QUERY = "hsa_agent_get_info"
#: What tells the processor of a GPU: attributes, with the properties that they are.
_GPU = (
    (("HSA_AMD_AGENT_INFO_DRIVER_NODE_ID",), ("id",)),
    (("HSA_AMD_AGENT_INFO_DRIVER_UID",), ("gpu_id",)),
    (("HSA_AMD_AGENT_INFO_UUID",), ("unique_id",)),
    (
        ("HSA_AMD_AGENT_INFO_DOMAIN", "HSA_AMD_AGENT_INFO_BDFID"),
        ("domain", "location_id"),
    ),
)
#: What tells that of a CPU; the driver numbers CPUs as the kernel does NUMA nodes.
_CPU = (
    (("HSA_AMD_AGENT_INFO_DRIVER_NODE_ID",), ("id",)),
    (("HSA_AGENT_INFO_NODE",), ("id",)),
)


def agent_holders(fixtures: Fixtures) -> Sequence[Holder]:
    """Return the agents, each with its processor."""
    return [
        Holder(str(agent.handle), {"agent": agent.handle}, {}, partial(node_of, fixtures, agent))
        for agent in known_agents(fixtures)
    ]


def holders_of(
    fixtures: Fixtures, kind: str, reported: Callable[[Fixtures, int], Sequence[int]]
) -> Sequence[Holder]:
    """Return the objects of all agents, each with its agent's processor.

    Args:
        fixtures: the machine.
        kind: what they are, and the name of the parameter that takes one, such as "cache".
        reported: the handles of those of an agent.

    """
    return [
        Holder(
            f"{agent.handle}_{kind}{place}",
            {kind: handle},
            {"agent": {"agent": agent.handle}},
            partial(node_of, fixtures, agent),
        )
        for agent in known_agents(fixtures)
        for place, handle in enumerate(reported(fixtures, agent.handle), 1)
    ]


def node_of_handle(fixtures: Fixtures, handle: int, attribute: str) -> Node:
    """Return the processor of the agent with a handle; see `node_of`."""
    agent = find_agent(fixtures.session.model, handle)
    if agent is None:
        raise Unknown(f"{handle} is no agent of the machine")
    return node_of(fixtures, agent, attribute)


def node_of(fixtures: Fixtures, agent: Agent, attribute: str) -> Node:
    """Return the processor that an agent is, which most of what identifies it agrees on.

    The only agent of a kind is the only processor of that kind.

    Args:
        fixtures: the machine.
        agent: the agent.
        attribute: what is to be compared: it does not help to find the processor.

    Raises:
        Unknown: there is none, or nothing tells which of several it is.

    """
    session = fixtures.session
    if agent.device not in ("cpu", "gpu"):
        raise Unknown(f"the driver's files say nothing of {agent.handle}")
    gpus = agent.device == "gpu"
    nodes = [node for node in session.topology.nodes if node.is_gpu is gpus]
    if not nodes:
        raise Unknown("there are no files of the driver that tell of it")
    if len(nodes) == len(known_agents(fixtures, agent.device)) == 1:
        return nodes[0]
    votes: Counter[int] = Counter()
    for attributes, properties in _GPU if gpus else _CPU:
        if attribute in attributes:
            continue
        told = [_told(session, agent, name) for name in attributes]
        alike = [n for n in nodes if [n.known(p) for p in properties] == told]
        if len(alike) == 1 and None not in told:
            votes[alike[0].id] += 1
    first = votes.most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        which = "nothing tells" if not first else "what identifies it differs in"
        raise Unknown(f"{which} which of the driver's {len(nodes)} nodes {agent.handle} is")
    return next(node for node in nodes if node.id == first[0][0])


def _told(session: Session, agent: Agent, name: str) -> int | None:
    """Return what an agent says of itself; None where it does not, or does not know it."""
    attribute = session.registry.attributes[name]
    if not session.offered_api.has_attribute(name):
        return None
    try:
        content = value_of(
            session, session.registry.functions[_QUERY], attribute, {"agent": agent.handle}
        )
    except (Blocked, Unavailable):
        return None
    value = decoded(content, attribute, session.registry)
    if not isinstance(value, str):
        return int(value)
    try:
        return int(value.partition("-")[2], 16)
    except ValueError:
        return None
