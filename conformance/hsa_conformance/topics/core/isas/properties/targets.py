"""What a library says of each target of LLVM whose name it knows."""

from __future__ import annotations

from collections.abc import Iterator

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.isas import generators as isas
from hsa_conformance.topics.core.isas.targets import TARGETS, Target
from hsa_conformance.topics.shared.attributes import number
from hsa_reports import Verdict

proves = Proofs()

#: One example looks at all names.
ONCE = 0.01


def known_targets(scene: Scene) -> dict[str, Target]:
    """Return the targets that the library knows, by those of their names by which it does.

    Raises:
        Unavailable: there is none.

    """
    named = {name: target for target in TARGETS.values() for name in target.names()}
    known = isas.known_names(scene)
    if not known:
        raise Unavailable(Verdict.NOT_APPLICABLE, "the library knows no target of LLVM by its name")
    return {name: named[name] for name in known}


def _each(scene: Scene) -> Iterator[tuple[str, int]]:
    """Yield each name that the library knows, and the architecture that has it."""
    names = {name: name for name in known_targets(scene)}
    for name in scene.parts("name", names):
        yield name, isas.found(scene, name)


@proves("hsa_isa_from_name/same-name", examples=ONCE)
def each_target_is_found_under_its_own_name(scene: Scene) -> None:
    """The name of a target of LLVM, with any features set, finds a target of this name."""
    for name, isa in _each(scene):
        answer = isas.ask(scene, isa, "HSA_ISA_INFO_NAME")
        scene.require_status(answer, SUCCESS)
        own = isas.written(answer.outputs["value"] or b"").decode("ascii", "replace")
        scene.require(own == name, f"what is found as {name} has another name", own)


@proves("hsa_isa_from_name/same-handle", examples=ONCE)
def each_target_has_one_handle(scene: Scene) -> None:
    """The name of a target of LLVM, with any features set, is found under one handle each time."""
    for name, isa in _each(scene):
        again = isas.found(scene, name)
        scene.require(again == isa, f"{name} is found under another handle", f"{again:#x}")


@proves("hsa_isa_iterate_wavefronts/sizes-of-target", examples=ONCE)
def each_target_has_wavefronts_of_its_own_sizes(scene: Scene) -> None:
    """Every wavefront of a target of LLVM has a size that code for the target can have."""
    known = known_targets(scene)
    for name, isa in _each(scene):
        allowed = known[name].wavefronts
        for wavefront in isas.wavefronts(scene, isa):
            size = number(
                scene, "hsa_wavefront_get_info", "HSA_WAVEFRONT_INFO_SIZE", wavefront=wavefront
            )
            scene.require(
                size in allowed,
                f"a wavefront of {name} has none of the sizes {' and '.join(map(str, allowed))}",
                size,
            )
