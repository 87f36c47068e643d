"""What locking and unlocking memory of the host changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import CleanUp, Transition


@dataclass(frozen=True)
class Lock:
    """A range of the host's memory that was locked, its address for agents, and those agents.

    No agents are all of them.
    """

    address: int
    size: int
    agent_address: int
    agents: frozenset[int] = frozenset()


def _lock(model: Model, answer: Answer) -> None:
    address = answer.args["host_ptr"]
    agents = frozenset(model.words(answer.args["agents"], max(answer.args["num_agent"], 0)))
    lock = Lock(address, answer.args["size"], answer["agent_ptr"], agents)
    # Every lock of an address wants an unlock of its own.
    model.add("lock", address, len(_at(model, address)), thing=lock)


def _unlock(model: Model, answer: Answer) -> None:
    address = answer.args["host_ptr"]
    held = _at(model, address)
    model.remove("lock", address, len(held) - 1)
    if len({(lock.size, int(lock.agent_address)) for lock in held}) > 1:
        # Which of them it was, nobody knows.
        model.add("unsure_lock", address, thing=address)


def is_sure(model: Model, lock: Lock) -> bool:
    """Return whether no lock of the address was ever ended that may have been another one."""
    return model.find("unsure_lock", lock.address) is None


def _at(model: Model, address: int) -> list[Lock]:
    return [lock for lock in model.live("lock") if lock.address == address]


def lock_around(model: Model, address: int) -> Lock | None:
    """Return the locked range that contains an address, be it the host's or the agents'."""
    return next(
        (
            lock
            for lock in model.live("lock")
            for start in (lock.address, lock.agent_address)
            if start <= address < start + lock.size
        ),
        None,
    )


def _is_locked(model: Model, address: int) -> bool:
    return bool(_at(model, address))


TRANSITIONS: Mapping[str, Transition] = {
    "hsa_amd_memory_lock": _lock,
    "hsa_amd_memory_lock_to_pool": _lock,
    "hsa_amd_memory_unlock": _unlock,
}

CLEAN_UP = (
    CleanUp(
        "lock",
        "hsa_amd_memory_unlock",
        "host_ptr",
        makers=["hsa_amd_memory_lock", "hsa_amd_memory_lock_to_pool"],
    ),
)

FACTS: Mapping[str, Fact] = {"is_locked": _is_locked}
