"""Lists the agents of an initialised process, and names them for traces."""

from __future__ import annotations

from hsa_adapters.protocol import Callback
from hsa_conformance.engine.outcomes import Unavailable
from hsa_conformance.engine.session import Session
from hsa_conformance.engine.symbols import Labels, Symbol
from hsa_conformance.topics.core.agents.state import Agent, agents
from hsa_conformance.topics.shared.discovery import query
from hsa_reports import Verdict, actions

_QUERIES = ("hsa_iterate_agents", "hsa_agent_get_info")
_DEVICES = {0: "cpu", 1: "gpu", 2: "dsp", 3: "aie"}


def discover(session: Session) -> None:
    """Fill the model with the machine's agents; none are known where they are not to be asked for.

    Raises:
        Unavailable: a query that everything else stands on does not work.

    """
    if not session.offer.functions.issuperset(_QUERIES):
        return
    answer = session.call("hsa_iterate_agents", callback=Callback("hsa_agent_callback"), data=0)
    if not answer.ok:
        raise Unavailable(Verdict.BLOCKED, f"hsa_iterate_agents/success: answered {answer.name}")
    labels = Labels("agent")
    counts: dict[int, int] = {}
    for handle, *_ in answer.callbacks:
        code = query(session, "hsa_agent_get_info", "HSA_AGENT_INFO_DEVICE", agent=handle)
        counts[code] = counts.get(code, 0) + 1
        device = _DEVICES.get(code, f"device{code}_")
        words = f"{device}{counts[code]}"
        origin = actions.Agent(words, code, counts[code])
        name = Symbol(handle, words, origin=origin, label=labels.next(device.strip("_")))
        session.model.add("agent", name, thing=Agent(name, device))
    session.known.confirm("agents", [str(agent.handle) for agent in agents(session.model)])
