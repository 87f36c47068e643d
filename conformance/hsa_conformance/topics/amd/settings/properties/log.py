"""The log."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Data
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.amd.pools.blocks import allocate
from hsa_conformance.topics.core.agents.fixtures import some_gpu

proves = Proofs()

ENABLE = "hsa_amd_enable_logging"


def _log(scene: Scene, flags: bytes) -> None:
    scene.set_up(ENABLE, flags=Data(flags, f"[{flags.hex(' ')}]"), file=0)


@proves("hsa_amd_enable_logging/no-bits-disable", fresh=True)
def without_bits_nothing_is_logged(scene: Scene) -> None:
    """With no bit set, nothing is logged while memory is allocated, copied and freed."""
    some_gpu(scene)
    _log(scene, bytes([255] * 8))
    _log(scene, bytes(8))
    before = scene.session.process.captured()
    first, second = allocate(scene, "cpu"), allocate(scene, "cpu")
    size = min(first.size, second.size)
    scene.call("hsa_memory_copy", dst=first.address, src=second.address, size=size)
    for block in (first, second):
        scene.set_up("hsa_amd_memory_pool_free", ptr=block.address)
    printed = scene.session.process.captured().removeprefix(before)
    scene.require(not printed, "something is logged after all bits were cleared", printed)
