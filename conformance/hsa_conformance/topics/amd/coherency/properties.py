"""How agents keep memory coherent."""

from __future__ import annotations

from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.agents.fixtures import some_gpu
from hsa_conformance.topics.shared.attributes import require_enumerator

proves = Proofs()

GET = "hsa_amd_coherency_get_type"
SET = "hsa_amd_coherency_set_type"
ENUM = "hsa_amd_coherency_type_t"


def _type(scene: Scene, agent: int) -> int:
    return scene.set_up(GET, agent=agent, type=Out()).number("type")


@proves("hsa_amd_coherency_get_type/known")
def the_type_has_a_name(scene: Scene) -> None:
    """The coherency type of an agent is an enumerator of the header."""
    require_enumerator(scene, _type(scene, some_gpu(scene).handle), "the type", ENUM)


@proves("hsa_amd_coherency_set_type/reads-back")
def the_type_is_what_was_set(scene: Scene) -> None:
    """After a coherency type is set, the query gives it."""
    agent = some_gpu(scene).handle
    wanted = scene.choose(sorted(scene.session.registry.enums[ENUM].values))
    scene.set_up(SET, agent=agent, type=wanted)
    found = _type(scene, agent)
    scene.require(found == wanted, f"the type is not {wanted}, which was set", found)
