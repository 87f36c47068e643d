"""Properties of samplers."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation import drawing
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.images.images.discovery import image_agent
from hsa_conformance.topics.images.samplers.generators import CREATE, sampler

proves = Proofs()


def _require_destroyable(scene: Scene, function: str) -> None:
    agent = image_agent(scene)
    handle = sampler(scene, agent, function)
    answer = scene.call("hsa_ext_sampler_destroy", agent=agent, sampler=handle)
    scene.require_status(answer, SUCCESS)


@proves("hsa_ext_sampler_create/destroyable")
def a_sampler_can_be_destroyed(scene: Scene) -> None:
    """A new sampler can be destroyed with the same agent."""
    _require_destroyable(scene, "hsa_ext_sampler_create")


@proves("hsa_ext_sampler_create_v2/destroyable")
def a_sampler_of_several_modes_can_be_destroyed(scene: Scene) -> None:
    """A new sampler with a mode for each dimension can be destroyed with the same agent."""
    _require_destroyable(scene, "hsa_ext_sampler_create_v2")


@proves("hsa_ext_sampler_destroy/others-unharmed")
def samplers_are_destroyed_in_any_order(scene: Scene) -> None:
    """Of several samplers of an agent, each can be destroyed once, whichever went before."""
    agent = image_agent(scene)
    offered = [function for function in CREATE if scene.session.offers(function)]
    create = scene.each("created by", {function: function for function in offered})
    handles = [sampler(scene, agent, create) for _ in range(scene.draw(drawing.integers(2, 4)))]
    if len(set(handles)) < len(handles):
        raise CannotMake("one handle stands for several samplers")
    for handle in scene.shuffled(handles):
        answer = scene.call("hsa_ext_sampler_destroy", agent=agent, sampler=handle)
        scene.require_status(answer, SUCCESS)
