"""The attributes of instruction set architectures and wavefronts."""

from __future__ import annotations

import struct

from hsa_conformance.engine.calls.comparing import among, equal, text_length
from hsa_conformance.engine.calls.values import PATTERN, Out
from hsa_conformance.engine.checks.effects.properties import Proofs, Scene
from hsa_conformance.topics.core.isas import generators as isas
from hsa_conformance.topics.shared.attributes import (
    ask,
    attributes,
    content,
    is_power_of_two,
    number,
    require_no_overrun,
)

proves = Proofs()

QUERY = "hsa_isa_get_info_alt"
BY_INDEX = "hsa_isa_get_info"
ENUM = "hsa_isa_info_t"
NAME = "HSA_ISA_INFO_NAME"

#: The attributes of a call convention, which the index chooses.
OF_CONVENTIONS = frozenset(
    {
        "HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE",
        "HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT",
    }
)


def _name(scene: Scene, isa: int) -> bytes:
    """Return what the query of the name writes."""
    attribute = scene.session.registry.constants[NAME]
    answer = scene.set_up(QUERY, isa=isa, attribute=attribute, value=Out())
    return answer.content("value")


@proves("hsa_isa_get_info_alt/value-of-type", examples=3)
def nothing_is_written_behind_an_isas_value(scene: Scene) -> None:
    """A query of an architecture writes no more than the attribute's type.

    The name may have one NUL byte more.
    """
    isa = isas.isa(scene)
    attribute = scene.choose([NAME, *attributes(scene.session, ENUM)])
    if attribute == NAME:
        name = _name(scene, isa).rstrip(bytes([PATTERN]))
        scene.require(
            b"\0" not in name[:-1], "bytes behind the name and its NUL byte were written", name
        )
    else:
        require_no_overrun(scene, ask(scene, QUERY, attribute, isa=isa), attribute)


@proves("hsa_isa_get_info_alt/name-length")
def the_name_is_as_long_as_its_length(scene: Scene) -> None:
    """The length of an architecture's name counts its characters without the NUL byte."""
    isa = isas.isa(scene)
    written = _name(scene, isa)
    name = written.rstrip(bytes([PATTERN])).partition(b"\0")[0]
    told = number(scene, QUERY, "HSA_ISA_INFO_NAME_LENGTH", isa=isa)
    scene.require(
        equal(told, text_length(written)),
        f"HSA_ISA_INFO_NAME_LENGTH is not the {len(name)} characters of the name",
        f"{told} for {name!r}",
    )


def _workgroup(scene: Scene, isa: int) -> tuple[int, ...]:
    return struct.unpack("<3H", content(scene, QUERY, "HSA_ISA_INFO_WORKGROUP_MAX_DIM", isa=isa))


@proves("hsa_isa_get_info_alt/workgroup-limits")
def a_work_group_is_no_longer_than_it_is_large(scene: Scene) -> None:
    """Each dimension of a work-group is at least 1, and at most the size of a work-group."""
    isa = isas.isa(scene)
    largest = number(scene, QUERY, "HSA_ISA_INFO_WORKGROUP_MAX_SIZE", isa=isa)
    lengths = _workgroup(scene, isa)
    for length in scene.parts("dimension", dict(zip("xyz", lengths, strict=True))):
        scene.require(
            0 < length <= largest,
            f"a dimension of a work-group is 0 or exceeds the {largest} work-items in all",
            length,
        )


@proves("hsa_isa_get_info_alt/grid-limits")
def a_grid_is_no_longer_than_it_is_large(scene: Scene) -> None:
    """Each dimension of a grid holds that of a work-group, and is at most the size of a grid."""
    isa = isas.isa(scene)
    largest = number(scene, QUERY, "HSA_ISA_INFO_GRID_MAX_SIZE", isa=isa)
    grid = struct.unpack("<3I", content(scene, QUERY, "HSA_ISA_INFO_GRID_MAX_DIM", isa=isa))
    lengths = zip(grid, _workgroup(scene, isa), strict=True)
    for length, least in scene.parts("dimension", dict(zip("xyz", lengths, strict=True))):
        scene.require(
            0 < length and least <= length <= largest,
            f"a dimension of a grid is 0, less than the {least} work-items of a work-group, or "
            f"more than the {largest} in all",
            length,
        )


@proves("hsa_isa_get_info_alt/workgroup-fits-grid")
def a_work_group_fits_into_a_grid(scene: Scene) -> None:
    """The largest work-group of an architecture is no larger than its largest grid."""
    isa = isas.isa(scene)
    group = number(scene, QUERY, "HSA_ISA_INFO_WORKGROUP_MAX_SIZE", isa=isa)
    grid = number(scene, QUERY, "HSA_ISA_INFO_GRID_MAX_SIZE", isa=isa)
    scene.require(
        group <= grid, "the largest work-group exceeds the largest grid", f"{group} and {grid}"
    )


@proves("hsa_isa_get_info_alt/fbarriers")
def there_are_at_least_32_fbarriers(scene: Scene) -> None:
    """A work-group of an architecture can have at least 32 fbarriers."""
    count = number(scene, QUERY, "HSA_ISA_INFO_FBARRIER_MAX_SIZE", isa=isas.isa(scene))
    scene.require(count >= 32, "a work-group can have fewer than 32 fbarriers", count)


def _modes(scene: Scene, isa: int, of: str = "") -> tuple[bool, ...]:
    """Return the rounding modes that can be the default: default, zero, near."""
    attribute = f"HSA_ISA_INFO_{of}DEFAULT_FLOAT_ROUNDING_MODES"
    return struct.unpack("<3?", content(scene, QUERY, attribute, isa=isa))


@proves("hsa_isa_get_info_alt/some-rounding-mode")
def some_rounding_mode_can_be_the_default(scene: Scene) -> None:
    """At least one rounding mode of an architecture can be the default."""
    modes = _modes(scene, isas.isa(scene))
    scene.require(any(modes), "no rounding mode can be the default", modes)


@proves("hsa_isa_get_info_alt/base-rounding-modes")
def the_base_profile_has_zero_or_near(scene: Scene) -> None:
    """In the base profile, ZERO or NEAR can be the default rounding mode, and DEFAULT cannot.

    Both can be where DEFAULT is among the modes.
    """
    isa = isas.isa(scene)
    default, zero, near = _modes(scene, isa, "BASE_PROFILE_")
    scene.require(not default, "the default mode is said to be a mode of the base profile", default)
    scene.require(zero or near, "the base profile has neither zero nor near", (zero, near))
    if _modes(scene, isa)[0]:
        scene.require(
            zero and near, "the default mode is there, and zero or near is not", (zero, near)
        )


@proves("hsa_isa_get_info/same-as-alt", examples=3)
def the_older_query_writes_the_same(scene: Scene) -> None:
    """The older query writes what hsa_isa_get_info_alt writes.

    The names are compared up to a NUL byte, after which either query may write.
    """
    isa = isas.isa(scene)
    names = {NAME, *attributes(scene.session, ENUM)} - OF_CONVENTIONS
    attribute = scene.choose(sorted(names))
    new = content(scene, QUERY, attribute, isa=isa)
    old = content(scene, BY_INDEX, attribute, isa=isa, index=0)
    if attribute == NAME:
        new, old = isas.written(new), isas.written(old)
    scene.require(old == new, f"{attribute} differs between the queries", f"{old!r} and {new!r}")


def _conventions(scene: Scene, isa: int) -> int:
    return number(scene, BY_INDEX, "HSA_ISA_INFO_CALL_CONVENTION_COUNT", isa=isa, index=0)


@proves("hsa_isa_get_info/call-conventions")
def there_is_a_call_convention(scene: Scene) -> None:
    """An architecture has at least one call convention."""
    count = _conventions(scene, isas.isa(scene))
    scene.require(count > 0, "there is no call convention", count)


def _require_wavefront_size(scene: Scene, size: int) -> None:
    scene.require(
        is_power_of_two(size) and size <= 256,
        "the wavefront size is no power of two between 1 and 256",
        size,
    )


@proves("hsa_isa_get_info/call-convention-wavefront-size")
def the_wavefront_size_of_a_call_convention_is_a_power_of_two(scene: Scene) -> None:
    """The wavefront size of each call convention is a power of two from 1 to 256."""
    isa = isas.isa(scene)
    index = scene.choose(range(min(64, _conventions(scene, isa))))
    attribute = "HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE"
    _require_wavefront_size(scene, number(scene, BY_INDEX, attribute, isa=isa, index=index))


@proves("hsa_isa_get_info/call-convention-wavefronts")
def each_call_convention_has_one_of_the_wavefronts(scene: Scene) -> None:
    """The wavefront size of each call convention is that of a wavefront of the architecture."""
    isa = isas.isa(scene)
    sizes = [
        number(scene, "hsa_wavefront_get_info", "HSA_WAVEFRONT_INFO_SIZE", wavefront=handle)
        for handle in isas.wavefronts(scene, isa)
    ]
    attribute = "HSA_ISA_INFO_CALL_CONVENTION_INFO_WAVEFRONT_SIZE"
    for index in range(min(64, _conventions(scene, isa))):
        size = number(scene, BY_INDEX, attribute, isa=isa, index=index)
        scene.require(
            among(size, sizes), f"call convention {index} has wavefronts of a size of its own", size
        )


@proves("hsa_wavefront_get_info/size-positive")
def the_size_of_a_wavefront_is_a_power_of_two(scene: Scene) -> None:
    """The size of a wavefront is a power of two from 1 to 256."""
    wavefront = isas.wavefront(scene)
    query, attribute = "hsa_wavefront_get_info", "HSA_WAVEFRONT_INFO_SIZE"
    _require_wavefront_size(scene, number(scene, query, attribute, wavefront=wavefront))
