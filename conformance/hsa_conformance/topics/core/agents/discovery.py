"""Lists the agents of an initialised process, and names them for traces."""

from __future__ import annotations

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.symbols import Labels, Symbol
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.core.agents.state import Agent, agents
from hsa_conformance.topics.shared.discovery import query
from hsa_reports import operands

_LIST = "hsa_iterate_agents"
_DEVICES = {0: "cpu", 1: "gpu", 2: "dsp", 3: "aie"}


def discover(session: Session) -> None:
    """Fill the model with the machine's agents.

    Where the library does not list them, or does not say of which kind one is, that is unknown;
    much else can do without.
    """
    try:
        handles = _listed(session)
    except (Blocked, Unavailable) as obstacle:
        session.missing_kinds["agent"] = obstacle
        return
    labels = Labels("agent")
    counts: dict[int, int] = {}
    for place, handle in enumerate(handles, 1):
        try:
            code = query(session, "hsa_agent_get_info", "HSA_AGENT_INFO_DEVICE", agent=handle)
        except (Blocked, Unavailable) as obstacle:
            words = f"agent{place}"
            name = Symbol(handle, words, origin=operands.Named(words), label=labels.next("unknown"))
            session.model.add("agent", name, thing=Agent(name, obstacle))
            session.listed["unknown"] += 1
            continue
        counts[code] = counts.get(code, 0) + 1
        device = _DEVICES.get(code, f"device{code}_")
        words = f"{device}{counts[code]}"
        origin = operands.Agent(words, code, counts[code])
        name = Symbol(handle, words, origin=origin, label=labels.next(device.strip("_")))
        session.model.add("agent", name, thing=Agent(name, device))
        session.listed[device] += 1
    session.stable_answers.confirm("agents", [str(agent.handle) for agent in agents(session.model)])


def _listed(session: Session) -> list[int]:
    answer = session.call(_LIST, callback=Callback("hsa_agent_callback"), data=0)
    if not answer.ok:
        raise Blocked(f"{_LIST}/success", answer.name, refused=True, steps=session.trace.steps)
    return [handle for handle, *_ in answer.callbacks]
