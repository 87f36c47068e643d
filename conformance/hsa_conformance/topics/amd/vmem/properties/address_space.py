"""What a reservation takes: addresses, and no memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hsa_conformance.engine.calls.values import Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.amd.pools.fixtures import available
from hsa_conformance.topics.amd.pools.properties.available import STEP, TRIES
from hsa_conformance.topics.core.agents.fixtures import known_agents

proves = Proofs()

RESERVE: Final = ("hsa_amd_vmem_address_reserve", "hsa_amd_vmem_address_reserve_align")
#: What a ledger calls memory, as far as it counts any.
MEMORY: Final = ("bytes of buffer objects", "bytes of host memory")
#: Sizes of ranges in bytes, far above what a runtime notes of one.
SIZES: Final = {"2 MiB": 2 << 20, "64 MiB": 64 << 20, "1 GiB": 1 << 30}


def _memory_taken(scene: Scene, function: str, values: Mapping[str, Value]) -> int:
    """Make a call, and return by how many bytes what is in use has grown, as far as is known."""
    ledger = scene.session.process.ledger()
    gpus = [gpu.handle for gpu in known_agents(scene, "gpu")]
    room = [available(scene, gpu) for gpu in gpus]
    scene.set_up(function, **values)
    after = scene.session.process.ledger()
    return max(
        *(after[name] - ledger[name] for name in MEMORY if name in ledger),
        *(before - available(scene, gpu) - STEP for gpu, before in zip(gpus, room, strict=True)),
        0,
    )


@proves.each(RESERVE, "takes-no-memory")
def a_range_takes_no_memory(scene: Scene) -> None:
    """To reserve addresses takes no memory of the driver's, of a GPU or of the heap."""
    function = scene.clause.function
    size = scene.each("size", SIZES)
    values: dict[str, Value] = {"va": Out(), "size": size, "address": 0, "flags": 0}
    if "alignment" in scene.session.registry.functions[function].parameter:
        values["alignment"] = 0
    taken = 0
    for _ in range(TRIES):
        taken = _memory_taken(scene, function, values)
        if taken < size // 2:
            break
    scene.require(
        taken < size // 2,
        f"a range of {size} bytes that nothing is mapped to takes {taken} bytes of memory",
        "memory",
    )
