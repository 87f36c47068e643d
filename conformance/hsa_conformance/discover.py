"""Finds the agents and pools of an initialised process, and names them for traces."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from hsa_adapters.protocol import Callback
from hsa_conformance.calls import Out
from hsa_conformance.findings import Unavailable
from hsa_conformance.model.state import Agent, Pool
from hsa_conformance.recording import recorded
from hsa_conformance.session import Session
from hsa_conformance.symbols import Symbol
from hsa_reports import actions

_DEVICES = {0: "cpu", 1: "gpu", 2: "dsp", 3: "aie"}
_FEATURES = {"virtual memory": "HSA_AMD_SYSTEM_INFO_VIRTUAL_MEM_API_SUPPORTED"}
_ACCESS = {0: "never", 1: "default", 2: "on_request"}


def discover(session: Session) -> None:
    """Fill the model with the machine's agents, pools, and who may reach what.

    Raises:
        Unavailable: a query that everything else stands on does not work.

    """
    session.model.features.update(_features(session))
    answer = session.call("hsa_iterate_agents", callback=Callback("hsa_agent_callback"), data=0)
    if not answer.ok:
        raise Unavailable("BLOCKED", f"hsa_iterate_agents/success: answered {answer.name}")
    counts: dict[int, int] = {}
    for handle, *_ in answer.callbacks:
        code = _query(session, "hsa_agent_get_info", "HSA_AGENT_INFO_DEVICE", 4, agent=handle)
        counts[code] = counts.get(code, 0) + 1
        device = _DEVICES.get(code, f"device{code}_")
        words = f"{device}{counts[code]}"
        name = Symbol(handle, words, origin=actions.Agent(words, code, counts[code]))
        session.model.agents[name] = Agent(name, device)
    for agent in list(session.model.agents.values()):
        _pools(session, agent)
    for agent_handle in session.model.agents:
        for pool_handle in session.model.pools:
            code = _query(
                session,
                "hsa_amd_agent_memory_pool_get_info",
                "HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS",
                4,
                agent=agent_handle,
                memory_pool=pool_handle,
            )
            session.model.access[agent_handle, pool_handle] = _ACCESS.get(code, "never")


def _features(session: Session) -> Iterator[str]:
    for feature, attribute in _FEATURES.items():
        answer = session.call(
            "hsa_system_get_info",
            attribute=session.registry.constants[attribute],
            value=Out(1),
        )
        # A release that does not know the query says nothing against the feature.
        if not answer.ok or answer.number("value"):
            yield feature


def _pools(session: Session, agent: Agent) -> None:
    answer = session.call(
        "hsa_amd_agent_iterate_memory_pools",
        agent=agent.handle,
        callback=Callback("hsa_memory_pool_callback"),
        data=0,
    )
    if not answer.ok:
        clause = "hsa_amd_agent_iterate_memory_pools/success"
        raise Unavailable("BLOCKED", f"{clause}: answered {answer.name}")
    for number, (value, *_) in enumerate(answer.callbacks, 1):
        words = f"{agent.handle}_pool{number}"
        handle = Symbol(value, words, origin=_pool_origin(agent, words, number))

        def info(attribute: str, size: int, handle: Symbol = handle) -> int:
            name = f"HSA_AMD_MEMORY_POOL_INFO_{attribute}"
            return _query(session, "hsa_amd_memory_pool_get_info", name, size, memory_pool=handle)

        segment = info("SEGMENT", 4)
        allocatable = bool(info("RUNTIME_ALLOC_ALLOWED", 1))
        session.model.pools[handle] = Pool(
            handle=handle,
            agent=agent.handle,
            location=agent.device,
            segment=segment,
            flags=info("GLOBAL_FLAGS", 4) if segment == 0 else 0,
            allocatable=allocatable,
            granule=_not_zero(info, "RUNTIME_ALLOC_GRANULE") if allocatable else 0,
            alignment=_not_zero(info, "RUNTIME_ALLOC_ALIGNMENT") if allocatable else 0,
            max_size=info("ALLOC_MAX_SIZE", 8),
            size=info("SIZE", 8),
        )


def _pool_origin(agent: Agent, words: str, number: int) -> actions.Pool | None:
    owner = recorded(agent.handle)
    return actions.Pool(words, owner, number) if isinstance(owner, actions.Agent) else None


def _not_zero(info: Callable[[str, int], int], attribute: str) -> int:
    """Return a unit of sizes, of which there must be multiples."""
    value = info(attribute, 8)
    if value == 0:
        raise Unavailable("BLOCKED", f"hsa_amd_memory_pool_get_info/success: {attribute} is 0")
    return value


def _query(session: Session, function: str, attribute: str, size: int, **subject: int) -> int:
    answer = session.call(
        function,
        **subject,
        attribute=session.registry.constants[attribute],
        value=Out(size),
    )
    if not answer.ok:
        raise Unavailable("BLOCKED", f"{function}/success: {attribute} answered {answer.name}")
    if answer.untouched("value"):
        raise Unavailable("BLOCKED", f"{function}/success: {attribute} was not written")
    return answer.number("value")
