"""What locking and unlocking memory of the host changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from hsa_conformance.model.state import Fact, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


@dataclass(frozen=True)
class Lock:
    """A range of the host's memory that was locked, and its address for agents."""

    address: int
    size: int
    agent_address: int


def _lock(model: Model, answer: Answer) -> None:
    address = answer.args["host_ptr"]
    lock = Lock(address, answer.args["size"], answer["agent_ptr"])
    # Every lock of an address wants an unlock of its own.
    model.keep("lock", address, len(_at(model, address)), thing=lock)


def _unlock(model: Model, answer: Answer) -> None:
    address = answer.args["host_ptr"]
    model.drop("lock", address, len(_at(model, address)) - 1)


def _at(model: Model, address: int) -> list[Lock]:
    return [lock for lock in model.kept("lock") if lock.address == address]


def _is_locked(model: Model, address: int) -> bool:
    return bool(_at(model, address))


RECORD: dict[str, Callable[[Model, Answer], None]] = {
    "hsa_amd_memory_lock": _lock,
    "hsa_amd_memory_lock_to_pool": _lock,
    "hsa_amd_memory_unlock": _unlock,
}

RELEASE: Mapping[str, tuple[str, str]] = {"lock": ("hsa_amd_memory_unlock", "host_ptr")}

FACTS: Mapping[str, Fact] = {"is_locked": _is_locked}
