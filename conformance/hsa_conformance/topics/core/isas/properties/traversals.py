"""The traversals of the instruction set architectures of an agent, and of their wavefronts."""

from __future__ import annotations

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.agents.fixtures import known_agents
from hsa_conformance.topics.core.isas import generators as isas
from hsa_conformance.topics.shared.attributes import ask
from hsa_conformance.topics.shared.traversal import Traversal

proves = Proofs()

ISAS = "hsa_agent_iterate_isas"
WAVEFRONTS = "hsa_isa_iterate_wavefronts"


def _of_agent(scene: Scene) -> Traversal:
    """Return the traversal of an agent, one with several architectures if there is any."""
    counts = {a.handle: len(isas.reported(scene, a.handle)) for a in known_agents(scene)}
    most = max(counts.values(), default=0)
    agent = scene.available([h for h, n in counts.items() if n and n == most], "agent with an ISA")
    return Traversal(scene, ISAS, "hsa_isa_callback", agent=agent)


def _of_isa(scene: Scene) -> Traversal:
    return Traversal(scene, WAVEFRONTS, "hsa_wavefront_callback", isa=isas.isa(scene))


def _traversal(scene: Scene) -> Traversal:
    return _of_isa(scene) if scene.clause.function == WAVEFRONTS else _of_agent(scene)


@proves("hsa_agent_iterate_isas/each-once")
@proves("hsa_isa_iterate_wavefronts/each-once")
def each_is_reported_once(scene: Scene) -> None:
    """Each handle is reported once, and every traversal reports the same handles."""
    traversal = _traversal(scene)
    traversal.reports_once(set(traversal.handles()))


@proves("hsa_agent_iterate_isas/passes-data")
@proves("hsa_isa_iterate_wavefronts/passes-data")
def each_comes_with_the_data_of_the_caller(scene: Scene) -> None:
    """Each call of the callback gets the caller's data unchanged, NULL included."""
    _traversal(scene).passes_data()


@proves("hsa_agent_iterate_isas/stops-early")
@proves("hsa_isa_iterate_wavefronts/stops-early")
def the_callback_ends_the_traversal(scene: Scene) -> None:
    """Nothing is reported after the callback answers anything but success."""
    _traversal(scene).stops()


@proves("hsa_agent_iterate_isas/returns-callback-status")
@proves("hsa_isa_iterate_wavefronts/returns-callback-status")
def the_traversal_answers_with_the_callbacks_status(scene: Scene) -> None:
    """The traversal answers the status with which the callback ended it."""
    _traversal(scene).returns_callback_status()


@proves("hsa_agent_iterate_isas/valid-isas")
def what_an_agent_reports_can_be_queried(scene: Scene) -> None:
    """Each architecture that an agent reports can be queried."""
    for handle in _of_agent(scene).handles():
        answer = isas.ask(scene, handle, "HSA_ISA_INFO_NAME_LENGTH")
        scene.require_status(answer, SUCCESS)


@proves("hsa_isa_iterate_wavefronts/valid-wavefronts")
def what_an_isa_reports_can_be_queried(scene: Scene) -> None:
    """Each wavefront that an architecture reports can be queried."""
    for handle in _of_isa(scene).handles():
        answer = ask(scene, "hsa_wavefront_get_info", "HSA_WAVEFRONT_INFO_SIZE", wavefront=handle)
        scene.require_status(answer, SUCCESS)


@proves("hsa_agent_iterate_isas/same-order")
def every_traversal_has_the_same_order(scene: Scene) -> None:
    """Two traversals of an agent's architectures report the same handles in the same order."""
    traversal = _of_agent(scene)
    first, second = traversal.handles(), traversal.handles()
    scene.require(
        first == second,
        "two traversals of the same agent differ",
        f"{[f'{h:#x}' for h in first]} and {[f'{h:#x}' for h in second]}",
    )


@proves("hsa_agent_iterate_isas/first-is-attribute")
def the_first_is_the_agents_own(scene: Scene) -> None:
    """The first architecture reported is the one that the agent's attribute names, if any is."""
    able = [a.handle for a in known_agents(scene) if _has_isa(scene, a.handle)]
    agent = scene.available(able, "agent with an instruction set architecture")
    own, reported = isas.first(scene, agent), isas.reported(scene, agent)
    scene.require(
        reported[:1] == [own],
        "HSA_AGENT_INFO_ISA is not the first that is reported",
        f"{own:#x} and {f'{reported[0]:#x}' if reported else 'none'}",
    )


def _has_isa(scene: Scene, agent: int) -> bool:
    """Return whether an agent reports an architecture, or its attribute names one."""
    if isas.reported(scene, agent):
        return True
    own = isas.first(scene, agent)
    return own != 0 and isas.ask(scene, own, "HSA_ISA_INFO_NAME_LENGTH").ok
