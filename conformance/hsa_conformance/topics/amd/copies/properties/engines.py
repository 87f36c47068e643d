"""What is said of copy engines."""

from __future__ import annotations

from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.copies.generators import shared_block
from hsa_conformance.topics.amd.copies.properties.ways import ON_ENGINE
from hsa_conformance.topics.core.agents.fixtures import known_agents, some_gpu
from hsa_conformance.topics.core.signals.generators import signal
from hsa_conformance.topics.shared.copies import linear, wait, waiting
from hsa_reports import Verdict

proves = Proofs()

STATUS: Final = "hsa_amd_memory_copy_engine_status"
PREFERRED: Final = "hsa_amd_memory_get_preferred_copy_engine"
MASKS: Final = {STATUS: "engine_ids_mask", PREFERRED: "recommended_ids_mask"}


def _pairs(scene: Scene) -> list[tuple[int, int]]:
    """Return destination and source of the copies in which a GPU takes part."""
    some_gpu(scene)
    return [
        (a.handle, b.handle)
        for a in known_agents(scene)
        for b in known_agents(scene)
        if a is not b and "gpu" in (a.device, b.device)
    ]


def _mask(scene: Scene, function: str, pair: tuple[int, int]) -> int:
    """Return the engines that a function names for a pair of agents.

    Raises:
        Blocked: the call does not succeed.

    """
    room = {MASKS[function]: Out()}
    answer = scene.set_up(function, dst_agent=pair[0], src_agent=pair[1], **room)
    return answer.number(MASKS[function])


def _engines(scene: Scene, pair: tuple[int, int]) -> list[int]:
    """Return the engines that the property's function names for a pair, none where it fails."""
    function = scene.clause.function
    room = {MASKS[function]: Out()}
    answer = scene.call(function, dst_agent=pair[0], src_agent=pair[1], **room)
    mask = answer.number(MASKS[function]) if answer.ok else 0
    return [1 << bit for bit in range(32) if mask >> bit & 1]


@proves("hsa_amd_memory_copy_engine_status/mask-known")
@proves("hsa_amd_memory_get_preferred_copy_engine/mask-known")
def engines_are_bits_with_names(scene: Scene) -> None:
    """A mask of copy engines has only bits that the header defines."""
    mask = _mask(scene, scene.clause.function, scene.choose(_pairs(scene)))
    named = sum(scene.session.registry.enums["hsa_amd_sdma_engine_id_t"].values)
    scene.require(mask & ~named == 0, "bits outside hsa_amd_sdma_engine_id_t", f"{mask:#x}")


@proves("hsa_amd_memory_copy_engine_status/mask-some")
def success_means_that_an_engine_is_free(scene: Scene) -> None:
    """When the query for free copy engines succeeds, its mask has at least one bit."""
    mask = _mask(scene, STATUS, scene.choose(_pairs(scene)))
    scene.require(mask != 0, "no engine is free, and the call answers success", mask)


@proves("hsa_amd_memory_copy_engine_status/mask-usable")
@proves("hsa_amd_memory_get_preferred_copy_engine/mask-usable")
def the_engines_can_be_used(scene: Scene) -> None:
    """Each engine in a mask of free or of preferred engines accepts a copy between the agents."""
    named = [(pair, engine) for pair in _pairs(scene) for engine in _engines(scene, pair)]
    if not named:
        raise Unavailable(Verdict.NOT_APPLICABLE, "no engine is named between any two agents")
    (to, of), engine = scene.some_sort("engine", named, lambda way: f"{way[1]:#x}")
    done = signal(scene, 1)
    answer = scene.call(
        ON_ENGINE,
        **linear((shared_block(scene, "cpu"), to), (shared_block(scene, "cpu"), of), 64),
        **waiting(()),
        completion_signal=done,
        engine_id=engine,
        force_copy_on_sdma=0,
    )
    scene.require_status(answer, SUCCESS)
    wait(scene, done)
