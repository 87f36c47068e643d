"""The runtime shut down with objects that live, and started again, in random sequences."""

from __future__ import annotations

from collections.abc import Mapping

from hsa_conformance.engine.checks.player import Life, Player
from hsa_conformance.engine.model import Model


def restart(p: Player) -> None:
    """Shut the runtime down with all that there is, and start it again."""
    for _ in range(p.model.references):
        p.call("hsa_shut_down")
    scene = p.demand("hsa_init/starts-again")
    answer = scene.call("hsa_init")
    scene.require(answer.ok, "hsa_init fails after the last hsa_shut_down", answer.name)
    with p.session.trace.paused():
        p.session.discover(p.session)
    p.begin_anew()


def _is_last(model: Model, _: Mapping[str, int]) -> bool:
    return model.references == 1


LIFE = Life(
    clause="hsa_shut_down/success",
    functions=("hsa_init", "hsa_shut_down"),
    opening=(
        "hsa_amd_memory_pool_allocate",
        "hsa_signal_create",
        "hsa_queue_create",
        "hsa_executable_create_alt",
    ),
    acts=(restart, restart),
    spares={"hsa_shut_down": _is_last},
    beside=("amd/pools", "core/signals", "core/queues", "core/executables", "amd/locks"),
    fresh=True,
    examples=0.5,
)
