"""Properties of mappings of other drivers' buffers."""

from __future__ import annotations

from hsa_conformance.engine.calls.outcomes import Unavailable
from hsa_conformance.engine.calls.values import Answer, Out, Value
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.engine.generation.fixtures import CannotMake
from hsa_conformance.engine.judging.statuses import SUCCESS
from hsa_conformance.topics.amd.interop.generators import MAP, exported, mapped
from hsa_conformance.topics.amd.interop.state import UNMAP
from hsa_reports import Verdict

proves = Proofs()

FUNCTIONS = ("hsa_amd_interop_map_buffer", "hsa_amd_interop_map_buffer_with_size")


def _map(scene: Scene, function: str, descriptor: int, **values: Value) -> Answer:
    answer = mapped(scene, descriptor, function, **values)
    scene.require_status(answer, SUCCESS)
    return answer


@proves.each(FUNCTIONS, "size-written")
def the_size_is_written(scene: Scene) -> None:
    """Mapping another driver's buffer writes the size of its memory, known to the caller or not."""
    function = scene.clause.function
    descriptor = exported(scene)
    handle = scene.session.model.find("shareable", descriptor)
    if handle is None:
        raise CannotMake("nobody knows how large the buffer is")
    values: dict[str, Value] = {}
    if function != MAP:
        values["size_hint"] = scene.each("hint", {"none": 0, "the size": handle.size})
    size = _map(scene, function, descriptor, **values).number("size")
    scene.require(size == handle.size, f"the buffer has {handle.size} bytes", size)


@proves.each(FUNCTIONS, "same-again")
def a_buffer_is_mapped_again(scene: Scene) -> None:
    """One buffer is mapped twice; each mapping stays until it is unmapped itself.

    Only the status of the second unmap shows that.
    """
    function, descriptor = scene.clause.function, exported(scene)
    for mapping in scene.shuffled([_map(scene, function, descriptor)["ptr"] for _ in range(2)]):
        scene.require_status(scene.call(UNMAP, ptr=mapping), SUCCESS)


@proves.each(FUNCTIONS, "metadata-lives")
def the_metadata_lives(scene: Scene) -> None:
    """Metadata of a mapped buffer can be read, and stays the same, until it is unmapped."""
    function = scene.clause.function
    answer = _map(scene, function, exported(scene))
    size, address = answer.number("metadata_size"), answer.number("metadata")
    if not size:
        raise Unavailable(Verdict.NOT_APPLICABLE, "no driver here gives its buffers metadata")
    before = scene.session.read(address, size)
    scene.require(before is not None, "the metadata cannot be read", "refused")
    _map(scene, function, exported(scene))
    after = scene.session.read(address, size)
    scene.require(after == before, "another mapping changed the metadata", after)


@proves.each(FUNCTIONS, "metadata-optional")
def the_metadata_is_optional(scene: Scene) -> None:
    """Mapping a buffer without an output for metadata maps it all the same."""
    function = scene.clause.function
    left_out = scene.choose([("metadata",), ("metadata_size",), ("metadata", "metadata_size")])
    descriptor = exported(scene)
    whole = _map(scene, function, descriptor)
    without = _map(scene, function, descriptor, **dict.fromkeys(left_out, 0))
    scene.require(
        whole.number("size") == without.number("size"),
        f"without {' and '.join(left_out)} the size is another",
        without.number("size"),
    )


@proves("hsa_amd_interop_map_buffer_with_size/hint-zero")
def no_hint_finds_the_size(scene: Scene) -> None:
    """With a size hint of 0, the mapping has the size that the other function finds."""
    descriptor = exported(scene)
    plain = _map(scene, FUNCTIONS[0], descriptor).number("size")
    hinted = _map(scene, FUNCTIONS[1], descriptor, size_hint=0, size=Out()).number("size")
    scene.require(plain == hinted, f"the other function finds {plain} bytes", hinted)
