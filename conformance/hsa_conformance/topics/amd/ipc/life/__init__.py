"""Random sequences of two processes, each of which shares blocks and signals with the other.

Each call is judged on its own. What one writes the other must see, by whichever address or handle,
until it has let go of that one as often as it got it.
"""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.checks.random_programs.player import Life, elsewhere
from hsa_conformance.topics.amd.ipc.life import blocks, signals
from hsa_conformance.topics.amd.ipc.life.sharing import Sharing

_NAME: Final = "sequences in two processes"

LIVES = (
    Life(
        clause="hsa_amd_ipc_memory_detach/success",
        name=_NAME,
        two=True,
        notes=Sharing,
        openings=(
            (
                *2 * (elsewhere(blocks.allocate), elsewhere(blocks.name)),
                blocks.attach,
            ),
        ),
        acts=(
            *2 * (blocks.allocate, blocks.name, blocks.write),
            *4 * (blocks.attach,),
            *2 * (blocks.detach, blocks.look),
            *(blocks.free, blocks.look_at_access),
        ),
        closing=(blocks.inspect, blocks.give_back),
        examples=0.4,
    ),
    Life(
        clause="hsa_amd_ipc_signal_attach/success",
        name=_NAME,
        two=True,
        notes=Sharing,
        openings=(
            (
                *2 * (elsewhere(signals.create), elsewhere(signals.name)),
                signals.attach,
            ),
        ),
        acts=(
            *2 * (signals.create, signals.name, signals.store, signals.look),
            *4 * (signals.attach,),
            *2 * (signals.destroy,),
        ),
        closing=(signals.give_back,),
        examples=0.6,
    ),
)
