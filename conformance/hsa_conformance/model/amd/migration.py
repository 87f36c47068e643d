"""Which pools blocks can move between, as the library said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from hsa_conformance.findings import ProvesNothing
from hsa_conformance.model.amd.copies import block_around
from hsa_conformance.model.state import Fact, Model

if TYPE_CHECKING:
    from hsa_conformance.calls import Answer


def _can_migrate(model: Model, answer: Answer) -> None:
    pair = answer.args["src_memory_pool"], answer.args["dst_memory_pool"]
    model.keep("route", *pair, thing=bool(answer.number("result")))


RECORD: dict[str, Callable[[Model, Answer], None]] = {
    "hsa_amd_memory_pool_can_migrate": _can_migrate
}


def _allowed(model: Model, address: int, pool: int) -> bool:
    block = block_around(model, address)
    if block is None:
        raise ProvesNothing("no block of a pool is there")
    return bool(model.find("route", block.pool, pool))


FACTS: Mapping[str, Fact] = {"can_migrate": _allowed}
