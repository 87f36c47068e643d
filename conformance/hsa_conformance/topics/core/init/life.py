"""The runtime shut down with objects that live, and started again, in random sequences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.checks.random_programs.player import Life, Player
from hsa_conformance.engine.session.model import Model
from hsa_conformance.topics.core.init.fixtures import discover, require_start

OPENING: Final = (
    "hsa_amd_memory_pool_allocate",
    "hsa_signal_create",
    "hsa_queue_create",
    "hsa_executable_create_alt",
)


def restart(p: Player) -> None:
    """Shut the runtime down with all that there is, start it again, and make something anew."""
    for _ in range(p.model.references):
        p.call("hsa_shut_down")
    require_start(p.demand("hsa_init/starts-again"))
    discover(p)
    p.begin_anew()
    p.make(p.one_of([name for name in OPENING if p.session.offers(name)]))


def _is_last(model: Model, _: Mapping[str, int]) -> bool:
    return model.references == 1


LIFE = Life(
    clause="hsa_shut_down/success",
    functions=("hsa_init", "hsa_shut_down"),
    openings=(OPENING, ()),
    acts=(restart, restart),
    exclusions={"hsa_shut_down": _is_last},
    beside=("amd/pools", "core/signals", "core/queues", "core/executables", "amd/locks"),
    fresh=True,
    examples=0.5,
)
