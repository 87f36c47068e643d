"""Lists the memory pools of an initialised process, and asks who reaches them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

from hsa_adapters.calls import Callback
from hsa_conformance.engine.calls.outcomes import Blocked, Unavailable
from hsa_conformance.engine.calls.recording import recorded
from hsa_conformance.engine.calls.symbols import Labels, Symbol
from hsa_conformance.engine.session.session import Session
from hsa_conformance.topics.amd.pools.state import Pool
from hsa_conformance.topics.core.agents.state import Agent, agents
from hsa_conformance.topics.shared.discovery import memory_sort, query
from hsa_reports import operands

_LIST = "hsa_amd_agent_iterate_memory_pools"
_INFO = "hsa_amd_memory_pool_get_info"
_ACCESS = {0: "never", 1: "default", 2: "on_request"}


def discover(session: Session) -> None:
    """Fill the model with the pools of all agents, and with who may reach what.

    Where a query for that does not work, pools are unknown; much else can do without.
    """
    try:
        _discover(session)
    except (Blocked, Unavailable) as obstacle:
        session.missing_kinds["pool"] = obstacle


def _discover(session: Session) -> None:
    model = session.model
    if obstacle := session.missing_kinds.get("agent"):
        raise obstacle
    listed = [(handle, agent) for agent in agents(model) for handle in _list(session, agent)]
    names = [str(handle) for handle, _ in listed]
    session.stable_answers.confirm(
        "pools", (names, [_size(session, last) for last, _ in listed[-1:]])
    )
    described, access = session.learn("pools", lambda: _describe(session, listed))
    labels = Labels("pool")
    for (handle, agent), pool in zip(listed, described, strict=True):
        label = labels.next(memory_sort(pool.segment, pool.flags), agent.handle)
        named = handle.labelled(label)
        model.add("pool", named, thing=replace(pool, handle=named, agent=agent.handle))
    model.unit = max([model.unit, *(p.granule for p in described if p.allocatable)])
    pairs = product(agents(model), [handle for handle, _ in listed])  # one may be listed twice
    for (agent, handle), thing in zip(pairs, access, strict=True):
        model.add("pool_access", agent.handle, handle, thing=thing)


def _describe(
    session: Session, listed: Sequence[tuple[Symbol, Agent]]
) -> tuple[list[Pool], list[str]]:
    """Return the pools, and how each agent reaches each of them."""
    described = [_described(session, agent, handle) for handle, agent in listed]
    reach = product(agents(session.model), described)
    return described, [_access(session, agent, pool) for agent, pool in reach]


def _access(session: Session, agent: Agent, pool: Pool) -> str:
    code = query(
        session,
        "hsa_amd_agent_memory_pool_get_info",
        "HSA_AMD_AGENT_MEMORY_POOL_INFO_ACCESS",
        agent=agent.handle,
        memory_pool=pool.handle,
    )
    return _ACCESS.get(code, "never")


def _list(session: Session, agent: Agent) -> list[Symbol]:
    answer = session.call(
        _LIST,
        agent=agent.handle,
        callback=Callback("hsa_memory_pool_callback"),
        data=0,
    )
    if not answer.ok:
        raise Blocked(f"{_LIST}/success", answer.name, refused=True, steps=session.trace.steps)
    found = []
    for number, (value, *_) in enumerate(answer.callbacks, 1):
        words = f"{agent.handle}_pool{number}"
        found.append(Symbol(value, words, origin=_origin(agent, words, number)))
    return found


def _described(session: Session, agent: Agent, handle: int) -> Pool:
    def info(attribute: str) -> int:
        name = f"HSA_AMD_MEMORY_POOL_INFO_{attribute}"
        return query(session, _INFO, name, memory_pool=handle)

    segment = info("SEGMENT")
    allocatable = bool(info("RUNTIME_ALLOC_ALLOWED"))
    return Pool(
        handle=handle,
        agent=agent.handle,
        location=agent.device,
        segment=segment,
        flags=info("GLOBAL_FLAGS") if segment == 0 else 0,
        allocatable=allocatable,
        granule=_not_zero(info, "RUNTIME_ALLOC_GRANULE") if allocatable else 0,
        alignment=_not_zero(info, "RUNTIME_ALLOC_ALIGNMENT") if allocatable else 0,
        max_size=info("ALLOC_MAX_SIZE"),
        size=_size(session, handle),
    )


def _size(session: Session, pool: int) -> int:
    return query(session, _INFO, "HSA_AMD_MEMORY_POOL_INFO_SIZE", memory_pool=pool)


def _origin(agent: Agent, words: str, number: int) -> operands.Pool | None:
    owner = recorded(agent.handle)
    return operands.Pool(words, owner, number) if isinstance(owner, operands.Agent) else None


def _not_zero(info: Callable[[str], int], attribute: str) -> int:
    """Return a unit of sizes, of which there must be multiples."""
    value = info(attribute)
    if value == 0:
        raise Blocked("hsa_amd_memory_pool_get_info/success", f"0 for {attribute}")
    return value
