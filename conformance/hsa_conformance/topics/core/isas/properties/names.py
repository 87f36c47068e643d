"""Instruction set architectures by their names."""

from __future__ import annotations

import re
from typing import Final

from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.core.isas import generators as isas
from hsa_reports.demands import Answers

proves = Proofs()

#: Words with single hyphens or blanks between them. A target triple of a compiler is no vendor:
#: its parts may be empty, as in "amdgcn-amd-amdhsa--gfx90a:xnack-".
PREFIX: Final = re.compile(rb"\w+([- ]\w+)*:")


def _known(scene: Scene) -> tuple[int, bytes]:
    """Return an instruction set architecture and its name."""
    named = [i for i in isas.isas(scene) if i.name]
    found = scene.available(named, "named instruction set architecture")
    return found.handle, found.name


@proves("hsa_isa_from_name/same-name")
def what_is_found_has_the_name(scene: Scene) -> None:
    """The architecture that is found by a name has this name."""
    _, name = _known(scene)
    answer = isas.ask(scene, isas.found(scene, name), "HSA_ISA_INFO_NAME")
    scene.require_status(answer, SUCCESS)
    own = isas.written(answer.outputs["value"] or b"")
    scene.require(own == name, f"what is found as {name!r} has another name", own)


@proves("hsa_isa_from_name/same-handle")
def what_is_found_is_what_the_agent_reports(scene: Scene) -> None:
    """The architecture found by the name of one that an agent reports has the same handle."""
    handle, name = _known(scene)
    found = isas.found(scene, name)
    scene.require(
        found == handle, f"{name!r} is found under another handle", f"{found:#x}, not {handle:#x}"
    )


@proves("hsa_isa_from_name/vendor-prefixed")
def a_name_starts_with_its_vendor(scene: Scene) -> None:
    """A name that is found begins with a vendor and a colon."""
    _, name = _known(scene)
    isas.found(scene, name)
    prefixed = PREFIX.match(name) is not None
    refused = Answers(("HSA_STATUS_ERROR_INVALID_ISA_NAME",))
    scene.require(prefixed, "the name begins with no vendor and colon", name, refused)
