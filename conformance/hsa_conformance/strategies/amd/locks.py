"""Locked memory of the host, and pools that agents reach."""

from __future__ import annotations

from collections.abc import Mapping

from hypothesis import strategies as st

from hsa_conformance.calls import Out, Value
from hsa_conformance.model.amd.locks import Lock
from hsa_conformance.model.state import Pool
from hsa_conformance.strategies.amd.pools import access, out_of_reach
from hsa_conformance.strategies.builder import Builder, Stock, handle_array
from hsa_conformance.strategies.makers import Makers, put_handles


def host_memory(stock: Stock, pages: int) -> int:
    """Return the address of zeroed memory of the host that starts with a page."""
    page = stock.session.model.page_size
    room = stock.session.place(bytes((pages + 1) * page), "memory")
    return room + -int(room) % page


def lock(stock: Stock, address: int, size: int, pool: Pool | None = None) -> Lock:
    """Lock memory of the host for all agents, with the properties of a pool if one is given."""
    agents = [agent.handle for agent in stock.agents()]
    values: dict[str, Value] = {
        "host_ptr": address,
        "size": size,
        "agents": handle_array(agents),
        "num_agent": len(agents),
        "agent_ptr": Out(),
    }
    if pool is None:
        stock.session.must("hsa_amd_memory_lock", **values)
    else:
        stock.session.must("hsa_amd_memory_lock_to_pool", **values, pool=pool.handle, flags=0)
    made: Lock = stock.session.model.kept("lock")[-1]
    return made


def _locked(b: Builder, x: str) -> None:
    page = b.session.model.page_size
    address = host_memory(b, 2) + b.choose([0, 64, page - 1])
    b.values[x] = lock(b, address, b.choose([page, 1, page + 1])).address


def _not_locked(b: Builder, x: str) -> None:
    b.values[x] = b.readable()


def _agents_reaching(b: Builder, array: str, count: str, pool: str) -> None:
    if b.session.model.pool(b.number(pool)) is None:
        b.values[pool] = b.choose(b.pools(lambda _: True)).handle
    able = [a.handle for a in b.agents() if access(b, a.handle, b.number(pool)) != "never"]
    put_handles(b, array, count, able[: b.draw(st.integers(1, max(1, len(able))))])


def _agents_not_reaching(b: Builder, array: str, count: str, pool: str) -> None:
    agent, far = out_of_reach(b, b.pools(lambda _: True))
    b.values[pool] = far.handle
    put_handles(b, array, count, [agent])


MAKERS: Mapping[str, Makers] = {
    "is_locked": Makers(_locked, _not_locked),
    "agents_reach_pool": Makers(_agents_reaching, _agents_not_reaching),
}
