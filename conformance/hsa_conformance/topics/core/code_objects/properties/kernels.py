"""Attributes of kernels of code objects."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.code_objects import generators as code_objects
from hsa_conformance.topics.core.code_objects.properties.scenes import described_symbol
from hsa_conformance.topics.shared.attributes import is_power_of_two
from hsa_conformance.topics.shared.code import generators as code
from hsa_reports import Verdict

proves = Proofs()


def _of_kernel(scene: Scene, attribute: str) -> int:
    """Return an attribute of a kernel.

    Raises:
        Unavailable: code has symbols of kernels' descriptors, and the library calls them variables.

    """
    handle = code.code_object(scene, code.code(scene))
    symbol = code_objects.symbol(scene, handle, "first.kd")
    if (
        described_symbol(scene, symbol, "TYPE")
        != scene.session.registry.constants["HSA_SYMBOL_KIND_KERNEL"]
    ):
        reason = "to these functions, the symbols of modern kernels are no kernels"
        raise Unavailable(Verdict.NOT_APPLICABLE, reason)
    return described_symbol(scene, symbol, f"KERNEL_{attribute}")


@proves("hsa_code_symbol_get_info/kernarg-size")
def arguments_take_a_multiple_of_16_bytes(scene: Scene) -> None:
    """The size of a kernel's argument segment is a multiple of 16."""
    found = _of_kernel(scene, "KERNARG_SEGMENT_SIZE")
    scene.require(found % 16 == 0, "the size is no multiple of 16", found)


@proves("hsa_code_symbol_get_info/kernarg-alignment")
def arguments_are_aligned(scene: Scene) -> None:
    """The alignment of a kernel's argument segment is a power of two, and at least 16."""
    found = _of_kernel(scene, "KERNARG_SEGMENT_ALIGNMENT")
    scene.require(
        is_power_of_two(found) and found >= 16, "the alignment is no power of two from 16 on", found
    )


@proves("hsa_code_symbol_get_info/wavefront-size")
def a_wavefront_has_32_or_64_lanes(scene: Scene) -> None:
    """The wavefront size of a kernel is 32 or 64."""
    found = _of_kernel(scene, "WAVEFRONT_SIZE")
    scene.require(found in (32, 64), "a wavefront is of another size", found)
