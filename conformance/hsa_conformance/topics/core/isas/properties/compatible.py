"""Which instruction set architectures run code for which others."""

from __future__ import annotations

from itertools import product
from typing import Final

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.isas import generators as isas
from hsa_reports import Verdict
from hsa_reports.demands import Gives

proves = Proofs()

#: Processors whose names say how optional features are set, by the features that they have.
PROCESSORS: Final = {
    ("sramecc", "xnack"): ("gfx906", "gfx908", "gfx90a", "gfx940", "gfx942", "gfx950"),
    ("xnack",): (
        *("gfx801", "gfx810", "gfx900", "gfx902", "gfx904", "gfx909", "gfx90c"),
        *("gfx1010", "gfx1011", "gfx1012", "gfx1013"),
    ),
}


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


def _names(features: tuple[str, ...], processor: str) -> list[str]:
    """Return the names of a processor with every feature set in every way."""
    settings = product("-+", repeat=len(features))
    ways = ("".join(f":{f}{s}" for f, s in zip(features, each, strict=True)) for each in settings)
    return [f"amdgcn-amd-amdhsa--{processor}{way}" for way in ways]


def _known(scene: Scene) -> dict[str, list[str]]:
    """Return the names of each processor that the runtime knows with all of its settings.

    Raises:
        Unavailable: there is none.

    """
    names = {p: _names(f, p) for f, processors in PROCESSORS.items() for p in processors}
    found = {p: ways for p, ways in names.items() if all(_is_known(scene, way) for way in ways)}
    if not found:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the runtime knows no processor by its settings")
    return found


def _is_known(scene: Scene, name: str) -> bool:
    with scene.session.learning():
        place = isas.name(scene, name.encode())
        return scene.session.call("hsa_isa_from_name", name=place, isa=Out()).ok


def _compatible(scene: Scene, code: str, agent: str) -> bool:
    first, second = (
        scene.set_up("hsa_isa_from_name", name=isas.name(scene, name.encode()), isa=Out())["isa"]
        for name in (code, agent)
    )
    answer = scene.set_up(
        "hsa_isa_compatible", code_object_isa=first, agent_isa=second, result=Out()
    )
    return answer.number("result") == 1


@proves("hsa_isa_compatible/settings-differ", examples=2)
def other_settings_are_not_compatible(scene: Scene) -> None:
    """Code for a processor with a feature on does not run where it is off, nor the other way."""
    names = scene.each("processor", _known(scene))
    code = scene.one_of(names)
    agent = scene.one_of([name for name in names if _differing(name, code) == 1])
    scene.require(
        not _compatible(scene, code, agent), f"code for {code} runs on {agent}", "compatible"
    )


def _differing(name: str, other: str) -> int:
    """Return how many features two names of a processor set in different ways."""
    return sum(a != b for a, b in zip(name, other, strict=True))


@proves("hsa_isa_compatible/settings-equal")
def equal_settings_are_compatible(scene: Scene) -> None:
    """Code for a processor with all of its features set runs where they are set so."""
    name = scene.one_of(scene.each("processor", _known(scene)))
    scene.require(
        _compatible(scene, name, name), f"code for {name} does not run on it", "not compatible"
    )
