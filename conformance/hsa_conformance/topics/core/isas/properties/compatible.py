"""Which instruction set architectures run code for which others."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.isas import generators as isas
from hsa_conformance.topics.core.isas.properties.targets import ONCE, known_targets
from hsa_conformance.topics.core.isas.targets import TARGETS
from hsa_reports import Verdict
from hsa_reports.demands import Gives

proves = Proofs()


@proves("hsa_isa_compatible/itself")
def an_isa_is_compatible_with_itself(scene: Scene) -> None:
    """Each instruction set architecture is compatible with itself."""
    isa = isas.isa(scene)
    answer = scene.set_up("hsa_isa_compatible", code_object_isa=isa, agent_isa=isa, result=Out())
    scene.require(
        answer.number("result") == 1,
        "an instruction set architecture is not compatible with itself",
        answer.number("result"),
        Gives("result", (b"\1",)),
    )


def _known(scene: Scene, least: int) -> dict[str, list[str]]:
    """Return the names of each processor that the runtime knows with all of its settings.

    Generic ones stand for processors, and are none.

    Args:
        scene: knows the runtime.
        least: how many features a processor has to have.

    Raises:
        Unavailable: there is none.

    """
    known = known_targets(scene)
    names = {
        t.processor: t.settled_names()
        for t in TARGETS.values()
        if len(t.features) >= least and not t.generic
    }
    complete = {p: each for p, each in names.items() if known.keys() >= set(each)}
    if not complete:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the runtime knows no processor by its settings")
    return complete


def _compatible(scene: Scene, code: str, agent: str) -> bool:
    first, second = isas.found(scene, code), isas.found(scene, agent)
    answer = scene.set_up(
        "hsa_isa_compatible", code_object_isa=first, agent_isa=second, result=Out()
    )
    return answer.number("result") == 1


@proves("hsa_isa_compatible/settings-differ", examples=2)
def other_settings_are_not_compatible(scene: Scene) -> None:
    """Code for a processor with a feature on does not run where it is off, nor the other way.

    The code says of other features what the processor has, or leaves them open.
    """
    known = known_targets(scene)
    for names in scene.parts("processor", _known(scene, least=1)):
        whole = scene.one_of(names)
        agent = scene.one_of([name for name in names if _differing(name, whole) == 1])
        code = scene.one_of([name for name in (whole, _alone(whole, agent)) if name in known])
        scene.require(
            not _compatible(scene, code, agent), f"code for {code} runs on {agent}", "compatible"
        )


def _alone(name: str, other: str) -> str:
    """Return the name of a processor with the features alone that another one sets otherwise."""
    processor, *features = name.split(":")
    said = other.split(":")
    return ":".join([processor, *(feature for feature in features if feature not in said)])


def _differing(name: str, other: str) -> int:
    """Return how many features two names of a processor set in different ways."""
    return sum(a != b for a, b in zip(name, other, strict=True))


@proves("hsa_isa_compatible/settings-equal", examples=ONCE)
def equal_settings_are_compatible(scene: Scene) -> None:
    """Code for a processor with all of its features set runs where they are set so."""
    names = {name: name for each in _known(scene, least=0).values() for name in each}
    for name in scene.parts("name", names):
        scene.require(
            _compatible(scene, name, name), f"code for {name} does not run on it", "not compatible"
        )
