"""Memory and signals that processes share by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition
from hsa_conformance.topics.amd.locks.foreign_memory import require_foreign_memory
from hsa_conformance.topics.amd.pools.state import find_allocation, find_pool, pool_access
from hsa_conformance.topics.amd.signals.state import AttributedSignal
from hsa_conformance.topics.core.signals.state import Signal

#: How many bytes a name has.
NAME = 32

#: HSA_AMD_SIGNAL_IPC.
SHAREABLE = 2


@dataclass(frozen=True)
class SharedBlock:
    """A block of another process that a name stands for.

    Attributes:
        size: in bytes.
        pool: the pool of this process that is the same memory as the block's.

    """

    size: int
    pool: int


def _attach(model: Model, answer: Answer) -> None:
    address = answer["mapped_ptr"]
    # Every attachment of an address wants to be undone by itself.
    model.add("attachment", address, _attached(model, address), thing=address)


def _detach(model: Model, answer: Answer) -> None:
    address = answer.args["mapped_ptr"]
    model.remove("attachment", address, _attached(model, address) - 1)


def _attached(model: Model, address: int) -> int:
    return model.live("attachment").count(address)


def _attach_signal(model: Model, answer: Answer) -> None:
    handle = answer["signal"]
    model.add("signal", handle, thing=Signal(handle))


def shared_block(model: Model, handle: int) -> SharedBlock | None:
    """Return the block that the name at an address stands for."""
    name = model.read(handle, NAME)
    found = model.find("ipc_memory", int.from_bytes(name, "little")) if name else None
    return found if isinstance(found, SharedBlock) else None


def _is_ipc_memory(model: Model, handle: int, size: int) -> bool:
    block = shared_block(model, handle)
    return block is not None and block.size == size


def _ipc_agents_reach(model: Model, agents: int, count: int, handle: int) -> bool:
    block = shared_block(model, handle)
    if block is None:
        raise ProvesNothing("no block of another process is known by this name")
    return all(pool_access(model, a, block.pool) != "never" for a in model.words(agents, count))


def _is_ipc_signal(model: Model, handle: int) -> bool:
    name = model.read(handle, NAME)
    return name is not None and model.find("ipc_signal", int.from_bytes(name, "little")) is not None


def _is_shareable(model: Model, signal: int) -> bool:
    found = model.find("signal", signal)
    return isinstance(found, AttributedSignal) and bool(found.attributes & SHAREABLE)


def _is_whole_allocation(model: Model, address: int, size: int) -> bool:
    block = find_allocation(model, address)
    if block is None:
        require_foreign_memory(model, address)
    return block is not None and block.size == size


def _is_gpu_memory(model: Model, address: int) -> bool:
    blocks = (b for b in model.live("allocation") if b.address <= address < b.address + b.size)
    pools = (find_pool(model, block.pool) for block in blocks)
    return any(pool is not None and pool.location == "gpu" for pool in pools)


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_ipc_memory_attach": _attach,
    "hsa_amd_ipc_memory_detach": _detach,
    "hsa_amd_ipc_signal_attach": _attach_signal,
}

CLEAN_UP = (
    CleanUp(
        "attachment",
        "hsa_amd_ipc_memory_detach",
        "mapped_ptr",
        makers=["hsa_amd_ipc_memory_attach"],
    ),
)

FACTS: Mapping[str, Fact] = {
    "is_whole_allocation": _is_whole_allocation,
    "is_gpu_memory": _is_gpu_memory,
    "is_ipc_memory": _is_ipc_memory,
    "ipc_agents_reach": _ipc_agents_reach,
    "is_attached": lambda model, address: _attached(model, address) > 0,
    "is_ipc_signal": _is_ipc_signal,
    "signal_is_shareable": _is_shareable,
}
