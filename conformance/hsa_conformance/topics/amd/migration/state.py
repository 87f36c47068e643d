"""Which pools blocks can move between, as the library said."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.calls.outcomes import ProvesNothing
from hsa_conformance.engine.calls.values import Answer
from hsa_conformance.engine.session.model import Fact, Model
from hsa_conformance.engine.session.state_rules import Transition
from hsa_conformance.topics.amd.pools.state import allocation_around


def _can_migrate(model: Model, answer: Answer) -> None:
    pair = answer.args["src_memory_pool"], answer.args["dst_memory_pool"]
    model.add("route", *pair, thing=bool(answer.number("result")))


TRANSITIONS: Mapping[str, Transition] = {"hsa_amd_memory_pool_can_migrate": _can_migrate}


def _allowed(model: Model, address: int, pool: int) -> bool:
    block = allocation_around(model, address)
    if block is None:
        raise ProvesNothing("no block of a pool is there")
    return bool(model.find("route", block.pool, pool))


FACTS: Mapping[str, Fact] = {"can_migrate": _allowed}
