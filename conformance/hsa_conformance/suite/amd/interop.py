"""Properties of mappings of other drivers' buffers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

from hsa_conformance.calls import Answer, Out, Value
from hsa_conformance.checks.properties import Body, Scene, proves
from hsa_conformance.findings import Unavailable
from hsa_conformance.strategies.amd.interop import exported, mapped
from hsa_conformance.strategies.builder import CannotMake

FUNCTIONS = ("hsa_amd_interop_map_buffer", "hsa_amd_interop_map_buffer_with_size")


def _map(scene: Scene, function: str, descriptor: int, **values: Value) -> Answer:
    answer = mapped(scene, descriptor, function, **values)
    scene.require_status(answer, "HSA_STATUS_SUCCESS")
    return answer


def the_size_is_written(scene: Scene, function: str) -> None:
    """The size is that of the memory that was given out."""
    descriptor = exported(scene)
    handle = scene.session.model.shareable[descriptor]
    size = _map(scene, function, descriptor).number("size")
    if handle is None:
        raise CannotMake("nobody knows how large the buffer is")
    scene.require(size == handle.size, f"the buffer has {handle.size} bytes", size)


def a_buffer_is_mapped_again(scene: Scene, function: str) -> None:
    """Each of two mappings of one buffer is there until it is undone itself."""
    descriptor = exported(scene)
    first, second = (_map(scene, function, descriptor)["ptr"] for _ in range(2))
    if first == second:
        raise CannotMake("one address serves both mappings")
    scene.must("hsa_amd_interop_unmap_buffer", ptr=first)
    after = scene.call("hsa_amd_interop_unmap_buffer", ptr=second)
    scene.require(after.ok, "the second mapping went away with the first", after.name)


def the_metadata_lives(scene: Scene, function: str) -> None:
    """The metadata can be read, and stays as it is, while the mapping is there."""
    answer = _map(scene, function, exported(scene))
    size, address = answer.number("metadata_size"), answer.number("metadata")
    if not size:
        raise Unavailable("NOT_APPLICABLE", "no driver here gives its buffers metadata")
    before = scene.session.read(address, size)
    scene.require(before is not None, "the metadata cannot be read", "refused")
    _map(scene, function, exported(scene))
    after = scene.session.read(address, size)
    scene.require(after == before, "another mapping changed the metadata", after)


def the_metadata_is_optional(scene: Scene, function: str) -> None:
    """The call maps the same without an output for metadata."""
    left_out = scene.choose([("metadata",), ("metadata_size",), ("metadata", "metadata_size")])
    descriptor = exported(scene)
    whole = _map(scene, function, descriptor)
    without = _map(scene, function, descriptor, **dict.fromkeys(left_out, 0))
    scene.require(
        whole.number("size") == without.number("size"),
        f"without {' and '.join(left_out)} the size is another",
        without.number("size"),
    )


#: What both functions do, by the end of the clauses' names.
_SHARED: Mapping[str, Callable[[Scene, str], None]] = {
    "size-written": the_size_is_written,
    "same-again": a_buffer_is_mapped_again,
    "metadata-lives": the_metadata_lives,
    "metadata-optional": the_metadata_is_optional,
}


def _of(function: str, body: Callable[[Scene, str], None]) -> Body:
    @wraps(body)
    def of_function(scene: Scene) -> None:
        body(scene, function)

    return of_function


for _function in FUNCTIONS:
    for _slug, _body in _SHARED.items():
        proves(f"{_function}/{_slug}")(_of(_function, _body))


@proves(f"{FUNCTIONS[1]}/hint-zero")
def no_hint_finds_the_size(scene: Scene) -> None:
    """With a hint of 0, the size is what the other function finds."""
    descriptor = exported(scene)
    plain = _map(scene, FUNCTIONS[0], descriptor).number("size")
    hinted = _map(scene, FUNCTIONS[1], descriptor, size_hint=0, size=Out()).number("size")
    scene.require(plain == hinted, f"the other function finds {plain} bytes", hinted)
